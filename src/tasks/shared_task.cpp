// Checked by: tests/tasks/spawn_test.cpp ("a handle is joined, dropped or cancelled at any
// moment"), tests/model/programs/pool_programs.hpp ("tasks: a coroutine awaits a task")
#include <furca/detail/tasks/shared_task.hpp>

#include <furca/detail/tasks/pool_door.hpp>

#include "../pool/pool.hpp"
#include "../queues/detached_tasks.hpp"

namespace furca::detail {

/// The last party to leave destroys it: if the handle was dropped, what the user has in it is there
/// still, and no thread knows yet that the task has ended.
void SharedTask::ended(Worker& by) noexcept {
  if (leave()) {
    by.begin_job();
    {
      const RunningTask running(by);
      destroy(*this);
    }
    by.end_job();
  }
  by.detached.ended();
}

/// A handle waits for what has run here.
bool SharedTask::end_and_tell(void* task, Worker& by) noexcept {
  static_cast<SharedTask*>(task)->tell();
  static_cast<SharedTask*>(task)->ended(by);
  return true;
}

bool SharedTask::end_untold(void* task, Worker& by) noexcept {
  static_cast<SharedTask*>(task)->ended(by);
  return false;
}

/// The handle may have joined or cancelled it meanwhile: then the job is an empty shell.
JobEnd SharedTask::run_queued(Job& job, Worker& runner, bool) noexcept {
  auto& self = static_cast<SharedTask&>(job);
  if (!self.claim()) return {&end_untold, &self};
  const RunningTask running(runner);
  self.latch_.claim(runner);
  return {self.run_content() ? &end_and_tell : &end_untold, &self};
}

void SharedTask::tell() noexcept {
  latch_.set();
  tell_handle();
}

void SharedTask::tell_handle() noexcept {
  // [shared_task.Y6] pairs with Y7 Y8
  LinkedJob* const continuation = continuation_.exchange(this, std::memory_order_acq_rel);
  if (continuation != nullptr) post_last(pool_, *continuation);
  pool_.waits.tell_resting();
}

Seated::Seated(const SharedTask& task) noexcept : pool_(task.pool()) {
  WorkingWaits& waits = pool_.waits;
  const auto over = [&task] { return task.over(); };
  if (waits.has_seat()) return;
  Worker& self = *Worker::if_any();
  if (self.alone() || pool_.is_limited_to_one()) {
    waits.rest(self, Until(over));  // others run it, in its turn
  } else {
    takes_ = waits.claim_seat(self, Until(over));
  }
}

Seated::~Seated() {
  if (takes_) pool_.waits.leave_seat();
}

}  // namespace furca::detail
