// All that the look-alike has.
#pragma once
#include "tbb/tbb.h"
