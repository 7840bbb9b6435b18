// Searching, counting and comparing, with the names and results of std::ranges.
#pragma once

#include <furca/detail/algorithms/counting.hpp>
#include <furca/detail/algorithms/first_hit.hpp>
#include <furca/detail/algorithms/prelude.hpp>
#include <furca/extremes.hpp>

#include <cstring>

FURCA_DECLARES(search);

namespace furca {

namespace detail {

/// Equal to a value, as std::ranges::find compares.
template <class T>
struct EqualTo {
  const T& value;

  template <class X>
  bool operator()(X&& x) const {
    return std::forward<X>(x) == value;
  }
};

/// A value that is copied into the loop, so that its comparison with each element is all that is
/// left there.
template <class T>
  requires(std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
           !std::is_array_v<T> && sizeof(T) <= 32)
struct EqualTo<T> {
  T value;

  template <class X>
  bool operator()(X&& x) const {
    return std::forward<X>(x) == value;
  }
};

/// Numbers of up to four bytes are searched faster in vectors; a plain loop over those of eight is
/// as fast with g++ -O2, and asks for no more than it needs.
template <class R, class Proj>
inline constexpr bool kSearchInBlocks =
    kLaneBytes<std::remove_cvref_t<ProjectedOf<R, Proj>>> != 0 &&
    kLaneBytes<std::remove_cvref_t<ProjectedOf<R, Proj>>> <= 4;

/// A number in memory is compared with another one.
template <class R, class Pred, class Proj>
inline constexpr bool kComparesNumbers = false;
template <std::ranges::contiguous_range R, class T, class Proj>
inline constexpr bool kComparesNumbers<R, EqualTo<T>, Proj> =
    std::is_arithmetic_v<T> && kLaneBytes<std::remove_cvref_t<ProjectedOf<R, Proj>>> != 0 &&
    (std::is_same_v<Proj, std::identity> || std::is_member_object_pointer_v<Proj>);

/// The size of an element, if these are numbers in memory and the comparison is none of the user's;
/// else 0.
template <class R, class Comp, class Proj>
inline constexpr std::size_t kPlainBytes = 0;
template <std::ranges::contiguous_range R, class Comp>
inline constexpr std::size_t kPlainBytes<R, Comp, std::identity> =
    kPlainOrder<Comp, std::ranges::range_value_t<R>> ||
            (std::is_arithmetic_v<std::ranges::range_value_t<R>> &&
             (std::is_same_v<Comp, std::ranges::equal_to> || std::is_same_v<Comp, std::equal_to<>>))
        ? sizeof(std::ranges::range_value_t<R>)
        : 0;

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
/// Rejected, for any predicate on numbers of eight bytes: Answers, as for smaller ones. Of bytes or
/// words, that loop has branches, and took 1.4 to 2.5 times as long as one number at a time; of
/// doubles that are added up then, as long in the caches, and longer outside of them.
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

template <CallName name, bool kWanted, LoopRange R, class Pred, class Proj>
std::size_t position_of(R& range, Pred& pred, Proj& proj, const SourceLocation& where) {
  if constexpr (kWanted && kFindsNumber<R, std::remove_const_t<Pred>, Proj>) {
    using T = std::ranges::range_value_t<R>;
    const NumberTest<T> test(std::ranges::data(range), pred.value);
    return detail::first_hit<name, false, sizeof(T)>(detail::size_of(range), test, where);
  }
  const Satisfies<R, Pred, Proj> satisfies(range, pred, proj);
  auto test = [satisfies](std::size_t i) { return satisfies(i) == kWanted; };
  return detail::first_hit<name, kSearchInBlocks<R, Proj>,
                           kComparesNumbers<R, std::remove_const_t<Pred>, Proj>
                               ? sizeof(std::ranges::range_value_t<R>)
                               : 0>(detail::size_of(range), test, where);
}

template <CallName name, LoopRange R, class Pred, class Proj>
std::ranges::range_difference_t<R> count_of(R& range, Pred& pred, Proj& proj,
                                            const SourceLocation& where) {
  const Satisfies<R, Pred, Proj> test(range, pred, proj);
  using X = std::remove_cvref_t<ProjectedOf<R, Proj>>;
  return static_cast<std::ranges::range_difference_t<R>>(
      detail::count_hits<name, X>(detail::size_of(range), test, where));
}

/// The first position at which two ranges differ, or the size of the shorter.
template <CallName name, LoopRange R1, LoopRange R2, class Pred, class Proj1, class Proj2>
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
  return detail::first_hit<name, kSearchInBlocks<R1, Proj1>, kBytes>(
      std::min(detail::size_of(range1), detail::size_of(range2)), test, where);
}

/// The first position in [0, n) at which test(element, the next element) holds, or n.
template <CallName name, LoopRange R, class Comp, class Proj, class Ask>
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
  return detail::first_hit<name, kSearchInBlocks<R, Proj>, kPlainBytes<R, Comp, Proj>>(
      size > 0 ? size - 1 : 0, test, where);
}

