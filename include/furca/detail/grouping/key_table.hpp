// The keys of blocks, brought together part by part.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/grouping/key_numbers.hpp>

#include <numeric>

namespace furca::detail {

template <class Numbers>
struct KeyTable {
  Numbers keys;
  std::vector<std::uint32_t> order;    // its numbers, part by part
  std::vector<std::uint32_t> ends;     // of each part's, behind a 0
  std::vector<std::uint32_t> numbers;  // in this order: those in the part, or kNoNumber

  /// Fills in the others when all keys are there: a key goes to part_of(it).
  template <class PartOf>
  void scatter(std::size_t parts, const PartOf& part_of) {
    const std::size_t n = keys.size();
    ends.assign(parts + 1, 0);
    order.resize(n);
    numbers.assign(n, kNoNumber);
    if (parts == 1) {
      ends[1] = static_cast<std::uint32_t>(n);
      std::iota(order.begin(), order.end(), std::uint32_t{0});
      return;
    }
    std::vector<std::uint32_t> parts_of(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      parts_of[i] = static_cast<std::uint32_t>(part_of(keys[i]));
      ++ends[parts_of[i] + std::size_t{1}];
    }
    const auto next = ends.begin() + 1;
    std::exclusive_scan(next, ends.end(), next, std::uint32_t{0});
    for (std::uint32_t i = 0; i < n; ++i) order[ends[parts_of[i] + std::size_t{1}]++] = i;
  }
};

}  // namespace furca::detail
