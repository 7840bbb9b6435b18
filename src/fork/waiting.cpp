// A thread that waits for a stolen job (an arm, half or a portion of a loop, a task with a handle),
// or for the tasks of a scope: one loop for all, which tests/model/programs/latch_programs.hpp
// repeats.
#include <furca/detail/fork/worker.hpp>

#include <furca/detail/tasks/scope_state.hpp>

#include "../measuring/backoff.hpp"
#include "../observing/span.hpp"
#include "../observing/trace.hpp"
#include "counters.hpp"
#include "mailbox.hpp"
#include "run.hpp"
#include "scope_help.hpp"
#include "team.hpp"
#include "thief.hpp"

namespace furca::detail {

namespace {

/// A stolen job. Its claimer is read once in each round.
class AwaitedJob {
 public:
  AwaitedJob(Worker& self, Latch& latch) noexcept
      : self_(self), latch_(latch), may_help_(self.nothing_to_steal() && !self.alone()) {}

  bool has_come() const noexcept { return latch_.is_set(); }

  Job* steal() noexcept {
    claimer_ = latch_.claimer();
    if (!may_help_) return nullptr;
    if (claimer_ != nullptr)
      if (Job* const job = self_.thief.steal_below(latch_, *claimer_)) return job;
    return self_.thief.steal_fork_if_greedy();
  }

  void sleep() noexcept {
    // it is done, or its thief has yet to write its name: there is no bell to listen to
    if (claimer_ == nullptr) return;
    const TracedNap nap;
    claimer_->bell().listen([this] {
      return self_.counters.count_last_look(latch_.is_set() || self_.mailbox.has_mail() ||
                                            (may_help_ && !claimer_->nothing_to_steal()));
    });
  }

 private:
  Worker& self_;
  Latch& latch_;
  // else it is alone, or its own deque is not empty: it waits for a task with a handle, in the
  // middle of something, and what it stole would run on top of what lies there
  const bool may_help_;
  Worker* claimer_ = nullptr;
};

/// The tasks of a scope.
class AwaitedScope {
 public:
  AwaitedScope(Worker& self, ScopeState& scope) noexcept : self_(self), scope_(scope) {}

  bool has_come() noexcept { return scope_.done(); }

  Job* steal() noexcept {
    may_help_ = self_.nothing_to_steal();
    if (!may_help_) return nullptr;
    Job* const job = self_.thief.steal_below(scope_);
    return job != nullptr ? job : self_.thief.steal_fork_if_greedy();
  }

  void sleep() noexcept {
    Worker& helper = may_help_ ? find_helper() : self_;
    self_.scope_help.listen_to(helper.bell());  // [help.Y1]
    const TracedNap nap;
    helper.bell().listen([&] { return self_.counters.count_last_look(is_ready(helper)); });
    self_.scope_help.listen_no_more();
  }

 private:
  bool is_ready(const Worker& helper) noexcept {
    if (scope_.done() || self_.mailbox.has_mail()) return true;
    if (!may_help_) return false;
    if (&helper == &self_) return &find_helper() != &self_;  // [help.Y5] pairs with L6
    return !helper.scope_help.serves(scope_) || !helper.nothing_to_steal();
  }

  /// The worker whose bell to listen to: one that serves the scope, else this one.
  Worker& find_helper() noexcept {
    Worker* helper = &self_;
    self_.team().any_worker(self_.random(), [&](Worker& worker) {
      if (!worker.scope_help.serves(scope_)) return false;
      helper = &worker;
      return true;
    });
    return *helper;
  }

  Worker& self_;
  ScopeState& scope_;
  // in this round; else the deque holds what was spawned from outside of the scope, and older forks
  // may still be in it
  bool may_help_ = false;
};

/// Who waits for whom goes down the tree of forks, so it has no circle; and the stack grows with
/// the program's own nesting only, because what runs here is part of what is waited for, but for
/// broadcast calls, which come as mail. (A greedy pool gives up both for fewer idle moments.)
template <class Awaited>
void await(Worker& self, Awaited awaited) noexcept {
  Backoff backoff = self.team().backoff();
  const PausedStrand paused;
  IdleTime idle(self.counters);
  while (!awaited.has_come()) {
    // the process may have been forked (fork(2)) in what ran here: what others have is the parent's
    self.team().check_not_lost();
    if (Job* const job = awaited.steal()) {
      idle.interrupted_by([&] { run_found(self, *job); });
      backoff.reset();
    } else if (Job* const mail = self.mailbox.receive()) {
      idle.interrupted_by([&] { run_mail(self, *mail); });
      backoff.reset();
    } else if (!backoff.exhausted()) {
      backoff.pause();
    } else {
      // once more: a thief may need this processor to write its name, or a helper to end its fence
      backoff.pause();
      awaited.sleep();
    }
  }
}

}  // namespace

void Forks::wait(Latch& latch) noexcept { await(worker(), AwaitedJob(worker(), latch)); }

void ScopeState::await() noexcept { detail::await(owner_, AwaitedScope(owner_, *this)); }

}  // namespace furca::detail
