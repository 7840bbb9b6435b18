// The steps of a loop as blocks of indices: all of one length, but for the last. Which loops are
// none, and the grain.
#pragma once

#include <furca/detail/base/config.hpp>
#include <furca/detail/fork/current_forks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// Throws std::invalid_argument: a grain of 0.
[[noreturn]] FURCA_COLD FURCA_API void refuse_grain();

/// Throws std::invalid_argument for a grain of 0.
inline void check_grain(std::uint64_t grain) {
  if (grain == 0) [[unlikely]]
    refuse_grain();
}

/// Whether the caller alone goes through n elements of so many bytes, with a copy, a comparison or
/// an addition of numbers for each: in a microsecond or so, of which a loop's look at the clock
/// would be a tenth. Not while furca observes itself: it sees loops.
inline bool takes_a_moment(std::uint64_t n, std::size_t bytes) noexcept {
  return n <= 16 * 1024 / bytes && current_forks != nullptr;
}

/// Indices 0 .. n-1 in blocks 0 .. count-1: block k begins at k * length, and the last one ends at
/// n.
class Blocks {
 public:
  /// The rest makes a block of its own, which is shorter. length > 0.
  static constexpr Blocks last_shorter(std::uint64_t n, std::uint64_t length) noexcept {
    return {n, length, n / length + (n % length != 0 ? 1 : 0)};
  }

  /// The rest belongs to the last block, which is longer: none is shorter than `length`, unless n
  /// is. length > 0.
  static constexpr Blocks last_longer(std::uint64_t n, std::uint64_t length) noexcept {
    return {n, length, n > 0 && n < length ? 1 : n / length};
  }

  constexpr std::uint64_t count() const noexcept { return count_; }

  /// Indices in all blocks but the last.
  constexpr std::uint64_t length() const noexcept { return length_; }

  /// The index that a block begins at; at(count()) is n.
  constexpr std::uint64_t at(std::uint64_t block) const noexcept {
    return block < count_ ? block * length_ : size_;
  }

  /// The block that has an index.
  constexpr std::uint64_t with(std::uint64_t index) const noexcept {
    return std::min(index / length_, count_ - 1);
  }

 private:
  constexpr Blocks(std::uint64_t n, std::uint64_t length, std::uint64_t count) noexcept
      : size_(n), length_(length), count_(count) {}

  std::uint64_t size_;
  std::uint64_t length_;
  std::uint64_t count_;
};

}  // namespace furca::detail
