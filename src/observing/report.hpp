// The lines that FURCA_DISPLAY and FURCA_STATS print on stderr.
#pragma once

#include <furca/stats.hpp>

#include "../measuring/costs.hpp"

namespace furca::detail {

/// FURCA_STATS: every pool prints its counts when it ends.
bool stats_at_end() noexcept;

/// One line for a pool that has started. `configured`: its number of threads was asked for by the
/// program.
void print_start(const char* name, std::size_t threads, bool configured, bool bound) noexcept;

/// Two lines: what things cost on this machine, as far as a pool has measured it, and what follows.
void print_costs(const char* name, const Costs& costs) noexcept;

/// A table, one line for each thread.
void print_stats(const Stats& stats, const char* name) noexcept;

}  // namespace furca::detail
