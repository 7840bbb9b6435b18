// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/enumerable_thread_specific.h"
