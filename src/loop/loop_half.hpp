// A thread's way through a loop, and what it publishes there: a stretch of steps that another
// thread may run.
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/loop/results.hpp>

#include "../observing/span.hpp"
#include "pace.hpp"
#include "worker_loops.hpp"

#include <cstdint>
#include <exception>
#include <utility>

namespace furca::detail {

/// One thread's way through a loop: into which part it runs steps, and at which pace.
struct Loop::Walk {
  /// Runs steps [lo, hi).
  void advance(std::uint64_t lo, std::uint64_t hi);

  // Long ones that have a portion for each thread (placed_loop.cpp).
  bool deserves_places(std::uint64_t steps) const noexcept;
  FURCA_NOINLINE void run_in_places(std::uint64_t lo);
  void run_portions(Laying& laying, std::uint64_t hi);

  void learn_from_halves(std::uint64_t began, std::uint64_t steps) const noexcept;
  void learn_from(std::uint64_t began, std::uint64_t steps) noexcept;

  Loop& loop;
  Worker& self;
  void* const part;
  Pace pace;

 private:
  std::uint64_t share(std::uint64_t lo, std::uint64_t hi, PartRoom* room);
  FURCA_NOINLINE std::uint64_t share_in_room(std::uint64_t lo, std::uint64_t hi);
  void lay_and_run(Laying& laying, std::uint64_t hi, PartRoom* room);
  FURCA_NOINLINE void lay_in_room(Laying& laying, std::uint64_t hi);
};

/// The upper half of a stretch, in the frame that published it.
class Loop::Half : public ForkedJob {
 public:
  Half(const Walk& walk, PartRoom* room, std::uint64_t lo, std::uint64_t hi) noexcept
      : Half(&run_stolen, walk, room, lo, hi) {}

  /// What a thief has left: its part, which comes after the walk's own, or an exception.
  void absorb_into(Walk& walk) {
    {
      const Strand combining = strand_after_all(walk.loop.observed_);
      void* const theirs = outcome_.get();
      if (functions().absorb != nullptr) functions().absorb(walk.part, theirs);
    }
    walk.pace.add_busy(busy_);
    walk.pace.resume();
  }

  /// Drops that.
  void discard() noexcept {
    try {
      drop(outcome_.get());
    } catch (...) {  // what comes before it in program order has thrown
    }
  }

 protected:
  Half(Body body, const Walk& walk, PartRoom* room, std::uint64_t lo, std::uint64_t hi) noexcept
      : ForkedJob(body),
        walk_(walk),
        room_(room),
        lo_(lo),
        hi_(hi),
        step_cost_(walk.pace.step_cost()) {}

  /// On the thread that stole it: run(walk) runs its steps into a part of its own. `paced`: so many
  /// of them at its pace.
  template <class RunSteps>
  void fill(Worker& runner, std::uint64_t paced, RunSteps run) noexcept {
    void* part = nullptr;
    try {
      part = functions().fresh != nullptr ? functions().fresh(walk_.part, *room_) : walk_.part;
      Loop& loop = walk_.loop;
      const InLoop in_loop(runner, loop.depth_ + 1);
      const StolenSteps stolen(loop.observed_);
      Walk walk{loop, runner, part, walk_.pace.of_thief(step_cost_, loop.cost_before_, paced)};
      run(walk);
      busy_ = walk.pace.busy();
      outcome_.fill([part] { return part; });
    } catch (...) {
      drop(part);
      outcome_.fail(std::current_exception());
    }
  }

  const Walk& walk_;  // of the thread that published it
  PartRoom* const room_;
  const std::uint64_t lo_;
  const std::uint64_t hi_;

 private:
  const PartFunctions& functions() const noexcept { return walk_.loop.functions_; }

  void drop(void* part) const noexcept {
    if (part != nullptr && functions().drop != nullptr) functions().drop(part);
  }

  static JobEnd run_stolen(Job& job, Worker& runner, bool) noexcept {
    auto& self = static_cast<Half&>(job);
    return self.claim_and_fill(runner, [&] {
      self.fill(runner, self.hi_ - self.lo_, [&](Walk& walk) { walk.advance(self.lo_, self.hi_); });
    });
  }

  const float step_cost_;
  Pace::Busy busy_;         // what its steps have taken the thief and those that helped it
  Outcome<void*> outcome_;  // the thief's part
};

}  // namespace furca::detail
