// The state of a scope: how many tasks are not done, in which order they were spawned, and which
// exception comes first.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/fork/job.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/stop_token.hpp>

#include <exception>

namespace furca::detail {

class ObservedCall;

/// Lives in the frame of the scope, until the last task is done.
///
/// The scope's own thread counts what it spawns and ends for itself, and hands over when it waits.
/// Others count in one word, pending_. A thread that has stolen a task of the scope changes it
/// seldom: it has counts in hand, which are in pending_ and are of no task. An end adds one to
/// them; a spawn takes one, of 32 new ones if there was none. The end of the stolen task, which is
/// counted until then, gives all of them back.
///
/// a task, on another thread                    the scope's thread
///   [scope.C1] pending - 1, and    release       [scope.C3] pending + its own        relaxed
///              what is in hand                   [scope.C2] pending == 0?            acquire
/// Every end of a task is in the release sequence of those before it, so who sees zero sees what
/// all tasks did. The thread that ends the last looks at nothing of theirs. A task is counted
/// before it can be stolen, and by a task that is counted itself or by the scope's thread: zero
/// after C3 means that no thread will count more.
/// Checked by: tests/model/programs/pool_programs.hpp ("scope: the last of two tasks wakes the
/// scope's thread")
class ScopeState {
 public:
  using Order = std::uint64_t;
  static constexpr Order kBody = 0;  // the body comes before all tasks
  // and last what those run who are no part of the scope; that is not counted
  static constexpr Order kElsewhere = UINT64_MAX - 1;

  explicit ScopeState(Worker& owner) noexcept : owner_(owner) {}
  ScopeState(const ScopeState&) = delete;
  ScopeState& operator=(const ScopeState&) = delete;

  Worker& owner() const noexcept { return owner_; }

  /// `by` spawns one more task; its place in the order of tasks: first those that the scope's
  /// thread spawns.
  Order spawned(Worker& by) noexcept {
    if (&by == &owner_) return ++own_pending_, ++own_spawned_;
    if (by.served_ != this) {
      pending_.fetch_add(1, std::memory_order_relaxed);
    } else if (by.counts_in_hand_-- == 0) {
      pending_.fetch_add(kCountsAtOnce, std::memory_order_relaxed);
      by.counts_in_hand_ += kCountsAtOnce;
    }
    return kOfOthers | ++by.order_;
  }

  /// `by` publishes a task that it has spawned, or runs it if there is no memory for that. Thieves
  /// may take several at once.
  void publish(Worker& by, LinkedJob& task) const noexcept {
    const bool follows = (by.scope_end_ == by.deque().end()) & (by.newest_scope_ == this);
    const Worker::Index at =
        by.deque_.offer_following(QueuedJob(task, follows));  // [sleep.F1] [bell.R1]
    by.tell_of_job();
    by.newest_scope_ = this;
    by.scope_end_ = at + 1;
    if (at == Worker::Deque::kNotPublished) [[unlikely]]
      by.run_on_top(task);
  }

  /// The same for tasks that were stolen together with one that `by` runs now, linked by `next`.
  FURCA_API void publish_all(Worker& by, LinkedJob* first) const noexcept;

  /// From here on this thread runs a stolen task of this scope (null: of none), so the scope's
  /// waiter may steal from it. Returns the scope before.
  FURCA_API FURCA_COLD static ScopeState* serve_on(Worker& thread, ScopeState* scope) noexcept;

  /// The end of a task; `stolen`: the scope's thread may steal below it.
  JobEnd end_of_task(bool stolen) noexcept { return {stolen ? &tell_of_stolen : &tell, this}; }

  /// By a thread that serves this scope, before or after it serves another one, too. Its C1 comes
  /// later.
  void give_back(std::int64_t counts) noexcept {
    pending_.fetch_sub(counts, std::memory_order_relaxed);
  }

  /// The scope's thread: all that was spawned is done.
  bool done() noexcept {
    // [scope.C3]
    if (own_pending_ != 0)
      pending_.fetch_add(std::exchange(own_pending_, 0), std::memory_order_relaxed);
    return pending_.load(std::memory_order_acquire) == 0;  // [scope.C2] pairs with C1
  }

  /// The scope's thread: returns when all tasks are done; helps with what was forked and spawned
  /// below them.
  FURCA_API FURCA_COLD void await() noexcept;

  /// Something that comes before in order has thrown, or the scope was stopped: a task of that
  /// order need not begin.
  bool skips(Order order) const noexcept {
    return order > failed_.read() || (stop != nullptr && stop->stop_requested());
  }

  /// The body or a task threw `error`.
  FURCA_COLD void fail(Order order, std::exception_ptr error) noexcept {
    // [scope.X1] pairs with X2
    while (failing_.exchange(true, std::memory_order_acquire)) Atomics::yield();
    if (order < failed_.read()) {
      failed_.write(order);
      std::swap(error_, error);
    }
    // [scope.X2] pairs with X1
    failing_.exchange(false, std::memory_order_release);
  }

  // Set before the scope's body runs:
  ObservedCall* observed = nullptr;  // null unless furca observes itself
  const StopToken* stop = nullptr;   // null: it cannot be stopped

  /// Once all is done: something has thrown.
  bool failed() const noexcept { return error_ != nullptr; }

  /// Throws the exception that comes first in order.
  [[noreturn]] void rethrow() { std::rethrow_exception(std::exchange(error_, nullptr)); }

 private:
  FURCA_API static bool tell(void* scope, Worker& by) noexcept;
  FURCA_API static bool tell_of_stolen(void* scope, Worker& by) noexcept;

  void ended(Worker& by, bool stolen) noexcept;

  static constexpr std::int64_t kCountsAtOnce = 32;
  static constexpr Order kNone = UINT64_MAX;
  static constexpr Order kOfOthers = Order{1} << 63U;

  // The scope's thread's own.
  Order own_spawned_ = 0;
  // spawned there and not yet handed over, less those that were done there
  std::int64_t own_pending_ = 0;
  Atomics::Atomic<bool> failing_{false};  // guards error_
  std::exception_ptr error_;

  // Read by each task.
  alignas(kCacheLine) Worker& owner_;
  SeamRelaxed<Order> failed_{kNone};  // the first in order that has thrown

  alignas(kCacheLine) Atomics::Atomic<std::int64_t> pending_{0};
};

}  // namespace furca::detail
