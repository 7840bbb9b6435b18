// Memory of any alignment that one function frees and that knows its size, by the system's malloc.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__FreeBSD__)
#include <malloc_np.h>
#else
#include <malloc.h>
#endif

namespace tbb::detail::system {

#if defined(_WIN32)  // free() takes nothing that is aligned: each block has its size before it

inline constexpr std::size_t kBefore = alignof(std::max_align_t);

inline void free(void* p) noexcept {
  if (p != nullptr) _aligned_free(static_cast<char*>(p) - kBefore);
}
inline std::size_t size_of(void* p) noexcept {
  std::size_t bytes = 0;
  std::memcpy(&bytes, static_cast<char*>(p) - kBefore, sizeof bytes);
  return bytes;
}
inline int posix_memalign(void** to, std::size_t alignment, std::size_t bytes) noexcept {
  if (bytes > ~std::size_t{0} - kBefore - alignment) return ENOMEM;
  void* const p =
      _aligned_offset_malloc(bytes + kBefore, alignment < kBefore ? kBefore : alignment, kBefore);
  if (p == nullptr) return ENOMEM;
  std::memcpy(p, &bytes, sizeof bytes);
  *to = static_cast<char*>(p) + kBefore;
  return 0;
}
inline void* malloc(std::size_t bytes) noexcept {
  void* p = nullptr;
  if (posix_memalign(&p, kBefore, bytes) != 0) errno = ENOMEM;
  return p;
}
inline void* calloc(std::size_t number, std::size_t bytes) noexcept {
  if (bytes != 0 && number > ~std::size_t{0} / bytes) return errno = ENOMEM, nullptr;
  void* const p = malloc(number * bytes);
  return p != nullptr ? std::memset(p, 0, number * bytes) : nullptr;
}
inline void* realloc(void* p, std::size_t bytes) noexcept {
  void* const other = malloc(bytes);
  if (other == nullptr) return nullptr;
  const std::size_t before = size_of(p);
  std::memcpy(other, p, before < bytes ? before : bytes);
  free(p);
  return other;
}

#else

using ::posix_memalign;
using std::calloc;
using std::free;
using std::malloc;
using std::realloc;

inline std::size_t size_of(void* p) noexcept {
#if defined(__APPLE__)
  return malloc_size(p);
#else
  return malloc_usable_size(p);
#endif
}

#endif

}  // namespace tbb::detail::system
