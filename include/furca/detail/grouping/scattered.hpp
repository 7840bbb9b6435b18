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

#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/per_worker.hpp>

#include <bit>
#include <exception>
#include <optional>

namespace furca::detail {

/// The least elements that are worth a block.
inline constexpr std::size_t kLeastBlock = std::size_t{1} << 15U;

/// Up to 64 blocks.
inline std::size_t length_of_block(std::size_t n) noexcept {
  return std::max(kLeastBlock, (n + 63) / 64);
}

/// So many parts are worth it for some elements of so many bytes: each fits into a cache, and a
/// block writes to all of them without missing the next one.
inline std::size_t parts_for(std::size_t elements, std::size_t bytes) noexcept {
  constexpr std::size_t kElements = 16'384;
  constexpr std::size_t kBytes = 262'144;
  constexpr std::size_t kMost = 512;
  return std::clamp<std::size_t>(std::bit_ceil(elements / std::min(kElements, kBytes / bytes)), 1,
                                 kMost);
}

/// The same for some keys of so many bytes, before the elements are gone over: what is kept of a
/// part's keys is in a cache.
inline std::size_t parts_for_likely_keys(std::size_t keys, std::size_t elements,
                                         std::size_t bytes) noexcept {
  constexpr std::size_t kBytes = 131'072;
  const std::size_t parts = std::bit_ceil(keys * std::max<std::size_t>(16, bytes) / kBytes);
  return std::min(std::max<std::size_t>(64, parts), parts_for(elements, bytes));
}

/// An exception of one of several, each of which goes over elements from left to right.
struct Thrown {
  std::size_t at = 0;
  std::exception_ptr what;
};

/// Throws what comes first in the range's order.
inline void rethrow_first(const std::vector<Thrown>& thrown) {
  const Thrown* first = nullptr;
  for (const Thrown& one : thrown) {
    if (one.what != nullptr && (first == nullptr || one.at < first->at)) {
      first = std::addressof(one);
    }
  }
  if (first != nullptr) std::rethrow_exception(first->what);
}

/// Up to n elements in blocks of `length`. Memory that no block writes to is never touched.
template <class T>
class Scattered {
  static_assert(std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// Throws std::bad_alloc.
  Scattered(std::size_t n, std::size_t length)
      : length_(std::min(length, n)), all_(n), blocks_(n == 0 ? 0 : (n + length - 1) / length) {
    if (n > 0) buffers_.emplace();
  }

  /// Where a block that begins at element lo puts its own, in their order, by std::construct_at.
  T* room(std::size_t lo) const noexcept { return all_.data() + lo; }

  /// It has put so many there.
  void filled(std::size_t lo, std::size_t n) noexcept { blocks_[lo / length_].size = n; }

  std::size_t blocks() const noexcept { return blocks_.size(); }
  std::size_t size() const noexcept {
    std::size_t all = 0;
    for (const Block& block : blocks_) all += block.size;
    return all;
  }

  /// Calls f for every `step`th element, before they are scattered.
  template <class F>
  void each_nth(std::size_t step, F f) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (std::size_t i = 0; i < blocks_[b].size; i += step) f(all_.data()[b * length_ + i]);
    }
  }

  /// A block's elements until they are scattered, if its parts are known before: in a cache. It is
  /// taken from the thread, which may go over another block where it waits.
  using Buffer = Owner<RawMemory<T>>;
  Buffer buffer() {
    Buffer own = std::move(buffers_->local().own);
    return own.get() == nullptr ? Buffer(new RawMemory<T>(length_)) : std::move(own);
  }

  /// Brings a block's n elements together by part_of(element), which is below `parts`.
  template <class PartOf>
  void scatter(std::size_t b, Buffer buffer, std::size_t n, std::size_t parts,
               const PartOf& part_of) {
    const PartOf part_at = part_of;
    std::vector<std::uint32_t> all_ends(parts + 1);
    std::uint32_t* const ends = all_ends.data() + 1;  // of the part before, at first
    const T* const from = buffer->data();
    T* const to = all_.data() + b * length_;
    for (std::size_t i = 0; i < n; ++i) ++ends[part_at(from[i])];
    std::uint32_t before = 0;
    for (std::size_t part = 0; part < parts; ++part) before += std::exchange(ends[part], before);
    for (std::size_t i = 0; i < n; ++i) std::construct_at(to + ends[part_at(from[i])]++, from[i]);
    blocks_[b] = {n, std::move(all_ends)};
    buffers_->local().own = std::move(buffer);
  }

  /// The same for those that it has put in its room.
  template <class PartOf>
  void scatter(std::size_t b, std::size_t parts, const PartOf& part_of) {
    Buffer own = buffer();
    const T* const from = all_.data() + b * length_;
    std::uninitialized_copy_n(from, blocks_[b].size, own->data());
    scatter(b, std::move(own), blocks_[b].size, parts, part_of);
  }

  /// A block's elements in a part, and where the first of them is among all.
  std::span<T> piece(std::size_t b, std::size_t part, std::size_t& at) const noexcept {
    const Block& block = blocks_[b];
    if (block.size == 0) return {};
    at = b * length_ + block.ends[part];
    return {all_.data() + at, block.ends[part + 1] - block.ends[part]};
  }

  /// The number of a part's elements.
  std::size_t size_of_part(std::size_t part) const noexcept {
    std::size_t all = 0;
    for (const Block& block : blocks_) {
      all += block.size == 0 ? 0 : block.ends[part + 1] - block.ends[part];
    }
    return all;
  }

 private:
  struct Block {
    std::size_t size = 0;
    std::vector<std::uint32_t> ends;  // of each part's piece, behind a 0
  };

  /// A copy has none: each thread's begins so.
  struct Kept {
    Kept() noexcept = default;
    Kept(const Kept&) noexcept {}
    Kept& operator=(const Kept&) = delete;
    ~Kept() = default;

    Buffer own;
  };

  const std::size_t length_;
  const RawMemory<T> all_;
  std::vector<Block> blocks_;
  std::optional<PerWorker<Kept>> buffers_;
};

}  // namespace furca::detail
