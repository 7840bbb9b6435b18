// Instructions that g++ and clang, and cl.exe, have words of their own for.
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

/// Memory that is read soon.
inline void prefetch(const void* at) noexcept {
#if defined(FURCA_CL)
  _mm_prefetch(static_cast<const char*>(at), _MM_HINT_T0);
#else
  __builtin_prefetch(at);
#endif
}

/// The same bytes, the last one first.
inline std::uint32_t swap_bytes(std::uint32_t number) noexcept {
#if defined(FURCA_CL)
  return _byteswap_ulong(number);
#else
  return __builtin_bswap32(number);
#endif
}
inline std::uint64_t swap_bytes(std::uint64_t number) noexcept {
#if defined(FURCA_CL)
  return _byteswap_uint64(number);
#else
  return __builtin_bswap64(number);
#endif
}

}  // namespace furca::detail
