// The table of the outermost calls, those made outside of any observed call, added up by place in
// the source.
#pragma once

#include <furca/detail/observing/path.hpp>

namespace furca::detail {

/// One of them has ended, on a pool of so many threads: how long it took and its work, in ticks,
/// and the longest chain of its strands.
void outermost_ended(const Site* site, std::uint64_t elapsed, std::uint64_t threads,
                     std::uint64_t work, const Path& path) noexcept;

/// All of them up to now, one after the other, in ticks.
struct OutermostSums {
  std::uint64_t elapsed = 0;
  std::uint64_t work = 0;
  std::uint64_t span = 0;
};

/// Any thread. The running call is not in it yet.
OutermostSums outermost_sums() noexcept;

/// Prints on stderr, for each place: work, span, and what bounds them.
void print_spans() noexcept;

}  // namespace furca::detail
