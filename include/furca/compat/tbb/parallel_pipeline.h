// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/parallel_pipeline.h"
