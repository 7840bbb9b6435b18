// Calls of libc++'s parallel algorithms for few numbers, or in place. plugs/libcxx.hpp includes it.
#pragma once

#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/few_steps.hpp>

#include <__pstl/backend_fwd.h>
#include <__pstl/cpu_algos/fill.h>
#include <__pstl/cpu_algos/transform.h>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

_LIBCPP_BEGIN_NAMESPACE_STD
namespace __pstl {

/// An argument that is a number, where numbers are, or a standard operation that takes nanoseconds.
template <class T, class X, template <class> class Number>
inline constexpr bool __is_plain =
    Number<X>::value || is_same_v<X, __identity> || furca::detail::kTakesNanoseconds<X, T>;
template <class T, contiguous_iterator X, template <class> class Number>
inline constexpr bool __is_plain<T, X, Number> = Number<iter_value_t<X>>::value;

/// The algorithm A: what takes the caller a microsecond or so it does alone, since a loop's look at
/// the clock would be a good part of that. The others as Else has it.
template <template <class, class> class A, class P, class Else,
          template <class> class Number = is_arithmetic>
struct __few_alone {
  template <class Policy, class I, class... More>
  auto operator()(Policy&& policy, I first, I last, More&&... more) const noexcept {
    using T = typename iterator_traits<I>::value_type;
    if constexpr (__is_parallel_execution_policy_v<P> && contiguous_iterator<I> &&
                  __is_plain<T, I, Number> &&
                  (__is_plain<T, remove_cvref_t<More>, Number> && ...)) {
      if (furca::detail::takes_a_moment(size_t(last - first), max(sizeof(T), size_t{8})))
        return A<__std_thread_backend_tag, __remove_parallel_policy_t<P>>()(
            std::__remove_parallel_policy(policy), first, last, more...);
      return __in_a_loop(policy, first, last, more...);
    } else {
      return Else()(policy, first, last, std::forward<More>(more)...);
    }
  }

  /// Apart, so that what is left is inlined as without furca.
  template <class Policy, class... Args>
  FURCA_NOINLINE static auto __in_a_loop(Policy&& policy, Args... args) noexcept {
    return Else()(policy, args...);
  }
};

/// A transform into one of its own ranges has one name for both. Compilers write vectors for that
/// where they know it, as they do in a plain loop that is inlined.
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
        return __loop(policy, out, end - i, [op](auto& x) mutable { x = op(x); });
    return __cpu_parallel_transform<Tag, P>()(policy, i, end, out, op);
  }
  template <class I, class J, class Out, class Op>
  optional<Out> operator()(const P& policy, I i, I end, J j, Out out, Op op) const noexcept {
    if constexpr (__are_numbers<Out, I, J>) {
      const auto to = std::to_address(out);
      if (std::to_address(i) == to)
        return __loop(policy, out, end - i, [=](auto& x) mutable { x = op(x, j[&x - to]); });
      if (std::to_address(j) == to)
        return __loop(policy, out, end - i, [=](auto& x) mutable { x = op(i[&x - to], x); });
    }
    return __cpu_parallel_transform_binary<Tag, P>()(policy, i, end, j, out, op);
  }
};

#define FURCA_FEW_ALONE(name, base, tag, ...)  \
  template <class P>                           \
  struct __##name<__std_thread_backend_tag, P> \
      : __few_alone<__##name, P, base<tag, P> __VA_OPT__(, ) __VA_ARGS__> {};
FURCA_FEW_ALONE(fill, __cpu_parallel_fill, __std_thread_backend_tag)
FURCA_FEW_ALONE(transform, __in_place_transform, __std_thread_backend_tag)
FURCA_FEW_ALONE(transform_binary, __in_place_transform, __std_thread_backend_tag)
FURCA_FEW_ALONE(count, __count, __default_backend_tag)
FURCA_FEW_ALONE(find, __find, __default_backend_tag)
FURCA_FEW_ALONE(move, __move, __default_backend_tag)
FURCA_FEW_ALONE(reduce, __reduce, __default_backend_tag,
                is_integral)  // others have the bits of blocks
FURCA_FEW_ALONE(replace, __replace, __default_backend_tag)
#undef FURCA_FEW_ALONE
}  // namespace __pstl
_LIBCPP_END_NAMESPACE_STD
