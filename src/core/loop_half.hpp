// What a loop publishes: a stretch of its steps that another thread may run.
#pragma once

#include <furca/detail/splitter.hpp>
#include <furca/detail/worker.hpp>

#include "pace.hpp"

#include <cstdint>
#include <exception>
#include <utility>

namespace furca::detail {

/// The upper half of a stretch, or a part that lies in a place, in the frame that published it.
class Loop::Half : public ForkedJob {
 public:
  Half(Loop& loop, void* sibling, void* room, float step_cost, std::uint64_t lo, std::uint64_t hi) noexcept
      : ForkedJob(&run_stolen), outcome{loop.functions_}, loop_(loop), sibling_(sibling), room_(room), step_cost_(step_cost), lo_(lo), hi_(hi) {}

  /// What a thief leaves: its part, or an exception.
  struct Outcome {
    const PartFunctions& functions;
    void* part = nullptr;
    std::exception_ptr error = nullptr;

    void absorb_into(void* left) {
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
      if (functions.absorb != nullptr) functions.absorb(left, part);
    }

    void discard() noexcept {
      if (part != nullptr && functions.drop != nullptr) functions.drop(part);
    }
  } outcome;

 private:
  static JobEnd run_stolen(Job& job, Worker& runner, bool) noexcept {
    auto& self = static_cast<Half&>(job);
    return runner.run_forked(self.latch, [&] { self.fill(runner); });
  }

  void fill(Worker& runner) noexcept {
    try {
      const PartFunctions& functions = loop_.functions_;
      outcome.part = functions.fresh != nullptr ? functions.fresh(sibling_, room_) : sibling_;
      const Worker::InLoop in_loop(runner, loop_.depth_ + 1);
      const Piece piece(loop_.observed_);
      if (loop_.piece_ != 0) {
        loop_.halve(runner, outcome.part, lo_, hi_);
      } else {
        Pace pace(step_cost_, hi_ - lo_, loop_.grain_);
        loop_.advance(runner, outcome.part, pace, lo_, hi_);
      }
    } catch (...) {
      outcome.discard();
      outcome.part = nullptr;
      outcome.error = std::current_exception();
    }
  }

  Loop& loop_;
  void* sibling_;
  void* room_;
  float step_cost_;
  std::uint64_t lo_;
  std::uint64_t hi_;
};

}  // namespace furca::detail
