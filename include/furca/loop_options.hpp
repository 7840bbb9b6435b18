// Options of loops. Every option has a default, which most programs keep.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/stop_token.hpp>

namespace furca {

class Progress;

/// The default grain: furca measures the iterations and chooses.
inline constexpr std::size_t automatic_grain = SIZE_MAX;

/// Options of parallel_for and parallel_for_chunks: parallel_for(0, n, body, {.grain = 64, .stop =
/// token}).
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

}  // namespace furca

// Wrong calls tell of options.
#define FURCA_LOOP_OPTIONS                                                                      \
  "; options stand behind: {.grain = 64, .stop = token, .progress = &progress}; a ThreadLimit " \
  "or a ThreadPool sets the number of threads"
