// The part of <functional> that furca needs: a call as std::invoke makes it, and function objects.
//
// <functional> has std::function and hash tables in it, and takes as long to compile as a third of
// all that a loop needs. The function objects are what other headers of the standard library need
// for default arguments; so with libstdc++, where this was seen to be so, they are taken from
// there, and elsewhere from <functional>.
#pragma once

#include <furca/detail/base/config.hpp>

#include <type_traits>
#include <utility>

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

/// A member of an object, of what a pointer points to, or of what a std::reference_wrapper refers
/// to.
template <class Member, class Object, class... Args>
constexpr decltype(auto) invoke_member(Member member, Object&& object, Args&&... args) {
  if constexpr (std::is_member_object_pointer_v<Member>) {
    if constexpr (requires { std::forward<Object>(object).*member; }) {
      return (std::forward<Object>(object).*member);
    } else if constexpr (requires { (*std::forward<Object>(object)).*member; }) {
      return ((*std::forward<Object>(object)).*member);
    } else {
      return (object.get().*member);
    }
  } else {
    if constexpr (requires {
                    (std::forward<Object>(object).*member)(std::forward<Args>(args)...);
                  }) {
      return (std::forward<Object>(object).*member)(std::forward<Args>(args)...);
    } else if constexpr (requires {
                           ((*std::forward<Object>(object)).*member)(std::forward<Args>(args)...);
                         }) {
      return ((*std::forward<Object>(object)).*member)(std::forward<Args>(args)...);
    } else {
      return (object.get().*member)(std::forward<Args>(args)...);
    }
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
