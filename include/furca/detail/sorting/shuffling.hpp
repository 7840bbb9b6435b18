// Shuffling: every element goes to a part of the range that is drawn for it, and then each part is
// shuffled by itself.
//
// If each element has a part that is drawn for it alone, and every order within each part is as
// probable as any other, that is so for the whole range, too.
// Random numbers have numbers: which one an element, or a place, gets depends on the seed and on
// its position, and on no thread. So all three loops may run in any order.
// Sources: Rao: Generation of Random Permutation of Given Number of Elements Using Random Sampling
// Numbers, Sankhya A 23, 1961; Sandelius: A Simple Randomization Procedure, JRSS B 24, 1962; within
// a part Fisher and Yates, as in Knuth, TAOCP 2, 3.4.2 P. Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, OOPSLA 2014 (SplitMix64).
// Rejected: shuffling halves and merging them by coin tosses (Bacher et al.: MergeShuffle, 2015):
// in place, but the last merge is one thread's; sorting by random keys (twenty times as many moves,
// and keys that are equal).
// Checked by: tests/algorithms/permute_test.cpp
#pragma once

#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/sorting/merging.hpp>

#include <bit>

namespace furca::detail {

/// The sequence of SplitMix64, from a place that depends on the seed. Each number costs the same,
/// in any order.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) noexcept : start_(mixed(seed)) {}

  std::uint64_t operator[](std::uint64_t i) const noexcept {
    return mixed(start_ + (i + 1) * 0x9E3779B97F4A7C15U);
  }

 private:
  static std::uint64_t mixed(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  std::uint64_t start_;
};

/// A number below n, n > 0, of one of 64 bits: each is drawn from as many of these as any other, or
/// one more.
inline std::uint64_t drawn_below(std::uint64_t n, std::uint64_t random) noexcept {
  if ((n >> 32U) != 0) return random % n;
  return ((random >> 32U) * n + (((random & 0xFFFFFFFFU) * n) >> 32U)) >> 32U;  // random * n / 2^64
}

template <class I>
class Shuffle {
 public:
  static constexpr std::size_t kAlone = std::size_t{1} << 14U;  // so many fit into a cache
  // their ends, where elements are put, do, too
  static constexpr std::size_t kMostParts = 256;

  Shuffle(I begin, std::size_t n, std::uint64_t seed, const SourceLocation& where)
      : begin_(begin),
        size_(n),
        parts_(std::min(kMostParts, std::bit_ceil((n + kAlone - 1) / kAlone))),
        numbers_(seed),
        where_(where) {}

  void run() const {
    if (parts_ <= 1) return shuffle_part(0, size_);
    // ends[block * parts_ + part]: how many elements the block puts into the part, and then where
    // the next of these comes.
    const Owner<std::size_t[]> ends(new std::size_t[parts_ * parts_]());
    RawMemory<std::iter_value_t<I>> buffer(size_);
    buffer.template move_in<"shuffle">(begin_, where_);
    each([this, &ends](std::size_t block) { count(block, &ends[block * parts_]); });
    std::size_t end = 0;
    for (std::size_t part = 0; part < parts_; ++part) {
      for (std::size_t block = 0; block < parts_; ++block)
        end += std::exchange(ends[block * parts_ + part], end);
    }
    each([this, &ends, from = buffer.data()](std::size_t block) {
      put(block, &ends[block * parts_], from);
    });
    const std::size_t* const part_ends = &ends[(parts_ - 1) * parts_];
    each([this, part_ends](std::size_t part) {
      shuffle_part(part == 0 ? 0 : part_ends[part - 1], part_ends[part]);
    });
  }

 private:
  template <class F>
  void each(F f) const {
    detail::for_positions<"shuffle">(parts_, f, where_);
  }

  std::size_t part_of(std::size_t i) const noexcept {
    return static_cast<std::size_t>(numbers_[i] >> (64 - std::countr_zero(parts_)));
  }

  /// The range is read in as many blocks as it has parts.
  std::size_t block_at(std::size_t block) const noexcept {
    return std::min(size_, block * ((size_ + parts_ - 1) / parts_));
  }

  void count(std::size_t block, std::size_t* counts) const noexcept {
    for (std::size_t i = block_at(block); i < block_at(block + 1); ++i) ++counts[part_of(i)];
  }

  template <class T>
  void put(std::size_t block, std::size_t* to, T* from) const {
    for (std::size_t i = block_at(block); i < block_at(block + 1); ++i)
      *detail::plus(begin_, to[part_of(i)]++) = std::move(from[i]);
  }

  /// Numbers from size_ on: those below chose the parts.
  void shuffle_part(std::size_t lo, std::size_t hi) const {
    for (std::size_t i = hi; i > lo + 1; --i) {
      const std::size_t other = lo + static_cast<std::size_t>(drawn_below(
                                         i - lo, numbers_[std::uint64_t{size_} + i - 1]));
      if (other != i - 1)
        std::ranges::iter_swap(detail::plus(begin_, i - 1), detail::plus(begin_, other));
    }
  }

  I begin_;
  std::size_t size_;
  std::size_t parts_;  // a power of two
  RandomNumbers numbers_;
  const SourceLocation& where_;
};

}  // namespace furca::detail
