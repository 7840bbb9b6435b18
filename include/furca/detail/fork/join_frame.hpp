// The frame of a join: forks all arms but the first, runs the first, and takes the others back in
// order.
#pragma once

#include <furca/detail/base/opaque.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/fork/forked_arm.hpp>
#include <furca/detail/fork/withdrawal.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/detail/observing/observe.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Results side by side. Not a std::pair: an arm's own is one result.
template <class First, class Second>
struct Both {
  /// Not an aggregate: g++ 12 forgets to destroy `first` where what makes `second` throws.
  Both(First&& one, Second&& other)
      : first(std::forward<First>(one)), second(std::forward<Second>(other)) {}

  First first;
  Second second;
};

template <class R>
inline constexpr bool kBoth = false;
template <class First, class Second>
inline constexpr bool kBoth<Both<First, Second>> = true;

/// The type in which a result of type R is kept in the tuple: an rvalue reference is moved into it.
template <class R>
using Kept =
    std::conditional_t<!std::is_rvalue_reference_v<R>, R,
                       std::conditional_t<std::is_function_v<std::remove_reference_t<R>>,
                                          std::add_lvalue_reference_t<std::remove_reference_t<R>>,
                                          std::remove_reference_t<R>>>;

/// A result that comes from the frame of a join in memory, as one of more than two does. clang
/// would load two at once to add them, and wait for what has just been stored one by one: four arms
/// then took 1.6 times as long (AMD EPYC, family 25, model 17).
template <class R>
FURCA_INLINE inline R&& loaded(std::remove_reference_t<R>& result) noexcept {
#if defined(__clang__)
  if constexpr (OneWord<R>) result = detail::opaque(result);
#endif
  return std::forward<R>(result);
}

/// A tuple of `result`, which may be Both or Unit, and `others`.
template <class R, class... Others>
constexpr auto as_tuple(R&& result, Others&&... others) {
  if constexpr (kBoth<R>) {
    using First = decltype(result.first);
    using Second = decltype(result.second);
    if constexpr (std::is_same_v<Second, Unit>) {
      return detail::as_tuple<First, Others...>(std::forward<First>(result.first),
                                                std::forward<Others>(others)...);
    } else {
      return detail::as_tuple<First, Second, Others...>(std::forward<First>(result.first),
                                                        detail::loaded<Second>(result.second),
                                                        std::forward<Others>(others)...);
    }
  } else if constexpr (std::is_same_v<R, Unit>) {
    return std::tuple<Kept<Others>...>(std::forward<Others>(others)...);
  } else {
    return std::tuple<Kept<R>, Kept<Others>...>(std::forward<R>(result),
                                                std::forward<Others>(others)...);
  }
}

template <class... Arms>
inline constexpr bool kAllVoid = (std::is_void_v<ResultOf<Arms>> && ...);

/// Runs arms, of which the last comes first here; returns their results, with Unit for void. The
/// last is published before those that come before it run, so all are at once, and the newest in
/// the deque is always the next in program order.
template <class Only>
FURCA_INLINE inline decltype(auto) join_reversed(Worker&, std::remove_reference_t<Only>& arm) {
  return detail::call([&arm]()
                          FURCA_INLINE -> ResultOf<Only> { return detail::run_arm<Only>(arm); });
}

template <class Last, class Next, class... Before>
FURCA_INLINE inline decltype(auto) join_reversed(Worker& self, std::remove_reference_t<Last>& last,
                                                 std::remove_reference_t<Next>& next,
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
  if (self.take(at)) [[likely]]
    return Results(
        std::forward<Others>(others),
        detail::call([&arm]() FURCA_INLINE -> ResultOf<Last> { return arm.run_here(); }));
  return Results(std::forward<Others>(others), arm.collect(self));
}

/// The number of registers in which an arm is passed.
template <class F>
inline constexpr std::size_t kRegisters = 1;
template <class F>
  requires kInRegisters<F>
inline constexpr std::size_t kRegisters<F> =
    std::is_empty_v<F> ? 0 : (sizeof(F) - 1) / sizeof(void*) + 1;

/// The arms of a join get into its frame in registers, with the worker. If there are too few, their
/// addresses do: clang would build them on the stack, and copy them for the call. g++ inlines the
/// frame of more than two.
template <class... Arms>
#if defined(__clang__)
inline constexpr bool kFit = (kRegisters<Arms> + ...) <= 5;
#else
inline constexpr bool kFit = true;
#endif

/// The way of an arm into the frame that forks.
template <class F, bool kFits = true>
using Passed = std::conditional_t<kInRegisters<F> && kFits, F, F&&>;

template <class A, class B>
FURCA_INLINE inline auto join_on(Worker& self, std::remove_reference_t<A>& a,
                                 std::remove_reference_t<B>& b) {
  return detail::join_reversed<B, A>(self, b, a);
}

