// What a loop publishes: a stretch of its steps that another thread may run.
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/loop/splitter.hpp>

#include "pace.hpp"

#include <cstdint>
#include <exception>
#include <utility>

namespace furca::detail {

/// The upper half of a stretch, in the frame that published it.
class Loop::Half : public ForkedJob {
 public:
  Half(Loop& loop, void* sibling, PartRoom* room, float step_cost, std::uint64_t lo,
       std::uint64_t hi) noexcept
      : Half(&run_stolen, loop, sibling, room, step_cost, lo, hi) {}

  /// What a thief has left: its part, which comes after `left`, or an exception.
  void absorb_into(void* left) {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    const PartFunctions& functions = loop_.functions_;
    if (functions.absorb != nullptr) functions.absorb(left, part_);
  }

  /// Drops that.
  void discard() noexcept {
    const PartFunctions& functions = loop_.functions_;
    if (part_ != nullptr && functions.drop != nullptr) functions.drop(part_);
  }

  /// What its steps have taken the thief and those that helped it.
  const Pace::Busy& busy() const noexcept { return busy_; }

 protected:
  Half(Body body, Loop& loop, void* sibling, PartRoom* room, float step_cost, std::uint64_t lo,
       std::uint64_t hi) noexcept
      : ForkedJob(body),
        loop_(loop),
        lo_(lo),
        hi_(hi),
        sibling_(sibling),
        room_(room),
        step_cost_(step_cost) {}

  /// On the thread that took it: run(part) runs its steps into that.
  template <class RunSteps>
  void fill(Worker& runner, RunSteps run) noexcept {
    try {
      const PartFunctions& functions = loop_.functions_;
      part_ = functions.fresh != nullptr ? functions.fresh(sibling_, *room_) : sibling_;
      const Worker::InLoop in_loop(runner, loop_.depth_ + 1);
      const Piece piece(loop_.observed_);
      run(part_);
    } catch (...) {
      discard();
      part_ = nullptr;
      error_ = std::current_exception();
    }
  }

  /// A thief's: what counts of pieces is the mean in the calls before.
  Pace new_pace(std::uint64_t steps) const noexcept {
    if (loop_.few_) return Pace::of_few(loop_.piece_, false);
    const bool mean = loop_.piece_ != 0 && loop_.cost_before_ > 0;
    return Pace(mean ? loop_.cost_before_ : step_cost_, steps, loop_.grain_, loop_.piece_);
  }

  Loop& loop_;
  const std::uint64_t lo_;
  const std::uint64_t hi_;

 private:
  static JobEnd run_stolen(Job& job, Worker& runner, bool) noexcept {
    auto& self = static_cast<Half&>(job);
    return runner.run_forked(
        self.latch, [&] { self.fill(runner, [&](void* part) { self.run(runner, part); }); });
  }

  void run(Worker& runner, void* part) {
    Pace pace = new_pace(hi_ - lo_);
    loop_.advance(runner, part, pace, lo_, hi_);
    busy_ = pace.busy();
  }

  void* const sibling_;
  PartRoom* const room_;
  const float step_cost_;
  void* part_ = nullptr;
  std::exception_ptr error_ = nullptr;

 protected:
  Pace::Busy busy_;
};

}  // namespace furca::detail
