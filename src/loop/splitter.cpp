// The splitter: when a loop publishes half of what is left (lazy binary splitting), and how the
// halves come together again.
//
// Tzannes, Caragea, Barua, Vishkin: Lazy Binary-Splitting, PPoPP 2010. A loop works through its
// steps in chunks. Before each chunk it looks at its own deque: if there is nothing to steal, it
// publishes the upper half of what is left and goes on with the lower. (There is another reason,
// below.) If it was not stolen, the thread takes it back. Else the thief does the same with it, and
// this thread, when it is through with its own, helps there.
//
// What lies behind a step that takes long can be stolen only if it was published before. So
// stretches of more than a 64th of the loop that seem worth several microseconds are published
// whatever the deque holds: the thread that meets such a step has little of its own left behind it.
// What seems cheap is wrong where a few steps take most of the time. So unless two calls of a body
// have said that its steps are even (StepCost), everything down to a piece is published before that
// runs, as a loop of few steps does, and the clock is looked at between pieces: in the first call
// of all down to a step, later to what takes ten times as long as a fork. Two neighbours can run at
// the same time only if each is published alone, so it cannot be had for less.
//
// "Publish once at entry, then lazily" and "lazily only" are the same thing here: an entering loop
// whose deque is empty publishes at once. One whose deque still holds something publishes large
// stretches only; unlike a join it looks again after each chunk.
//
// A long outermost loop is first divided into a part for each thread (places.hpp, placed_loop.cpp),
// and each part goes on as above.
#include <furca/detail/loop/splitter.hpp>

#include <furca/detail/base/refuse.hpp>

#include <furca/detail/fork/fork.hpp>

#include "../pool/pool.hpp"
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

/// That many steps took so many ticks: for each, and no less than the clock can tell.
float step_cost(std::uint64_t ticks, std::uint64_t steps) noexcept {
  return std::max(static_cast<float>(ticks) / static_cast<float>(steps), kLeastCost);
}

}  // namespace

void refuse(const char* message) { throw std::invalid_argument(message); }

void refuse_length(const char* message) { throw std::length_error(message); }

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
  if (steps_ == 0 || stopped()) return;
  Worker* const here = current_worker;
  if (here == nullptr) [[unlikely]]
    return run_unknown(part);
  // Nothing to share, and a clock takes longer than many a step. Now and then it is timed, for
  // longer loops over the same body.
  if (steps_ == 1 && (here->random() & 15U) != 0) {
    const Worker::InLoop in_loop(*here);
    return functions_.run(part, 0, 1, end_);
  }
  run_on(*here, part);
}

/// No worker, or one that is observed.
void Loop::run_unknown(void* part) {
  observing ? run_observed(part) : run_on(Worker::attach(), part);
}

void Loop::run_on(Worker& self, void* part) {
  const float known = remember(self);
  const Worker::InLoop in_loop(self);
  if (apart_) [[unlikely]]
    return run_few(self, part, 0, 0);
  if (self.alone() && stop_ == nullptr && !watched_ && known_to_end_soon(known, steps_) &&
      (self.random() & 15U) != 0)
    return functions_.run(part, 0, steps_, end_);
  if (known_to_be_short(known, steps_)) return run_short(self, part);
  run_rest(self, part, known, 0);
}

/// What a step cost in the calls before, at this depth; else in any thread's.
FURCA_INLINE inline float Loop::remember(Worker& self) noexcept {
  depth_ = self.loops();
  remembered_as_ = {&functions_, depth_};
  const StepCost* const remembered = self.step_costs.find(remembered_as_);
  cost_before_ = remembered != nullptr ? remembered->get() : cost_.get();
  return cost_before_;
}

/// What a step was seen to cost, for the calls to come.
void Loop::learn(Worker& self, float seen) noexcept {
  if (StepCost* const remembered = self.step_costs.find(remembered_as_))
    return remembered->learn(seen);
  self.step_costs.add(remembered_as_).learn(seen);
  cost_.tell(seen);
}

