// Round numbers as people write them.
#pragma once

#include <cstdint>
#include <string>

namespace furca::test {

/// "10^8" for 100,000,000; the digits for what is no power of ten.
inline std::string in_tens(std::uint64_t number) {
  int power = 0;
  std::uint64_t rest = number;
  for (; rest >= 10 && rest % 10 == 0; rest /= 10) ++power;
  return rest == 1 && power > 0 ? "10^" + std::to_string(power) : std::to_string(number);
}

}  // namespace furca::test
