// The names of oneTBB's own allocator, by the system's.
#pragma once

#include "version.h"

#include <furca/detail/tbb/blocks.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <new>
#include <type_traits>

enum ScalableAllocationResult {
  TBBMALLOC_OK,
  TBBMALLOC_INVALID_PARAM,
  TBBMALLOC_UNSUPPORTED,
  TBBMALLOC_NO_MEMORY,
  TBBMALLOC_NO_EFFECT
};

enum AllocationModeParam {
  TBBMALLOC_USE_HUGE_PAGES,
  USE_HUGE_PAGES = TBBMALLOC_USE_HUGE_PAGES,
  TBBMALLOC_SET_SOFT_HEAP_LIMIT,
  TBBMALLOC_SET_HUGE_SIZE_THRESHOLD
};

enum ScalableAllocationCmd { TBBMALLOC_CLEAN_ALL_BUFFERS, TBBMALLOC_CLEAN_THREAD_BUFFERS };

/// malloc() and its kind. Hidden, so that an object that links oneTBB's has its own.
/// @{
#pragma GCC visibility push(hidden)
extern "C" {

inline void scalable_free(void* p) { furca::detail::free_block(p); }
inline void scalable_aligned_free(void* p) { furca::detail::free_block(p); }

/// Null, and ENOMEM, if there is no memory; a block even for no bytes.
inline void* scalable_malloc(std::size_t bytes) {
  return furca::detail::new_block(bytes > 0 ? bytes : 1, 1);
}
inline void* scalable_calloc(std::size_t number, std::size_t bytes) {
  if (number == 0 || bytes == 0) return furca::detail::new_zeros(1);
  if (number > ~std::size_t{0} / bytes) return errno = ENOMEM, nullptr;
  return furca::detail::new_zeros(number * bytes);
}

/// As oneTBB's: of no bytes it frees the block.
inline void* scalable_realloc(void* p, std::size_t bytes) {
  if (p == nullptr) return scalable_malloc(bytes);
  if (bytes > 0) return furca::detail::resized(p, bytes);
  furca::detail::free_block(p);
  return nullptr;
}

/// 0, or EINVAL unless the alignment is a power of two and a multiple of a pointer's, or ENOMEM.
inline int scalable_posix_memalign(void** p, std::size_t alignment, std::size_t bytes) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const block = furca::detail::new_block(bytes > 0 ? bytes : 1, alignment);
  if (block == nullptr) return ENOMEM;
  *p = block;
  return 0;
}

/// Null, and EINVAL, unless bytes are asked for and the alignment is a power of two.
inline void* scalable_aligned_malloc(std::size_t bytes, std::size_t alignment) {
  void* p = nullptr;
  const std::size_t least =
      alignment > 0 && alignment < sizeof(void*) && (alignment & (alignment - 1)) == 0
          ? sizeof(void*)
          : alignment;
  const int error = bytes > 0 ? scalable_posix_memalign(&p, least, bytes) : EINVAL;
  if (error == 0) return p;
  errno = error;
  return nullptr;
}

/// Bytes that the block has, which may be more than were asked for; of null 0.
inline std::size_t scalable_msize(void* p) {
  if (p == nullptr) return errno = EINVAL, std::size_t{0};
  return furca::detail::size_of_block(p);
}

inline void* scalable_aligned_realloc(void* p, std::size_t bytes, std::size_t alignment) {
  if (p != nullptr && bytes == 0) return furca::detail::free_block(p), nullptr;
  void* const other = scalable_aligned_malloc(bytes, alignment);
  if (p == nullptr || other == nullptr) return other;
  const std::size_t before = scalable_msize(p);
  std::memcpy(other, p, before < bytes ? before : bytes);
  furca::detail::free_block(p);
  return other;
}

/// The system's allocator is as it is.
inline int scalable_allocation_mode(int parameter, std::intptr_t) {
  return parameter >= TBBMALLOC_USE_HUGE_PAGES && parameter <= TBBMALLOC_SET_HUGE_SIZE_THRESHOLD
             ? TBBMALLOC_NO_EFFECT
             : TBBMALLOC_INVALID_PARAM;
}
inline int scalable_allocation_command(int command, void* parameter) {
  return parameter == nullptr && (command == TBBMALLOC_CLEAN_ALL_BUFFERS ||
                                  command == TBBMALLOC_CLEAN_THREAD_BUFFERS)
             ? TBBMALLOC_NO_EFFECT
             : TBBMALLOC_INVALID_PARAM;
}

}  // extern "C"
#pragma GCC visibility pop
/// @}

namespace tbb {

/// As std::allocator, by the functions above. Throws std::bad_alloc.
template <class T>
class scalable_allocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;

  scalable_allocator() = default;
  template <class U>
  scalable_allocator(const scalable_allocator<U>&) noexcept {}  // NOLINT: as the standard's

  [[nodiscard]] T* allocate(std::size_t n) {
    if (n > ~std::size_t{0} / sizeof(T)) throw std::bad_array_new_length();
    void* const p = alignof(T) > alignof(std::max_align_t)
                        ? scalable_aligned_malloc(n > 0 ? n * sizeof(T) : 1, alignof(T))
                        : scalable_malloc(n * sizeof(T));
    if (p == nullptr) throw std::bad_alloc();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { scalable_free(p); }

  template <class U>
  bool operator==(const scalable_allocator<U>&) const noexcept {
    return true;
  }
};

namespace detail {

class ScalableResource : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const p = scalable_aligned_malloc(bytes > 0 ? bytes : 1, alignment);
    if (p == nullptr) throw std::bad_alloc();
    return p;
  }
  void do_deallocate(void* p, std::size_t, std::size_t) override { scalable_aligned_free(p); }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace detail

/// One for the program, by the functions above: no other is equal to it.
inline std::pmr::memory_resource* scalable_memory_resource() noexcept {
  static detail::ScalableResource resource;
  return &resource;
}

}  // namespace tbb
