// oneTBB's other name for it.
#pragma once
#include "../oneapi/tbb/task_scheduler_observer.h"
