// Values of which the compiler knows nothing any more, though they are the same as before. They are
// in registers then.
#pragma once

#include <furca/detail/base/config.hpp>

#include <concepts>

namespace furca::detail {

/// A type that fits a register.
template <class T>
concept OneWord =
    (std::integral<T> || std::is_pointer_v<T>) && sizeof(T) <= sizeof(void*) && !std::is_const_v<T>;

template <OneWord T>
FURCA_INLINE inline T opaque(T value) noexcept {
#if defined(FURCA_CL)
  const volatile T unknown = value;
  return unknown;
#else
  __asm__("" : "+r"(value));
  return value;
#endif
}

}  // namespace furca::detail
