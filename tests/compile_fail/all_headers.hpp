// What expect.sh has precompiled.
#pragma once

#include <furca/furca.hpp>
