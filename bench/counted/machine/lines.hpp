// The lines of memory that threads share: which core has a copy, and when the next one may.
#pragma once

#include "costs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace counted {

inline constexpr int kMostCores = 1'024;

/// A line is changed by one core at a time, its owner, which then has the only copy; copies of an
/// unchanged one follow each other, and whoever finds the line on its way waits.
class Lines {
 public:
  explicit Lines(const Costs& costs) : costs_(costs), slots_(std::size_t{1} << 12U) {}

  /// `core` has a copy.
  bool has(const void* address, int core) { return at(address).has(core); }

  /// When `core`, which wants to read at `now`, has done so.
  Time read(const void* address, int core, Time now);

  /// When `core`, which wants to change it at `now`, has the only copy.
  Time own(const void* address, int core, Time now);

  /// `core` has written what lies there when it was nobody else's.
  void make(const void* address, int core);

 private:
  struct Line {
    std::array<std::uint64_t, kMostCores / 64> copies{};
    int owner = -1;
    Time free = 0;  // before that it is on its way

    bool has(int core) const noexcept {
      return (copies[static_cast<std::size_t>(core) / 64] >> (core % 64) & 1U) != 0;
    }
    void add(int core) noexcept {
      copies[static_cast<std::size_t>(core) / 64] |= std::uint64_t{1} << (core % 64);
    }
    void give(int core) noexcept {
      copies = {};
      add(core);
      owner = core;
    }
  };
  struct Slot {
    std::uintptr_t number = 0;
    Line* line = nullptr;
  };

  Line& at(const void* address);
  Slot& slot(std::uintptr_t number) noexcept;
  void grow();

  /// A copy is in one of these cores, but for `except`.
  static bool any(const Line& line, int begin, int end, int except) noexcept;
  Time from_nearest(const Line& line, int core) const noexcept;
  Time from_all(const Line& line, int core) const noexcept;

  const Costs& costs_;
  std::deque<Line> lines_;
  std::vector<Slot> slots_;  // by a line's number, where that belongs or soon after; half are free
};

}  // namespace counted
