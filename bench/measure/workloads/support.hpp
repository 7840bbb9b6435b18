// What several workloads share.
#pragma once

#include "../busy_work.hpp"
#include "../registry.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

constexpr std::size_t by_effort(Effort effort, std::size_t quick, std::size_t normal,
                                std::size_t full) {
  return effort == Effort::quick ? quick : effort == Effort::normal ? normal : full;
}

/// From a loop that is too short to share to one that takes milliseconds.
inline std::vector<std::size_t> sweep(Effort effort) {
  if (effort == Effort::quick) return {1, 1'000, 100'000};
  return {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000};
}

/// The same, in steps of 1, 2, 5 below a power of ten: a bound that holds at the powers can be
/// broken between them.
inline std::vector<std::size_t> fine_sweep(std::size_t below) {
  std::vector<std::size_t> sizes;
  for (const std::size_t power : sweep(Effort::full)) {
    sizes.push_back(power);
    if (power < below) sizes.insert(sizes.end(), {2 * power, 5 * power});
  }
  return sizes;
}

/// Hashes what the iterations of a loop left behind, one result each, and clears it: an iteration
/// that the next call leaves out will show.
inline std::uint64_t take_hash(std::vector<std::uint64_t>& results) {
  std::uint64_t hash = 0;
  for (std::uint64_t& result : results) hash = mix(hash ^ std::exchange(result, 0));
  return hash;
}

}  // namespace bench
