// A loop on its way: when it publishes half of what is left (lazy binary splitting), and how the
// halves come together again.
//
// Tzannes, Caragea, Barua, Vishkin: Lazy Binary-Splitting, PPoPP 2010. A loop looks at its own
// deque before each chunk of steps: README.md beside this tells its life.
//
// What lies behind a step that takes long can be stolen only if it was published before. So of
// stretches of more than a 64th of the loop that seem worth several microseconds the upper half is
// published whatever the deque holds, and, unless two calls of a body have said that its steps are
// even (StepCost), everything down to a piece: two neighbours can run at the same time only if each
// is published by itself, so it cannot be had for less.
#include <furca/detail/loop/loop.hpp>

#include <furca/detail/base/refuse.hpp>

#include <furca/detail/fork/forks.hpp>
#include <furca/detail/loop/blocks.hpp>

#include "loop_half.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace furca::detail {

namespace {

/// The middle, moved down to a multiple of a power of two of about a 128th of the length:
/// neighbours then seldom write to one cache line, and the subtrees of an aligned reduction are
/// whole.
std::uint64_t split_point(std::uint64_t lo, std::uint64_t hi) noexcept {
  const std::uint64_t length = hi - lo;
  const std::uint64_t unit = std::bit_floor(length / 128 + 1);
  const std::uint64_t middle = (lo + length / 2) & ~(unit - 1);
  return middle > lo ? middle : lo + length / 2;
}

}  // namespace

void refuse(const char* message) { throw std::invalid_argument(message); }

void refuse_length(const char* message) { throw std::length_error(message); }

void refuse_index(const char* message) { throw std::out_of_range(message); }

void refuse_grain() {
  throw std::invalid_argument(
      "furca: .grain = 0: the least number of iterations worth sharing is 1; leave it out to have "
      "it measured");
}

/// Relaxed: the exception itself travels through a latch.
void LoopEnd::lower_to(std::uint64_t step) noexcept {
  std::uint64_t end = get();
  while (step < end && !end_.replace(end, step)) {
  }
}

void Loop::run(void* part) {
  check_grain(grain_);
  if (steps_ == 0 || stopped()) return;
  Worker* const here = Worker::if_unobserved();
  if (here == nullptr) [[unlikely]]
    return attach_and_run(part);
  // Nothing to share, and a clock takes longer than many a step. Now and then it is timed, for
  // longer loops over the same body.
  if (steps_ == 1 && (here->random() & 15U) != 0) {
    const InLoop in_loop(*here);
    return functions_.run(part, 0, 1, end_);
  }
  run_by_cost(*here, part);
}

/// No worker, or one that is observed. An observed loop is not run in one stretch where it is known
/// to be short: each of its chunks is a strand.
void Loop::attach_and_run(void* part) {
  Worker& self = Worker::current();
  if (!observing) return run_by_cost(self, part);
  const Observed observed(StolenAs::steps, functions_.site(where_));
  observed_ = observed.call();
  remember(self);
  const InLoop in_loop(self);
  walk_from(self, part, cost_before_, 0);
}

void Loop::run_by_cost(Worker& self, void* part) {
  remember(self);
  const InLoop in_loop(self);
  if (apart_) [[unlikely]]
    return walk_from(self, part, 0, 0);
  if (self.alone() && known_to_end_soon(cost_before_, steps_) && (self.random() & 15U) != 0) {
    if (stop_ == nullptr && !watched_) return functions_.run(part, 0, steps_, end_);
    if (steps_ <= Pace::kMostHalved) return run_short(self, part, false);
  }
  if (known_to_be_short(cost_before_, steps_)) return run_short(self, part, true);
  walk_from(self, part, cost_before_, 0);
}

/// What a step cost in the calls before, at this depth; else in any thread's.
FURCA_INLINE inline void Loop::remember(Worker& self) noexcept {
  depth_ = self.loops;
  remembered_as_ = StepCosts::key(&functions_, depth_);
  const StepCost* const remembered = self.step_costs.find(remembered_as_);
  cost_before_ = remembered != nullptr ? remembered->get() : functions_.cost.read();
}

/// What a step was seen to cost, for the calls to come.
void Loop::learn(Worker& self, float seen) noexcept {
  if (StepCost* const remembered = self.step_costs.find(remembered_as_))
    return remembered->learn(seen);
  self.step_costs.add(remembered_as_).learn(seen);
  const float known = functions_.cost.read();
  if (known <= 0 || seen > 2 * known || 2 * seen < known) functions_.cost.write(seen);
}

/// An eighth or less, a power of two, to see whether it is short this time too; then the rest at
/// once, or like any other loop. One of sixteen, at random, is timed as a whole, so that those with
/// a cheap beginning are found out; the others teach nothing if no step took longer than was known.
/// Not `timed`, what is known is believed: in each node of a search that may be
/// stopped a look at the clock takes longer than the steps.
void Loop::run_short(Worker& self, void* part, bool timed) {
  std::uint64_t few = std::max(grain_, steps_ >= 16 ? std::bit_floor(steps_ / 8) : 1);
  if (steps_ - std::min(few, steps_) < grain_) few = steps_;  // no call gets less than the grain
  if (!timed) {
    functions_.run(part, 0, few, end_);
    if (few < steps_ && !stopped()) functions_.run(part, few, steps_, end_);
    return;
  }
  const bool sampled = (self.random() & 15U) == 0;
  const std::uint64_t start = ticks();
  functions_.run(part, 0, few, end_);
  const std::uint64_t took = ticks() - start;
  if (!sampled && few < steps_ &&
      static_cast<float>(took) <= cost_before_ * static_cast<float>(few)) [[likely]] {
    if (!stopped()) functions_.run(part, few, steps_, end_);
    return;
  }
  float seen = cost_of_step(took, few);
  if (few < steps_) {
    if (!known_to_be_short(seen, few)) {
      learn(self, seen);
      learn_vector_steps(seen);
      return walk_from(self, part, seen, few);
    }
    if (stopped()) return;
    functions_.run(part, few, steps_, end_);
    if (sampled) {
      const float whole = cost_of_step(ticks() - start, steps_);
      if (steps_ >= 256) learn_vector_steps(whole);  // of fewer it tells what the clock takes
      seen = std::max(seen, whole);
    }
  }
  learn(self, seen);
}

