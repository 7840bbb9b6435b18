// Not in this look-alike.
#pragma once
#error "furca: <tbb/tbbmalloc_proxy.h> is not in furca's look-alike: the allocator stays with oneTBB: link tbbmalloc_proxy, which needs nothing else of it"
