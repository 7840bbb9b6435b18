// The part of <functional> that furca needs: a call as std::invoke makes it, and function objects.
// All of it takes as long to compile as a third of what a loop needs. With libstdc++, where this
// was seen to be so, other headers that furca needs have the function objects.
#pragma once

#include <furca/detail/base/config.hpp>

#if defined(__GLIBCXX__)
#include <algorithm>  // std::identity, std::ranges::less and the other comparisons
#include <numeric>    // std::plus
#else
#include <functional>
#endif

// Calls convert arguments as those of std::invoke do: what the user's function takes is not furca's
// to warn of.
#pragma GCC system_header

namespace furca::detail {

/// The object whose member is meant: itself, what a pointer points to, or what a
/// std::reference_wrapper refers to.
template <class C, class M, class Object>
constexpr decltype(auto) object_of(M C::*, Object&& object) {
  if constexpr (std::is_base_of_v<C, std::remove_cvref_t<Object>>) {
    return std::forward<Object>(object);
  } else if constexpr (requires { *std::forward<Object>(object); }) {
    return *std::forward<Object>(object);
  } else {
    return object.get();
  }
}

template <class Member, class Object, class... Args>
constexpr decltype(auto) invoke_member(Member member, Object&& object, Args&&... args) {
  if constexpr (std::is_member_object_pointer_v<Member>) {
    return (detail::object_of(member, std::forward<Object>(object)).*member);
  } else {
    return (detail::object_of(member, std::forward<Object>(object)).*
            member)(std::forward<Args>(args)...);
  }
}

/// As std::invoke, for what can be called so.
template <class F, class... Args>
FURCA_INLINE constexpr decltype(auto) invoke(F&& f, Args&&... args) {
  if constexpr (std::is_member_pointer_v<std::remove_cvref_t<F>>) {
    return detail::invoke_member(f, std::forward<Args>(args)...);
  } else {
    return std::forward<F>(f)(std::forward<Args>(args)...);
  }
}

}  // namespace furca::detail
