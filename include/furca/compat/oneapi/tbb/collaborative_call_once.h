// Not in this look-alike.
#pragma once
#error "furca: <tbb/collaborative_call_once.h> is not in furca's look-alike: use std::call_once: in furca a thread that waits runs nothing else"
