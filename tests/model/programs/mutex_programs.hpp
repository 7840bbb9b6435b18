// Programs that run the shipped mutex: one thread at a time has it, each sees what the one before
// has done, and none sleeps for ever.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "system/mutex.hpp"

#include <vector>

namespace furca::model {

class MutexScene {
 public:
  void add() {
    mutex_.lock();
    count_.set(count_.get() + 1);
    mutex_.unlock();
  }
  void try_to_add() {
    if (!mutex_.try_lock()) return;
    ++tried_;
    count_.set(count_.get() + 1);
    mutex_.unlock();
  }
  void finish(int added) {
    check(count_.get() == added + tried_, "two threads have had the mutex at once");
  }

 private:
  furca::detail::BasicMutex<ModelAtomics<true>> mutex_;
  Plain<int> count_{0};
  int tried_ = 0;
};

inline std::vector<Program> mutex_programs() {
  return {
      {"mutex: two threads",
       [] {
         MutexScene scene;
         together([&] { scene.add(); }, [&] { scene.add(); });
         scene.finish(2);
       }},
      {"mutex: three threads",
       [] {
         MutexScene scene;
         together([&] { scene.add(); }, [&] { scene.add(); }, [&] { scene.add(); });
         scene.finish(3);
       },
       with_preemptions(3)},
      {"mutex: one thread tries",
       [] {
         MutexScene scene;
         together([&] { scene.add(); }, [&] { scene.try_to_add(); });
         scene.finish(1);
       }},
  };
}

}  // namespace furca::model
