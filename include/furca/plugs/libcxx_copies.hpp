// libc++'s parallel algorithms whose loops refer to a function or a value: loops over numbers have
// copies here, so that compilers know that no store changes them. plugs/libcxx.hpp includes it.
#pragma once

#include <furca/detail/algorithms/counting.hpp>
#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/plugs/libcxx_every.hpp>

#include <__pstl/backend_fwd.h>
#include <__pstl/backends/default.h>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

_LIBCPP_BEGIN_NAMESPACE_STD
namespace __pstl {

template <class P, class Pred, class... Is>
inline constexpr bool __are_tested =
    __is_parallel_execution_policy_v<P> && (contiguous_iterator<Is> && ...) &&
    (is_arithmetic_v<iter_value_t<Is>> && ...) &&
    (furca::detail::CopiedToThreads<remove_cvref_t<Pred>, iter_reference_t<Is>> && ...);

template <class P>
struct __count_if<__std_thread_backend_tag, P> {
  template <class Policy, class I, class Pred>
  optional<iter_difference_t<I>> operator()(Policy&& policy, I first, I last,
                                            Pred&& pred) const noexcept {
    if constexpr (__are_tested<P, Pred, I>) try {
        const auto numbers = std::to_address(first);
        const auto test = [numbers, pred = furca::detail::NoThrow<remove_cvref_t<Pred>>{pred}](
                              size_t i) { return static_cast<bool>(pred(numbers[i])); };
        return static_cast<iter_difference_t<I>>(
            furca::detail::count_hits<"std::count_if", iter_value_t<I>>(
                size_t(last - first), test, furca::SourceLocation::current()));
      } catch (const bad_alloc&) {
        return nullopt;
      }
    else
      return __count_if<__default_backend_tag, P>()(policy, first, last, std::forward<Pred>(pred));
  }
};

template <class P>
struct __replace_if<__std_thread_backend_tag, P> {
  template <class Policy, class I, class Pred, class T>
  optional<__empty> operator()(Policy&& policy, I first, I last, Pred&& pred,
                               const T& value) const noexcept {
    if constexpr (__are_tested<P, Pred, I> && is_arithmetic_v<T>)
      return __for_each<__std_thread_backend_tag, P>()(policy, first, last, [pred, value](auto& x) {
        if (pred(x)) x = static_cast<iter_value_t<I>>(value);
      });
    else
      return __replace_if<__default_backend_tag, P>()(policy, first, last, pred, value);
  }
};

template <class P>
struct __replace_copy_if<__std_thread_backend_tag, P> {
  template <class Policy, class I, class Out, class Pred, class T>
  optional<__empty> operator()(Policy&& policy, I first, I last, Out out, Pred&& pred,
                               const T& value) const noexcept {
    if constexpr (__are_tested<P, Pred, I> && is_same_v<T, iter_value_t<I>>)
      return __transform<__std_thread_backend_tag, P>()(
                 policy, first, last, out,
                 [pred, value](iter_reference_t<I> x) { return pred(x) ? value : T(x); })
                 ? optional(__empty())
                 : nullopt;
    else
      return __replace_copy_if<__default_backend_tag, P>()(policy, first, last, out, pred, value);
  }
};
}  // namespace __pstl
_LIBCPP_END_NAMESPACE_STD
