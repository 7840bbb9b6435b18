// Not in this look-alike.
#pragma once
#error "furca: <tbb/memory_pool.h> is not in furca's look-alike: the allocator stays with oneTBB"
