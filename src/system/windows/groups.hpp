// Processors, 64 to a group: processor p is number p % 64 of group p / 64.
#pragma once

#include "../placement.hpp"
#include "windows.hpp"

namespace furca::detail {

inline constexpr int kGroupSize = 64;

inline bool has(KAFFINITY mask, int number) noexcept { return (mask >> number & 1U) != 0; }

inline Processor processor_of(int group, int number) noexcept {
  return group * kGroupSize + number;
}

}  // namespace furca::detail
