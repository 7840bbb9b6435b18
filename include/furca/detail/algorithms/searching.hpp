// The elements that searches and comparisons look at, and how: numbers that lie side by side in
// vectors.
#pragma once

#include <furca/detail/algorithms/counting.hpp>
#include <furca/detail/algorithms/extremes.hpp>
#include <furca/detail/algorithms/first_hit.hpp>

#include <cstring>

namespace furca::detail {

/// Equal to a value, as std::ranges::find compares. A plain one is copied into the loop, so that
/// its comparison with each element is all that is left there.
template <class T>
struct EqualTo {
  std::conditional_t<std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
                         !std::is_array_v<T> && sizeof(T) <= 32,
                     T, const T&>
      value;

  template <class X>
  bool operator()(X&& x) const {
    return std::forward<X>(x) == value;
  }
};

/// What a predicate answers for neighbours at once (Answers): a float, of which vectors are made,
/// of doubles and numbers of four bytes; a byte of smaller ones. Or void, since one after the other
/// is faster: integers of eight bytes, and numbers that do not lie side by side.
template <class R, class Proj, class X = std::remove_cvref_t<ProjectedOf<R, Proj>>>
using AnswerOf =
    std::conditional_t<kLaneBytes<X> == 0 || (std::is_integral_v<X> && kLaneBytes<X> == 8) ||
                           (std::ranges::contiguous_range<R> &&
                            sizeof(std::ranges::range_value_t<R>) > sizeof(X)),
                       void, std::conditional_t<kLaneBytes<X> >= 4, float, unsigned char>>;

/// The size of an element, if a number in it is compared with another one; else 0.
template <class R, class Pred, class Proj>
inline constexpr std::size_t kComparedBytes = 0;
template <std::ranges::contiguous_range R, class T, class Proj>
inline constexpr std::size_t kComparedBytes<R, EqualTo<T>, Proj> =
    std::is_arithmetic_v<T> && kLaneBytes<std::remove_cvref_t<ProjectedOf<R, Proj>>> != 0 &&
            (std::is_same_v<Proj, std::identity> || std::is_member_object_pointer_v<Proj>)
        ? sizeof(std::ranges::range_value_t<R>)
        : 0;

/// As kEqualBytes, also of an order.
template <class R, class Comp, class Proj>
inline constexpr std::size_t kPlainBytes = kEqualBytes<R, Comp, Proj>;
template <std::ranges::contiguous_range R, class Comp>
  requires kPlainOrder<Comp, std::ranges::range_value_t<R>>
inline constexpr std::size_t kPlainBytes<R, Comp, std::identity> =
    sizeof(std::ranges::range_value_t<R>);

/// A number among numbers of its own type that lie side by side.
template <class R, class Pred, class Proj>
inline constexpr bool kFindsNumber = false;
#if defined(__SSE2__) || defined(__ARM_NEON)
template <std::ranges::contiguous_range R, class T>
inline constexpr bool kFindsNumber<R, EqualTo<T>, std::identity> =
    kLaneBytes<T> != 0 && !std::is_same_v<T, bool> &&
    std::is_same_v<T, std::ranges::range_value_t<R>> &&
    !std::is_volatile_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
#endif

/// Compares the numbers of some cache lines at once, in vectors: g++ 12 -O2 makes none of
/// comparisons of doubles, and takes twice as long.
template <class T>
class NumberTest {
 public:
  static constexpr std::size_t kTogether = std::min<std::size_t>(64, 256 / sizeof(T));

  NumberTest(const T* numbers, T value) noexcept : numbers_(numbers), value_(value) {
    for (std::size_t i = 0; i < kLanes; ++i) values_[i] = value;
  }

  bool operator()(std::size_t i) const { return numbers_[i] == value_; }

  /// Is it among the kTogether numbers from there on?
  bool any_from(std::size_t i) const noexcept {
    Equal even{};
    Equal odd{};
    for (std::size_t k = 0; k < kTogether; k += 2 * kLanes) {
      Numbers first;
      Numbers second;
      std::memcpy(&first, numbers_ + i + k, sizeof(first));
      std::memcpy(&second, numbers_ + i + k + kLanes, sizeof(second));
      even |= first == values_;
      odd |= second == values_;
    }
    even |= odd;
    std::uint64_t halves[2];
    std::memcpy(halves, &even, sizeof(halves));
    return (halves[0] | halves[1]) != 0;
  }

