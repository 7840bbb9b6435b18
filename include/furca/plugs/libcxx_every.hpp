// libc++'s parallel algorithms that call a function for every element, in loops of which compilers
// make vectors. plugs/libcxx.hpp includes it.
#pragma once

#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/detail/loop/combine.hpp>

#include <__pstl/backend_fwd.h>
#include <__pstl/cpu_algos/fill.h>
#include <__pstl/cpu_algos/for_each.h>
#include <__pstl/cpu_algos/transform.h>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>

_LIBCPP_BEGIN_NAMESPACE_STD
namespace __pstl {

/// An argument that is a number, where numbers are, or a standard operation that takes nanoseconds.
template <class T, class X, template <class> class Number>
inline constexpr bool __is_plain =
    Number<X>::value || is_same_v<X, __identity> || furca::detail::kTakesNanoseconds<X, T>;
template <class T, contiguous_iterator X, template <class> class Number>
inline constexpr bool __is_plain<T, X, Number> = Number<iter_value_t<X>>::value;

/// The back end of algorithms that call a function for every element. What vectors went through so
/// fast before is the caller's alone, without a look at the clock, and inlined as without furca.
struct __every_tag {};
template <>
struct __cpu_traits<__every_tag> {
  template <class I, class F>
  static optional<__empty> __for_each(I first, I last, F f) noexcept {
    constexpr auto& kFunctions =
        furca::detail::kFunctionsOf<furca::detail::BrickPart<I, F>, "std::execution loop">;
    furca::detail::Worker* const here = furca::detail::Worker::if_unobserved();
    if (here && size_t(last - first) <= kFunctions.vector_steps.read() && (here->random() & 15U))
      f(first, last);
    else
      try {  // which is timed
        furca::detail::run_bricks(first, last, f, furca::SourceLocation::current());
      } catch (const bad_alloc&) {
        return nullopt;
      }
    return __empty();
  }
};
#define FURCA_EVERY(name, tag) \
  template <class P>           \
  struct __##name<tag, P> : __cpu_parallel_##name<__every_tag, P> {};
FURCA_EVERY(for_each, __std_thread_backend_tag)
FURCA_EVERY(for_each, __every_tag)
FURCA_EVERY(fill, __every_tag)
FURCA_EVERY(transform, __every_tag)
FURCA_EVERY(transform_binary, __every_tag)
#undef FURCA_EVERY

/// A transform of a range with itself, or into one of its own ranges, has one name for both.
/// Compilers write vectors for that where they know it, as they do in a plain loop that is inlined.
template <class Tag, class P>
struct __in_place_transform {
  template <class Out, class... Is>
  static constexpr bool __are_numbers =
      __is_parallel_execution_policy_v<P> && __is_plain<P, Out, is_arithmetic> &&
      (contiguous_iterator<Is> && ...) && (is_same_v<iter_value_t<Out>, iter_value_t<Is>> && ...);
  template <class Out, class F>
  static optional<Out> __loop(const P& policy, Out out, iter_difference_t<Out> n, F f) noexcept {
    return __for_each<Tag, P>()(policy, out, out + n, f) ? optional(out + n) : nullopt;
  }
  template <class I, class Out, class Op>
  optional<Out> operator()(const P& policy, I i, I end, Out out, Op op) const noexcept {
    if constexpr (__are_numbers<Out, I>)
      if (std::to_address(i) == std::to_address(out))
        return __loop(policy, out, end - i,
                      [op](auto& x) mutable { x = op(static_cast<iter_reference_t<I>>(x)); });
    return __cpu_parallel_transform<Tag, P>()(policy, i, end, out, op);
  }
  template <class I, class J, class Out, class Op>
  optional<Out> operator()(const P& policy, I i, I end, J j, Out out, Op op) const noexcept {
    if constexpr (__are_numbers<Out, I, J>) {
      const auto to = std::to_address(out);
      if constexpr (is_same_v<iter_reference_t<I>, iter_reference_t<J>>)
        if (std::to_address(i) == std::to_address(j))
          return (*this)(policy, i, end, out, [op](auto& x) mutable { return op(x, x); });
      if (std::to_address(i) == to)
        return __loop(policy, out, end - i, [=](auto& x) mutable {
          x = op(static_cast<iter_reference_t<I>>(x), j[&x - to]);
        });
      if (std::to_address(j) == to)
        return __loop(policy, out, end - i, [=](auto& x) mutable {
          x = op(i[&x - to], static_cast<iter_reference_t<J>>(x));
        });
    }
    return __cpu_parallel_transform_binary<Tag, P>()(policy, i, end, j, out, op);
  }
};
}  // namespace __pstl
_LIBCPP_END_NAMESPACE_STD
