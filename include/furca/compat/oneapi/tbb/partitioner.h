// How a range is to be divided. simple_partitioner divides down to the grain, static_partitioner
// into a part for each thread; the others are hints, and furca's loops do as they always do.
// With each of them a parallel_for of no more steps than threads can run each on a thread of its
// own.
#pragma once

#include "cache_aligned_allocator.h"
#include "detail/split.h"
#include "task_arena.h"
#include "task_group.h"

namespace tbb {

/// Ranges are divided until they are not divisible: a body gets none that is longer than the grain.
class simple_partitioner {};

/// Ranges are as long as they need be: the default.
class auto_partitioner {};

/// A part of a blocked_range for each thread, unless the grain asks for fewer: their lengths differ
/// by one at most. Other ranges are halved into as many parts, or up to twice as many.
class static_partitioner {};

/// Accepted; what auto_partitioner does. In pools of four threads and more, and of no more than two
/// to a processor, each thread has its part of a long loop again in the next call, whatever the
/// partitioner is.
class affinity_partitioner {
 public:
  affinity_partitioner() = default;
  affinity_partitioner(const affinity_partitioner&) = delete;
  affinity_partitioner& operator=(const affinity_partitioner&) = delete;
};

namespace detail {

/// What any of them asks for. Implicit, so that a loop needs one overload and not five.
class Division {
 public:
  constexpr Division() noexcept = default;
  // NOLINT: that is what it is for
  constexpr Division(const simple_partitioner&) noexcept : parts_(Parts::of_grain) {}
  constexpr Division(const auto_partitioner&) noexcept {}                               // NOLINT
  constexpr Division(const static_partitioner&) noexcept : parts_(Parts::of_thread) {}  // NOLINT
  constexpr Division(affinity_partitioner&) noexcept {}                                 // NOLINT

  constexpr bool to_the_grain() const noexcept { return parts_ == Parts::of_grain; }
  constexpr bool for_each_thread() const noexcept { return parts_ == Parts::of_thread; }

 private:
  enum class Parts : unsigned char { as_needed, of_grain, of_thread };
  Parts parts_ = Parts::as_needed;
};

}  // namespace detail

}  // namespace tbb
