// The iterator of Lazy: a number, and the function that computes the element of that number.
#pragma once

#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/ranges.hpp>

#include <compare>
#include <concepts>
#include <cstring>
#include <optional>
#include <tuple>
#include <vector>

namespace furca::detail {

/// Whether iterators have a copy of the function, or point to it. A copy where that is cheap: an
/// inner loop then has all that it needs in registers, and no store of the loop can change it. A
/// function that holds iterators says so (HoldsIterators): those of a checking standard library are
/// not trivially copyable.
template <class F>
inline constexpr bool kHeldByIterators = (std::is_trivially_copyable_v<F> && sizeof(F) <= 256) ||
                                         requires { typename F::HoldsIterators; };

/// An iterator can be made without a value, and assigned; a lambda that captures something cannot.
template <class F>
class TrivialBox {
 public:
  TrivialBox() noexcept : nothing_() {}
  explicit TrivialBox(const F& f) noexcept : nothing_() {
    std::construct_at(std::addressof(f_), f);
  }
  TrivialBox(const TrivialBox&) noexcept = default;
  TrivialBox& operator=(const TrivialBox& other) noexcept {
    std::memmove(static_cast<void*>(this), static_cast<const void*>(&other), sizeof *this);
    return *this;
  }

  const F& operator*() const noexcept { return f_; }

 private:
  union {
    char nothing_;
    F f_;
  };
};

template <class F>
struct HeldByIterator {
  using type = const F*;
  static type of(const F& f) noexcept { return std::addressof(f); }
};
template <class F>
  requires(kHeldByIterators<F>)
struct HeldByIterator<F> {
  using type = std::conditional_t<std::is_trivially_copyable_v<F>, TrivialBox<F>, std::optional<F>>;
  static type of(const F& f) { return type(f); }
};

/// Elements of type Reference can be read as values of type Value, as iterators have to say.
template <class Reference, class Value>
inline constexpr bool kReadAs = std::common_reference_with<Reference&&, Value&> &&
                                std::common_reference_with<Reference&&, const Value&>;

/// The type of elements, as values: of a tuple of references a tuple of values, also where a part
/// is such a tuple itself, and of a reference to a bit a bool.
/// Before C++23 some of these have nothing in common, as those of elements that cannot be copied,
/// and those of const ones: there it is the tuple of references itself.
template <class Reference>
struct ValueOf {
  using type = std::remove_cvref_t<Reference>;
};
template <>
struct ValueOf<std::vector<bool>::reference> {
  using type = bool;
};
template <class... References>
struct ValueOf<std::tuple<References...>> {
  using Values = std::tuple<typename ValueOf<References>::type...>;
  using type = std::conditional_t<kReadAs<std::tuple<References...>, Values>, Values,
                                  std::tuple<References...>>;
};
template <class First, class Second>
struct ValueOf<std::pair<First, Second>> {
  using Values = std::pair<typename ValueOf<First>::type, typename ValueOf<Second>::type>;
  using type = std::conditional_t<kReadAs<std::pair<First, Second>, Values>, Values,
                                  std::pair<First, Second>>;
};

/// The type of f(i): a value where f returns an rvalue reference, as std::identity does to an
/// argument that is gone then.
template <class Result>
using ElementResult =
    std::conditional_t<std::is_rvalue_reference_v<Result>, std::remove_cvref_t<Result>, Result>;

template <class F>
using LazyResult = ElementResult<std::invoke_result_t<const F&, std::size_t>>;

template <class F>
class LazyIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using reference = LazyResult<F>;
  using value_type = typename ValueOf<reference>::type;
  using pointer = void;
  using iterator_concept = std::random_access_iterator_tag;
  /// The category that algorithms with iterators in std ask for; there a random-access iterator has
  /// to give a reference.
  using iterator_category =
      std::conditional_t<std::is_lvalue_reference_v<reference>, std::random_access_iterator_tag,
                         std::input_iterator_tag>;

  LazyIterator() = default;
  LazyIterator(const F& f, difference_type at) : f_(HeldByIterator<F>::of(f)), at_(at) {}

  reference operator*() const { return detail::invoke(*f_, static_cast<std::size_t>(at_)); }
  reference operator[](difference_type n) const {
    return detail::invoke(*f_, static_cast<std::size_t>(at_ + n));
  }

  LazyIterator& operator++() noexcept { return *this += 1; }
  LazyIterator& operator--() noexcept { return *this -= 1; }
  LazyIterator operator++(int) { return std::exchange(*this, *this + 1); }
  LazyIterator operator--(int) { return std::exchange(*this, *this - 1); }
  LazyIterator& operator+=(difference_type n) noexcept {
    at_ += n;
    return *this;
  }
  LazyIterator& operator-=(difference_type n) noexcept {
    at_ -= n;
    return *this;
  }

  friend LazyIterator operator+(LazyIterator i, difference_type n) { return i += n; }
  friend LazyIterator operator+(difference_type n, LazyIterator i) { return i += n; }
  friend LazyIterator operator-(LazyIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const LazyIterator& a, const LazyIterator& b) noexcept {
    return a.at_ - b.at_;
  }
  friend bool operator==(const LazyIterator& a, const LazyIterator& b) noexcept {
    return a.at_ == b.at_;
  }
  friend std::strong_ordering operator<=>(const LazyIterator& a, const LazyIterator& b) noexcept {
    return a.at_ <=> b.at_;
  }

 private:
  typename HeldByIterator<F>::type f_{};
  difference_type at_ = 0;
};

}  // namespace furca::detail
