#include <furca/detail/tbb/blocks.hpp>

#include <cerrno>
#include <cstdlib>

#if __has_include(<malloc_np.h>)
#include <malloc_np.h>
#elif __has_include(<malloc/malloc.h>)
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif

namespace furca::detail {

void* new_block(std::size_t bytes, std::size_t alignment) noexcept {
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  void* block = nullptr;
  if (posix_memalign(&block, alignment, bytes) != 0) return errno = ENOMEM, nullptr;
  return block;
}
void* new_zeros(std::size_t bytes) noexcept { return std::calloc(bytes, 1); }
void* resized(void* block, std::size_t bytes) noexcept { return std::realloc(block, bytes); }
void free_block(void* block) noexcept { std::free(block); }
std::size_t size_of_block(void* block) noexcept { return malloc_usable_size(block); }

}  // namespace furca::detail
