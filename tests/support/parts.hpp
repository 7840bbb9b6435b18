// Precompiled for tests of single parts, which include few of furca's headers.
#include "standard.hpp"
