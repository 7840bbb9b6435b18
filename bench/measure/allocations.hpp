// Counts what operator new is asked for by any thread.
#pragma once

#include <cstdint>

namespace bench {

void count_allocations(bool on) noexcept;
std::uint64_t allocations_counted() noexcept;
std::uint64_t bytes_counted() noexcept;

}  // namespace bench
