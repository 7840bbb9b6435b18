// How many steps of a loop to run at a time, and how many are worth publishing: from what a step
// was seen to cost.
#pragma once

#include <furca/detail/measuring/body_cost.hpp>
#include <furca/detail/measuring/clock.hpp>

#include "../measuring/clock.hpp"
#include "../measuring/tuning.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace furca::detail {

/// Going by what a step cost before, these are not worth another thread's while, and hardly worth
/// looking at a clock.
inline bool known_to_be_short(float step_cost, std::uint64_t steps) noexcept {
  return step_cost > 0 &&
         static_cast<float>(steps) * std::max(step_cost, kLeastCost) <= loop_tuning.sharing();
}

/// Going by what a step cost before, these are through in a millisecond. Then a worker that is
/// alone needs no chunks, if nobody waits for one to end: what is known may be wrong a
/// thousandfold, where the body is a function pointer, or has had little data before and has much
/// now.
inline bool known_to_end_soon(float step_cost, std::uint64_t steps) noexcept {
  return step_cost > 0 && static_cast<float>(steps) * std::max(step_cost, kLeastCost) <=
                              1'000 * known_ticks_per_microsecond();
}

/// One thread's pace through one loop.
///
/// A chunk is what runs between two looks at the deque, the clock and the stop word. It grows to an
/// eighth of what is left, but to no less than the time after which looking costs little
/// (Tuning::chunk), and no more than eight times that; at most fourfold at a time. And it begins
/// with no more than an eighth of the loop: if the cost remembered is wrong, little was run on its
/// word.
///
/// If it is not known that the body's steps are even, everything down to a `piece` is published
/// before that runs, however cheap the steps were so far; `step_cost` is their mean in the calls
/// before. Then a chunk is what runs between two looks at the clock alone.
class Pace {
 public:
  /// What steps have taken, in ticks; and those of chunks in which they took many times as long as
  /// was to be expected.
  struct Busy {
    float ticks = 0;
    float slow_ticks = 0;
    float slow_steps = 0;
  };

  Pace(float step_cost, std::uint64_t steps, std::uint64_t grain, std::uint64_t piece = 0) noexcept
      : step_cost_(step_cost),
        mean_(step_cost),
        shortest_(loop_tuning.chunk()),
        sharing_(loop_tuning.sharing()),
        worth_waking_(unmeasured()),
        piece_(piece),
        grain_(grain),
        chunk_(first_chunk(steps)),
        last_(ticks()) {}

  /// How many steps are not worth dividing: half as long as what is worth sharing. One, of unknown
  /// cost.
  static std::uint64_t piece(float step_cost, std::uint64_t grain) noexcept {
    const float fitting =
        step_cost > 0 ? 0.5F * loop_tuning.sharing() / std::max(step_cost, kLeastCost) : 1.0F;
    return std::max({grain, std::uint64_t{1}, static_cast<std::uint64_t>(fitting)});
  }

  /// How many steps to run before the next look at the deque.
  std::uint64_t chunk() const noexcept { return piece_ != 0 ? piece_ : chunk_; }
  float step_cost() const noexcept { return step_cost_; }

  /// The last look at the clock; at first the beginning.
  std::uint64_t now() const noexcept { return last_; }

  /// What worth_waking() is while nobody knows, in ticks.
  float unmeasured() const noexcept { return 6 * sharing_; }

  /// Loops are worth a wake-up from that many ticks on. If what a step cost in the calls before
  /// (`known`; 0: not known) speaks against it, what this loop's chunks cost speaks for it only
  /// from `evidence` ticks after now on: the first chunk after a rest takes several times as long
  /// as the others, and is a hundredth of the loop.
  /// One chunk's word is enough then: if the system has only interrupted it, that has cost more
  /// than the wake-up will.
  /// Rejected: a second chunk that agrees. Of 20,000 loops of 13 us that were known to be short 344
  /// to 456 woke a thread; where no chunk's word counted, 310 to 324, nearly all of them to measure
  /// what that takes (LoopRow). With two busy programs beside them, 131 to 149 and 119 to 143 of
  /// 10,000.
  void set_worth_waking(float ticks, float evidence = 0, float known = 0) noexcept {
    worth_waking_ = std::max(ticks, sharing_);
    known_ = known;
    believed_from_ = last_ + static_cast<std::uint64_t>(evidence);
  }

