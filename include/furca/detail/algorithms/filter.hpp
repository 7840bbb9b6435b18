// filter: the elements that satisfy a predicate, in a vector.
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/algorithms/elements.hpp>
#include <furca/detail/algorithms/pack_passes.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/large_memory.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/mistakes/sentences.hpp>
#include <furca/parallel_for.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

FURCA_DECLARES(filter);

namespace furca::found_by_name {

/// The elements that satisfy pred(proj(element)), copied into a vector in their order.
///
/// pred and proj are called by several threads at once, once for each element. Copies are made by
/// several threads where elements can be made without arguments, else by the caller.
/// Exceptions: the one that the serial algorithm would throw. Throws std::bad_alloc if there is no
/// memory.
/// Complexity: n calls, m copies, for m elements kept; span O(n / p), for p threads, since memory
/// is gone through in stretches of 512 KB a thread.
/// Allocates what it returns, a few bytes for each element of a stretch, and, if the share that is
/// kept rises, what it has had before.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile.
/// @snippet pack.cpp filter
template <LoopRange R, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  requires std::constructible_from<std::ranges::range_value_t<R>, std::ranges::range_reference_t<R>>
[[nodiscard("the result of filter is what it returns")]] std::vector<std::ranges::range_value_t<R>>
filter(R&& range, Pred pred, Proj proj = {},
       const SourceLocation where = SourceLocation::current()) {
  using T = std::ranges::range_value_t<R>;
  using Range = std::remove_reference_t<R>;
  constexpr bool kAtOnce = std::is_nothrow_default_constructible_v<T> &&
                           std::assignable_from<T&, std::ranges::range_reference_t<R>> &&
                           !std::is_same_v<T, bool> && !detail::kStandsForBit<T>;
  const detail::Elements<Range> elements(range);
  const detail::Satisfies<Range, Pred, Proj> test(range, pred, proj);
  const std::size_t n = detail::size_of(range);
  std::vector<T> kept;
  detail::pack<"filter", Proj, kAtOnce>(
      range, std::numeric_limits<std::size_t>::max(), test,
      [&](std::size_t count, std::size_t done) {
        const std::size_t size = kept.size() + count;
        if (size > kept.capacity()) {
          // As much as if the rest were like what has been seen, and an eighth more.
          const double likely = static_cast<double>(size) *
                                (static_cast<double>(n) / static_cast<double>(done)) * 1.125;
          kept.reserve(
              std::max(size, done == n ? size : std::min(n, static_cast<std::size_t>(likely))));
          // Rejected: to have several threads ask for the pages (MADV_POPULATE_WRITE), before the
          // first element is copied: 12.3 ms where it took 10.9 (10^7 doubles, half of them kept,
          // two threads), since what a page is cleared with has left the cache by the time that it
          // is written to.
          detail::prepare_capacity(kept);
        }
        if constexpr (kAtOnce) kept.resize(size);
      },
      [&]([[maybe_unused]] std::size_t to, std::size_t count, const unsigned char* answers,
          std::size_t from, std::size_t length) {
        if constexpr (kAtOnce) {
          detail::copy_kept(elements, from, answers, length, detail::Elements<std::vector<T>>(kept),
                            to, count);
        } else {
          detail::Positions positions;
          (void)positions.find(answers, 0, length, 0);
          for (std::size_t i = 0; i < count; ++i) kept.emplace_back(elements[from + positions[i]]);
        }
      },
      where);
  return kept;
}

}  // namespace furca::found_by_name
