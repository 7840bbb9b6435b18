// What things cost, and the words that processors share: a cache line is in one place at a time, so
// those who want it queue.
//
// Invariants of a line: whoever may write it is the only one that has a copy; what is handed over
// one after the other is handed over in the order in which it was asked for.
#pragma once

#include "tree.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>

namespace simulator {

inline constexpr std::size_t kMostWorkers = 512;

/// A machine: how its cores lie, and what things cost there, in nanoseconds but for the two kinds
/// of patience and the cores. Worker i runs on core i. A machine with fewer cores than there are
/// workers is continued with more sockets of the same kind.
struct Costs {
  // Where the cores are.
  Time cores_per_cache = kMostWorkers;
  Time cores_per_socket = kMostWorkers;

  Time fork = 3;       // a fork and its join, all lines at hand
  Time look = 2;       // at a deque known to be empty: both its lines are in the cache
  Time near = 80;      // a cache line's way from a core with the same last-level cache
  Time transfer = 80;  // from another core of the socket
  Time far = 80;       // from another socket
  // of a line that a look reads, where `transfer` is its way: nothing waits for it, so several are
  // under way at once
  Time look_miss = 25;
  // how long a read keeps a line that nobody has changed from the next reader
  Time shared_read = 20;
  Time fence = 8;   // an armed pop's, a thief's
  Time clock = 15;  // to read it, between two chunks of a loop
  // what a successful steal takes beyond the lines named: slot, closure, result, cold caches
  Time steal = 200;
  Time heavy = 2'000;  // membarrier, and more for each running thread:
  Time heavy_each = 50;
  Time interrupt = 1'000;  // what each running thread loses to one
  Time pause = 15;
  Time yield = 300;
  Time wake_call = 5'000;  // of the waker's own time
  Time sleep_call = 1'500;
  Time wake_up = 30'000;   // from the call until the thread runs
  Time patience = 0;       // fenced pops; 0: furca's rule, from what fences cost
  Time most_patience = 0;  // which doubles up to; 0: 64 times
  // of a core, in per cent of the one on which the workloads' times were measured
  Time speed = 100;

  Time distance(std::size_t a, std::size_t b) const {
    if (a / cores_per_cache == b / cores_per_cache) return near;
    return a / cores_per_socket == b / cores_per_socket ? transfer : far;
  }
};

/// Reads a file of lines "name value", with comments after #: costs that are not named keep their
/// values. Throws std::runtime_error that says which line is wrong.
Costs read_machine(const std::string& path);

/// A machine by the name of its file in `machines`, or by the path of one, which has a slash.
Costs find_machine(const std::string& name);

/// The costs that a file or an option may name; null: no such.
Time* find_cost(Costs& costs, const std::string& name);

/// What the lines hold, for statistics. The heavy fence is no line, but is queued for like one.
enum class Word : std::uint8_t { bottom, top, bell, place, state, permits, latch, membarrier };
inline constexpr std::size_t kWords = 8;
inline constexpr std::array<const char*, kWords> kWordNames{
    "bottom", "top", "bell", "place", "state", "permits", "latch", "membarrier"};

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
    owner_ = static_cast<std::uint16_t>(owner);
  }
  /// Everybody has a copy.
  void give_all() {
    holders_.set();
    exclusive_ = false;
  }

  bool at_hand(std::size_t who) const { return holders_[who]; }
  bool alone(std::size_t who) const { return exclusive_ && owner_ == who; }

  /// When `who`, who asks now, can go on. A look's way is shorter: several are under way at once.
  Time read(std::size_t who, Time now, bool looks, const Costs& costs,
            std::array<Traffic, kWords>& traffic) {
    if (holders_[who]) return now;
    const Time way = costs.distance(who, owner_);
    const Time start = queue(now, traffic);
    free_ = start + (exclusive_ ? way : std::min(costs.shared_read, way));
    holders_.set(who);
    exclusive_ = false;
    return start + (looks ? way * costs.look_miss / std::max<Time>(costs.transfer, 1) : way);
  }

  Time write(std::size_t who, Time now, const Costs& costs, std::array<Traffic, kWords>& traffic) {
    if (alone(who)) return now;
    free_ = queue(now, traffic) + costs.distance(who, owner_);
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
  std::uint16_t owner_ = 0;  // who changed it last
  Time free_ = 0;            // when the last one who asked so far will have it
};

}  // namespace simulator
