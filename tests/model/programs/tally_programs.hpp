// Programs that run the shipped tallies: tasks that spawn tasks, handed on by release and acquire,
// and somebody who asks whether all have ended. If so he has seen what they did.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "queues/tally.hpp"

#include <vector>

namespace furca::model {

/// One task that was spawned before anybody began; what others come of it is the program's.
class TallyScene {
 public:
  using Tally = furca::detail::BasicTally<ModelAtomics<true>>;

  TallyScene() { tallies_[0].spawned(); }

  /// Worker `by`, in a task: spawns one more, number `task`, for whoever takes it.
  void spawn(int by, int task) {
    tallies_[by].spawned();
    published_[task].store(1, std::memory_order_release);
  }
  /// Task `task` has run on worker `by`.
  void end(int by, int task) {
    done_[task].set(1);
    tallies_[by].ended();
  }
  void end_elsewhere(int task) {
    done_[task].set(1);
    tallies_[2].ended_by_anybody();
  }
  bool take(int task) { return published_[task].load(std::memory_order_acquire) == 1; }

  /// Not a worker: asks, and if all have ended looks at what tasks 0 .. `tasks` - 1 have done.
  void ask(int tasks) {
    const bool idle = Tally::all_ended([this](auto add) {
      for (const Tally& tally : tallies_) add(tally);
    });
    if (!idle) return;
    for (int task = 0; task < tasks; ++task)
      check(done_[task].get() == 1, "idle, and a task has not ended");
  }

 private:
  Tally tallies_[3];
  Atomic<int> published_[3];
  Plain<int> done_[3];
};

inline std::vector<Program> tally_programs() {
  return {
      {"tally: a task spawns another, and its worker runs both",
       [] {
         TallyScene scene;
         together(
             [&] {
               scene.spawn(0, 1);
               scene.end(0, 0);
               scene.end(0, 1);
             },
             [&] { scene.ask(2); });
       }},
      {"tally: another worker runs the second",
       [] {
         TallyScene scene;
         together(
             [&] {
               scene.spawn(0, 1);
               scene.end(0, 0);
             },
             [&] {
               if (scene.take(1)) scene.end(1, 1);
             },
             [&] { scene.ask(2); });
       }},
      {"tally: a stranger ends the second",
       [] {
         TallyScene scene;
         together(
             [&] {
               scene.spawn(0, 1);
               scene.end(0, 0);
             },
             [&] {
               if (scene.take(1)) scene.end_elsewhere(1);
             },
             [&] { scene.ask(2); });
       }},
      {"tally: the second spawns a third, which goes back",
       [] {
         TallyScene scene;
         together(
             [&] {
               scene.spawn(0, 1);
               scene.end(0, 0);
               if (scene.take(2)) scene.end(0, 2);
             },
             [&] {
               if (!scene.take(1)) return;
               scene.spawn(1, 2);
               scene.end(1, 1);
             },
             [&] { scene.ask(3); });
       }},
  };
}

}  // namespace furca::model