/// An eighth, to see whether it is short this time too; then the rest in one piece, or like any
/// other loop. One of sixteen, at random, is timed as a whole, so that those with a cheap beginning
/// are found out.
void Loop::run_short(Worker& self, void* part) {
  const bool sampled = (self.random() & 15U) == 0;
  const std::uint64_t start = ticks();
  std::uint64_t few = std::max(grain_, steps_ >= 16 ? steps_ / 8 : 1);
  if (steps_ - std::min(few, steps_) < grain_) few = steps_;  // no call gets less than the grain
  functions_.run(part, 0, few, end_);
  float seen = step_cost(ticks() - start, few);
  if (few < steps_) {
    if (!known_to_be_short(seen, few)) {
      learn(self, seen);
      return run_rest(self, part, seen, few);
    }
    if (stopped()) return;
    functions_.run(part, few, steps_, end_);
    if (sampled) seen = std::max(seen, step_cost(ticks() - start, steps_));
  }
  learn(self, seen);
}

/// Its chunks are strands. None that is known to be short: it is one chunk then.
void Loop::run_observed(void* part) {
  Worker& self = Worker::attach();
  const Observed observed(StolenAs::pieces, functions_.site(where_));
  observed_ = observed.call();
  const float known = remember(self);
  const Worker::InLoop in_loop(self);
  apart_ ? run_few(self, part, 0, 0) : run_rest(self, part, known, 0);
}

/// Steps [lo, steps_), shared as they deserve. `known`: what a step costs, as far as is known by
/// now. What it cost in the calls before speaks against a thread's being woken for what looks
/// expensive after a rest.
void Loop::run_rest(Worker& self, void* part, float known, std::uint64_t lo) {
  constexpr std::uint64_t kFew = 64;
  const std::uint64_t left = steps_ - lo;
  if (left <= kFew && left / 2 >= grain_ &&
      (known <= 0 || self.forks_cheaply() ||
       Pace(cost_before_ > 0 ? std::min(known, cost_before_) : known, left, grain_)
           .worth_sharing(left, true))) {
    run_few(self, part, known, lo);
  } else {
    run_long(self, part, known, lo);
  }
}

/// Few steps: halved down to pieces of a microsecond, as far as it is known what a step costs, and
/// every upper half is published. So they cost what as many joins would, and need no clock; but one
/// loop of sixteen measures its first piece.
void Loop::run_few(Worker& self, void* part, float known, std::uint64_t lo) {
  // if what is known is wrong, little is run on its word
  piece_ = std::min(Pace::piece(known, grain_), std::max(grain_, (steps_ - lo) / 8));
  const StepCost* const remembered = self.step_costs.find(remembered_as_);
  sampling_ = remembered == nullptr || remembered->young() || (self.random() & 15U) == 0;
  first_ = lo;
  few_ = true;
  const std::uint64_t start = sampling_ ? ticks() : 0;
  halve(self, part, lo, steps_);
  if (sampled_ > 0) {
    // waits are in it, so it is not believed to be more than is known
    const float whole = step_cost(ticks() - start, steps_ - lo);
    learn(self, std::max(sampled_, cost_before_ > 0 ? std::min(whole, cost_before_) : whole));
  }
}

/// Runs steps [lo, hi) into `part`. Recursion only below a published half.
void Loop::halve(Worker& self, void* part, std::uint64_t lo, std::uint64_t hi) {
  while ((hi - lo) / 2 >= piece_ && !self.alone()) {
    if (lo >= end_.get() || stopped()) return;
    lo = publish_half(self, part, nullptr, lo, hi);
  }
  for (std::uint64_t next = lo; lo < hi; lo = next) {
    if (lo >= end_.get() || stopped()) return;
    next = std::min(lo + piece_, hi);
    const Strand strand(observed_);
    if (lo == first_ && sampling_) [[unlikely]] {
      const std::uint64_t start = ticks();
      functions_.run(part, lo, next, end_);
      sampled_ = step_cost(ticks() - start, next - lo);
    } else {
      functions_.run(part, lo, next, end_);
    }
  }
}

