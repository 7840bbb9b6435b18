// Not in this look-alike.
#pragma once
#error "furca: <tbb/flow_graph_abstractions.h> is not in furca's look-alike: flow graphs stay with oneTBB: compile all of the program with it, without this include folder, or write the graph as furca::Async coroutines or tasks"