 private:
  static constexpr std::size_t kLanes = 16 / sizeof(T);
  using Numbers [[gnu::vector_size(16)]] = T;
  using Equal = decltype(Numbers{} == Numbers{});

  const T* numbers_;
  T value_;
  Numbers values_;
};

template <Literal name, bool kWanted, LoopRange R, class Pred, class Proj>
std::size_t position_of(R& range, Pred& pred, Proj& proj, const SourceLocation& where) {
  if constexpr (kWanted && kFindsNumber<R, std::remove_const_t<Pred>, Proj>) {
    using T = std::ranges::range_value_t<R>;
    const NumberTest<T> test(std::ranges::data(range), pred.value);
    return detail::first_hit<name, void, sizeof(T)>(detail::size_of(range), test, where);
  }
  const Satisfies<R, Pred, Proj> satisfies(range, pred, proj);
  auto test = [satisfies](std::size_t i) { return satisfies(i) == kWanted; };
  return detail::first_hit<name, AnswerOf<R, Proj>,
                           kComparedBytes<R, std::remove_const_t<Pred>, Proj>>(
      detail::size_of(range), test, where);
}

template <Literal name, LoopRange R, class Pred, class Proj>
std::ranges::range_difference_t<R> count_of(R& range, Pred& pred, Proj& proj,
                                            const SourceLocation& where) {
  const Satisfies<R, Pred, Proj> test(range, pred, proj);
  using X = std::remove_cvref_t<ProjectedOf<R, Proj>>;
  return static_cast<std::ranges::range_difference_t<R>>(
      detail::count_hits<name, X, kComparedBytes<R, std::remove_const_t<Pred>, Proj>>(
          detail::size_of(range), test, where));
}

/// The first position at which two ranges differ, or the size of the shorter.
template <Literal name, LoopRange R1, LoopRange R2, class Pred, class Proj1, class Proj2>
std::size_t first_difference(R1& range1, R2& range2, Pred& pred, Proj1& proj1, Proj2& proj2,
                             const SourceLocation& where) {
  using Differ = Held<Pred, ProjectedOf<R1, Proj1>, ProjectedOf<R2, Proj2>>;
  const ProjectedElements<R1, Proj1> first{Elements<R1>(range1), proj1};
  const ProjectedElements<R2, Proj2> second{Elements<R2>(range2), proj2};
  struct Test {
    ProjectedElements<R1, Proj1> first;
    ProjectedElements<R2, Proj2> second;
    Differ same;
    bool operator()(std::size_t i) const {
      return !static_cast<bool>(detail::invoke(same, detail::invoke(first.proj, first.elements[i]),
                                               detail::invoke(second.proj, second.elements[i])));
    }
  } test{first, second, pred};
  constexpr std::size_t kBytes1 = kPlainBytes<R1, Pred, Proj1>;
  constexpr std::size_t kBytes2 = kPlainBytes<R2, Pred, Proj2>;
  constexpr std::size_t kBytes = kBytes1 != 0 && kBytes2 != 0 ? std::max(kBytes1, kBytes2) : 0;
  return detail::first_hit<name, AnswerOf<R1, Proj1>, kBytes>(
      std::min(detail::size_of(range1), detail::size_of(range2)), test, where);
}

/// The first position in [0, n) at which test(element, the next element) holds, or n.
template <Literal name, LoopRange R, class Comp, class Proj, class Ask>
std::size_t first_neighbours(R& range, Comp& comp, Proj& proj, Ask ask,
                             const SourceLocation& where) {
  const std::size_t size = detail::size_of(range);
  const ProjectedElements<R, Proj> elements{Elements<R>(range), proj};
  struct Test {
    ProjectedElements<R, Proj> elements;
    Held<Comp, ProjectedOf<R, Proj>, ProjectedOf<R, Proj>> comp;
    Ask ask;
    bool operator()(std::size_t i) const { return ask(comp, elements, i); }
  } test{elements, comp, ask};
  return detail::first_hit<name, AnswerOf<R, Proj>, kPlainBytes<R, Comp, Proj>>(
      size > 0 ? size - 1 : 0, test, where);
}

template <Literal name, LoopRange R, class Comp, class Proj>
std::size_t sorted_until(R& range, Comp& comp, Proj& proj, const SourceLocation& where) {
  const auto falls = [](auto& order, const auto& all, std::size_t i) {
    return all.hold(order, i + 1, i);
  };
  const std::size_t size = detail::size_of(range);
  return size == 0 ? 0 : detail::first_neighbours<name>(range, comp, proj, falls, where) + 1;
}

}  // namespace furca::detail
