// join: run two or more callables, possibly at the same time, and return what they return.
#pragma once

#include <furca/detail/base/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/fork/join_frame.hpp>
#include <furca/detail/mistakes/wrong_call.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

FURCA_DECLARES(join);

/// @cond
namespace furca::found_by_name {
FURCA_SAYS(join,
           "write join([&] { return f(x); }, [&] { return g(y); }): two arms or more, "
           "each called without arguments, and what they return can be moved; for as many as a "
           "container holds write parallel_for(arms, [](auto& arm) { arm(); })")
}  // namespace furca::found_by_name
/// @endcond

namespace furca {

using found_by_name::join;

/// What join can run: callable without arguments; its result, if any, can be moved to the caller.
/// @snippet join.cpp JoinArm
template <class F>
concept JoinArm = std::invocable<F> && (std::is_void_v<std::invoke_result_t<F>> ||
                                        std::is_reference_v<std::invoke_result_t<F>> ||
                                        std::move_constructible<std::invoke_result_t<F>>);

/// Runs all arms, in parallel where threads are free, and returns when every one has finished.
///
/// Returns a std::tuple of the arms' results, in order. Arms that return void drop out; if all
/// return void, so does join.
/// The first arm runs on the calling thread. Any other arm may be stolen until it starts; if it is
/// not, it runs on the calling thread, in order.
/// On a pool of one the arms run one after the other.
/// Exceptions: those of running the arms in order. When an arm throws, later arms that have not
/// started are skipped, and join waits for those that have. Throws std::bad_alloc itself only at an
/// outside thread's first call.
/// Memory: a join inside a running call allocates nothing.
/// Cost: a few nanoseconds more than calling the arms in turn; some microseconds if all threads
/// sleep, because one is woken. It is least where arms capture their inputs by value and return
/// their results; what they have references to must be in memory.
/// Complexity: work T1 + O(arms); span: the maximum over the arms.
/// A small temporary callable may be copied, and the copy run: what an arm changes in its own
/// captures is kept only for named callables, and a result must not refer into a temporary one.
/// A thread that waits for a stolen arm runs only what that arm has forked (see WaitPolicy), so a
/// mutex may be held across join. Tasks that an arm spawns into a scope around the join may run
/// before the join returns.
/// Thread-safety: any thread, at any depth of nesting.
/// @snippet join.cpp join
/// @{
template <JoinArm A, JoinArm B>
[[nodiscard("join returns what the arms return")]] FURCA_INLINE inline auto join(
    A&& a, B&& b, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B>(where, std::forward<A>(a), std::forward<B>(b));
}

/// Three arms, as above.
template <JoinArm A, JoinArm B, JoinArm C>
[[nodiscard("join returns what the arms return")]] FURCA_INLINE inline auto join(
    A&& a, B&& b, C&& c, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B, C>(where, std::forward<A>(a), std::forward<B>(b),
                                  std::forward<C>(c));
}

/// Four arms, as above.
template <JoinArm A, JoinArm B, JoinArm C, JoinArm D>
[[nodiscard("join returns what the arms return")]] FURCA_INLINE inline auto join(
    A&& a, B&& b, C&& c, D&& d, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B, C, D>(where, std::forward<A>(a), std::forward<B>(b),
                                     std::forward<C>(c), std::forward<D>(d));
}
/// @}

/// Five arms or more, as above. Traces do not show the source line of such a join.
template <JoinArm A, JoinArm B, JoinArm C, JoinArm D, JoinArm... Rest>
  requires(sizeof...(Rest) > 0)
[[nodiscard("join returns what the arms return")]] FURCA_INLINE inline auto join(A&& a, B&& b,
                                                                                 C&& c, D&& d,
                                                                                 Rest&&... rest) {
  return detail::join_at<A, B, C, D, Rest...>(SourceLocation(), std::forward<A>(a),
                                              std::forward<B>(b), std::forward<C>(c),
                                              std::forward<D>(d), std::forward<Rest>(rest)...);
}

}  // namespace furca
