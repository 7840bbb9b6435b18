// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/flow_graph.h"
