// Large pages: madvise(2).
#include <furca/detail/base/large_memory.hpp>

#include <sys/mman.h>

#include <cerrno>

namespace furca::detail {

/// Only of those pages that are the block's alone.
void prepare_large_memory(void* block, std::size_t bytes) noexcept {
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20U;
  const auto begin =
      (reinterpret_cast<std::uintptr_t>(block) + (kLargePage - 1)) / kLargePage * kLargePage;
  const auto end = (reinterpret_cast<std::uintptr_t>(block) + bytes) / kLargePage * kLargePage;
  if (begin >= end) return;
  const int before = errno;
  // refused: small pages, as ever
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  errno = before;
}

}  // namespace furca::detail
