// free() takes nothing that is aligned: each block has its size before it.
#include <furca/detail/tbb/blocks.hpp>

#include <malloc.h>

#include <cerrno>
#include <cstring>

namespace furca::detail {

namespace {
constexpr std::size_t kBefore = alignof(std::max_align_t);
}  // namespace

void* new_block(std::size_t bytes, std::size_t alignment) noexcept {
  if (alignment < kBefore) alignment = kBefore;
  void* const base = bytes <= ~std::size_t{0} - kBefore - alignment
                         ? _aligned_offset_malloc(bytes + kBefore, alignment, kBefore)
                         : nullptr;
  if (base == nullptr) return errno = ENOMEM, nullptr;
  std::memcpy(base, &bytes, sizeof bytes);
  return static_cast<char*>(base) + kBefore;
}
void* new_zeros(std::size_t bytes) noexcept {
  void* const block = new_block(bytes, kBefore);
  return block != nullptr ? std::memset(block, 0, bytes) : nullptr;
}
void* resized(void* block, std::size_t bytes) noexcept {
  void* const other = new_block(bytes, kBefore);
  if (other == nullptr) return nullptr;
  const std::size_t before = size_of_block(block);
  std::memcpy(other, block, before < bytes ? before : bytes);
  free_block(block);
  return other;
}
void free_block(void* block) noexcept {
  if (block != nullptr) _aligned_free(static_cast<char*>(block) - kBefore);
}
std::size_t size_of_block(void* block) noexcept {
  std::size_t bytes = 0;
  std::memcpy(&bytes, static_cast<char*>(block) - kBefore, sizeof bytes);
  return bytes;
}

}  // namespace furca::detail