template <class A, class B, class C>
FURCA_INLINE inline auto join_on(Worker& self, std::remove_reference_t<A>& a,
                                 std::remove_reference_t<B>& b, std::remove_reference_t<C>& c) {
  return detail::join_reversed<C, B, A>(self, c, b, a);
}

template <class A, class B, class C, class D, class... Rest>
FURCA_INLINE inline auto join_on(Worker& self, std::remove_reference_t<A>& a,
                                 std::remove_reference_t<B>& b, std::remove_reference_t<C>& c,
                                 std::remove_reference_t<D>& d,
                                 std::remove_reference_t<Rest>&... rest) {
  using Arms = std::tuple<A, B, C, D, Rest...>;
  const auto arms = std::tie(a, b, c, d, rest...);
  constexpr std::size_t kLast = std::tuple_size_v<Arms> - 1;
  return [&]<std::size_t... I>(std::index_sequence<I...>) FURCA_INLINE {
    return detail::join_reversed<std::tuple_element_t<kLast - I, Arms>...>(
        self, std::get<kLast - I>(arms)...);
  }(std::make_index_sequence<kLast + 1>());
}

/// An arm as a strand of an observed join: without its type, so that of each join no more than
/// call_arm() is compiled for this.
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
  const Observed observed(StolenAs::strands, site_of<"join", SourceLocation>(&where));
  ((arms.observed = observed.call()), ...);
  return detail::join_on<ObservedArm<Results>...>(self, arms...);
}

/// The same as join_frame() while furca observes itself. Everything by value, here too: the fast
/// path must not keep anything in memory for this.
template <bool kFits, class... Arms>
FURCA_COLD auto observed_frame(const SourceLocation where, Passed<Arms, kFits>... arms) {
  return detail::observed_join<ResultOf<Arms>...>(
      where,
      ObservedArm<ResultOf<Arms>>{nullptr, &call_arm<Arms>, detail::address_of<Arms>(arms)}...);
}

// The frame of a join. In a recursion this is what calls itself, once the caller was inlined here.
// A caller should pay for it only where it gets there, but compilers save registers at the head of
// a function, whatever path it takes: the end of a recursion, half of all calls, would pay as much
// as a fork.
#if defined(__clang__)

template <bool kFits, class... Arms>
[[gnu::noinline]] auto join_frame(Worker& self, Passed<Arms, kFits>... arms) {
  return detail::join_on<Arms...>(self, arms...);
}

template <bool kFits, class... Arms>
FURCA_INLINE inline auto frame_at(const SourceLocation where, Passed<Arms, kFits>... arms) {
  Worker* const here = current_worker;
  if (here == nullptr && observing) [[unlikely]]
    return detail::observed_frame<kFits, Arms...>(where, std::forward<Arms>(arms)...);
  return detail::join_frame<kFits, Arms...>(here != nullptr ? *here : Worker::attach(),
                                            std::forward<Arms>(arms)...);
}

#else

/// Two arms, whatever they have references to. All of it is out of line, so that a recursive
/// function is tiny, which g++ inlines in its arms.
template <bool kFits, class A, class B>
[[gnu::noinline]] auto frame_at(const SourceLocation where, Passed<A, kFits> a,
                                Passed<B, kFits> b) {
  Worker* here = current_worker;
  if (here == nullptr) [[unlikely]] {
    if (observing)
      return detail::observed_frame<kFits, A, B>(where, std::forward<A>(a), std::forward<B>(b));
    here = &Worker::attach();
  }
  return detail::join_on<A, B>(*here, a, b);
}

/// More than two: g++ splits a function by itself, if its arms have no references to its arguments.
template <bool kFits, class A, class B, class C, class... Rest>
inline auto frame_at(const SourceLocation where, Passed<A, kFits> a, Passed<B, kFits> b,
                     Passed<C, kFits> c, Passed<Rest, kFits>... rest) {
  Worker* here = current_worker;
  if (here == nullptr) [[unlikely]] {
    if (observing) {
      return detail::observed_frame<kFits, A, B, C, Rest...>(where, std::forward<A>(a),
                                                             std::forward<B>(b), std::forward<C>(c),
                                                             std::forward<Rest>(rest)...);
    }
    here = &Worker::attach();
  }
  return detail::join_on<A, B, C, Rest...>(*here, a, b, c, rest...);
}

#endif

template <class... Arms>
FURCA_INLINE inline auto join_at(const SourceLocation where, Arms&&... arms) {
  if constexpr (kAllVoid<Arms...>) {
    detail::frame_at<kFit<Arms...>, Arms...>(where, std::forward<Arms>(arms)...);
  } else {
    return detail::as_tuple(
        detail::frame_at<kFit<Arms...>, Arms...>(where, std::forward<Arms>(arms)...));
  }
}

}  // namespace furca::detail
