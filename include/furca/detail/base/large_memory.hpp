// Large blocks of memory that are about to be written for the first time.
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

/// So many bytes are a large block.
inline constexpr std::size_t kLargeMemory = std::size_t{4} << 20U;

/// A new block, of which nothing was written yet: asks the system for large pages in it, where it
/// has them for those who ask.
///
/// The first write to each page is a trap into the kernel, and on one table for all threads. For 80
/// MB in pages of 4 KiB that takes 35 ms on a virtual machine, on one thread as on two, ten times
/// what a loop takes to write as much again; in pages of 2 MiB 10 ms on one thread and 5 on two.
/// NumPy asks for them in arrays of this size, too.
FURCA_API void prepare_large_memory(void* block, std::size_t bytes) noexcept;

/// A std::vector, with any allocator, but of bits.
template <class Container>
inline constexpr bool kHasCapacity =
    requires(Container& container) { container.reserve(container.capacity()), container.data(); };

/// The same for the memory of a container's capacity, if it is large.
template <class Container>
void prepare_capacity(Container& container) noexcept {
  if constexpr (kHasCapacity<Container>) {
    const std::size_t bytes = container.capacity() * sizeof(typename Container::value_type);
    if (bytes >= kLargeMemory) [[unlikely]]
      prepare_large_memory(container.data(), bytes);
  }
}

}  // namespace furca::detail
