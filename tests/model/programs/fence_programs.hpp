// Programs that run the shipped adaptive fence alone, against what the deque asks of it: a full
// fence between the owner's store and its load, as far as a thief on a visit can tell.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"

#include <furca/fence.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace furca::model {

using Machine = ModelAtomics<true>;

/// A thread of it is kept off by the system just before its first heavy fence.
struct KeptOff : Machine {
  static inline std::function<void()> meanwhile;

  static void heavy_fence(Site site = Site::here()) noexcept {
    if (const auto others_go_on = std::exchange(meanwhile, nullptr)) others_go_on();
    Machine::heavy_fence(site);
  }
};

/// One fenced pop, and it tries to go quiet.
using HastyFence = furca::detail::BasicAdaptiveFence<Machine, 1>;

/// The owner stores to `bottom` and loads `top`, the thief the other way round; each must not miss
/// the other. So many fenced pops, and the owner tries to go quiet, which has a fence of its own.
template <std::uint32_t Patience = 1, class M = Machine>
struct Dekker {
  furca::detail::BasicAdaptiveFence<M, Patience> fence;
  Atomic<int> bottom{0};
  Atomic<int> top{0};
  int seen_by_owner = 0;
  int seen_by_thief = 1;  // so it stays if the thief is not let in

  void arm() {
    if (fence.enter()) fence.leave();
  }
  void pop() {
    bottom.store(1, std::memory_order_release);
    fence.before_look();
    seen_by_owner = top.load(std::memory_order_relaxed);
  }
  /// The first of them is fenced, and goes quiet.
  void pop_twice() {
    fence.before_look();
    pop();
  }
  void steal() {
    if (!fence.enter()) return;
    top.store(1, std::memory_order_relaxed);
    Machine::fence();
    seen_by_thief = bottom.load(std::memory_order_acquire);
    fence.leave();
  }
  /// What top says was written by somebody else.
  void steal_after_another() {
    if (!fence.enter()) return;
    const int seen = top.load(std::memory_order_relaxed);
    Machine::fence();
    if (seen == 1) seen_by_thief = bottom.load(std::memory_order_acquire);
    fence.leave();
  }
  void finish() const {
    check(seen_by_owner == 1 || seen_by_thief == 1, "owner and thief have missed each other");
  }
};

/// Threads that do their parts in one Dekker at the same time.
template <std::uint32_t Patience = 1, class... Parts>
std::function<void()> meet_at_fence(Parts... parts) {
  return [=] {
    Dekker<Patience> d;
    together([&] { parts(d); }...);
    d.finish();
  };
}

/// The same, where a thief has armed the fence before.
template <class... Parts>
std::function<void()> meet_at_armed_fence(Parts... parts) {
  return [=] {
    Dekker d;
    d.arm();
    together([&] { parts(d); }...);
    d.finish();
  };
}

/// A thief arms the fence, and the owner and another thief do their parts while it is kept off.
template <class Owner, class Thief>
std::function<void()> meet_at_slow_fence(Owner owner, Thief thief) {
  return [=] {
    Dekker<1, KeptOff> d;
    KeptOff::meanwhile = [&] { together([&] { owner(d); }, [&] { thief(d); }); };
    d.arm();
    d.finish();
  };
}

inline constexpr auto kArm = [](auto& d) { d.arm(); };
inline constexpr auto kPop = [](auto& d) { d.pop(); };
inline constexpr auto kPopTwice = [](auto& d) { d.pop_twice(); };
inline constexpr auto kSteal = [](auto& d) { d.steal(); };
inline constexpr auto kStealAfterAnother = [](auto& d) { d.steal_after_another(); };
inline constexpr auto kAnotherSteals = [](auto& d) { d.top.store(1, std::memory_order_relaxed); };
inline constexpr auto kArmAndSteal = [](auto& d) {
  d.arm();
  d.steal();
};
/// The owner's: what it does besides may arm the fence, or make it go quiet.
inline constexpr auto kPopAndAnswer = [](auto& d) {
  d.pop();
  d.fence.before_look();
};
inline constexpr auto kPopAndExpect = [](auto& d) {
  d.pop();
  d.fence.expect();
};
inline constexpr auto kPopExpectAndAnswer = [](auto& d) {
  kPopAndExpect(d);
  d.fence.before_look();
  d.fence.before_look();
};
inline constexpr auto kExpectAndPop = [](auto& d) {
  d.fence.expect();
  d.pop();
};
inline constexpr auto kExpectAndPopTwice = [](auto& d) {
  d.fence.expect();
  d.pop_twice();
};

inline std::vector<Program> fence_programs() {
  return {
      {"fence: arming while the owner pops", meet_at_fence(kPop, kSteal)},
      {"fence: the owner answers", meet_at_fence(kPopAndAnswer, kSteal)},
      {"fence: the owner answers, and goes quiet again", meet_at_fence(kPopTwice, kSteal)},
      {"fence: the owner answers, and stays armed", meet_at_fence<3>(kPopTwice, kSteal)},
      {"fence: the owner arms, and stays armed", meet_at_fence<2>(kExpectAndPop, kSteal)},
      {"fence: going quiet while a thief comes", meet_at_armed_fence(kPopTwice, kSteal)},
      {"fence: the owner arms after a pop", meet_at_fence(kPopAndExpect, kSteal)},
      {"fence: the owner arms before a pop", meet_at_fence(kExpectAndPop, kSteal)},
      {"fence: the owner arms, and goes quiet again", meet_at_fence(kExpectAndPopTwice, kSteal)},
      {"fence: a thief is kept off while it arms, another one arms in its place",
       meet_at_slow_fence(kPop, kSteal)},
      {"fence: a thief is kept off while it arms, the owner answers and goes quiet, another thief "
       "comes",
       meet_at_slow_fence(kPopTwice, kSteal)},
      {"fence: arming, by a thief that saw another's steal",
       meet_at_fence(kPop, kStealAfterAnother, kAnotherSteals)},
      {"fence: going quiet while a thief comes that saw another's steal",
       meet_at_armed_fence(kPopTwice, kStealAfterAnother, kAnotherSteals)},
  };
}

/// Taken to the end too, but too long for the mutations.
inline std::vector<Program> long_fence_programs() {
  return {
      {"fence: the owner arms or answers after a pop, and goes quiet again",
       meet_at_fence(kPopExpectAndAnswer, kSteal)},
      {"fence: one thief arms late, the owner has answered and goes quiet, another visit",
       meet_at_fence(kPopTwice, kArmAndSteal)},
      {"fence: going quiet between two visits", meet_at_armed_fence(kPopTwice, kArmAndSteal)},
  };
}

/// Too many courses: explored with few preemptions, which proves nothing and finds most.
inline std::vector<Program> large_fence_programs() {
  return {
      {"fence: one thief arms, another comes", meet_at_fence(kPop, kSteal, kArm),
       with_preemptions(2)},
      {"fence: one thief arms late, the owner has answered and goes quiet, another thief comes",
       meet_at_fence(kPopTwice, kSteal, kArm), with_preemptions(2)},
      {"fence: going quiet while two thieves come", meet_at_armed_fence(kPopTwice, kSteal, kArm),
       with_preemptions(2)},
  };
}

}  // namespace furca::model
