// Precompiled for furca-measure, which would otherwise spend most of its compile time on the
// headers of the contenders.
#include "../contenders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>
