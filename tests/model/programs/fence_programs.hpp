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

inline std::vector<Program> fence_programs() {
  return {
      {"fence: arming while the owner pops",
       [] {
         Dekker d;
         together([&] { d.pop(); }, [&] { d.steal(); });
         d.finish();
       }},
      {"fence: the owner answers",
       [] {
         Dekker d;
         together(
             [&] {
               d.pop();
               d.fence.before_look();
             },
             [&] { d.steal(); });
         d.finish();
       }},
      {"fence: the owner answers, and goes quiet again",
       [] {
         Dekker d;
         together([&] { d.pop_twice(); }, [&] { d.steal(); });
         d.finish();
       }},
      {"fence: the owner answers, and stays armed",
       [] {
         Dekker<3> d;
         together([&] { d.pop_twice(); }, [&] { d.steal(); });
         d.finish();
       }},
      {"fence: the owner arms, and stays armed",
       [] {
         Dekker<2> d;
         together(
             [&] {
               d.fence.expect();
               d.pop();
             },
             [&] { d.steal(); });
         d.finish();
       }},
      {"fence: going quiet while a thief comes",
       [] {
         Dekker d;
         d.arm();
         together([&] { d.pop_twice(); }, [&] { d.steal(); });
         d.finish();
       }},
      {"fence: the owner arms after a pop",
       [] {
         Dekker d;
         together(
             [&] {
               d.pop();
               d.fence.expect();
             },
             [&] { d.steal(); });
         d.finish();
       }},
      {"fence: the owner arms before a pop",
       [] {
         Dekker d;
         together(
             [&] {
               d.fence.expect();
               d.pop();
             },
             [&] { d.steal(); });
         d.finish();
       }},
      {"fence: the owner arms, and goes quiet again",
       [] {
         Dekker d;
         together(
             [&] {
               d.fence.expect();
               d.pop_twice();
             },
             [&] { d.steal(); });
         d.finish();
       }},
      {"fence: a thief is kept off while it arms, another one arms in its place",
       [] {
         Dekker<1, KeptOff> d;
         KeptOff::meanwhile = [&] { together([&] { d.pop(); }, [&] { d.steal(); }); };
         d.arm();
         d.finish();
       }},
      {"fence: a thief is kept off while it arms, the owner answers and goes quiet, another thief "
       "comes",
       [] {
         Dekker<1, KeptOff> d;
         KeptOff::meanwhile = [&] { together([&] { d.pop_twice(); }, [&] { d.steal(); }); };
         d.arm();
         d.finish();
       }},
      {"fence: arming, by a thief that saw another's steal",
       [] {
         Dekker d;
         together([&] { d.pop(); }, [&] { d.steal_after_another(); },
                  [&] { d.top.store(1, std::memory_order_relaxed); });
         d.finish();
       }},
      {"fence: going quiet while a thief comes that saw another's steal",
       [] {
         Dekker d;
         d.arm();
         together([&] { d.pop_twice(); }, [&] { d.steal_after_another(); },
                  [&] { d.top.store(1, std::memory_order_relaxed); });
         d.finish();
       }},
  };
}

/// Taken to the end too, but too long for the mutations.
inline std::vector<Program> long_fence_programs() {
  return {
      {"fence: the owner arms or answers after a pop, and goes quiet again",
       [] {
         Dekker d;
         together(
             [&] {
               d.pop();
               d.fence.expect();
               d.fence.before_look();
               d.fence.before_look();
             },
             [&] { d.steal(); });
         d.finish();
       }},
      {"fence: one visit arms late, the owner has answered and goes quiet, another visit",
       [] {
         Dekker d;
         together([&] { d.pop_twice(); },
                  [&] {
                    d.arm();
                    d.steal();
                  });
         d.finish();
       }},
      {"fence: going quiet between two visits",
       [] {
         Dekker d;
         d.arm();
         together([&] { d.pop_twice(); },
                  [&] {
                    d.arm();
                    d.steal();
                  });
         d.finish();
       }},
  };
}

/// Too many courses: explored with few preemptions, which proves nothing and finds most.
inline std::vector<Program> large_fence_programs() {
  return {
      {"fence: one thief arms, another comes",
       [] {
         Dekker d;
         together([&] { d.pop(); }, [&] { d.steal(); }, [&] { d.arm(); });
         d.finish();
       },
       with_preemptions(2)},
      {"fence: one thief arms late, the owner has answered and goes quiet, another thief comes",
       [] {
         Dekker d;
         together([&] { d.pop_twice(); }, [&] { d.steal(); }, [&] { d.arm(); });
         d.finish();
       },
       with_preemptions(2)},
      {"fence: going quiet while two thieves come",
       [] {
         Dekker d;
         d.arm();
         together([&] { d.pop_twice(); }, [&] { d.steal(); }, [&] { d.arm(); });
         d.finish();
       },
       with_preemptions(2)},
  };
}

}  // namespace furca::model