  /// `steps` were run since the last call, and `left` come next.
  void ran(std::uint64_t steps, std::uint64_t left) noexcept {
    since_ += steps;
    if (piece_ == 0 || since_ >= chunk_) look(left);
  }

  /// At the clock, if it has run anything since it did; `left` steps come next.
  void look(std::uint64_t left) noexcept {
    if (since_ == 0) return;
    const std::uint64_t now = ticks();
    const auto took = static_cast<float>(now - std::exchange(last_, now));
    const auto steps = static_cast<float>(std::exchange(since_, 0));
    float seen = took / steps;
    busy_.ticks += took;
    if (piece_ != 0 && mean_ > 0 ? seen > 4 * mean_ : took > 16 * shortest_) {
      busy_.slow_ticks += took;
      busy_.slow_steps += steps;
    }
    if (piece_ != 0 && took < shortest_ / 8 && step_cost_ > 0)
      seen = std::min(seen, step_cost_);  // mostly what looking takes
    step_cost_ = step_cost_ > 0 ? 0.5F * (step_cost_ + seen) : seen;
    const float per_tick = 1 / std::max(step_cost_, kLeastCost);
    const auto shortest = static_cast<std::uint64_t>(shortest_ * per_tick) + 1;
    const auto longest = static_cast<std::uint64_t>(8 * shortest_ * per_tick) + 1;
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

  /// A half is published.
  void shares() noexcept { shared_ = true; }
  bool shared() const noexcept { return shared_; }

  /// It goes through a part of the loop, which has so many steps.
  void begin_part(std::uint64_t steps) noexcept { chunk_ = first_chunk(steps); }

  /// Time has passed with other things.
  void resume() noexcept { last_ = ticks(); }

  /// Are that many steps, halved, worth another thread's while? `wake`: it would have to be woken
  /// first. A body of unknown cost is: finding out alone might take forever. So are two pieces.
  bool worth_sharing(std::uint64_t steps, bool wake) const noexcept {
    return steps / 2 >= std::max(grain_, piece_) &&
           (step_cost_ <= 0 || (piece_ != 0 && !wake) ||
            static_cast<float>(steps) * (wake ? cost_if_to_wake() : step_cost_) >=
                (wake ? worth_waking_ : sharing_));
  }

  /// Into how many parts may that many steps be divided, so that each is worth another thread's
  /// while? 1, if it is not known what they cost.
  std::uint64_t parts_worth_sharing(std::uint64_t steps) const noexcept {
    if (step_cost_ <= 0) return 1;
    constexpr float kMost = 65'536;  // no pool has as many threads
    const float worth = std::min(static_cast<float>(steps) * step_cost_ / sharing_, kMost);
    return std::max<std::uint64_t>(1, std::min(steps / grain_, static_cast<std::uint64_t>(worth)));
  }

  /// Are that many steps, halved, worth publishing beside what others can steal already? Rather
  /// less often than the above: each costs a fence while thieves are about.
  bool worth_splitting(std::uint64_t steps) const noexcept {
    return steps / 2 >= std::max(grain_, piece_) &&
           (piece_ != 0 || step_cost_ <= 0 ||
            static_cast<float>(steps) * step_cost_ >= 4 * sharing_);
  }

  bool in_pieces() const noexcept { return piece_ != 0; }

 private:
  std::uint64_t first_chunk(std::uint64_t steps) const noexcept {
    const float fitting =
        step_cost_ > 0 && piece_ == 0 ? 0.25F * shortest_ / std::max(step_cost_, kLeastCost) : 1.0F;
    return std::max(
        {grain_, std::uint64_t{1}, std::min(steps / 8, static_cast<std::uint64_t>(fitting))});
  }

  float cost_if_to_wake() const noexcept {
    if (piece_ != 0) return std::max(mean_, step_cost_);
    return known_ > 0 && last_ < believed_from_ ? std::min(known_, step_cost_) : step_cost_;
  }

  float step_cost_;     // ticks; 0: not known
  float mean_;          // the same at the beginning
  float known_ = 0;     // the same in the calls before
  float shortest_;      // ticks of a chunk that has grown
  float sharing_;       // ticks
  float worth_waking_;  // ticks
  Busy busy_;
  std::uint64_t piece_;  // 0: chunks
  std::uint64_t grain_;
  std::uint64_t since_ = 0;  // steps since the last look at the clock
  std::uint64_t chunk_;
  std::uint64_t last_;
  std::uint64_t believed_from_ = 0;  // see set_worth_waking()
  bool shared_ = false;
};

}  // namespace furca::detail
