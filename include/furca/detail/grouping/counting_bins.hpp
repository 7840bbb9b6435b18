// Counting elements in bins: several tables for few bins, and parts of the bins for many.
// Checked by: tests/algorithms/group_index_test.cpp
#pragma once

#include <furca/detail/algorithms/collecting.hpp>
#include <furca/detail/grouping/indexed_parts.hpp>

namespace furca::detail {

/// A histogram of so few bins has several tables for each thread: equal neighbours do not wait for
/// each other's counts then. Whole cache lines apart, and not at addresses that are alike in their
/// last bits, which some processors take for equal at first.
inline constexpr std::size_t kFewBins = 256;
inline constexpr std::size_t kManyBins = std::size_t{1} << 18U;
inline constexpr std::size_t kWays = 4;
inline constexpr std::size_t kWayLength = kFewBins + 8;

/// Counts elements at positions, in `ways` tables.
template <std::size_t ways, class Count, class At>
void count_into(Count* counts, std::size_t bins, std::size_t lo, std::size_t hi,
                const At& position_of) {
  const At position = position_of;
  const auto add = [counts, bins, &position](std::size_t way, std::size_t i) {
    ++counts[way * kWayLength + detail::checked_index(position(i), bins)];
  };
  std::size_t i = lo;
  for (; hi - i >= 4; i += 4) {
    add(0, i);
    add(1 % ways, i + 1);
    add(2 % ways, i + 2);
    add(3 % ways, i + 3);
  }
  for (; i < hi; ++i) add(0, i);
}

/// Counts elements in so many bins that what each thread counts for itself would not be in its
/// caches.
template <class Count, class At>
void count_in_parts(std::vector<Count>& counts, std::size_t bins, std::size_t n,
                    const At& position_of, const SourceLocation& where) {
  struct None {};
  IndexedParts<"histogram", None> parts(n, bins, where);
  parts.take(position_of, [](std::size_t, std::size_t) { return None(); });
  counts = unwritten<std::vector<Count>>(bins);
  parts.each_part([&parts, to = counts.data()](const auto& part) {
    std::fill(to + part.first, to + part.end, Count{});
    parts.each_of_part(part.number, [to](std::size_t, const auto& entry) { ++to[entry.index]; });
  });
}

}  // namespace furca::detail
