// What the trees are made of: numbers that look random and depend on their argument alone, and
// plain work.
#pragma once

#include "tree.hpp"

namespace simulator {

constexpr std::uint64_t scatter(std::uint64_t x) {
  x = (x ^ (x >> 33U)) * 0xFF51AFD7ED558CCDU;
  x = (x ^ (x >> 33U)) * 0xC4CEB9FE1A85EC53U;
  return x ^ (x >> 33U);
}

/// In (0, 1).
inline double uniform(std::uint64_t x) {
  return (static_cast<double>(scatter(x) >> 12U) + 0.5) * 0x1p-52;
}

inline Plan work(Time time) {
  Plan plan;
  plan.before = time;
  return plan;
}

}  // namespace simulator
