// tbb::cache_aligned_allocator: memory that shares no cache line with other memory.
#pragma once

#include "version.h"

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <type_traits>

namespace tbb {

/// As std::allocator, and each block has cache lines of its own. Throws std::bad_alloc.
template <class T>
class cache_aligned_allocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;

  cache_aligned_allocator() = default;
  template <class U>
  // NOLINT: as the standard's allocators
  cache_aligned_allocator(const cache_aligned_allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t n) {
    if (n > max_size()) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(whole_lines(n * sizeof(T)), kAlignment));
  }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, kAlignment); }
  std::size_t max_size() const noexcept {
    return (~std::size_t{0} - furca::detail::kCacheLine) / sizeof(T);
  }

  template <class U>
  bool operator==(const cache_aligned_allocator<U>&) const noexcept {
    return true;
  }

 private:
  static constexpr std::align_val_t kAlignment{std::max(furca::detail::kCacheLine, alignof(T))};

  static std::size_t whole_lines(std::size_t bytes) noexcept {
    return (std::max(bytes, std::size_t{1}) + furca::detail::kCacheLine - 1) /
           furca::detail::kCacheLine * furca::detail::kCacheLine;
  }
};

/// The same as a memory resource over another one.
class cache_aligned_resource : public std::pmr::memory_resource {
 public:
  cache_aligned_resource() : cache_aligned_resource(std::pmr::get_default_resource()) {}
  explicit cache_aligned_resource(std::pmr::memory_resource* upstream) : upstream_(upstream) {}

  std::pmr::memory_resource* upstream_resource() const { return upstream_; }

 private:
  static std::size_t whole_lines(std::size_t bytes) noexcept {
    return (bytes + furca::detail::kCacheLine - 1) / furca::detail::kCacheLine *
           furca::detail::kCacheLine;
  }
  static std::size_t aligned(std::size_t alignment) noexcept {
    return std::max(alignment, furca::detail::kCacheLine);
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return upstream_->allocate(whole_lines(bytes), aligned(alignment));
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    upstream_->deallocate(p, whole_lines(bytes), aligned(alignment));
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    if (this == &other) return true;
#if defined(__cpp_rtti)
    const auto* const same = dynamic_cast<const cache_aligned_resource*>(&other);
    return same != nullptr && upstream_->is_equal(*same->upstream_);
#else
    return false;
#endif
  }

  std::pmr::memory_resource* upstream_;
};

}  // namespace tbb
