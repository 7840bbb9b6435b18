// join: run two or more callables, possibly at the same time, and return what they return.
#pragma once

#include <furca/detail/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/mistakes.hpp>
#include <furca/detail/observe.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/withdrawal.hpp>
#include <furca/detail/worker.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca {

/// What join can run: callable without arguments; its result, if any, can be moved to the caller.
/// @snippet join.cpp JoinArm
template <class F>
concept JoinArm = std::invocable<F> && (std::is_void_v<std::invoke_result_t<F>> || std::is_reference_v<std::invoke_result_t<F>> ||
                                        std::move_constructible<std::invoke_result_t<F>>);

namespace detail {

/// How a thief gets at an arm. A small temporary is copied: the forker's own then never leaves its frame, and the compiler
/// keeps its captures in registers. Everything else is pointed to; what the arm changes in a named callable stays visible.
template <class F>
inline constexpr bool kCopiedForThief = std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F> && sizeof(F) <= 64;
template <class F>
inline constexpr bool kCopiedForThief<F&> = false;
template <class R>
inline constexpr bool kCopiedForThief<R()> = false;
template <class R>
inline constexpr bool kCopiedForThief<R() noexcept> = false;

/// What join returns for an arm, before void is left out.
template <class Arm>
using ResultOf = std::invoke_result_t<Arm>;

/// Calls the arm that `arm` points to. Out of line, and the same for a thief and while furca observes itself: each arm is compiled twice, here and in the
/// frame that forks.
template <class F>
ResultOf<F> call_arm(const void* arm) {
  using Callable = std::remove_reference_t<F>;
  if constexpr (std::is_function_v<Callable>) {
    return reinterpret_cast<Callable*>(const_cast<void*>(arm))();
  } else {
    return std::forward<F>(*static_cast<Callable*>(const_cast<void*>(arm)))();
  }
}

template <class F>
const void* address_of(std::remove_reference_t<F>& arm) noexcept {
  return reinterpret_cast<const void*>(std::addressof(arm));
}

/// A forked arm, as far as its result tells what it is.
template <class R>
class ForkedResult : public ForkedJob {
 public:
  using Value = std::conditional_t<std::is_void_v<R>, Unit, R>;

  Outcome<Value> outcome;

  /// The forker: a thief has it; waits, and returns its result or throws what it threw.
  FURCA_COLD Value collect(Worker& self) {
    self.wait(latch);
    return outcome.take();
  }

 protected:
  using ForkedJob::ForkedJob;
  ~ForkedResult() = default;

  [[gnu::noinline]] JobEnd run(Worker& thief, R (*call)(const void* arm), const void* arm) noexcept {
    return thief.run_forked(latch, [&] { outcome.fill([&]() -> Value { return detail::call(call, arm); }); });
  }
};

template <class F>
class ForkedArm : public ForkedResult<ResultOf<F>> {
  using Callable = std::remove_reference_t<F>;
  using Held = std::conditional_t<kCopiedForThief<F>, Callable, Callable*>;

 public:
  explicit ForkedArm(Callable& callable) noexcept : ForkedResult<ResultOf<F>>(&run_stolen), held_(hold(callable)) {}

 private:
  static Held hold(Callable& callable) noexcept {
    if constexpr (kCopiedForThief<F>) {
      return callable;
    } else {
      return std::addressof(callable);
    }
  }

  static JobEnd run_stolen(Job& job, Worker& thief, bool) noexcept {
    auto& self = static_cast<ForkedArm&>(job);
    if constexpr (kCopiedForThief<F>) {
      return self.run(thief, &call_arm<F>, std::addressof(self.held_));
    } else {
      return self.run(thief, &call_arm<F>, detail::address_of<F>(*self.held_));
    }
  }

  Held held_;
};

/// Results side by side. Not a std::pair: an arm's own is one result.
template <class First, class Second>
struct Both {
  /// Not an aggregate: g++ 12 forgets to destroy `first` where what makes `second` throws.
  Both(First&& one, Second&& other) : first(std::forward<First>(one)), second(std::forward<Second>(other)) {}

