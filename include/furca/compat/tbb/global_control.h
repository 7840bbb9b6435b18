// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/global_control.h"
