// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/collaborative_call_once.h"