  First first;
  Second second;
};

template <class R>
inline constexpr bool kBoth = false;
template <class First, class Second>
inline constexpr bool kBoth<Both<First, Second>> = true;

/// How a result of type R is kept in the tuple: what an arm returns by rvalue reference is moved into it.
template <class R>
using Kept = std::conditional_t<!std::is_rvalue_reference_v<R>, R,
                                std::conditional_t<std::is_function_v<std::remove_reference_t<R>>, std::add_lvalue_reference_t<std::remove_reference_t<R>>, std::remove_reference_t<R>>>;

/// A tuple of `result`, which may be Both or Unit, and `others`.
template <class R, class... Others>
constexpr auto as_tuple(R&& result, Others&&... others) {
  if constexpr (kBoth<R>) {
    using First = decltype(result.first);
    using Second = decltype(result.second);
    if constexpr (std::is_same_v<Second, Unit>) {
      return detail::as_tuple<First, Others...>(std::forward<First>(result.first), std::forward<Others>(others)...);
    } else {
      return detail::as_tuple<First, Second, Others...>(std::forward<First>(result.first), std::forward<Second>(result.second), std::forward<Others>(others)...);
    }
  } else if constexpr (std::is_same_v<R, Unit>) {
    return std::tuple<Kept<Others>...>(std::forward<Others>(others)...);
  } else {
    return std::tuple<Kept<R>, Kept<Others>...>(std::forward<R>(result), std::forward<Others>(others)...);
  }
}

template <class... Arms>
inline constexpr bool kAllVoid = (std::is_void_v<ResultOf<Arms>> && ...);

/// Runs arms, of which the last comes first here; returns their results, with Unit for void. The last is published before those that come before it
/// run, so all are at once, and the newest in the deque is always the next in program order.
template <class Only>
FURCA_INLINE inline decltype(auto) join_reversed(Worker&, std::remove_reference_t<Only>& arm) {
  if constexpr (std::is_void_v<ResultOf<Only>>) {
    static_cast<Only&&>(arm)();
    return Unit{};
  } else {
    return static_cast<Only&&>(arm)();
  }
}

template <class Last, class Next, class... Before>
FURCA_INLINE inline decltype(auto) join_reversed(Worker& self, std::remove_reference_t<Last>& last, std::remove_reference_t<Next>& next,
                                                 std::remove_reference_t<Before>&... before) {
  using Others = decltype(detail::join_reversed<Next, Before...>(self, next, before...));
  using Value = typename ForkedResult<ResultOf<Last>>::Value;
  using Results = Both<Others, Value>;

  ForkedArm<Last> arm(last);
  const Worker::Index at = self.fork(arm);
  Others others = [&]() FURCA_INLINE -> Others {
    Withdrawal<ForkedResult<ResultOf<Last>>> withdrawal(self, at, arm);
    if constexpr (std::is_reference_v<Others> || std::is_nothrow_move_constructible_v<Others>) {
      Others results = detail::join_reversed<Next, Before...>(self, next, before...);
      withdrawal.not_needed();
      return std::forward<Others>(results);
    } else {
      withdrawal.needed_only_when_unwinding();
      return detail::join_reversed<Next, Before...>(self, next, before...);
    }
  }();
  if (self.take(at)) [[likely]] return Results(std::forward<Others>(others), detail::join_reversed<Last>(self, last));
  return Results(std::forward<Others>(others), arm.collect(self));
}

/// How an arm gets into the frame that forks: what fits into two registers in these. Not one that returns a reference, which may be to
/// its own captures.
template <class F, bool kCopied = kCopiedForThief<F>>
struct PassedAs {
  using Type = F&&;
};

template <class F>
struct PassedAs<F, true> {
  using Type = std::conditional_t<sizeof(F) <= 2 * sizeof(void*) && !std::is_reference_v<ResultOf<F>>, F, F&&>;
};

template <class F>
using Passed = typename PassedAs<F>::Type;

/// The frames of joins. In a recursion this is what calls itself, once the caller was inlined here.
template <class A, class B>
FURCA_SPLIT auto join_frame(Worker& self, Passed<A> a, Passed<B> b) {
  return detail::join_reversed<B, A>(self, b, a);
}

template <class A, class B, class C>
FURCA_SPLIT auto join_frame(Worker& self, Passed<A> a, Passed<B> b, Passed<C> c) {
  return detail::join_reversed<C, B, A>(self, c, b, a);
}

template <class A, class B, class C, class D>
FURCA_SPLIT auto join_frame(Worker& self, Passed<A> a, Passed<B> b, Passed<C> c, Passed<D> d) {
  return detail::join_reversed<D, C, B, A>(self, d, c, b, a);
}

template <class A, class B, class C, class D, class... Rest>
  requires(sizeof...(Rest) > 0)
FURCA_SPLIT auto join_frame(Worker& self, Passed<A> a, Passed<B> b, Passed<C> c, Passed<D> d, Passed<Rest>... rest) {
  using Arms = std::tuple<A, B, C, D, Rest...>;
  std::tuple<std::remove_reference_t<A>&, std::remove_reference_t<B>&, std::remove_reference_t<C>&, std::remove_reference_t<D>&, std::remove_reference_t<Rest>&...> arms(
      a, b, c, d, rest...);
  constexpr std::size_t kLast = std::tuple_size_v<Arms> - 1;
  return [&]<std::size_t... I>(std::index_sequence<I...>) FURCA_INLINE {
    return detail::join_reversed<std::tuple_element_t<kLast - I, Arms>...>(self, std::get<kLast - I>(arms)...);
  }(std::make_index_sequence<kLast + 1>());
}

/// An arm as a strand of an observed join: without its type, so that of each join no more than call_arm() is compiled for this.
template <class R>
struct ObservedArm {
  ObservedCall* observed;
  R (*call)(const void* arm);
  const void* arm;

