// The fast paths of the deque and the worker, one function for each: instructions_test.py reads
// what they are compiled to.
#include <furca/deque.hpp>
#include <furca/detail/fork/worker.hpp>

#include "../../src/fork/run.hpp"

#include <cstdint>

using Classic = furca::Deque<void*, furca::SeqCstFence>;
using Adaptive = furca::Deque<void*, furca::AdaptiveFence>;
using furca::detail::DetachedTasks;
using furca::detail::Job;
using furca::detail::Worker;

namespace {

/// What was published: the other case is one comparison, and not what a program spends its time
/// with.
template <class Taker>
bool take_published(Taker& taker, std::int64_t at) noexcept {
  if (at < 0) __builtin_unreachable();
  return taker.take(at);
}

}  // namespace

extern "C" {

Classic::Index classic_push(Classic& deque, void* item) noexcept { return deque.offer(item); }
void* classic_pop(Classic& deque) noexcept { return deque.pop().value_or(nullptr); }
bool classic_take(Classic& deque, Classic::Index at) noexcept { return take_published(deque, at); }
void* classic_steal(Classic& deque) noexcept { return deque.steal().item; }

Adaptive::Index adaptive_push(Adaptive& deque, void* item) noexcept { return deque.offer(item); }
void* adaptive_pop(Adaptive& deque) noexcept { return deque.pop().value_or(nullptr); }
bool adaptive_take(Adaptive& deque, Adaptive::Index at) noexcept {
  return take_published(deque, at);
}
void* adaptive_steal(Adaptive& deque) noexcept { return deque.steal().item; }

Worker::Index worker_fork(Worker& worker, Job& job) noexcept { return worker.fork(job); }
bool worker_take(Worker& worker, Worker::Index at) noexcept { return take_published(worker, at); }
void worker_run(Worker& worker, Job& job) noexcept { furca::detail::run_found(worker, job); }

// Where the words lie that the fast paths write and read: each of these begins with the access that
// is meant.
Adaptive::Index where_bottom_is(Adaptive& deque) noexcept { return deque.end(); }
void where_mode_is(Adaptive& deque) noexcept { deque.expect_thieves(); }
Worker::Index where_workers_bottom_is(Worker& worker) noexcept { return worker.deque().end(); }
void where_workers_mode_is(Worker& worker) noexcept { worker.deque().expect_thieves(); }
bool where_bell_is(Worker& worker) noexcept { return worker.bell().wants_attention(); }
void where_ends_are(DetachedTasks& detached) noexcept { detached.ended(); }
}
