// Blocks of memory by the system's malloc, of any alignment that is a power of two. One function
// frees them all, and knows their size. Null, and ENOMEM, if there is no memory.
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

FURCA_API void* new_block(std::size_t bytes, std::size_t alignment) noexcept;
FURCA_API void* new_zeros(std::size_t bytes) noexcept;

/// The block with as many bytes, perhaps elsewhere, aligned as for any type.
FURCA_API void* resized(void* block, std::size_t bytes) noexcept;

FURCA_API void free_block(void* block) noexcept;

/// Bytes that it has, which may be more than were asked for.
FURCA_API std::size_t size_of_block(void* block) noexcept;

}  // namespace furca::detail
