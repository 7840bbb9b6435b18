// How many steps of a loop to run at a time, and how many are worth publishing: from what a step
// was seen to cost.
#pragma once

#include <furca/detail/fork/worker.hpp>

#include "../measuring/clock.hpp"
#include "../measuring/costs.hpp"
#include "../measuring/step_costs.hpp"
#include "../observing/decision.hpp"
#include "worker_loops.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace furca::detail {

/// One thread's pace through one loop. It is asked before each step forward (next()): run so many,
/// or publish the upper half of what is left.
///
/// A chunk is what runs between two looks at the deque, the clock and the stop word. It grows to an
/// eighth of what is left, but to no less than the time after which looking costs little
/// (Costs::chunk()), and no more than eight times that; at most fourfold at a time. And it begins
/// with no more than an eighth of the loop: if the cost remembered is wrong, little was run on its
/// word.
///
/// If it is not known that the body's steps are even, everything down to a `piece` is published
/// before that runs, however cheap the steps were so far; `step_cost` is their mean in the calls
/// before. Then pieces run one by one, and a chunk is what runs between two looks at the clock.
///
/// Few steps are halved as joins would be, down to pieces of a microsecond, as far as it is known
/// what a step costs. So they cost what as many joins would, and need no clock; but a body's first
/// calls, and one loop of sixteen, measure their first piece.
class Pace {
 public:
  /// What steps have taken, in ticks; and those of chunks in which they took many times as long as
  /// was to be expected.
  struct Busy {
    float ticks;
    float slow_ticks;
    float slow_steps;
  };

  Pace(float step_cost, std::uint64_t steps, std::uint64_t grain, std::uint64_t piece = 0) noexcept
      : step_cost_(step_cost),
        cost_before_(step_cost),
        worth_waking_(unmeasured()),
        piece_(piece),
        grain_(grain),
        chunk_(first_chunk(steps)),
        last_(ticks()) {}

  /// So many steps need no clock.
  static constexpr std::uint64_t kMostHalved = 64;

  /// For so many steps, all that are left of a loop. `remembered`: what its body has cost; null:
  /// not known. `step_cost`: by now, in ticks; `cost_before`: in the calls before, which speaks
  /// against a thread's being woken for what looks expensive after a rest; 0: not known.
  /// `apart`: each step may be stolen before the first one runs.
  static Pace of(Worker& self, const StepCost* remembered, float step_cost, float cost_before,
                 std::uint64_t steps, std::uint64_t grain, bool apart) noexcept {
    constexpr std::uint64_t kMostPieces = 16'384;
    if (apart) step_cost = 0;
    if (apart || should_halve(self, cost_before > 0 ? std::min(step_cost, cost_before) : step_cost,
                              steps, grain)) {
      // if what is known is wrong, little is run on its word
      return halving(std::min(piece_for(step_cost, grain), std::max(grain, steps / 8)),
                     remembered == nullptr || remembered->young() || (self.random() & 15U) == 0);
    }
    const bool in_pieces = !self.alone() && (remembered == nullptr || !remembered->even());
    // of known cost a fifth of a piece of few steps, since one of many may be expensive
    Pace pace(step_cost, steps, grain,
              in_pieces ? std::max(piece_for(5 * step_cost, grain), steps / kMostPieces) : 0);
    const WakeLatency& latency = self.team().sleep().latency;
    pace.set_worth_waking(
        self.row.worth_waking(pace.last_clock(), latency, unmeasured(), (self.random() & 63U) == 0),
        2 * latency.wakers_own(), cost_before);
    return pace;
  }

  /// Few steps, of two grains at least: a fork is cheap, or they are worth a thread that has to be
  /// woken. `step_cost`: the least that is known; 0: not known.
  static bool should_halve(const Worker& self, float step_cost, std::uint64_t steps,
                           std::uint64_t grain) noexcept {
    if (steps > kMostHalved || steps / 2 < grain) return false;
    return step_cost <= 0 || !would_wake(self) ||
           static_cast<float>(steps) * step_cost >= unmeasured();
  }

  /// `measured`: the first piece is.
  static Pace halving(std::uint64_t piece, bool measured) noexcept {
    Pace pace;
    pace.halves_ = true;
    pace.measured_ = measured;
    pace.piece_ = piece;
    if (measured) pace.last_ = ticks();
    return pace;
  }

  /// A thief's, of so many steps of the same loop, one of which costs `step_cost` by now; in pieces
  /// the mean in the calls before counts. Reads members that never change: the owner goes on.
  Pace of_thief(float step_cost, float cost_before, std::uint64_t steps) const noexcept {
    if (halves_) return halving(piece_, false);
    return Pace(piece_ != 0 && cost_before > 0 ? cost_before : step_cost, steps, grain_, piece_);
  }

