// Not in this look-alike.
#pragma once
#error "furca: <tbb/parallel_pipeline.h> is not in furca's look-alike: pipelines stay with oneTBB: compile all of the program with it, without this include folder"
