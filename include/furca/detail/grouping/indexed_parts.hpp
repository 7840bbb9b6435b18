// Elements of a range in parts by an index of theirs: a part has the indices from one to another,
// and what is kept by them fits into a cache.
// Checked by: tests/algorithms/group_index_test.cpp
#pragma once

#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/refuse.hpp>
#include <furca/detail/grouping/keyed_blocks.hpp>
#include <furca/detail/grouping/scattered.hpp>

#include <bit>

namespace furca::detail {

/// An index that is below a bound. It may have more bits than a std::size_t.
template <class Index>
std::size_t checked_index(Index index, std::size_t bound) {
  const auto at = static_cast<std::size_t>(index);
  if (at >= bound || static_cast<Index>(at) != index) [[unlikely]]
    detail::refuse_index("furca: an index is not below the number of bins or keys");
  return at;
}

/// There are at most so many indices.
inline constexpr std::uint64_t kMostIndices = std::uint64_t{1} << 32U;

/// The n elements of a range, with indices below `bound`, each with a Contribution.
template <Literal name, class Contribution>
class IndexedParts {
 public:
  struct Entry {
    std::uint32_t index;
    FURCA_NO_UNIQUE_ADDRESS InList<Contribution> contribution;
  };
  struct Part {
    std::size_t number;
    std::size_t first;     // index
    std::size_t end;       // of its indices
    std::size_t elements;  // in the parts before
  };

  IndexedParts(std::size_t n, std::size_t bound, const SourceLocation& where)
      : where_(where),
        n_(n),
        bound_(bound),
        length_(length_of_block(n)),
        shift_(std::max(0, static_cast<int>(std::bit_width(bound - (bound > 0 ? 1 : 0))) -
                               std::countr_zero(parts_for(n, sizeof(Entry))))),
        parts_(bound == 0 ? 0 : ((bound - 1) >> shift_) + 1),
        list_(n, length_) {}

  /// Takes all elements. contribution_of(i, first element of its block).
  template <class IndexOf, class ContributionOf>
  void take(const IndexOf& index_of, const ContributionOf& contribution_of) {
    auto block = [&](std::size_t lo, std::size_t hi) {
      const IndexOf index_at = index_of;
      auto buffer = list_.buffer();
      Entry* const to = list_.elements(buffer);
      for (std::size_t i = lo; i < hi; ++i) {
        const auto index = static_cast<std::uint32_t>(detail::checked_index(index_at(i), bound_));
        ::new (static_cast<void*>(to + (i - lo))) Entry{index, contribution_of(i, lo)};
      }
      list_.scatter(
          lo / length_, std::move(buffer), hi - lo, parts_,
          [shift = shift_](const Entry& entry) -> std::size_t { return entry.index >> shift; });
    };
    detail::for_blocks<name>(0, n_, length_, block, where_);
  }

  std::size_t parts() const noexcept { return parts_; }

  /// Calls f(part), in parallel.
  template <class F>
  void each_part(const F& f) {
    std::vector<Part> parts;
    std::size_t elements = 0;
    for (std::size_t p = 0; p < parts_; ++p) {
      parts.push_back({p, p << shift_, std::min(bound_, (p + 1) << shift_), elements});
      elements += list_.size_of_part(p);
    }
    auto one = [&parts, &f](std::size_t p, std::size_t) { f(parts[p]); };
    detail::for_blocks<name>(0, parts_, 1, one, where_);
  }

  /// Calls f(first element of the block, entry) for each element of a part, from left to right.
  template <class F>
  void each_of_part(std::size_t p, const F& f) const {
    for (std::size_t b = 0; b < list_.blocks(); ++b) {
      std::size_t at = 0;
      for (const Entry& entry : list_.piece(b, p, at)) f(b * length_, entry);
    }
  }

 private:
  const SourceLocation& where_;
  const std::size_t n_;
  const std::size_t bound_;
  const std::size_t length_;
  const int shift_;  // of an index, for its part
  const std::size_t parts_;
  Scattered<Entry> list_;
};

}  // namespace furca::detail
