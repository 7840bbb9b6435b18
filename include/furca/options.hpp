// What a loop can be told; everything has a default that needs no thought.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace furca {

class Progress;

/// A grain that is found by measuring.
/// @snippet options.cpp automatic_grain
inline constexpr std::size_t automatic_grain = SIZE_MAX;

/// For parallel_for: parallel_for(0, n, body, {.grain = 64, .stop = token}).
/// @snippet options.cpp LoopOptions
struct LoopOptions {
  /// The least number of iterations worth giving to another thread. 0 is an error (std::invalid_argument).
  std::size_t grain = automatic_grain;  // no std::optional: g++ 12 warns of its insides in sanitizer builds
  /// Once a stop is requested no new chunk starts, and the call returns as if the rest had been run.
  std::stop_token stop = {};
  /// The iterations that have been run are added to it: those of a chunk when that ends, so after some microseconds or one iteration
  /// that takes longer; none of those that are skipped after a stop or an exception. It must live until the call has returned.
  Progress* progress = nullptr;
};

/// How parallel_reduce combines.
/// @snippet options.cpp ReduceTree
enum class ReduceTree : std::uint8_t {
  automatic,    ///< aligned for accumulators of which enable_same_bits says so (numbers, small structs of them), by_schedule for others
  aligned,      ///< blocks of a size that only n decides, combined along a tree that only n decides: the same bits for any
                ///< number of threads and any schedule
  by_schedule,  ///< one accumulator for each stretch that a thread ran: fewest combinations
};

/// For parallel_reduce: parallel_reduce(0, n, 0.0, map, std::plus<>{}, {.tree = ReduceTree::by_schedule}).
/// @snippet options.cpp ReduceOptions
struct ReduceOptions {
  /// As for loops. It also is the least size of a block of the aligned tree, so another grain can mean other rounding.
  std::size_t grain = automatic_grain;
  /// As for loops; the result then covers what was run.
  std::stop_token stop = {};
  /// As for loops: indices or elements, not blocks. The aligned tree's blocks, some hundreds to thousands of them, are run to their ends.
  Progress* progress = nullptr;
  /// How accumulators are combined, and whether the result has the same bits each time.
  ReduceTree tree = ReduceTree::automatic;
};

}  // namespace furca
