// Calls of libc++'s parallel algorithms for few numbers. plugs/libcxx.hpp includes it.
#pragma once

#include <furca/detail/loop/blocks.hpp>
#include <furca/plugs/libcxx_copies.hpp>
#include <furca/plugs/libcxx_every.hpp>

#include <__pstl/backend_fwd.h>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

_LIBCPP_BEGIN_NAMESPACE_STD
namespace __pstl {

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
    }
    return Else()(policy, first, last, std::forward<More>(more)...);
  }
};

#define FURCA_FEW_ALONE(name, base, tag, ...)  \
  template <class P>                           \
  struct __##name<__std_thread_backend_tag, P> \
      : __few_alone<__##name, P, base<tag, P> __VA_OPT__(, ) __VA_ARGS__> {};
FURCA_FEW_ALONE(fill, __cpu_parallel_fill, __every_tag)
FURCA_FEW_ALONE(transform, __in_place_transform, __every_tag)
FURCA_FEW_ALONE(transform_binary, __in_place_transform, __every_tag)
FURCA_FEW_ALONE(count, __count, __default_backend_tag)
FURCA_FEW_ALONE(find, __find, __default_backend_tag)
FURCA_FEW_ALONE(move, __move, __default_backend_tag)
FURCA_FEW_ALONE(reduce, __reduce, __default_backend_tag,
                is_integral)  // others have the bits of blocks
FURCA_FEW_ALONE(replace, __replace, __default_backend_tag)
#undef FURCA_FEW_ALONE
}  // namespace __pstl
_LIBCPP_END_NAMESPACE_STD
