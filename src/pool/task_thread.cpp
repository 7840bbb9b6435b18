#include "task_thread.hpp"

#include "pool.hpp"

namespace furca::detail {

/// Checked by: tests/model/programs/pool_programs.hpp ("tasks: a pool of one")
/// If another thread starts it just now, it will find what was posted meanwhile. If that thread
/// fails, its spawn fails, and the next one tries again.
void TaskThread::need() {
  if (state_.load(std::memory_order_relaxed) == State::started) return;
  State none = State::none;
  // [task_thread.Q1]
  if (!state_.compare_exchange_strong(none, State::starting, std::memory_order_acquire,
                                      std::memory_order_relaxed))
    return;
  Worker* place = worker();
  try {
    if (place == nullptr) {
      place = &pool_.claim_guest(nullptr);
      worker_.write(place);
    }
    thread_.emplace(pool_.start_thread(*place));
  } catch (...) {
    state_.exchange(State::none, std::memory_order_release);  // [task_thread.Q3] pairs with Q1
    throw;
  }
  state_.exchange(State::started, std::memory_order_release);  // [task_thread.Q3] pairs with Q2 Q4
}

}  // namespace furca::detail
