// Programs that run the shipped task queue: its owner, thieves with queues of their own, and what
// all share. Every task is taken once, and seen whole.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "queues/task_queue.hpp"

#include <cstddef>
#include <vector>

namespace furca::model {

struct QueuedTask : furca::detail::LinkedJob {
  QueuedTask()
      : LinkedJob([](furca::detail::Job&, furca::detail::Worker&, bool) noexcept {
          return furca::detail::JobEnd::of_detached();
        }) {}
  Plain<int> payload{0};
  bool taken = false;
};

/// A queue with a ring of two, two thieves, and the common queue.
class TaskScene {
 public:
  using Queue = furca::detail::BasicTaskQueue<ModelAtomics<true>>;

  void push() { queue_.push(made()); }
  void push_next() { queue_.push_next(made()); }
  void next() { consume(next_of(queue_)); }

  void steal(std::size_t thief) {
    if (!consume(queue_.steal_into(thieves_[thief]))) consume(queue_.pop_newest());
    while (consume(next_of(thieves_[thief]))) {
    }
  }

  void finish() {
    for (Queue* queue : {&queue_, &thieves_[0], &thieves_[1]}) {
      while (consume(next_of(*queue))) {
      }
    }
    check(queue_.empty(), "an empty queue that is not");
    for (int i = 0; i < made_; ++i) check(tasks_[i].taken, "a task was lost");
  }

 private:
  static constexpr std::size_t kBatch = 2;

  static furca::detail::LinkedJob* next_of(Queue& queue) {
    furca::detail::LinkedJob* const task = queue.next();
    return task != nullptr ? task : queue.from_common(kBatch);
  }

  QueuedTask& made() {
    QueuedTask& task = tasks_[made_++];
    task.payload.set(1);
    return task;
  }

  static bool consume(furca::detail::LinkedJob* job) {
    if (job == nullptr) return false;
    auto& task = static_cast<QueuedTask&>(*job);
    check(!task.taken, "a task was taken twice");
    task.taken = true;
    check(task.payload.get() == 1, "a task without its payload");
    task.payload.set(2);
    task.payload.set(1);
    return true;
  }

  Queue::Common common_;
  Queue queue_{2, common_};
  Queue thieves_[2] = {Queue(2, common_), Queue(2, common_)};
  QueuedTask tasks_[8];
  int made_ = 0;
};

inline std::vector<Program> task_queue_programs() {
  return {
      {"task queue: the newest, and a thief for it",
       [] {
         TaskScene scene;
         together([&] { scene.push_next(), scene.next(); }, [&] { scene.steal(0); });
         scene.finish();
       }},
      {"task queue: two thieves for the newest",
       [] {
         TaskScene scene;
         together([&] { scene.push_next(); }, [&] { scene.steal(0); }, [&] { scene.steal(1); });
         scene.finish();
       }},
      {"task queue: the newest displaces another, under the eyes of a thief",
       [] {
         TaskScene scene;
         together([&] { scene.push_next(), scene.push_next(); }, [&] { scene.steal(0); });
         scene.finish();
       }},
      {"task queue: it overflows, and a thief takes what is in the common queue",
       [] {
         TaskScene scene;
         scene.push();
         scene.push();
         together([&] { scene.push(); }, [&] { scene.steal(0); });
         scene.finish();
       },
       with_preemptions(3)},
  };
}

}  // namespace furca::model
