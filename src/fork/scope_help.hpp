// The helpers with the tasks of a scope: what a thief of them says of itself, and whom the scope's
// thread listens to.
#pragma once

#include <furca/detail/base/processor.hpp>
#include <furca/detail/base/relaxed.hpp>

#include "sleep.hpp"

namespace furca::detail {

class ScopeState;

/// A worker's two words for scopes: one for those that it helps with, one for those that it waits
/// for. The protocol: src/fork/sleep.md, "A scope's thread".
///
/// Invariants:
/// - serving_ is the scope of the innermost stolen task that runs as this worker, or null; while it
///   is a scope, all that the deque holds was forked or spawned below tasks of that scope, or below
///   a job that runs on top of such a task: a broadcast call, in a greedy pool any fork, and any
///   job of the pool where the task waits for open tasks, a coroutine or idleness. Such a job
///   awaits all that it forks and spawns, and the task goes on only when it has ended. So whoever
///   steals from here runs what the scope's end depends on, and the wait chain has no circle,
///   though that may be part of another call;
/// - after a stolen task of another scope, which runs on top, the scope is served again, and its
///   thread told;
/// - a task that waits on top of what lies in the deque works as a guest of this thread's, which
///   serves no scope: its deque is another one;
/// - listening_ is null, but for a worker that waits for a scope and sleeps, or is about to: there
///   it is a helper's bell, or the own one where no helper was found.
/// Only the owner writes either word.
/// Checked by: tests/model/programs/pool_programs.hpp ("scope: a stolen task waits for its child"),
/// tests/model/programs/waiting_programs.hpp ("scope: a stolen task waits for open tasks")
class ScopeHelp {
 public:
  explicit ScopeHelp(Bell& own) noexcept : own_(own) {}
  ScopeHelp(const ScopeHelp&) = delete;
  ScopeHelp& operator=(const ScopeHelp&) = delete;

  /// Any thread: what this worker holds may be stolen by the scope's waiter.
  bool serves(const ScopeState& scope) const noexcept {
    // [help.L7] pairs with L6
    return serving_.read() == &scope;
  }

  /// Owner. Who serves a scope tells the scope's worker afterwards: helper_is_here().
  void serve(const ScopeState* scope) noexcept {
    // [help.L6] pairs with L7 and Y5
    serving_.write(scope);
  }

  /// Owner, before its last look: from here on it may be told by this bell.
  // [help.Y1] pairs with Y3, by way of [bell.B2] and [help.Y2]
  void listen_to(Bell& bell) noexcept { listening_.write(&bell); }
  void listen_no_more() noexcept { listening_.write(nullptr); }

  /// Called by the thread that has begun to serve a scope of this worker's. A worker that has found
  /// no helper sleeps, and must be told: it listens first, and then looks once more who serves.
  void helper_is_here() noexcept {
    // [help.Y4] pairs with [bell.B2]
    Atomics::fence();
    // [help.Y3] pairs with Y1
    if (listening_.read() == &own_) own_.ring();
  }

  /// Called by the thread that has ended the last task of a scope of this worker's. The scope's
  /// count went to zero before Y2: the waiter's last look at it, after [bell.B2], finds that, or Y3
  /// finds whom to ring.
  void all_have_ended() noexcept {
    Atomics::fence();  // [help.Y2] pairs with [bell.B2]
    // [help.Y3] pairs with Y1
    if (Bell* const bell = listening_.read()) bell->ring();
  }

 private:
  Bell& own_;
  SeamRelaxed<const ScopeState*> serving_{nullptr};
  SeamRelaxed<Bell*> listening_{nullptr};
};

}  // namespace furca::detail
