// How long tests go on that could go on for ever: a little by default, FURCA_TEST_SCALE times as much when somebody has time.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace furca::test {

/// 1 if FURCA_TEST_SCALE is not set or no number.
inline std::uint64_t scale() {
  const char* const text = std::getenv("FURCA_TEST_SCALE");
  const unsigned long long value = text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
  return value > 0 ? value : 1;
}

/// `count` rounds, or as many times more as asked for.
inline std::uint64_t scaled(std::uint64_t count) { return count * scale(); }

}  // namespace furca::test
