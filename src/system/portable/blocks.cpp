// Not all systems have a free() for aligned blocks, or tell a block's size: each block has before
// it where its memory begins, and how many bytes it has.
#include <furca/detail/tbb/blocks.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace furca::detail {

namespace {

struct Before {
  char* base;
  std::size_t bytes;
};

Before before(const void* block) noexcept {
  Before found;
  std::memcpy(&found, static_cast<const char*>(block) - sizeof found, sizeof found);
  return found;
}

}  // namespace

void* new_block(std::size_t bytes, std::size_t alignment) noexcept {
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  const std::size_t most = sizeof(Before) + alignment - 1;
  char* const base =
      bytes <= SIZE_MAX - most ? static_cast<char*>(std::malloc(bytes + most)) : nullptr;
  if (base == nullptr) return errno = ENOMEM, nullptr;
  char* const block = base + most - (reinterpret_cast<std::uintptr_t>(base) + most) % alignment;
  const Before mine = {base, bytes};
  std::memcpy(block - sizeof mine, &mine, sizeof mine);
  return block;
}
void* new_zeros(std::size_t bytes) noexcept {
  void* const block = new_block(bytes, 1);
  return block != nullptr ? std::memset(block, 0, bytes) : nullptr;
}
void* resized(void* block, std::size_t bytes) noexcept {
  void* const other = new_block(bytes, 1);
  if (other == nullptr) return nullptr;
  const std::size_t old = size_of_block(block);
  std::memcpy(other, block, old < bytes ? old : bytes);
  free_block(block);
  return other;
}
void free_block(void* block) noexcept {
  if (block != nullptr) std::free(before(block).base);
}
std::size_t size_of_block(void* block) noexcept { return before(block).bytes; }

}  // namespace furca::detail
