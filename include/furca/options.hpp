// Options of reductions and scopes; with those of loops (loop_options.hpp). Every option has a
// default, which most programs keep.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/loop_options.hpp>
#include <furca/stop_token.hpp>

#include <concepts>

// Wrong calls tell of options.
#define FURCA_REDUCE_OPTIONS FURCA_LOOP_OPTIONS ", and .tree how sums are combined"

namespace furca {

/// How parallel_reduce combines accumulators.
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
