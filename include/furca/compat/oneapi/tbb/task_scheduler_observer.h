// Not in this look-alike.
#pragma once
#error "furca: <tbb/task_scheduler_observer.h> is not in furca's look-alike: observers stay with oneTBB; a furca::ThreadPool has a start_hook and an exit_hook"