template <CallName name, LoopRange R, class Comp, class Proj>
std::size_t sorted_until(R& range, Comp& comp, Proj& proj, const SourceLocation& where) {
  const auto falls = [](auto& order, const auto& all, std::size_t i) {
    return static_cast<bool>(detail::invoke(order, detail::invoke(all.proj, all.elements[i + 1]),
                                            detail::invoke(all.proj, all.elements[i])));
  };
  const std::size_t size = detail::size_of(range);
  return size == 0 ? 0 : detail::first_neighbours<name>(range, comp, proj, falls, where) + 1;
}

}  // namespace detail

}  // namespace furca

namespace furca::found_by_name {

/// The first element that satisfies pred(proj(element)), or the end.
///
/// All functions here give what those of the same name in std::ranges give, for ranges of random
/// access and known size, and are constrained as they are:
/// always the first of several hits. Threads take what comes next from the front, piece by piece,
/// so a hit is found as much earlier as there are threads, and no more is searched behind it than
/// in front of it, and 2,048 elements, and 64 for each thread, as long as the threads keep pace:
/// the others go on while the system holds up the one that is to come to the hit, and come to what
/// it has left when they are twice to four times as far.
/// pred and proj are called by several threads at once, and once at most for each element, also for
/// some behind the hit.
/// Exceptions: the one that the serial algorithm would throw; one that is thrown behind the first
/// hit is dropped. Throws std::bad_alloc at an outside thread's first call.
/// Complexity: at most n calls; for a hit at position p about 2 p + 2,048, and 64 for each thread,
/// if none is held up; span O(log n). Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile.
/// @snippet search.cpp find_if
template <LoopRange R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
[[nodiscard("the result of find_if is what it returns")]] std::ranges::borrowed_iterator_t<R>
find_if(R&& range, Pred pred, Proj proj = {},
        const SourceLocation where = SourceLocation::current()) {
  return detail::borrowed_at<R>(range,
                                detail::position_of<"find_if", true>(range, pred, proj, where));
}

/// The first element that does not satisfy pred(proj(element)), or the end. As find_if.
/// @snippet search.cpp find_if_not
template <LoopRange R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
[[nodiscard("the result of find_if_not is what it returns")]] std::ranges::borrowed_iterator_t<R>
find_if_not(R&& range, Pred pred, Proj proj = {},
            const SourceLocation where = SourceLocation::current()) {
  return detail::borrowed_at<R>(
      range, detail::position_of<"find_if_not", false>(range, pred, proj, where));
}

/// The first element with proj(element) == value, or the end. As find_if.
/// @snippet search.cpp find
template <LoopRange R, class T, class Proj = std::identity>
  requires std::indirect_binary_predicate<
      std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>, const T*>
[[nodiscard("the result of find is what it returns")]] std::ranges::borrowed_iterator_t<R> find(
    R&& range, const T& value, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const detail::EqualTo<std::remove_cv_t<T>> equal{value};
  return detail::borrowed_at<R>(range,
                                detail::position_of<"find", true>(range, equal, proj, where));
}

/// Is there an element with proj(element) == value? As find_if.
/// @snippet search.cpp contains
template <LoopRange R, class T, class Proj = std::identity>
  requires std::indirect_binary_predicate<
      std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>, const T*>
[[nodiscard("the result of contains is what it returns")]] bool contains(
    R&& range, const T& value, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const detail::EqualTo<std::remove_cv_t<T>> equal{value};
  return detail::position_of<"contains", true>(range, equal, proj, where) < detail::size_of(range);
}

/// Do all elements satisfy pred(proj(element))? True for none. As find_if.
/// @snippet search.cpp all_of
template <LoopRange R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
[[nodiscard("the result of all_of is what it returns")]] bool all_of(
    R&& range, Pred pred, Proj proj = {}, const SourceLocation where = SourceLocation::current()) {
  return detail::position_of<"all_of", false>(range, pred, proj, where) == detail::size_of(range);
}

/// Does one element satisfy pred(proj(element))? As find_if.
/// @snippet search.cpp any_of
template <LoopRange R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
[[nodiscard("the result of any_of is what it returns")]] bool any_of(
    R&& range, Pred pred, Proj proj = {}, const SourceLocation where = SourceLocation::current()) {
  return detail::position_of<"any_of", true>(range, pred, proj, where) < detail::size_of(range);
}

/// Does no element satisfy pred(proj(element))? As find_if.
/// @snippet search.cpp none_of
template <LoopRange R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
[[nodiscard("the result of none_of is what it returns")]] bool none_of(
    R&& range, Pred pred, Proj proj = {}, const SourceLocation where = SourceLocation::current()) {
  return detail::position_of<"none_of", true>(range, pred, proj, where) == detail::size_of(range);
}

/// The first element that pred(proj(element), proj(the next one)) holds for, or the end. As
/// find_if; proj is called twice for most elements.
/// @snippet search.cpp adjacent_find
template <LoopRange R, class Proj = std::identity,
          std::indirect_binary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>,
                                         std::projected<std::ranges::iterator_t<R>, Proj>>
              Pred = std::ranges::equal_to>
[[nodiscard("the result of adjacent_find is what it returns")]] std::ranges::borrowed_iterator_t<R>
adjacent_find(R&& range, Pred pred = {}, Proj proj = {},
              const SourceLocation where = SourceLocation::current()) {
  const auto holds = [](auto& ask, const auto& all, std::size_t i) {
    return static_cast<bool>(detail::invoke(ask, detail::invoke(all.proj, all.elements[i]),
                                            detail::invoke(all.proj, all.elements[i + 1])));
  };
  const std::size_t size = detail::size_of(range);
  const std::size_t at = detail::first_neighbours<"adjacent_find">(range, pred, proj, holds, where);
  return detail::borrowed_at<R>(range, at + 1 < size ? at : size);
}

/// The first elements, at the same position, that pred(proj1(element1), proj2(element2)) does not
/// hold for; or the positions at which the shorter range ends. As find_if.
/// @snippet search.cpp mismatch
template <LoopRange R1, LoopRange R2, class Pred = std::ranges::equal_to,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>,
                                      Pred, Proj1, Proj2>
[[nodiscard("the result of mismatch is what it returns")]] std::ranges::mismatch_result<
    std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>
mismatch(R1&& range1, R2&& range2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
         const SourceLocation where = SourceLocation::current()) {
  const std::size_t at =
      detail::first_difference<"mismatch">(range1, range2, pred, proj1, proj2, where);
  return {detail::borrowed_at<R1>(range1, at), detail::borrowed_at<R2>(range2, at)};
}

/// Do both ranges have the same size, and does pred(proj1(element1), proj2(element2)) hold at each
/// position? As find_if; ranges of different size are not looked at.
/// @snippet search.cpp equal
template <LoopRange R1, LoopRange R2, class Pred = std::ranges::equal_to,
          class Proj1 = std::identity, class Proj2 = std::identity>
  requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>,
                                      Pred, Proj1, Proj2>
[[nodiscard("the result of equal is what it returns")]] bool equal(
    R1&& range1, R2&& range2, Pred pred = {}, Proj1 proj1 = {}, Proj2 proj2 = {},
    const SourceLocation where = SourceLocation::current()) {
  const std::size_t size = detail::size_of(range1);
  return size == detail::size_of(range2) &&
         detail::first_difference<"equal">(range1, range2, pred, proj1, proj2, where) == size;
}

/// The first element that is less than the one before it, or the end: up to there the range is
/// sorted. As find_if; proj is called twice for most elements.
/// @snippet search.cpp is_sorted_until
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
[[nodiscard(
    "the result of is_sorted_until is what it returns")]] std::ranges::borrowed_iterator_t<R>
is_sorted_until(R&& range, Comp comp = {}, Proj proj = {},
                const SourceLocation where = SourceLocation::current()) {
  return detail::borrowed_at<R>(range,
                                detail::sorted_until<"is_sorted_until">(range, comp, proj, where));
}

/// Is no element less than the one before it? As find_if; proj is called twice for most elements.
/// @snippet search.cpp is_sorted
template <LoopRange R, class Proj = std::identity,
          std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp =
              std::ranges::less>
[[nodiscard("the result of is_sorted is what it returns")]] bool is_sorted(
    R&& range, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  return detail::sorted_until<"is_sorted">(range, comp, proj, where) == detail::size_of(range);
}

/// How many elements satisfy pred(proj(element)).
///
/// pred and proj are called by several threads at once, once for each element.
/// Exceptions: the one that the serial algorithm would throw. Throws std::bad_alloc at an outside
/// thread's first call.
/// Complexity: n calls; span O(log n) plus a few microseconds' worth of them. Allocates nothing.
/// Thread-safety: as find_if.
/// @snippet search.cpp count_if
template <LoopRange R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
[[nodiscard("the result of count_if is what it returns")]] std::ranges::range_difference_t<R>
count_if(R&& range, Pred pred, Proj proj = {},
         const SourceLocation where = SourceLocation::current()) {
  return detail::count_of<"count_if">(range, pred, proj, where);
}

/// How many elements have proj(element) == value. As count_if.
/// @snippet search.cpp count
template <LoopRange R, class T, class Proj = std::identity>
  requires std::indirect_binary_predicate<
      std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>, const T*>
[[nodiscard("the result of count is what it returns")]] std::ranges::range_difference_t<R> count(
    R&& range, const T& value, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const detail::EqualTo<std::remove_cv_t<T>> equal{value};
  return detail::count_of<"count">(range, equal, proj, where);
}

}  // namespace furca::found_by_name
