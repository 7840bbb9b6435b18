// Programs that run the shipped shared fence: each who passes it must not miss what others have
// done before a light fence, nor they what he has.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "system/shared_fence.hpp"

#include <vector>

namespace furca::model {

class SharedFenceScene {
 public:
  /// Passes number `who`: writes before, and looks after.
  void pass(int who) {
    written_[who].store(1, std::memory_order_relaxed);
    fence_.pass();
    seen_[who] = other_.load(std::memory_order_relaxed);
  }
  /// For others: who waits during the first may share the second.
  void pass_twice() {
    fence_.pass();
    fence_.pass();
  }
  /// Whom the fences are for.
  void run(int passers) {
    other_.store(1, std::memory_order_relaxed);
    Machine::light_fence();
    for (int who = 0; who < passers; ++who)
      seen_by_other_[who] = written_[who].load(std::memory_order_relaxed);
  }
  void finish(int passers) const {
    for (int who = 0; who < passers; ++who)
      check(seen_[who] == 1 || seen_by_other_[who] == 1, "two threads have missed each other");
  }

 private:
  struct Machine : ModelAtomics<true> {
    static void relax() noexcept { yield(); }
  };

  furca::detail::BasicSharedFence<Machine, 2> fence_;
  Atomic<int> written_[2]{};
  Atomic<int> other_{0};
  int seen_[2] = {};
  int seen_by_other_[2] = {};
};

inline std::vector<Program> shared_fence_programs() {
  return {
      {"shared fence: alone",
       [] {
         SharedFenceScene scene;
         together([&] { scene.run(1); }, [&] { scene.pass(0); });
         scene.finish(1);
       }},
      {"shared fence: two who need it",
       [] {
         SharedFenceScene scene;
         together([&] { scene.run(2); }, [&] { scene.pass(0); }, [&] { scene.pass(1); });
         scene.finish(2);
       },
       with_preemptions(3)},
      {"shared fence: one that another has run",
       [] {
         SharedFenceScene scene;
         together([&] { scene.run(1); }, [&] { scene.pass_twice(); }, [&] { scene.pass(0); });
         scene.finish(1);
       },
       with_preemptions(2)},
  };
}

}  // namespace furca::model