/// What a step of a short loop cost, for calls that do without one.
void Loop::learn_vector_steps(float seen) noexcept {
  constexpr float kLessThanBranch = 0.125e-3F;  // microseconds
  constexpr float kMany = 1e9F;
  const bool fast = seen > 0 && seen <= kLessThanBranch * known_ticks_per_microsecond();
  const float steps = std::min(kMany, measured_costs.sharing_ticks() / seen);
  const auto calls = fast ? static_cast<std::uint32_t>(steps) : 0;
  const std::uint32_t known = functions_.vector_steps.read();
  if (calls > 2 * known || known > 2 * calls) functions_.vector_steps.write(calls);
}

/// Steps [lo, steps_), shared as they deserve. `step_cost`: as far as is known by now.
void Loop::walk_from(Worker& self, void* part, float step_cost, std::uint64_t lo) {
  const std::uint64_t steps = steps_ - lo;
  Walk walk{*this, self, part,
            Pace::of(self, self.step_costs.find(remembered_as_), step_cost, cost_before_, steps,
                     grain_, apart_)};
  const std::uint64_t began = walk.pace.last_clock();
  if (walk.deserves_places(steps))
    walk.run_in_places(lo);
  else
    walk.advance(lo, steps_);
  if (walk.pace.halves())
    walk.learn_from_halves(began, steps);
  else
    walk.learn_from(began, steps);
}

/// If its first piece was measured.
void Loop::Walk::learn_from_halves(std::uint64_t began, std::uint64_t steps) const noexcept {
  if (pace.step_cost() <= 0) return;
  // waits are in it, so it is not believed to be more than is known
  const float whole = cost_of_step(ticks() - began, steps);
  const float before = loop.cost_before_;
  loop.learn(self, std::max(pace.step_cost(), before > 0 ? std::min(whole, before) : whole));
}

void Loop::Walk::learn_from(std::uint64_t began, std::uint64_t steps) noexcept {
  if (pace.shared()) {
    self.row.ended_shared();
  } else {
    // for so long a thread that had helped would look for another loop
    const auto looks = static_cast<std::uint64_t>(self.team().nap_costs());
    self.row.ended_unshared(static_cast<float>(pace.last_clock() - began),
                            pace.last_clock() + looks);
  }
  const Pace::Busy busy = pace.busy();
  const auto all = static_cast<float>(steps);
  // else less than a quarter of them took more than half of the time
  const bool even =
      2 * busy.slow_ticks <= busy.ticks || 4 * busy.slow_steps >= all || loop.stopped();
  loop.learn(self, even ? pace.step_cost() : busy.ticks / all);
  if (StepCost* const remembered = self.step_costs.find(loop.remembered_as_))
    remembered->judge(even);
}

/// Recursion only below a published half, so it is log2(steps) deep.
void Loop::Walk::advance(std::uint64_t lo, std::uint64_t hi) {
  while (lo < hi) {
    if (lo >= loop.end_.get() || loop.stopped()) return;
    const std::uint64_t count = pace.next(self, hi - lo, loop.steps_);
    if (loop.observed_ != nullptr) [[unlikely]]
      decided(pace.decision(self, hi - lo, loop.steps_));
    if (count == 0) {
      lo = loop.functions_.fresh != nullptr ? share_in_room(lo, hi) : share(lo, hi, nullptr);
      continue;
    }
    {
      const Strand strand(loop.observed_);
      loop.functions_.run(part, lo, lo + count, loop.end_);
    }
    lo += count;
    pace.ran(count, hi - lo);
  }
}

std::uint64_t Loop::Walk::share_in_room(std::uint64_t lo, std::uint64_t hi) {
  PartRoom room;
  return share(lo, hi, &room);
}

/// Publishes the upper half, and runs the lower. Returns where to go on: in the middle if the upper
/// half was not stolen, else at the end, once the thief is done.
/// A thief's part is made in `room`, if there is any.
/// Checked by: tests/model/programs/loop_programs.hpp ("loops: few steps", "loops: results come
/// together in order", "loops: the first step throws")
FURCA_INLINE inline std::uint64_t Loop::Walk::share(std::uint64_t lo, std::uint64_t hi,
                                                    PartRoom* room) {
  const std::uint64_t middle = split_point(lo, hi);
  Half upper(*this, room, middle, hi);
  if (!pace.in_pieces()) self.deque().expect_thieves();
  const bool wakes = !pace.halves() && would_wake(self);
  if (wakes) pace.look(hi - lo);
  Fork fork(self, upper);
  if (wakes) pace.resume();  // a wake-up takes as long as many a chunk
  advance(lo, middle);
  const bool bare = fork.lies_bare();  // else take() runs what the steps have spawned
  if (!bare) pace.look(0);
  if (fork.take()) {
    if (!bare) pace.resume();
    return middle;
  }
  pace.look(0);
  self.wait(upper.latch);
  upper.absorb_into(*this);
  return hi;
}

}  // namespace furca::detail
