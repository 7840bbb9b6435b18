// Options of loops, reductions and scopes. Every option has a default, which most programs keep.
#pragma once

#include <furca/detail/base/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/mistakes/hints.hpp>
#include <furca/stop_token.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace furca {

class Progress;

/// The default grain: furca measures the iterations and chooses.
/// @snippet options.cpp automatic_grain
inline constexpr std::size_t automatic_grain = SIZE_MAX;

/// Options of parallel_for and parallel_for_chunks: parallel_for(0, n, body, {.grain = 64, .stop =
/// token}).
/// @snippet options.cpp LoopOptions
struct LoopOptions {
  /// The minimum number of iterations to give to another thread. In parallel_for_chunks no call
  /// gets fewer. 0 throws std::invalid_argument.
  // no std::optional: g++ 12 warns of its insides in sanitizer builds
  std::size_t grain = automatic_grain;
  /// After a stop request no new chunk begins, and the call returns as if the rest had run. A loop
  /// that is too short to be shared has two chunks.
  /// In the nodes of a search write the address, {.stop = &source}: a std::stop_token counts its
  /// owners, whom all threads count in one word. The source must then live until the call has
  /// returned.
  StopToken stop = {};
  /// Counts the iterations that have run, a chunk at a time: every few microseconds, or after each
  /// iteration if that takes longer. (A loop that is too short to be shared may be counted at its
  /// end alone.) Iterations skipped after a stop or an exception are not counted. It must live
  /// until the call has returned.
  Progress* progress = nullptr;
};

/// How parallel_reduce combines accumulators.
/// @snippet options.cpp ReduceTree
enum class ReduceTree : std::uint8_t {
  /// aligned where enable_same_bits is true (numbers, small structs of them), otherwise
  /// by_schedule; integers need no tree
  automatic,
  /// blocks and a combining tree that depend only on n: the same bits for any number of threads and
  /// any schedule
  aligned,
  by_schedule,  ///< one accumulator for each stretch that a thread ran: the fewest combinations
};

/// Options of parallel_reduce and parallel_reduce_chunks: parallel_reduce(0, n, 0.0, map,
/// std::plus<>{}, {.tree = ReduceTree::by_schedule}).
/// @snippet options.cpp ReduceOptions
struct ReduceOptions {
  /// As for loops. It is also the minimum size of a block of the aligned tree, so another grain can
  /// give other rounding.
  std::size_t grain = automatic_grain;
  /// As for loops; the result then covers what has run.
  StopToken stop = {};
  /// As for loops; counts indices or elements. Chunks of the aligned tree are whole blocks, some
  /// hundreds or thousands of elements each, or more.
  Progress* progress = nullptr;
  /// How accumulators are combined, and whether the result has the same bits each time.
  ReduceTree tree = ReduceTree::automatic;
};

/// Options of scope and scope_fifo: scope(body, {.stop = token}).
/// @snippet options.cpp ScopeOptions
struct ScopeOptions {
  /// After a stop request no task of the scope begins: those that have not begun are destroyed
  /// without being called. The body is called in any case; the call returns as if the rest had run.
  StopToken stop = {};
};

namespace detail {

/// Not the options of a reduction, which may stand where a function may.
template <class F>
concept NotOptions = !std::convertible_to<F, const ReduceOptions&>;

}  // namespace detail

}  // namespace furca
