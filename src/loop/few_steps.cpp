// Loops of few steps in loops: a fork for each halving, as joins would have it.
#include <furca/detail/loop/few_steps.hpp>

#include <furca/detail/fork/forks.hpp>
#include <furca/detail/fork/join_arms.hpp>
#include <furca/detail/fork/worker.hpp>

#include "worker_loops.hpp"

namespace furca::detail {

namespace {

struct FewSteps {
  void (*one)(const void* body, std::uint64_t step);
  const void* body;
  std::uint32_t depth;  // how many loops the steps are in
};

void fork_halves(Worker& self, const FewSteps& loop, std::uint32_t lo, std::uint32_t hi);

/// Steps [lo, hi), at least one. The lower half runs here first; if it throws, the upper one is
/// withdrawn.
/// Checked by: tests/model/programs/loop_programs.hpp ("loops: few steps in a loop", "loops: few
/// steps in a loop, the first of which throws")
FURCA_INLINE inline void fork_halves_here(Worker& self, const FewSteps& loop, std::uint32_t lo,
                                          std::uint32_t hi) {
  while (hi - lo > 1) {
    const std::uint32_t middle = lo + (hi - lo) / 2;
    const auto run_stolen = [&loop, middle, hi] {  // of two words, which lie in the job
      Worker& thief = *Worker::if_unobserved();
      const InLoop in_loop(thief, loop.depth);
      fork_halves(thief, loop, middle, hi);
    };
    ForkedArm<decltype(run_stolen)> upper(run_stolen);
    Fork fork(self, upper);
    middle - lo == 1 ? loop.one(loop.body, lo) : fork_halves(self, loop, lo, middle);
    if (!fork.take()) [[unlikely]] {
      upper.collect(self);
      return;
    }
    lo = middle;
  }
  loop.one(loop.body, lo);
}

void fork_halves(Worker& self, const FewSteps& loop, std::uint32_t lo, std::uint32_t hi) {
  fork_halves_here(self, loop, lo, hi);
}

}  // namespace

bool run_few_steps(Forks& here, void (*one)(const void* body, std::uint64_t step), const void* body,
                   std::uint64_t steps) {
  if (steps == 0) return true;
  auto& self = static_cast<Worker&>(here);
  if (self.loops == 0) return false;
  if (self.alone()) {
    const InLoop in_loop(self);
    for (std::uint64_t i = 0; i < steps; ++i) one(body, i);
  } else {
    if (self.nothing_to_steal() || would_wake(self)) return false;
    const InLoop in_loop(self);
    fork_halves_here(self, {one, body, self.loops}, 0, static_cast<std::uint32_t>(steps));
  }
  return true;
}

}  // namespace furca::detail
