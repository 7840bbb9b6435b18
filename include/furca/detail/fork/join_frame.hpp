// The frame of a join, which join_arms.hpp fills, also while furca observes itself, and the tuple
// of its results.
#pragma once

#include <furca/detail/base/source_location.hpp>
#include <furca/detail/fork/join_arms.hpp>
#include <furca/detail/observing/observe.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace furca::detail {

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
FURCA_COLD auto observed_join(const SourceSite& site, ObservedArm<Results>... arms) {
  Forks& self = Forks::attach();
  const Observed observed(StolenAs::strands, site);
  ((arms.observed = observed.call()), ...);
  return detail::join_on<ObservedArm<Results>...>(self, arms...);
}

/// join_frame() while furca observes itself. By value, too: the fast path keeps nothing in memory.
template <bool kFits, class... Arms>
FURCA_COLD auto observed_frame(const SourceLocation where, Passed<Arms, kFits>... arms) {
  return detail::observed_join<ResultOf<Arms>...>(
      site_of<"join", SourceLocation>(&where),
      ObservedArm<ResultOf<Arms>>{nullptr, &call_arm<Arms>, detail::address_of<Arms>(arms)}...);
}

// The frame of a join. In a recursion this is what calls itself, once the caller was inlined here.
// A caller should pay for it only where it gets there, but compilers save registers at the head of
// a function, whatever path it takes: the end of a recursion, half of all calls, would pay as much
// as a fork.
#if defined(__clang__)

template <bool kFits, class... Arms>
FURCA_NOINLINE auto join_frame(Forks& self, Passed<Arms, kFits>... arms) {
  return detail::join_on<Arms...>(self, arms...);
}

template <bool kFits, class... Arms>
FURCA_INLINE inline auto frame_at(const SourceLocation where, Passed<Arms, kFits>... arms) {
  Forks* const here = current_forks;
  if (here == nullptr && observing) [[unlikely]]
    return detail::observed_frame<kFits, Arms...>(where, std::forward<Arms>(arms)...);
  return detail::join_frame<kFits, Arms...>(here != nullptr ? *here : Forks::attach(),
                                            std::forward<Arms>(arms)...);
}

#else

template <bool kFits, class... Arms>
FURCA_INLINE inline auto join_here(const SourceLocation where, Passed<Arms, kFits>... arms) {
  Forks* here = current_forks;
  if (here == nullptr) [[unlikely]] {
    if (observing)
      return detail::observed_frame<kFits, Arms...>(where, std::forward<Arms>(arms)...);
    here = &Forks::attach();
  }
  return detail::join_on<Arms...>(*here, arms...);
}

/// Two arms, whatever they have references to. All of it is out of line, so that a recursive
/// function is tiny, which g++ inlines in its arms.
template <bool kFits, class A, class B>
FURCA_NOINLINE auto frame_at(const SourceLocation where, Passed<A, kFits> a, Passed<B, kFits> b) {
  return detail::join_here<kFits, A, B>(where, std::forward<A>(a), std::forward<B>(b));
}

/// More than two: g++ splits a function by itself, if its arms have no references to its arguments.
template <bool kFits, class A, class B, class C, class... Rest>
inline auto frame_at(const SourceLocation where, Passed<A, kFits> a, Passed<B, kFits> b,
                     Passed<C, kFits> c, Passed<Rest, kFits>... rest) {
  return detail::join_here<kFits, A, B, C, Rest...>(where, std::forward<A>(a), std::forward<B>(b),
                                                    std::forward<C>(c),
                                                    std::forward<Rest>(rest)...);
}

#endif

template <class... Arms>
FURCA_INLINE inline auto join_at(const SourceLocation where, Arms&&... arms) {
  if constexpr ((std::is_void_v<ResultOf<Arms>> && ...)) {
    detail::frame_at<kFit<Arms...>, Arms...>(where, std::forward<Arms>(arms)...);
  } else {
    return detail::as_tuple(
        detail::frame_at<kFit<Arms...>, Arms...>(where, std::forward<Arms>(arms)...));
  }
}

}  // namespace furca::detail
