// Programs that run the shipped places: each portion of a loop is run once, by one thread, which
// sees all of it; and nobody sleeps beside one. The loops here are copies of what placed_loop.cpp
// does, small enough to be explored exhaustively, with groups and several thieves;
// loop_programs.hpp runs the shipped loops, in part.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "fork/places.hpp"
#include "fork/sleep.hpp"

#include <vector>

namespace furca::model {

/// In its caller's frame.
struct LaidPortion {
  Plain<int> steps{0};
  Plain<int> outcome{0};
  Atomic<int> done{0};
};

class LaidLoop {
 public:
  using Place = furca::detail::BasicPlace<ModelAtomics<true>, LaidPortion>;

  /// A caller whose portion has so many steps, after its own portion is done.
  static void call(Place& place, int steps) {
    LaidPortion portion;
    portion.steps.set(steps);
    const bool laid = place.lay(portion);
    end(place, portion, laid, steps);
  }

  /// The same place and frame again.
  static void call_twice(Place& place) {
    LaidPortion portion;
    portion.steps.set(1);
    check(place.lay(portion), "there was nothing there");
    if (!place.take(portion)) return end(place, portion, true, 1);
    portion.steps.set(2);
    check(place.lay(portion), "what was there was taken back");
    end(place, portion, true, 2);
  }

  /// Somebody who looks for work. Returns how many steps he has run.
  static int look(Place& place) {
    LaidPortion* const portion = place.receive();
    if (portion == nullptr) return 0;
    const int steps = portion->steps.get();
    portion->outcome.set(steps);
    portion->done.store(1, std::memory_order_release);
    return steps;
  }

 private:
  static void end(Place& place, LaidPortion& portion, bool laid, int steps) {
    if (!laid || place.take(portion)) {
      check(portion.outcome.get() == 0, "taken back, and run by another thread");
      return;
    }
    assume(portion.done.load(std::memory_order_acquire) == 1);
    check(portion.outcome.get() == steps, "not all of it was run");
  }
};

/// In its caller's frame: the first of a group of two, whose second portion is laid by whoever
/// takes the first.
struct LaidGroup {
  LaidPortion first;
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

  /// Who takes the group: lays the second portion, and waits for it if it is gone.
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

  /// Walk::lay_and_run, Team::tell_of_work.
  void lay() {
    portion_.steps.set(1);
    place_.lay(portion_);
    Machine::light_fence();
    if (!bell_.wants_attention()) return;
    bell_.attend();
    bell_.forget_sleepers();
    if (sleep_.must_wake()) sleep_.wake();
  }

  /// WorkSearch::find_job.
  void work() {
    while (place_.receive() == nullptr)
      sleep_.fall_asleep([this] { bell_.mark_sleepers(); }, [this] { return !place_.empty(); });
    check(portion_.steps.get() == 1, "a portion that was not laid");
  }

 private:
  furca::detail::BasicSleep<Machine> sleep_;
  furca::detail::BasicBell<Machine> bell_;
  furca::detail::BasicPlace<Machine, LaidPortion> place_;
  LaidPortion portion_;
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
         check(place.empty(), "the loop has ended, and its portion is still there");
       }},
      {"two loops, one place",
       [] {
         Place place;
         together([&] { LaidLoop::call(place, 7); }, [&] { LaidLoop::call(place, 8); },
                  [&] { LaidLoop::look(place); });
         check(place.empty(), "the loops have ended, and a portion is still there");
       }},
      {"a group, and one who takes its second portion",
       [] {
         GroupedLoop::Place place;
         LaidLoop::Place second;
         together([&] { GroupedLoop::call(place, second); }, [&] { GroupedLoop::look(place); },
                  [&] { LaidLoop::look(second); });
         check(place.empty() && second.empty(), "the loop has ended, and a portion is still there");
       }},
      {"the same frame and place again",
       [] {
         Place place;
         together([&] { LaidLoop::call_twice(place); }, [&] { LaidLoop::look(place); });
       }},
      {"one falls asleep, a portion is laid",
       [] {
         SleepBesidePlace<ModelAtomics<true>> pool;
         together([&] { pool.work(); }, [&] { pool.lay(); });
       }},
      {"without asymmetric fences: one falls asleep, a portion is laid",
       [] {
         SleepBesidePlace<ModelAtomics<false>> pool;
         together([&] { pool.work(); }, [&] { pool.lay(); });
       }},
  };
}

}  // namespace furca::model
