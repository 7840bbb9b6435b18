// Programs about users' values that the library keeps: in PerWorker, where threads come to one
// table and one slot of it at the same time, and in the tasks that a handle shares with the thread
// that runs it. Only in a build whose Atomics are the model's (machine/machine.hpp).
#pragma once

#include "pool_programs.hpp"

#include <furca/per_worker.hpp>
#include <furca/spawn.hpp>

#include <vector>

namespace furca::model {

/// What a thread counts for itself: a race if two do.
class OwnCount {
 public:
  OwnCount() = default;
  OwnCount(const OwnCount& other) : count_(other.get()) {}
  OwnCount& operator=(const OwnCount&) = delete;
  void add_one() { count_.set(count_.get() + 1); }
  int get() const { return count_.get(); }

 private:
  Plain<int> count_{0};
};

inline void count_one(ThreadPool& pool, PerWorker<OwnCount>& counts) {
  pool.install([&] { counts.local().add_one(); });
}

inline int sum_of(const PerWorker<OwnCount>& counts) {
  int sum = 0;
  for (const OwnCount& count : counts) sum += count.get();
  return sum;
}

inline std::vector<Program> per_worker_programs() {
  return on_pools({
      {"per worker: two guests of a pool",
       [] {
         ThreadPool pool({.threads = 1});
         PerWorker<OwnCount> counts;
         const auto guest = [&] { count_one(pool, counts); };
         together(guest, guest);
         check(sum_of(counts) == 2, "a count was lost");
       }},
      {"per worker: one slot for the guests of two pools, and one comes twice",
       [] {
         ThreadPool one({.threads = 1});
         ThreadPool other({.threads = 1});
         PerWorker<OwnCount> counts;
         together(
             [&] {
               count_one(one, counts);
               count_one(one, counts);
             },
             [&] { count_one(other, counts); });
         check(sum_of(counts) == 3, "a count was lost");
         check(counts.size() == 2, "a value for each of the two");
       }},
  });
}

/// What a task has captured and what it returns is made by one thread, and destroyed by another
/// one.
inline std::vector<Program> shared_task_programs() {
  return on_pools({
      {"shared task: who leaves last destroys what it holds",
       [] {
         ThreadPool pool(small_config(2));
         static_cast<void>(pool.spawn_task([held = OwnCount()] { return OwnCount(held); }));
         pool.wait_idle();
       },
       with_preemptions(2, 0)},
      {"shared task: the handle destroys what it holds when it has joined",
       [] {
         ThreadPool pool(small_config(2));
         check(pool.spawn_task([held = OwnCount()]() mutable {
                     held.add_one();
                     return OwnCount(held);
                   })
                       .join()
                       .get() == 1,
               "another result");
       },
       with_preemptions(2, 0)},
      {"shared task: cancelled, or joined, it holds nothing more",
       [] {
         ThreadPool pool(small_config(2));
         Task<OwnCount> task = pool.spawn_task([held = OwnCount()] { return OwnCount(held); });
         if (!task.cancel()) check(task.join().get() == 0, "another result");
       },
       with_preemptions(2, 0)},
      {"shared task: a coroutine that awaits it has its result",
       [] {
         ThreadPool pool(small_config(2));
         const auto await = [](Task<OwnCount> task) -> Async<int> {
           co_return (co_await std::move(task)).get();
         };
         check(
             sync_wait(await(pool.spawn_task([held = OwnCount()] { return OwnCount(held); }))) == 0,
             "another result");
       },
       with_preemptions(2, 0)},
  });
}

}  // namespace furca::model
