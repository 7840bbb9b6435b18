// What loops ask of a worker: whether a thread should be woken, and how deep in loops it is.
#pragma once

#include <furca/detail/fork/worker.hpp>

#include "../fork/team.hpp"
#include "../measuring/waking.hpp"

#include <cstdint>

namespace furca::detail {

/// Publishing now would wake a thread, which costs the publisher microseconds; else a fork costs
/// nanoseconds. It asks its bell first: thieves write the counts.
inline bool would_wake(const Worker& self) noexcept {
  return self.bell().wants_attention() && self.team().sleep().must_wake();
}

/// A thread is in a loop more, from here to the end of the block; or in so many: a stolen half
/// counts those that its loop is in.
class InLoop {
 public:
  explicit InLoop(Worker& worker) noexcept : InLoop(worker, worker.loops + 1) {}
  InLoop(Worker& worker, std::uint32_t loops) noexcept : worker_(worker), before_(worker.loops) {
    worker_.loops = loops;
  }
  ~InLoop() { worker_.loops = before_; }
  InLoop(const InLoop&) = delete;
  InLoop& operator=(const InLoop&) = delete;

 private:
  Worker& worker_;
  const std::uint32_t before_;
};

}  // namespace furca::detail
