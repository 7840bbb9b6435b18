// Blocks of elements, and the tables of their keys, which are brought together part by part.
#pragma once

#include <furca/detail/grouping/key_numbers.hpp>

#include <numeric>

namespace furca::detail {

/// The keys that one block or more have met.
template <class Numbers>
struct KeyTable {
  Numbers keys;
  std::vector<std::uint32_t> order;    // its numbers, part by part
  std::vector<std::uint32_t> ends;     // of each part's, behind a 0
  std::vector<std::uint32_t> numbers;  // in this order: those in the part, or kNoNumber

  /// The number of those that a part has.
  std::uint32_t of_part(std::size_t part) const noexcept { return ends[part + 1] - ends[part]; }

  /// How far its integers, of which there are some, are from each other.
  std::uint64_t spread() const noexcept {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      least = std::min(least, detail::in_order(keys[i].key));
      most = std::max(most, detail::in_order(keys[i].key));
    }
    return most - least;
  }

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

/// A stretch of the elements. `Keys` keeps what the list and the table refer to.
template <class Keys, class Table, class Data>
struct KeyedBlock {
  Data data;  // by the table's numbers, and once they are scattered in its order
  Keys kept;
  Table own;
  Table* table = nullptr;     // its own, or an earlier block's; none: its data are in a later block
  std::size_t number = 0;     // of the block
  std::size_t looked_up = 0;  // the end of the elements of which some are in the table
  std::size_t met = 0;        // different keys
  std::uint32_t keys = 0;     // of the table, when the block was through
};

}  // namespace furca::detail