/// Many steps: chunk by chunk.
void Loop::run_long(Worker& self, void* part, float known, std::uint64_t lo) {
  constexpr std::uint64_t kMostPieces = 16'384;
  const StepCost* const before = self.step_costs.find(remembered_as_);
  if (!self.alone() && (before == nullptr || !before->even())) [[unlikely]]
    // of known cost a fifth of what few steps have: much may hang on one of many
    piece_ = std::max(Pace::piece(5 * known, grain_), (steps_ - lo) / kMostPieces);
  Pace pace(known, steps_ - lo, grain_, piece_);
  const std::uint64_t began = pace.now();
  pace.set_worth_waking(self.worth_waking(began, pace.unmeasured()), 2 * self.costs_of_waking(),
                        cost_before_);
  if (deserves_places(self, pace, steps_ - lo)) {
    run_in_places(self, part, pace, lo);
  } else {
    advance(self, part, pace, lo, steps_);
  }
  if (pace.shared()) {
    self.row.ended_shared();
  } else {
    // for so long a thread that had helped would look for another loop
    const auto looks = static_cast<std::uint64_t>(self.pool().nap_costs());
    self.row.ended_unshared(static_cast<float>(pace.now() - began), pace.now() + looks);
  }
  const Pace::Busy busy = pace.busy();
  const auto steps = static_cast<float>(steps_ - lo);
  // else less than a quarter of them took more than half of the time
  const bool even = 2 * busy.slow_ticks <= busy.ticks || 4 * busy.slow_steps >= steps || stopped();
  learn(self, even ? pace.step_cost() : busy.ticks / steps);
  if (StepCost* const remembered = self.step_costs.find(remembered_as_)) remembered->judge(even);
}

bool Loop::is_large(const Pace& pace, std::uint64_t length) const noexcept {
  return (length > steps_ / 64 || pace.in_pieces()) && pace.worth_splitting(length);
}

/// Runs steps [lo, hi) into `part`. Recursion only below a published half, so it is log2(steps)
/// deep.
void Loop::advance(Worker& self, void* part, Pace& pace, std::uint64_t lo, std::uint64_t hi) {
  while (lo < hi) {
    if (lo >= end_.get() || stopped()) return;
    if (!self.alone() && (self.nothing_to_steal() ? pace.worth_sharing(hi - lo, self.would_wake())
                                                  : is_large(pace, hi - lo))) {
      pace.shares();
      lo = publish_half(self, part, &pace, lo, hi);
      continue;
    }
    const std::uint64_t count = std::min(pace.chunk(), hi - lo);
    {
      const Strand strand(observed_);
      functions_.run(part, lo, lo + count, end_);
    }
    lo += count;
    pace.ran(count, hi - lo);
  }
}

void Split::run(void* room) {
  if (parts_ != nullptr) {
    loop_.lay_and_run(self_, part_, *pace_, *parts_, end_, room);
  } else {
    next_ = loop_.share(self_, part_, pace_, next_, end_, room);
  }
}

/// Runs steps from `lo` on, with the upper half published meanwhile. Returns where to go on.
std::uint64_t Loop::publish_half(Worker& self, void* part, Pace* pace, std::uint64_t lo,
                                 std::uint64_t hi) {
  if (functions_.with_room == nullptr) return share(self, part, pace, lo, hi, nullptr);
  Split split(*this, self, part, pace, lo, hi);
  functions_.with_room(split);
  return split.next_;
}

/// Publishes the upper half, and runs the lower. Returns where to go on: in the middle if the upper
/// half was not stolen, else at the end, once the thief is done.
/// A thief's part is made in `room`, if there is any.
/// Checked by: tests/model/programs/loop_programs.hpp ("loops: few steps", "loops: results come
/// together in order", "loops: the first step throws")
FURCA_INLINE inline std::uint64_t Loop::share(Worker& self, void* part, Pace* pace,
                                              std::uint64_t lo, std::uint64_t hi, void* room) {
  const std::uint64_t middle = split_point(lo, hi);
  Half upper(*this, part, room, pace != nullptr ? pace->step_cost() : 0, middle, hi);
  if (pace != nullptr && !pace->in_pieces()) self.expect_thieves();
  const bool wakes = pace != nullptr && self.would_wake();
  if (wakes) pace->look(hi - lo);
  Fork fork(self, upper);
  if (wakes) pace->resume();  // a wake-up takes as long as many a chunk
  pace != nullptr ? advance(self, part, *pace, lo, middle) : halve(self, part, lo, middle);
  const bool bare = fork.lies_bare();  // else take_back() runs what the steps have spawned
  if (!bare && pace != nullptr) pace->look(0);
  if (fork.take_back()) {
    if (!bare && pace != nullptr) pace->resume();
    return middle;
  }
  if (pace != nullptr) pace->look(0);
  fork.wait();
  {
    const Strand combining(observed_, Strand::AfterAll{});
    upper.absorb_into(part);
  }
  if (pace != nullptr) pace->add_busy(upper.busy());
  if (pace != nullptr) pace->resume();
  return hi;
}

}  // namespace furca::detail
