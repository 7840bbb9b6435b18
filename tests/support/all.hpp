// Precompiled for tests of what users call: most of their compile time was these headers.
#include "standard.hpp"

#include <furca/algorithms.hpp>
#include <furca/furca.hpp>
