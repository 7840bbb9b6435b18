// Sentences for calls that would be wrong in silence, if they compiled: sums that lose digits, an
// accumulator that is a copy.
#pragma once

// The constraints of the functions refuse them, too. Here are templates of the same names for
// nothing but such calls, which fit better than those of sentences.hpp: these do not know their
// arguments.

#include <furca/detail/base/contribution.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/options.hpp>

#include <concepts>
#include <span>

namespace furca::detail {

/// Ways in which a reduction goes wrong.
enum class Silently { right, map_narrows, op_narrows, fold_copies };

/// With accumulators of type T, to which F adds each X..., as a map if it may be one, and which Op
/// combines; void: there is no Op.
template <bool kMayMap, class T, class F, class Op, class... X>
consteval Silently silently() {
  if constexpr (kMayMap && std::is_invocable_v<F&, X...>) {
    if constexpr (std::is_convertible_v<std::invoke_result_t<F&, X...>, T>)
      if (!kFitsInto<std::invoke_result_t<F&, X...>, T>) return Silently::map_narrows;
  } else if constexpr (!std::is_void_v<Op> && std::is_invocable_v<F&, T&, X...>) {
    if (!Folds<F, T, X...>) return Silently::fold_copies;
  }
  if constexpr (std::invocable<std::add_lvalue_reference_t<Op>, T, T>)
    if constexpr (std::is_convertible_v<std::invoke_result_t<Op&, T, T>, T>)
      if (!kCombinesInto<std::invoke_result_t<Op&, T, T>, T>) return Silently::op_narrows;
  return Silently::right;
}

template <bool kMayMap, class T, class F, class Op, class... X>
concept SilentlyWrong = silently<kMayMap, T, F, Op, X...>() != Silently::right;

template <bool kMayMap, class T, class F, class Op, class... X>
auto tell_silent() {
  constexpr Silently kHow = silently<kMayMap, T, F, Op, X...>();
  if constexpr (kHow == Silently::map_narrows) {
    static_assert(
        kFitsInto<std::invoke_result_t<F&, X...>, T>,
        "furca: a sum has the type of the value to begin with, and what map returns does not "
        "fit into it: write 0.0 for double, 0L for long, or convert in map");
  } else if constexpr (kHow == Silently::op_narrows) {
    static_assert(
        kFitsInto<std::invoke_result_t<Op&, T, T>, T>,
        "furca: a sum has the type of the value to begin with, and what op returns does not "
        "fit into it: write 0.0 for double, 0L for long, or convert in op");
  } else {
    static_assert(
        kFits<F, T>,
        "furca: what is called with an accumulator adds to it in place: it takes it by lvalue "
        "reference and returns nothing: write [&](T& sum, int i) { sum += x[i]; }");
  }
  return Anything();
}

template <class R>
using ReferenceOf = std::ranges::range_reference_t<R>;
template <std::ranges::contiguous_range R>
using ChunkOf = std::span<std::remove_reference_t<ReferenceOf<R>>>;
template <class First, class Last>
using IndexOf = std::common_type_t<First, Last>;

/// A sum of type T loses digits, of an element X or in an element of the output.
template <class X, class Out, class T>
concept NarrowingScan = !kFitsInto<X, T> || !kFitsInto<T, std::ranges::range_value_t<Out>>;

}  // namespace furca::detail

namespace furca::found_by_name {

template <std::integral First, std::integral Last, class T, class F>
  requires detail::SilentlyWrong<true, T, F, void, detail::IndexOf<First, Last>>
auto parallel_reduce(First, Last, const T&, F&&, const ReduceOptions& = {}) {
  return detail::tell_silent<true, T, F, void, detail::IndexOf<First, Last>>();
}
template <std::integral First, std::integral Last, class T, class F, detail::NotOptions Op>
  requires detail::SilentlyWrong<true, T, F, Op, detail::IndexOf<First, Last>>
auto parallel_reduce(First, Last, const T&, F&&, Op&&, const ReduceOptions& = {}) {
  return detail::tell_silent<true, T, F, Op, detail::IndexOf<First, Last>>();
}
template <std::ranges::range R, class T>
  requires detail::SilentlyWrong<true, T, std::identity, void, detail::ReferenceOf<R>>
auto parallel_reduce(R&&, const T&, const ReduceOptions& = {}) {
  return detail::tell_silent<true, T, std::identity, void, detail::ReferenceOf<R>>();
}
template <std::ranges::range R, class T, detail::NotOptions F>
  requires detail::SilentlyWrong<true, T, F, void, detail::ReferenceOf<R>>
auto parallel_reduce(R&&, const T&, F&&, const ReduceOptions& = {}) {
  return detail::tell_silent<true, T, F, void, detail::ReferenceOf<R>>();
}
template <std::ranges::range R, class T, class F, detail::NotOptions Op>
  requires detail::SilentlyWrong<true, T, F, Op, detail::ReferenceOf<R>>
auto parallel_reduce(R&&, const T&, F&&, Op&&, const ReduceOptions& = {}) {
  return detail::tell_silent<true, T, F, Op, detail::ReferenceOf<R>>();
}

template <std::integral First, std::integral Last, class T, class F, detail::NotOptions Op,
          class I = detail::IndexOf<First, Last>>
  requires detail::SilentlyWrong<false, T, F, Op, I, I>
auto parallel_reduce_chunks(First, Last, const T&, F&&, Op&&, const ReduceOptions& = {}) {
  return detail::tell_silent<false, T, F, Op, I, I>();
}
template <std::ranges::contiguous_range R, class T, class F, detail::NotOptions Op>
  requires detail::SilentlyWrong<false, T, F, Op, detail::ChunkOf<R>>
auto parallel_reduce_chunks(R&&, const T&, F&&, Op&&, const ReduceOptions& = {}) {
  return detail::tell_silent<false, T, F, Op, detail::ChunkOf<R>>();
}

#define FURCA_NARROWING                                                                         \
  "furca: sums have the type of the elements, or of the value to begin with, and lose digits "  \
  "here: "                                                                                      \
  "write exclusive_scan(v, out, 0.0) for double, std::size_t{0} for sizes, and an out of that " \
  "type; 32-bit offsets are those of 32-bit counts"
template <std::ranges::range R, std::ranges::range Out>
  requires detail::NarrowingScan<std::ranges::range_value_t<R>, Out, std::ranges::range_value_t<R>>
auto inclusive_scan(R&&, Out&&, detail::Any = {}) {
  static_assert(detail::kFits<R, Out>, FURCA_NARROWING);
  return detail::Anything();
}
template <std::ranges::range R, std::ranges::range Out, class T>
  requires detail::NarrowingScan<detail::ReferenceOf<R>, Out, T>
auto exclusive_scan(R&&, Out&&, const T&, detail::Any = {}) {
  static_assert(detail::kFits<R, Out, T>, FURCA_NARROWING);
  return detail::Anything();
}
#undef FURCA_NARROWING

}  // namespace furca::found_by_name
