// Compiled twice, each time with another HALF, into a shared object of its own.
#include "half.hpp"

namespace {

void in_group(tbb::task_group_context* context, const std::function<void()>& f) {
  if (context != nullptr) {
    tbb::task_group(*context).run_and_wait(f);
  } else {
    tbb::task_group().run_and_wait(f);
  }
}

const Half kHalf{
    [] { return tbb::is_current_task_group_canceling(); },
    [](const tbb::task_group_context& context) { return context.is_group_execution_cancelled(); },
    [](tbb::task_group_context& context) { context.cancel_group_execution(); },
    in_group,
    [](const std::function<void()>& f) { tbb::this_task_arena::isolate([&] { f(); }); },
    [] { return std::make_unique<tbb::task_group>(); },
    [](tbb::enumerable_thread_specific<int>& values) -> int& { return values.local(); },
    [] { return tbb::global_control::active_value(tbb::global_control::thread_stack_size); },
};

}  // namespace

const Half& HALF() { return kHalf; }
