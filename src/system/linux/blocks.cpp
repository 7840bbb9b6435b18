#include <furca/detail/tbb/blocks.hpp>

#include <malloc.h>

#include <cerrno>
#include <cstdlib>

namespace furca::detail {

void* new_block(std::size_t bytes, std::size_t alignment) noexcept {
  // not for more: jemalloc aligns a block of 8 bytes to 8
  if (alignment <= sizeof(void*)) return std::malloc(bytes);
  void* block = nullptr;
  if (posix_memalign(&block, alignment, bytes) != 0) return errno = ENOMEM, nullptr;
  return block;
}
void* new_zeros(std::size_t bytes) noexcept { return std::calloc(bytes, 1); }
void* resized(void* block, std::size_t bytes) noexcept { return std::realloc(block, bytes); }
void free_block(void* block) noexcept { std::free(block); }
std::size_t size_of_block(void* block) noexcept { return malloc_usable_size(block); }

}  // namespace furca::detail
