// Not in this look-alike.
#pragma once
#error "furca: <tbb/blocked_nd_range.h> is not in furca's look-alike: ranges of more than three dimensions stay with oneTBB"
