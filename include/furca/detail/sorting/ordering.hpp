// Properties of an order and of elements, for sorts: comparisons of projected elements, their
// answers, and elements that are moved at no more cost than a branch.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/base/opaque.hpp>

namespace furca::detail {

/// Does one element come before another? I: the range's iterator; elements are its references, and
/// values held elsewhere.
template <class I, class Comp, class Proj>
class Precedes {
  using X = std::invoke_result_t<Proj&, std::iter_reference_t<I>>;

 public:
  Precedes(Comp& comp, Proj& proj) : comp_(comp), proj_(proj) {}

  template <class A, class B>
  bool operator()(A&& a, B&& b) const {
    return static_cast<bool>(detail::invoke(comp_, detail::invoke(proj_, std::forward<A>(a)),
                                            detail::invoke(proj_, std::forward<B>(b))));
  }

 private:
  Held<Comp, X, X> comp_;
  Held<Proj, std::iter_reference_t<I>> proj_;
};

/// 0 or 1. The compiler would make branches of what is computed from it, and half of them would be
/// mispredicted.
FURCA_INLINE inline std::size_t unpredictable(bool answer) noexcept {
  return detail::opaque(std::size_t{answer});
}

/// Elements that may be in two places for a while, as bytes are, and that are cheaper to move than
/// a wrong guess of a branch. A std::pair is not trivially copyable, because its assignment is not;
/// but to make one from another is.
template <class T>
inline constexpr bool kSmall =
    std::is_trivially_move_constructible_v<T> && std::is_trivially_destructible_v<T> &&
    std::is_nothrow_move_assignable_v<T> && sizeof(T) <= 32;

/// An element that is out of its place, until close(). If an exception comes before, it goes to
/// where the gap is then.
template <class I>
class Gap {
 public:
  using Value = std::iter_value_t<I>;

  explicit Gap(I first) : at(first), value(std::ranges::iter_move(first)) {}
  ~Gap() {
    if (!open) return;
    try {
      *at = std::move(value);
    } catch (...) {  // the other exception is on its way
    }
  }
  Gap(const Gap&) = delete;
  Gap& operator=(const Gap&) = delete;

  /// Fills it from another place, which is the gap then.
  void fill_from(I from) {
    *at = std::ranges::iter_move(from);
    at = from;
  }

  /// Puts the element there.
  void close() {
    *at = std::move(value);
    open = false;
  }

  I at;
  Value value;
  bool open = true;
};

}  // namespace furca::detail
