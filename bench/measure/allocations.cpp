#include "allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Off while anything is timed: what is left of it then is one relaxed load for each allocation, for
// all contenders alike.
std::atomic<bool> counting{false};
std::atomic<std::uint64_t> counted{0};
std::atomic<std::uint64_t> counted_bytes{0};

void note_allocation(std::size_t bytes) noexcept {
  if (!counting.load(std::memory_order_relaxed)) return;
  counted.fetch_add(1, std::memory_order_relaxed);
  counted_bytes.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace

namespace bench {

void count_allocations(bool on) noexcept { counting.store(on); }

std::uint64_t allocations_counted() noexcept { return counted.load(); }
std::uint64_t bytes_counted() noexcept { return counted_bytes.load(); }

}  // namespace bench

// The array, nothrow and sized forms of the standard library call these.
void* operator new(std::size_t size) {
  note_allocation(size);
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  note_allocation(size);
  const auto align = static_cast<std::size_t>(alignment);
  if (void* const memory = std::aligned_alloc(align, (size + align - 1) / align * align))
    return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