  /// Steps to run now, of those that are left; 0: the upper half is to be published. `whole`: the
  /// steps of the loop.
  std::uint64_t next(Worker& self, std::uint64_t left, std::uint64_t whole) noexcept {
    if (publishes(choose(self, left, whole))) {
      shared_ = true;
      return 0;
    }
    if (measured_) [[unlikely]]
      last_ = ticks();
    return std::min(steps_now(), left);
  }

  /// What next() will say, and why: for who observes.
  FURCA_COLD Decision decision(const Worker& self, std::uint64_t left,
                               std::uint64_t whole) const noexcept {
    return decision(choose(self, left, whole), left);
  }
  Decision decision(Choice choice, std::uint64_t left) const noexcept {
    return {static_cast<float>(left) * step_cost_ / ticks_per_microsecond(), choice,
            in_pieces() && !halves_};
  }

  /// How many steps are not worth dividing: half as long as what is worth sharing. One, of unknown
  /// cost.
  static std::uint64_t piece_for(float step_cost, std::uint64_t grain) noexcept {
    const float fitting =
        step_cost > 0 ? 0.5F * measured_costs.sharing_ticks() / std::max(step_cost, kLeastCost)
                      : 1.0F;
    return std::max({grain, std::uint64_t{1}, static_cast<std::uint64_t>(fitting)});
  }

  bool halves() const noexcept { return halves_; }

  /// How many steps to run before the next look at the deque: a piece, or a chunk; of a piece of
  /// many steps a chunk, so that the loop can stop.
  std::uint64_t steps_now() const noexcept {
    return piece_ == 0 ? chunk_ : std::min(piece_, std::max(chunk_, kMostHalved));
  }
  float step_cost() const noexcept { return step_cost_; }

  /// When it last looked at the clock; at first the beginning.
  std::uint64_t last_clock() const noexcept { return last_; }

  /// What worth_waking() is while nobody knows, in ticks.
  static float unmeasured() noexcept { return kUnmeasuredWaking * measured_costs.sharing_ticks(); }

  /// Loops are worth a wake-up from that many ticks on. If what a step cost in the calls before
  /// (`cost_before`; 0: not known) speaks against it, what this loop's chunks cost speaks for it
  /// only from `evidence` ticks after now on: the first chunk after a rest takes several times as
  /// long as the others, and is a hundredth of the loop. One chunk's word is enough then: if the
  /// system has only interrupted it, that has cost more than the wake-up will.
  /// Rejected: a second chunk that agrees. Of 20,000 loops of 13 us that were known to be short 344
  /// to 456 woke a thread; where no chunk's word counted 310 to 324, to measure what that takes.
  void set_worth_waking(float ticks, float evidence = 0, float cost_before = 0) noexcept {
    worth_waking_ = std::max(ticks, measured_costs.sharing_ticks());
    if (piece_ == 0) cost_before_ = cost_before;
    believed_from_ = last_ + static_cast<std::uint64_t>(evidence);
  }

  /// `steps` were run since the last call, and `left` come next.
  void ran(std::uint64_t steps, std::uint64_t left) noexcept {
    if (halves_) {
      if (std::exchange(measured_, false)) [[unlikely]]
        step_cost_ = cost_of_step(ticks() - last_, steps);
      return;
    }
    since_ += steps;
    if (piece_ == 0 || since_ >= chunk_) look(left);
  }

  /// At the clock, if it has run anything since it did; `left` steps come next.
  void look(std::uint64_t left) noexcept {
    if (since_ == 0) return;
    const float shortest_ticks = measured_costs.chunk_ticks();  // of a chunk that has grown
    const std::uint64_t now = ticks();
    const auto took = static_cast<float>(now - std::exchange(last_, now));
    const auto steps = static_cast<float>(std::exchange(since_, 0));
    float seen = took / steps;
    busy_.ticks += took;
    if (piece_ != 0 && cost_before_ > 0 ? seen > 4 * cost_before_ : took > 16 * shortest_ticks) {
      busy_.slow_ticks += took;
      busy_.slow_steps += steps;
    }
    if (piece_ != 0 && took < shortest_ticks / 8 && step_cost_ > 0)
      seen = std::min(seen, step_cost_);  // mostly what looking takes
    step_cost_ = step_cost_ > 0 ? 0.5F * (step_cost_ + seen) : seen;
    const float per_tick = 1 / std::max(step_cost_, kLeastCost);
    const auto shortest = static_cast<std::uint64_t>(shortest_ticks * per_tick) + 1;
    const auto longest = static_cast<std::uint64_t>(8 * shortest_ticks * per_tick) + 1;
    chunk_ = std::max(grain_, std::min(4 * chunk_, std::clamp(left / 8, shortest, longest)));
  }

