// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/tbbmalloc_proxy.h"
