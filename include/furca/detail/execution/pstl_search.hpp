// Searches of the standard library's parallel algorithms, from the front, or from the back, as
// first_hit.hpp has it: here a brick gets a stretch.
#pragma once

#include <furca/detail/algorithms/searcher.hpp>
#include <furca/detail/execution/pstl_loops.hpp>

#include <functional>
#include <iterator>

namespace furca::detail {

/// One thread's work on a stretch of positions [lo, hi). `look` gives the first position of a
/// hit in a stretch, or its end.
template <class Look>
void look_by_bricks(Searcher& search, std::size_t lo, std::size_t hi) {
  constexpr std::uint64_t kLongest = 1'024;  // behind a hit no more is looked at by each thread
  for (std::uint64_t from = lo; from < hi && from < search.hit();) {
    const std::uint64_t stop = from + std::min(hi - from, kLongest);
    const std::uint64_t found = detail::call_brick(search.test_as<Look>(), from, stop);
    if (found != stop) return search.found(static_cast<std::size_t>(found));
    from = stop;
  }
}

/// The first hit in [0, n), or n.
template <class Look>
std::uint64_t search_bricks(std::uint64_t n, Look& look, const SourceLocation& where) {
  return detail::search(n, kSearchFunctions<"std::execution search", &look_by_bricks<Look>>, &look,
                        &where);
}

/// The first hit in [first, last), or the last one, or `last` if there is none. brick(i, j) gives
/// the same for [i, j).
template <class Index, class Brick>
Index find_by_bricks(Index first, Index last, Brick& brick, bool from_front,
                     const SourceLocation& where) {
  const auto n = static_cast<std::uint64_t>(last - first);
  if (from_front) {
    const auto look = [first, &brick](std::uint64_t lo, std::uint64_t hi) {
      return static_cast<std::uint64_t>(
          brick(detail::behind(first, lo), detail::behind(first, hi)) - first);
    };
    return detail::behind(first, detail::search_bricks(n, look, where));
  }
  // From the back position k is the one k + 1 before the end, and a brick that has found nothing
  // gives its end.
  const auto look = [first, n, &brick](std::uint64_t lo, std::uint64_t hi) {
    const std::uint64_t end = n - lo;
    const auto hit = static_cast<std::uint64_t>(
        brick(detail::behind(first, n - hi), detail::behind(first, end)) - first);
    return hit == end ? hi : n - 1 - hit;
  };
  const std::uint64_t hit = detail::search_bricks(n, look, where);
  return hit == n ? last : detail::behind(first, n - 1 - hit);
}

/// Whether brick(i, j) holds for a stretch of [first, last).
template <class Index, class Brick>
bool any_by_bricks(Index first, Index last, Brick& brick, const SourceLocation& where) {
  const auto look = [first, &brick](std::uint64_t lo, std::uint64_t hi) {
    return static_cast<bool>(brick(detail::behind(first, lo), detail::behind(first, hi))) ? lo : hi;
  };
  const auto n = static_cast<std::uint64_t>(last - first);
  return detail::search_bricks(n, look, where) != n;
}

/// The first place in [first, last) where the sequence [s_first, s_last) is, or the last one;
/// `last` if there is none. pred(element, element of the sequence); each stretch has a copy of it.
template <class I, class S, class Pred>
I find_sequence(I first, I last, S s_first, S s_last, const Pred& pred, bool from_front,
                const SourceLocation& where) {
  const auto m = std::distance(s_first, s_last);
  if (m == 0 || last - first < m) return from_front && m == 0 ? first : last;
  const auto brick = [s_first, m, &pred, from_front](I i, I j) {
    Pred own = pred;
    const auto begins = [&own, s_first](auto&& x) { return static_cast<bool>(own(x, *s_first)); };
    const auto goes_on = [&own, s_first, m](I k) {
      return std::equal(std::next(k), detail::behind(k, m), std::next(s_first), std::ref(own));
    };
    if (from_front) {
      while ((i = std::find_if(i, j, begins)) != j && !goes_on(i)) ++i;
      return i;
    }
    for (I k = j; k != i;) {
      if (begins(*--k) && goes_on(k)) return k;
    }
    return j;
  };
  const I end = detail::behind(first, last - first - m + 1);
  const I found = detail::find_by_bricks(first, end, brick, from_front, where);
  return found == end ? last : found;
}

/// The first of `count` elements in a row, 1 at least, that pred(element, value) holds for, or
/// last.
template <class I, class T, class Pred>
I find_run(I first, I last, typename std::iterator_traits<I>::difference_type count, const T& value,
           const Pred& pred, const SourceLocation& where) {
  if (last - first < count) return last;
  const auto brick = [count, &value, &pred](I i, I j) {
    Pred own = pred;
    const auto fits = [&own, &value](auto&& x) { return static_cast<bool>(own(x, value)); };
    while ((i = std::find_if(i, j, fits)) != j) {
      I k = detail::behind(i, count);
      while (k != i && fits(*detail::behind(k, -1))) --k;
      if (k == i) return i;
      if (j - i <= k - i) return j;  // no run has the element in front of k
      i = k;
    }
    return j;
  };
  const I end = detail::behind(first, last - first - count + 1);
  const I found = detail::find_by_bricks(first, end, brick, true, where);
  return found == end ? last : found;
}

/// The first element that pred(element, other) holds for with any other of [s_first, s_last).
template <class I, class S, class Pred>
I find_any_of(I first, I last, S s_first, S s_last, const Pred& pred, const SourceLocation& where) {
  const auto brick = [s_first, s_last, &pred](I i, I j) {
    return std::find_first_of(i, j, s_first, s_last, pred);
  };
  return detail::find_by_bricks(first, last, brick, true, where);
}

}  // namespace furca::detail