  R operator()() const {
    const Strand strand(observed);
    return call(arm);
  }
};

template <class... Results>
FURCA_COLD auto observed_join(const SourceLocation where, ObservedArm<Results>... arms) {
  Worker& self = Worker::attach();
  const Observed observed(Construct::join, where);
  ((arms.observed = observed.call()), ...);
  return detail::join_frame<ObservedArm<Results>...>(self, std::move(arms)...);
}

/// join_frame() while furca observes itself. Everything by value, here too: the fast path must not keep anything in memory for this.
template <class... Arms>
FURCA_COLD auto observed_frame(const SourceLocation where, Passed<Arms>... arms) {
  return detail::observed_join<ResultOf<Arms>...>(where, ObservedArm<ResultOf<Arms>>{nullptr, &call_arm<Arms>, detail::address_of<Arms>(arms)}...);
}

template <class... Arms>
FURCA_INLINE inline auto frame_at(const SourceLocation where, Arms&&... arms) {
  Worker* const here = current_worker;
  if (here == nullptr && observing) [[unlikely]] return detail::observed_frame<Arms...>(where, std::forward<Arms>(arms)...);
  return detail::join_frame<Arms...>(here != nullptr ? *here : Worker::attach(), std::forward<Arms>(arms)...);
}

template <class... Arms>
FURCA_INLINE inline auto join_at(const SourceLocation where, Arms&&... arms) {
  if constexpr (kAllVoid<Arms...>) {
    detail::frame_at<Arms...>(where, std::forward<Arms>(arms)...);
  } else {
    return detail::as_tuple(detail::frame_at<Arms...>(where, std::forward<Arms>(arms)...));
  }
}

}  // namespace detail

/// Runs all arms, in parallel where threads are free, and returns when every one has finished.
///
/// Returns a std::tuple of the arms' results, in order. Arms that return void drop out; if all return void, so does join.
/// The first arm runs on the calling thread. Any other arm may be stolen until it starts; if it is not, it runs on the calling thread, in order.
/// On a pool of one the arms run one after the other.
/// Exceptions: those of running the arms in order. When an arm throws, later arms that have not started are skipped, and join waits for those
/// that have. Throws std::bad_alloc itself only at an outside thread's first call.
/// Memory: a join inside a running call allocates nothing.
/// Cost: a few nanoseconds more than calling the arms in turn; some microseconds if all threads sleep, because one is woken.
/// Complexity: work T1 + O(arms); span: the maximum over the arms.
/// A small temporary callable may be copied, and the copy run: what an arm changes in its own captures is kept only for named
/// callables, and a result must not refer into a temporary one.
/// A thread that waits for a stolen arm runs only what that arm has forked (see WaitPolicy), so a mutex may be held across join. Tasks that an
/// arm spawns into a scope around the join may run before the join returns.
/// Thread-safety: any thread, at any depth of nesting.
/// @snippet join.cpp join
/// @{
template <JoinArm A, JoinArm B>
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B>(where, std::forward<A>(a), std::forward<B>(b));
}

/// Three arms, as above.
template <JoinArm A, JoinArm B, JoinArm C>
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, C&& c, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B, C>(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

/// Four arms, as above.
template <JoinArm A, JoinArm B, JoinArm C, JoinArm D>
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, C&& c, D&& d, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B, C, D>(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c), std::forward<D>(d));
}
/// @}

/// Five arms or more, as above. Traces do not show the source line of such a join.
template <JoinArm A, JoinArm B, JoinArm C, JoinArm D, JoinArm... Rest>
  requires(sizeof...(Rest) > 0)
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, C&& c, D&& d, Rest&&... rest) {
  return detail::join_at<A, B, C, D, Rest...>(SourceLocation(), std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
                                              std::forward<D>(d), std::forward<Rest>(rest)...);
}

}  // namespace furca
