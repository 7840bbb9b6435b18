// Not in this look-alike.
#pragma once
#error "furca: <tbb/concurrent_set.h> is not in furca's look-alike: concurrent containers stay with oneTBB: compile all of the program with it, without this include folder"
