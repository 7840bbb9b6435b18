// Work of a sender's operation, as a pool's task.
#pragma once

#include <furca/detail/tasks/pool_door.hpp>

namespace furca::plugs {

/// A detached task in memory that somebody else has: that of an operation's state. The work ends
/// with a completion, after which that is gone.
template <class Work>
class WorkTask : public detail::LinkedJob {
 public:
  explicit WorkTask(const Work& work) noexcept : LinkedJob(&run_task), work_(work) {}

 private:
  static detail::JobEnd run_task(Job& job, detail::Worker& runner, bool) noexcept {
    const detail::RunningTask running(runner);
    const Work work = static_cast<WorkTask&>(job).work_;
    work();
    return detail::JobEnd::of_detached();
  }

  Work work_;
};

}  // namespace furca::plugs