  /// What its steps have taken, with those that other threads ran for it.
  Busy busy() noexcept {
    look(0);
    return busy_;
  }
  void add_busy(const Busy& others) noexcept {
    busy_.ticks += others.ticks;
    busy_.slow_ticks += others.slow_ticks;
    busy_.slow_steps += others.slow_steps;
  }

  /// A half was published, or portions.
  bool shared() const noexcept { return shared_; }

  /// It goes through a portion of the loop, which has so many steps; others go through the rest.
  void begin_portion(std::uint64_t steps) noexcept {
    shared_ = true;
    chunk_ = first_chunk(steps);
  }

  /// Time has passed with other things.
  void resume() noexcept {
    if (!halves_) last_ = ticks();
  }

  /// That many steps have two grains, or two pieces.
  bool divides(std::uint64_t steps) const noexcept { return steps / 2 >= std::max(grain_, piece_); }

  /// Are that many steps, halved, worth another thread's while? `wake`: it would have to be woken
  /// first. A body of unknown cost is: finding out alone might take forever. So are two pieces.
  bool worth_sharing(std::uint64_t steps, bool wake) const noexcept {
    return step_cost_ <= 0 || (piece_ != 0 && !wake) ||
           static_cast<float>(steps) * (wake ? cost_if_to_wake() : step_cost_) >=
               (wake ? worth_waking_ : measured_costs.sharing_ticks());
  }

  /// Into how many portions may that many steps be divided, so that each is worth another thread's
  /// while? 1, if it is not known what they cost.
  std::uint64_t portions_worth_sharing(std::uint64_t steps) const noexcept {
    if (step_cost_ <= 0) return 1;
    constexpr float kMost = 65'536;  // no pool has as many threads
    const float worth =
        std::min(static_cast<float>(steps) * step_cost_ / measured_costs.sharing_ticks(), kMost);
    return std::max<std::uint64_t>(1, std::min(steps / grain_, static_cast<std::uint64_t>(worth)));
  }

  /// Are that many steps, halved, worth publishing beside what others can steal already? Rather
  /// less often than the above: each costs a fence while thieves are about.
  bool worth_splitting(std::uint64_t steps) const noexcept {
    return piece_ != 0 || step_cost_ <= 0 ||
           static_cast<float>(steps) * step_cost_ >= 4 * measured_costs.sharing_ticks();
  }

  bool in_pieces() const noexcept { return piece_ != 0; }

 private:
  Pace() noexcept = default;

  Choice choose(const Worker& self, std::uint64_t left, std::uint64_t whole) const noexcept {
    if (self.alone()) return Choice::alone;
    if (!divides(left)) return Choice::undivided;
    if (halves_) return Choice::halves;
    if (self.nothing_to_steal()) {
      if (would_wake(self))
        return worth_sharing(left, true) ? Choice::thread_woken : Choice::not_worth_waking;
      return worth_sharing(left, false) ? Choice::somebody_awake : Choice::too_short;
    }
    return (left > whole / 64 || in_pieces()) && worth_splitting(left) ? Choice::beside_older
                                                                       : Choice::older_work;
  }

  std::uint64_t first_chunk(std::uint64_t steps) const noexcept {
    const float fitting = step_cost_ > 0 && piece_ == 0 ? 0.25F * measured_costs.chunk_ticks() /
                                                              std::max(step_cost_, kLeastCost)
                                                        : 1.0F;
    return std::max(
        {grain_, std::uint64_t{1}, std::min(steps / 8, static_cast<std::uint64_t>(fitting))});
  }

  float cost_if_to_wake() const noexcept {
    if (piece_ != 0) return std::max(cost_before_, step_cost_);
    return cost_before_ > 0 && last_ < believed_from_ ? std::min(cost_before_, step_cost_)
                                                      : step_cost_;
  }

  float step_cost_ = 0;     // ticks; 0: not known
  float cost_before_ = 0;   // in pieces the mean of calls before; else see set_worth_waking()
  float worth_waking_ = 0;  // ticks
  Busy busy_{};
  bool shared_ = false;
  bool halves_ = false;      // few steps, without a clock
  bool measured_ = false;    // the next piece, the first of halves
  std::uint64_t piece_ = 0;  // 0: chunks
  std::uint64_t grain_ = 1;
  std::uint64_t since_ = 0;  // steps since the last look at the clock
  std::uint64_t chunk_ = 1;
  std::uint64_t last_ = 0;
  std::uint64_t believed_from_ = 0;  // see set_worth_waking()
};

}  // namespace furca::detail
