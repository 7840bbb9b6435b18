// What a model thread knows: the clock of what happened before it, and which writes it can no
// longer miss.
//
// They are two things in C++20. Acquiring a release store gives both. A sequentially consistent
// fence gives only the second: it bars old values, and makes nothing happen before anything, so
// that it excuses no data race.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace furca::model {

inline constexpr std::size_t kMaxThreads = 6;  // the body of the program is one of them
inline constexpr std::size_t kMaxLocations = 96;

/// A count of a thread's own accesses, or the place of a write in its location's modification
/// order. Signed, because x86-64 has a vector maximum of signed words from its first version on,
/// and views are joined all the time.
using Time = std::int16_t;

/// Each of `mine` to the maximum of the two; they are different objects. Only the first `Count`,
/// where others are known to be zero.
template <std::size_t Count, std::size_t N>
void raise(std::array<Time, N>& __restrict mine,
           const std::array<Time, N>& __restrict theirs) noexcept {
  for (std::size_t i = 0; i < Count; ++i) mine[i] = mine[i] < theirs[i] ? theirs[i] : mine[i];
}

struct Clock {
  std::array<Time, 8> of{};  // by thread; eight make a vector

  bool covers(std::size_t thread, Time when) const noexcept { return of[thread] >= when; }

  void join(const Clock& other) noexcept { raise<8>(of, other.of); }
};
static_assert(std::tuple_size_v<decltype(Clock::of)> >= kMaxThreads);

struct View {
  std::array<Time, kMaxLocations> seen{};  // by location: the oldest write that may still be read
  Clock clock;                             // all accesses that happened before

  /// `locations`: how many there are so far. Nothing is known of others.
  void join(const View& other, std::size_t locations) noexcept {
    join_seen(other, locations);
    clock.join(other.clock);
  }
  void join_seen(const View& other, std::size_t locations) noexcept {
    if (locations <= 16) {  // most programs have no more, and make most of the runs
      raise<16>(seen, other.seen);
    } else {
      raise<kMaxLocations>(seen, other.seen);
    }
  }
};

}  // namespace furca::model
