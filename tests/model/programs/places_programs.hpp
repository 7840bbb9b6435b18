// Programs that run the shipped places: each part of a loop is run once, by one thread, which sees
// all of it; and nobody sleeps beside one. The loops here are copies of what placed_loop.cpp does,
// small enough to be explored exhaustively, with groups and several thieves; loop_programs.hpp runs
// the shipped loops, in part.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "fork/places.hpp"
#include "fork/sleep.hpp"

#include <vector>

namespace furca::model {

/// In its caller's frame.
struct LaidPart {
  Plain<int> steps{0};
  Plain<int> outcome{0};
  Atomic<int> done{0};
};

class LaidLoop {
 public:
  using Place = furca::detail::BasicPlace<ModelAtomics<true>, LaidPart>;

  /// A caller whose part has so many steps, after its own part is done.
  static void call(Place& place, int steps) {
    LaidPart part;
    part.steps.set(steps);
    const bool laid = place.lay(part);
    end(place, part, laid, steps);
  }

  /// The same place and frame again.
  static void call_twice(Place& place) {
    LaidPart part;
    part.steps.set(1);
    check(place.lay(part), "there was nothing there");
    if (!place.take(part)) return end(place, part, true, 1);
    part.steps.set(2);
    check(place.lay(part), "what was there was taken back");
    end(place, part, true, 2);
  }

  /// Somebody who looks for work. Returns how many steps he has run.
  static int look(Place& place) {
    LaidPart* const part = place.receive();
    if (part == nullptr) return 0;
    const int steps = part->steps.get();
    part->outcome.set(steps);
    part->done.store(1, std::memory_order_release);
    return steps;
  }

 private:
  static void end(Place& place, LaidPart& part, bool laid, int steps) {
    if (!laid || place.take(part)) {
      check(part.outcome.get() == 0, "taken back, and run by another thread");
      return;
    }
    assume(part.done.load(std::memory_order_acquire) == 1);
    check(part.outcome.get() == steps, "not all of it was run");
  }
};

/// In its caller's frame: the first of a group of two, whose second part is laid by whoever takes
/// the first.
struct LaidGroup {
  LaidPart first;
  LaidLoop::Place* second_place = nullptr;
};

class GroupedLoop {
 public:
  using Place = furca::detail::BasicPlace<ModelAtomics<true>, LaidGroup>;

  /// Its caller, which takes the group back unless another thread has it.
  static void call(Place& place, LaidLoop::Place& second) {
    LaidGroup group;
    group.first.steps.set(7);
    group.second_place = &second;
    check(place.lay(group), "there was nothing there");
    if (place.take(group)) return LaidLoop::call(second, 8);
    assume(group.first.done.load(std::memory_order_acquire) == 1);
    check(group.first.outcome.get() == 15, "not all of the group was run");
  }

  /// Who takes the group: lays the second part, and waits for it if it is gone.
  static void look(Place& place) {
    LaidGroup* const group = place.receive();
    if (group == nullptr) return;
    int outcome = group->first.steps.get();
    LaidLoop::call(*group->second_place, 8);
    outcome += 8;
    group->first.outcome.set(outcome);
    group->first.done.store(1, std::memory_order_release);
  }
};

/// A started thread that looks at its place before it sleeps, and a caller.
template <class Machine>
class SleepBesidePlace {
 public:
  SleepBesidePlace() { sleep_.start_looking(); }

  /// Walk::lay_and_run, Team::look_at_bell.
  void lay() {
    part_.steps.set(1);
    place_.lay(part_);
    Machine::light_fence();
    if (!bell_.wants_attention()) return;
    bell_.attend();
    bell_.forget_sleepers();
    if (sleep_.must_wake()) sleep_.wake();
  }

  /// WorkSearch::find_job.
  void work() {
    while (place_.receive() == nullptr)
      sleep_.fall_asleep([this] { bell_.tell_of_sleepers(); }, [this] { return !place_.empty(); });
    check(part_.steps.get() == 1, "a part that was not laid");
  }

 private:
  furca::detail::BasicSleep<Machine> sleep_;
  furca::detail::BasicBell<Machine> bell_;
  furca::detail::BasicPlace<Machine, LaidPart> place_;
  LaidPart part_;
};

inline std::vector<Program> places_programs() {
  using Place = LaidLoop::Place;
  return {
      {"two look, and who laid it takes it back",
       [] {
         Place place;
         int ran[2] = {};
         together([&] { LaidLoop::call(place, 7); }, [&] { ran[0] = LaidLoop::look(place); },
                  [&] { ran[1] = LaidLoop::look(place); });
         check(ran[0] == 0 || ran[1] == 0, "run by two");
         check(place.empty(), "the loop has ended, and its part is still there");
       }},
      {"two loops, one place",
       [] {
         Place place;
         together([&] { LaidLoop::call(place, 7); }, [&] { LaidLoop::call(place, 8); },
                  [&] { LaidLoop::look(place); });
         check(place.empty(), "the loops have ended, and a part is still there");
       }},
      {"a group, and one who takes its second part",
       [] {
         GroupedLoop::Place place;
         LaidLoop::Place second;
         together([&] { GroupedLoop::call(place, second); }, [&] { GroupedLoop::look(place); },
                  [&] { LaidLoop::look(second); });
         check(place.empty() && second.empty(), "the loop has ended, and a part is still there");
       }},
      {"the same frame and place again",
       [] {
         Place place;
         together([&] { LaidLoop::call_twice(place); }, [&] { LaidLoop::look(place); });
       }},
      {"one falls asleep, a part is laid",
       [] {
         SleepBesidePlace<ModelAtomics<true>> pool;
         together([&] { pool.work(); }, [&] { pool.lay(); });
       }},
      {"without asymmetric fences: one falls asleep, a part is laid",
       [] {
         SleepBesidePlace<ModelAtomics<false>> pool;
         together([&] { pool.work(); }, [&] { pool.lay(); });
       }},
  };
}

}  // namespace furca::model
