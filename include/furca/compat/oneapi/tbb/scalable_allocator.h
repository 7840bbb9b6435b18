// Not in this look-alike.
#pragma once
#error "furca: <tbb/scalable_allocator.h> is not in furca's look-alike: the allocator stays with oneTBB: link tbbmalloc, which needs nothing else of it"
