// Index ranges of any integral type as steps 0 .. n-1, without overflow at the ends of the type.
#pragma once

#include <furca/detail/base/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace furca {
class Progress;
}  // namespace furca

namespace furca::detail {

/// A type that can count a loop: any integer but bool, up to 64 bits.
template <class I>
concept LoopIndex = std::integral<I> && !std::same_as<std::remove_cv_t<I>, bool> &&
                    sizeof(I) <= sizeof(std::uint64_t);

template <LoopIndex Index>
class IndexRange {
 public:
  /// [first, last), empty if last <= first.
  constexpr IndexRange(Index first, Index last) noexcept
      : first_(first),
        size_(first < last ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)
                           : 0) {}

  constexpr std::uint64_t size() const noexcept { return size_; }

  /// The index of a step; step == size() gives the end.
  constexpr Index at(std::uint64_t step) const noexcept { return at(first_, step); }
  static constexpr Index at(Index first, std::uint64_t step) noexcept {
    return static_cast<Index>(static_cast<std::uint64_t>(first) + step);
  }

  /// The step of an index.
  constexpr std::uint64_t step(Index index) const noexcept {
    return static_cast<std::uint64_t>(index) - static_cast<std::uint64_t>(first_);
  }

 private:
  Index first_;
  std::uint64_t size_;
};

/// Runs steps [lo, hi) by run(from, to). A stretch that begins between two multiples of 64 first
/// goes to the next one: where the loop as a whole begins on a vector or a cache line, so does
/// nearly all of it. Unaligned, a loop of few instructions takes up to a third longer.
template <class Run>
void run_aligned(std::uint64_t lo, std::uint64_t hi, Run run) {
  constexpr std::uint64_t kSteps = 64;  // a cache line of bytes
  const std::uint64_t aligned = (lo + (kSteps - 1)) & ~(kSteps - 1);
  if (lo < aligned && aligned < hi) {
    run(lo, aligned);
    lo = aligned;
  }
  run(lo, hi);
}

/// progress.add(steps), for headers that do without progress.hpp.
FURCA_API void add_steps_to(Progress& progress, std::uint64_t steps) noexcept;

/// A loop that may have a Progress has run so many steps: at the end of a chunk, or where it threw.
inline void add_steps(Progress* progress, std::uint64_t steps) noexcept {
  if (progress != nullptr) [[unlikely]]
    detail::add_steps_to(*progress, steps);
}

}  // namespace furca::detail
