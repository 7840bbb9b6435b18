// A chain of strands, as what is observed adds it up (observe.hpp).
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

class ObservedCall;
struct Site;

/// A chain of strands: its length in ticks, and which calls they belong to, as far as there is room
/// for that.
struct Path {
  struct Share {
    const Site* site;
    std::uint64_t length;
  };
  static constexpr std::uint32_t kShares = 6;

  std::uint64_t length;
  std::uint32_t used;
  Share shares[kShares];

  void clear() noexcept { length = used = 0; }
  void add(const Site* site, std::uint64_t ticks) noexcept;
  const Share* longest() const noexcept;
};

/// The calling thread's chain up to now, as a part of `call`: what it spawns goes on from there.
FURCA_API void path_to_here(Path& path, const ObservedCall& call) noexcept;

}  // namespace furca::detail
