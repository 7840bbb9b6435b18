// The end of a scope's tasks.
#include <furca/detail/tasks/scope_state.hpp>

#include "../fork/scope_help.hpp"

namespace furca::detail {

bool ScopeState::tell(void* scope, Worker& by) noexcept {
  static_cast<ScopeState*>(scope)->ended(by, false);
  return false;
}

bool ScopeState::tell_of_stolen(void* scope, Worker& by) noexcept {
  static_cast<ScopeState*>(scope)->ended(by, true);
  return true;
}

void ScopeState::publish_all(Worker& by, LinkedJob* first) const noexcept {
  if (first != nullptr) by.deque().expect_thieves();
  while (first != nullptr) {
    LinkedJob& task = *first;
    first = std::exchange(task.next, nullptr);
    publish(by, task);
  }
}

ScopeState* ScopeState::serve_on(Worker& thread, ScopeState* scope) noexcept {
  ScopeState* const before = std::exchange(thread.served_, scope);
  thread.scope_help.serve(scope);  // [help.L6]
  if (scope != nullptr && before != nullptr && before != scope)
    before->give_back(std::exchange(thread.counts_in_hand_, 0));
  if (scope != nullptr) scope->owner().scope_help.helper_is_here();
  return before;
}

/// A task is done, on `by`, which has stolen it or not. After this, *this may be gone.
/// Checked by: tests/model/programs/pool_programs.hpp ("scope: the last of two tasks wakes the
/// scope's thread")
void ScopeState::ended(Worker& by, bool stolen) noexcept {
  Worker& owner = owner_;
  if (&by == &owner) {
    --own_pending_;
  } else if (by.served_ == this && !stolen) {
    ++by.counts_in_hand_;
  } else {
    const std::int64_t counts = stolen ? 1 + std::exchange(by.counts_in_hand_, 0) : 1;
    // [scope.C1] pairs with C2
    if (pending_.fetch_sub(counts, std::memory_order_release) == counts)
      owner.scope_help.all_have_ended();
  }
}

}  // namespace furca::detail
