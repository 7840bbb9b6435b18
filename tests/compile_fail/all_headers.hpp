// What expect.sh has precompiled.
#include <furca/furca.hpp>
