// broadcast: once on every thread of the pool.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tasks/result.hpp>
#include <furca/detail/tasks/scope_state.hpp>
#include <furca/thread_pool.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <vector>

FURCA_DECLARES(broadcast);

namespace furca::found_by_name {
FURCA_SAYS(broadcast,
           "write broadcast([&] { f(x); }), which calls f without arguments "
           "on every thread; what f returns can be moved, and is no reference")
}  // namespace furca::found_by_name

namespace furca {

using found_by_name::broadcast;

namespace detail {

/// One call of a broadcast, in the mail of the thread that makes it.
template <class F>
class BroadcastCall : public LinkedJob {
 public:
  using Value = std::invoke_result_t<F&>;

  BroadcastCall(F& f, ScopeState& scope) noexcept : LinkedJob(&run_call), f_(f), scope_(scope) {}

  /// On the calling thread, as call number `order`.
  void run_here(ScopeState::Order order) noexcept {
    try {
      result.set(detail::call(f_));
    } catch (...) {
      scope_.fail(order, std::current_exception());
    }
  }

  void send(Worker& from, Worker& to) noexcept {
    order_ = scope_.spawned(from);
    detail::mail(to, *this);
  }

  Result<Value> result;

 private:
  static JobEnd run_call(Job& job, Worker&, bool) noexcept {
    auto& self = static_cast<BroadcastCall&>(job);
    self.run_here(self.order_);
    return self.scope_.end_of_task(false);
  }

  F& f_;
  ScopeState& scope_;
  ScopeState::Order order_ = ScopeState::kBody;
};

template <class F>
  requires std::invocable<F&> &&
               (std::is_void_v<std::invoke_result_t<F&>> ||
                (std::is_same_v<std::decay_t<std::invoke_result_t<F&>>, std::invoke_result_t<F&>> &&
                 std::move_constructible<std::invoke_result_t<F&>>))
inline constexpr bool kBroadcasts<F> = true;

}  // namespace detail

/// Calls f() once on each started thread of the caller's pool and once on the calling thread, and
/// returns when all calls have returned.
///
/// If f returns something, the result is a std::vector of it: the caller's first, then in the order
/// of the threads' numbers.
/// For things that each thread must do itself: set its rounding mode, empty a cache of its own,
/// register with a profiler.
/// A thread calls f when its current job ends, or while it waits in a join, loop or scope. So a
/// long job delays broadcast, and f must not lock what a thread may hold across a join. A thread
/// that waits inside another pool calls f only after that wait.
/// Not called on other outside threads, nor on the task thread of a pool of one. In an exit_hook
/// only the caller calls f.
/// Exceptions: the caller's, otherwise that of the thread with the lowest number. All calls are
/// made in any case.
/// Throws std::bad_alloc before any call.
/// Cost: some microseconds for each thread, because all are woken.
/// Thread-safety: any thread, at any depth of nesting.
template <class F>
  requires detail::kBroadcasts<F>
auto broadcast(F&& f) {
  using Call = detail::BroadcastCall<std::remove_reference_t<F>>;
  using Value = typename Call::Value;
  detail::Worker& self = detail::Worker::current();
  detail::Pool& pool = self.pool();
  detail::ScopeState scope(self);

  const std::size_t started = detail::started_threads(pool);
  std::vector<std::unique_ptr<Call>> calls;  // the caller's first
  calls.reserve(1 + started);
  for (std::size_t i = 0; i <= started; ++i)
    if (i == 0 || !detail::share_a_stack(self, detail::started_thread(pool, i - 1)))
      calls.push_back(std::make_unique<Call>(f, scope));
  [[maybe_unused]] std::vector<std::conditional_t<std::is_void_v<Value>, detail::Unit, Value>>
      results;
  if constexpr (!std::is_void_v<Value>) results.reserve(calls.size());
  auto next = calls.begin() + 1;
  for (std::size_t number = 0; number < started; ++number)
    if (detail::Worker& worker = detail::started_thread(pool, number);
        !detail::share_a_stack(self, worker))
      (*next++)->send(self, worker);
  detail::ring_all(pool);

  calls.front()->run_here(detail::ScopeState::kBody);
  if (!scope.done()) scope.await();
  if (scope.failed()) scope.rethrow();
  if constexpr (!std::is_void_v<Value>) {
    for (auto& call : calls) results.push_back(call->result.get());
    return results;
  }
}

template <class F>
  requires detail::kBroadcasts<F>
auto ThreadPool::broadcast(F&& f) {
  const detail::Visit visit(*pool_);
  return furca::broadcast(std::forward<F>(f));
}

}  // namespace furca
