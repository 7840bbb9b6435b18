// Counts what operator new, and whoever else calls note_allocation(), is asked for by any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

void count_allocations(bool on) noexcept;
void note_allocation(std::size_t bytes) noexcept;  // counted while counting is on
std::uint64_t allocations_counted() noexcept;
std::uint64_t bytes_counted() noexcept;

}  // namespace bench
