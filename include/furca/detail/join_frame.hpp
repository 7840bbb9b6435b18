// The frame of a join: forks all arms but the first, runs the first, and takes the others back in order.
#pragma once

#include <furca/detail/forked_arm.hpp>
#include <furca/detail/observe.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/withdrawal.hpp>
#include <furca/detail/worker.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca::detail {

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

}  // namespace furca::detail
