// Work that takes a known time and nothing but a processor: no memory, and no clock, which would
// hide that a slow one does less.
#pragma once

#include <cstdint>

namespace bench {

/// A chain of dependent shifts, `spins` long; the result depends on each of them.
inline std::uint64_t busy_work(std::uint64_t seed, std::uint64_t spins) {
  std::uint64_t x = seed | 1;
  for (; spins > 0; --spins) {
    x ^= x << 13U;
    x ^= x >> 7U;
    x ^= x << 17U;
  }
  return x;
}

/// Mixes the bits of x: deterministic noise, and a hash (the finaliser of splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

}  // namespace bench
