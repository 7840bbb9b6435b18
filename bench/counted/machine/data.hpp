// The data of loops' bodies: in which caches its blocks lie, and what memory takes to give one.
#pragma once

#include "costs.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace counted {

/// Blocks of 4 KiB. A cache keeps those used last, in sets of eight; what a core writes is no
/// longer what other cores' caches hold.
class Data {
 public:
  static constexpr std::size_t kBlock = 4'096;
  enum class Use : std::uint8_t { read, write };

  explicit Data(const Costs& costs) : costs_(costs) {}

  /// When `core`, which wants these bytes of one block at `now`, has them all.
  Time use(const void* address, std::size_t bytes, Use use, int core, Time now);

 private:
  struct Block {
    std::uint32_t version = 0;
    int writer = -1;  // core
    int home;         // the socket in whose memory it is: that of the core which used it first
  };
  struct Copy {
    std::uintptr_t block = 0;
    std::uint32_t version = 0;
    std::uint64_t used = 0;
  };
  using Cache = std::vector<Copy>;

  /// It has this version; if not, from here on.
  bool find_or_take(std::deque<Cache>& caches, int number, double bytes, std::uintptr_t block,
                    std::uint32_t version);

  const Costs& costs_;
  std::unordered_map<std::uintptr_t, Block> blocks_;
  std::deque<Cache> own_;          // by core
  std::deque<Cache> shared_;       // by core / cores_per_cache
  std::vector<Time> memory_free_;  // by socket
  std::uint64_t uses_ = 0;
};

}  // namespace counted
