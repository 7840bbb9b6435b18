// What things cost, and the words that processors share: a cache line is in one place at a time, so those who want it queue.
//
// Invariants of a line: whoever may write it is the only one that has a copy; what is handed over one after the other is handed
// over in the order in which it was asked for.
#pragma once

#include "tree.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

namespace simulator {

inline constexpr std::size_t kMostWorkers = 512;

/// Nanoseconds, but for the two kinds of patience.
struct Costs {
  Time fork = 3;              // a fork and its join, all lines at hand
  Time look = 2;              // at a deque known to be empty: both its lines are in the cache
  Time transfer = 80;         // of a cache line from another core
  Time look_miss = 25;        // of one that a look reads: nothing waits for it, so several are under way at once
  Time shared_read = 20;      // how long a read keeps a line that nobody has changed from the next reader
  Time fence = 8;             // an armed pop's, a thief's
  Time steal = 200;           // what a successful steal takes beyond the lines named: slot, closure, result, cold caches
  Time heavy = 2'000;         // membarrier, and more for each running thread:
  Time heavy_each = 50;
  Time interrupt = 1'000;     // what each running thread loses to one
  Time pause = 15;
  Time yield = 300;
  Time wake_call = 5'000;     // of the waker's own time
  Time sleep_call = 1'500;
  Time wake_up = 30'000;      // from the call until the thread runs
  Time patience = 1024;         // fenced pops
  Time most_patience = 1U << 14U;
  Time soon = 100'000;        // armed again within that time: twice the patience
};

/// What the lines hold, for statistics. The heavy fence is no line, but is queued for like one.
enum class Word : std::uint8_t { bottom, top, bell, state, permits, latch, membarrier };
inline constexpr std::size_t kWords = 7;
inline constexpr std::array<const char*, kWords> kWordNames{"bottom",  "top",   "bell",      "state",
                                                            "permits", "latch", "membarrier"};

struct Traffic {
  std::uint64_t transfers = 0;
  Time waited = 0;   // for others to have theirs
  Time longest = 0;  // that one waited

  void add(Time wait) {
    ++transfers;
    waited += wait;
    longest = std::max(longest, wait);
  }
};

class Line {
 public:
  explicit Line(Word word) : word_(word) {}

  /// `owner` alone has it.
  void give(std::size_t owner) {
    holders_.reset();
    holders_.set(owner);
    exclusive_ = true;
  }
  /// Everybody has a copy.
  void give_all() {
    holders_.set();
    exclusive_ = false;
  }

  bool at_hand(std::size_t who) const { return holders_[who]; }

  /// When `who`, who asks now, can go on: so long after the line's way to it began.
  Time read(std::size_t who, Time now, Time latency, const Costs& costs, std::array<Traffic, kWords>& traffic) {
    if (holders_[who]) return now;
    const Time start = queue(now, traffic);
    free_ = start + (exclusive_ ? costs.transfer : std::min(costs.shared_read, costs.transfer));
    holders_.set(who);
    exclusive_ = false;
    return start + latency;
  }

  Time write(std::size_t who, Time now, const Costs& costs, std::array<Traffic, kWords>& traffic) {
    if (exclusive_ && holders_[who]) return now;
    free_ = queue(now, traffic) + costs.transfer;
    give(who);
    return free_;
  }

 private:
  Time queue(Time now, std::array<Traffic, kWords>& traffic) const {
    const Time wait = free_ > now ? free_ - now : 0;
    traffic[static_cast<std::size_t>(word_)].add(wait);
    return now + wait;
  }

  std::bitset<kMostWorkers> holders_;
  bool exclusive_ = false;
  Word word_;
  Time free_ = 0;  // when the last one who asked so far will have it
};

}  // namespace simulator
