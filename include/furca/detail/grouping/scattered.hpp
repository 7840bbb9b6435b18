// Elements of blocks, brought together part by part: a counting sort of each block by itself.
//
// A block goes through a buffer of its thread, which stays in a cache, to its place. A second place
// for all elements took longer, for pages are cleared by who writes to them first.
// A part's elements then lie in as many pieces as there are blocks, each in the block's order, and
// nothing but a part's own data is written by who goes over it: that fits into a cache. Blocks need
// not wait for each other, as they would for the places of one sort of all.
// Source: Gu, Shun, Sun, Blelloch: A Top-Down Parallel Semisort, SPAA 2015, which has pieces of one
// sequence.
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/base/memory.hpp>

#include <bit>
#include <exception>

namespace furca::detail {

/// The least elements that are worth a block.
inline constexpr std::size_t kLeastBlock = std::size_t{1} << 15U;

/// Up to 64 blocks.
inline std::size_t length_of_block(std::size_t n) noexcept {
  return std::max(kLeastBlock, (n + 63) / 64);
}

/// So many parts are worth it for some elements of so many bytes: each fits into a cache, and a
/// block writes to all of them without missing the next one.
FURCA_API std::size_t parts_for(std::size_t elements, std::size_t bytes) noexcept;

/// The same for some keys of so many bytes, before the elements are gone over: what is kept of a
/// part's keys is in a cache.
FURCA_API std::size_t parts_for_likely_keys(std::size_t keys, std::size_t elements,
                                            std::size_t bytes) noexcept;

/// An exception of one of several, each of which goes over elements from left to right.
struct Thrown {
  std::size_t at = 0;
  std::exception_ptr what;
};

/// Throws what comes first in the range's order.
FURCA_API void rethrow_first(const std::vector<Thrown>& thrown);

/// What is the same for elements of any type: blocks and the sizes of their pieces, memory, and
/// what each thread keeps. In the library: with it a program takes less time to compile.
class FURCA_API ScatteredBlocks {
 protected:
  /// No element is aligned to more.
  struct alignas(64) Line {
    std::byte bytes[64];
  };

 public:
  ScatteredBlocks(const ScatteredBlocks&) = delete;
  ScatteredBlocks& operator=(const ScatteredBlocks&) = delete;

  /// A block that begins at element lo has put so many in its room.
  void filled(std::size_t lo, std::size_t n) noexcept { blocks_[lo / length_].size = n; }

  std::size_t blocks() const noexcept { return blocks_.size(); }
  std::size_t size() const noexcept;
  /// The number of a part's elements.
  std::size_t size_of_part(std::size_t part) const noexcept;

  /// A block's elements until they are scattered, if its parts are known before: in a cache. It is
  /// taken from the thread, which may go over another block where it waits.
  using Buffer = Owner<Line[]>;
  Buffer buffer();

  /// The thread's own, null at first; of several blocks.
  void*& kept();

 protected:
  /// Throws std::bad_alloc.
  ScatteredBlocks(std::size_t n, std::size_t length, std::size_t bytes);
  ~ScatteredBlocks();

  /// Begins to scatter a block's n elements: 0 for each part, where they are to be counted.
  std::uint32_t* begin(std::size_t b, std::size_t n, std::size_t parts);
  /// They have been counted; now the numbers are those of a part's first element.
  static void add_up(std::uint32_t* counts, std::size_t parts) noexcept;
  void give_back(Buffer buffer);

  struct Block {
    std::size_t size = 0;
    std::vector<std::uint32_t> ends;  // of each part's piece, behind a 0
  };

  const std::size_t length_;
  const std::size_t bytes_;  // of an element
  const Owner<Line[]> all_;
  std::vector<Block> blocks_;

 private:
  struct Kept;
  struct KeptByThreads;
  Buffer memory(std::size_t n) const;  // for n elements

  Owner<KeptByThreads> threads_;
};

/// Up to n elements in blocks of `length`. Memory that no block writes to is never touched.
template <class T>
class Scattered : public ScatteredBlocks {
  static_assert(std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T> &&
                alignof(T) <= sizeof(Line));

 public:
  /// Throws std::bad_alloc.
  Scattered(std::size_t n, std::size_t length) : ScatteredBlocks(n, length, sizeof(T)) {}

  static T* elements(const Buffer& buffer) noexcept {
    return static_cast<T*>(static_cast<void*>(buffer.get()));
  }
  /// Where a block that begins at element lo puts its own, in their order, by std::construct_at.
  T* room(std::size_t lo) const noexcept { return elements(all_) + lo; }

  /// Calls f for every `step`th element, before they are scattered.
  template <class F>
  void each_nth(std::size_t step, F f) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (std::size_t i = 0; i < blocks_[b].size; i += step) f(room(b * length_)[i]);
    }
  }

  /// Brings a block's n elements together by part_of(element), which is below `parts`.
  template <class PartOf>
  void scatter(std::size_t b, Buffer buffer, std::size_t n, std::size_t parts,
               const PartOf& part_of) {
    const PartOf part_at = part_of;
    std::uint32_t* const ends = begin(b, n, parts);
    const T* const from = elements(buffer);
    T* const to = room(b * length_);
    for (std::size_t i = 0; i < n; ++i) ++ends[part_at(from[i])];
    add_up(ends, parts);
    for (std::size_t i = 0; i < n; ++i) std::construct_at(to + ends[part_at(from[i])]++, from[i]);
    give_back(std::move(buffer));
  }

  /// The same for those that it has put in its room.
  template <class PartOf>
  void scatter(std::size_t b, std::size_t parts, const PartOf& part_of) {
    Buffer own = buffer();
    std::uninitialized_copy_n(room(b * length_), blocks_[b].size, elements(own));
    scatter(b, std::move(own), blocks_[b].size, parts, part_of);
  }

  /// A block's elements in a part, and where the first of them is among all.
  std::span<T> piece(std::size_t b, std::size_t part, std::size_t& at) const noexcept {
    const Block& block = blocks_[b];
    if (block.size == 0) return {};
    at = b * length_ + block.ends[part];
    return {room(at), block.ends[part + 1] - block.ends[part]};
  }
};

}  // namespace furca::detail
