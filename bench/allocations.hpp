// Counts what operator new, and whoever else calls note_allocation(), is asked for by any thread.
#pragma once

#include <cstdint>

namespace bench {

void count_allocations(bool on) noexcept;
void note_allocation() noexcept;  // counted while counting is on
std::uint64_t allocations_counted() noexcept;

}  // namespace bench
