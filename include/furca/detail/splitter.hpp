// The splitter: when a loop publishes half of what is left (lazy binary splitting), and how the halves come together again.
//
// Tzannes, Caragea, Barua, Vishkin: Lazy Binary-Splitting, PPoPP 2010. A loop works through its steps in chunks. Before
// each chunk it looks at its own deque: if there is nothing to steal, it publishes the upper half of what is left and goes on
// with the lower. (There is another reason, below.) Nobody came: it takes the half back. Somebody did: the thief does the same
// with it, and this thread, when it is through with its own, helps there.
//
// What lies behind a step that takes long can be stolen only if it was published before. So stretches of more than a 64th of the loop
// that seem worth several microseconds are published whatever the deque holds: the thread that meets such a step has little of its
// own left behind it.
//
// "Publish once at entry, then lazily" and "lazily only" are the same thing here: an entering loop whose deque is empty
// publishes at once. One whose deque still holds something publishes large stretches only; unlike a join it looks again after each
// chunk.
#pragma once

#include <furca/detail/observe.hpp>
#include <furca/detail/pace.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/withdrawal.hpp>
#include <furca/detail/worker.hpp>
#include <furca/options.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace furca::detail {

template <class F, class... Args>
consteval bool held_by_value() {
  if constexpr (std::is_function_v<F>) {
    return false;
  } else {
    return std::is_trivially_copyable_v<F> && std::copy_constructible<F> && sizeof(F) <= 64 && std::invocable<const F&, Args...>;
  }
}

/// How an inner loop holds the user's callable: a copy where that can make no difference, so that the compiler knows that no
/// store of the loop changes what was captured (y[i] += a * x[i] would load a again and again); else a reference.
template <class F, class... Args>
using Held = std::conditional_t<held_by_value<F, Args...>(), std::add_const_t<F>, F&>;

/// Throws std::invalid_argument for a grain of 0.
inline void check_grain(std::size_t grain) {
  if (grain == 0)
    throw std::invalid_argument("furca: .grain = 0: the least number of iterations worth sharing is 1; leave it out to have it measured");
}

/// Where a loop ends: its length, or the lowest step that threw. Steps below it run, whatever happened above.
class LoopEnd {
 public:
  explicit LoopEnd(std::uint64_t steps) noexcept : end_(steps) {}

  std::uint64_t get() const noexcept { return end_.load(std::memory_order_relaxed); }

  /// A body threw at `step`. Relaxed: the exception itself travels through a latch.
  void lower_to(std::uint64_t step) noexcept {
    std::uint64_t end = get();
    while (step < end && !end_.compare_exchange_weak(end, step, std::memory_order_relaxed, std::memory_order_relaxed)) {
    }
  }

 private:
  Atomics::Atomic<std::uint64_t> end_;
};

/// What a loop does with a stretch of its steps. Each thread that takes part has one of its own.
template <class P>
concept LoopPart = requires(P part, const P& shared, LoopEnd& end, std::uint64_t step) {
  part.run(step, step, end);         // runs steps [lo, hi); if one throws, tells `end` which, and throws on
  { shared.fresh() } -> std::same_as<P>;  // for a thief: a part with nothing in it yet
  part.absorb(std::move(part));      // what was run by the part to the right of this one
};

/// Large parts lie on the heap: a frame that publishes a half has a place for one, and a stack holds log2(steps) such frames.
template <class Part>
inline constexpr bool kLargePart = sizeof(Part) > 2'048;

/// The first part of a reduction is in its caller's frame, of which there is one, unless it is larger than this.
template <class Part>
inline constexpr bool kHugePart = sizeof(Part) > 32'768;

/// A part that make() has made, in place.
template <class Part, bool kLarge = kLargePart<Part>>
class PartPlace {
 public:
  template <class Make>
  explicit PartPlace(Make make) : part_(make()) {}
  Part& operator*() noexcept { return part_; }

 private:
  Part part_;
};

template <class Part>
class PartPlace<Part, true> {
 public:
  template <class Make>
  explicit PartPlace(Make make) : part_(new Part(make())) {}
  Part& operator*() noexcept { return *part_; }

 private:
  std::unique_ptr<Part> part_;
};

template <LoopPart Part>
class Loop {
 public:
  Loop(std::uint64_t steps, std::size_t grain, const std::stop_token& stop, BodyCost& cost) noexcept
      : steps_(steps), grain_(grain == automatic_grain ? 1 : grain), stop_(stop.stop_possible() ? &stop : nullptr), end_(steps), cost_(cost) {}

  void run(Part& part, Construct construct, const SourceLocation& where) {
    if (steps_ == 0 || stopped()) return;
    Worker* const here = current_worker;
    if (here == nullptr && observing) [[unlikely]] return run_observed(part, construct, where);
    Worker& self = here != nullptr ? *here : Worker::attach();
    const float known = cost_.get();
    if (stop_ == nullptr && grain_ == 1 && known_to_be_short(known, steps_)) {
      run_short(self, part);
      return;
    }
    run_long(self, part, Pace(known, steps_, grain_), 0);
  }

 private:
  /// The upper half of a stretch, in the frame that published it.
  class Half : public ForkedJob {
   public:
    Half(Loop& loop, const Part& sibling, float step_cost, std::uint64_t lo, std::uint64_t hi) noexcept
        : ForkedJob(&run_stolen), loop_(loop), sibling_(sibling), step_cost_(step_cost), lo_(lo), hi_(hi) {}

    Outcome<PartPlace<Part>> outcome;

   private:
    static JobEnd run_stolen(Job& job, Worker& runner, bool) noexcept {
      auto& self = static_cast<Half&>(job);
      return runner.run_forked(self.latch, [&] {
        self.outcome.fill([&] {
          PartPlace<Part> part([&] { return self.sibling_.fresh(); });
          Pace pace(self.step_cost_, self.hi_ - self.lo_, self.loop_.grain_);
          const Piece piece(self.loop_.observed_);
          self.loop_.advance(runner, *part, pace, self.lo_, self.hi_);
          return part;
        });
      });
    }

    Loop& loop_;
    const Part& sibling_;
    float step_cost_;
    std::uint64_t lo_;
    std::uint64_t hi_;
  };

  /// Large parts are run and absorbed in frames of their own: what the user's functions have on the stack there, by value, would else be in the frame of
  /// each level of the recursion.
  [[gnu::noinline]] static void run_apart(Part& part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end) { part.run(lo, hi, end); }
  [[gnu::noinline]] static void absorb_apart(Part& part, Part& right) { part.absorb(std::move(right)); }

  static void run_steps(Part& part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    if constexpr (kLargePart<Part>) {
      run_apart(part, lo, hi, end);
    } else {
      part.run(lo, hi, end);
    }
  }

  static void absorb(Part& part, Part& right) {
    if constexpr (kLargePart<Part>) {
      absorb_apart(part, right);
    } else {
      part.absorb(std::move(right));
    }
  }

  bool large(const Pace& pace, std::uint64_t length) const noexcept { return length > steps_ / 64 && pace.worth_splitting(length); }

  bool stopped() const noexcept { return stop_ != nullptr && stop_->stop_requested(); }

  /// An eighth, to see whether it is short this time too; then the rest in one piece, or like any other loop. A single step leaves
  /// nothing to share, and reading a clock twice takes longer than that: one of sixteen is timed, at random. And one of sixteen longer
  /// loops as a whole, so that those with a cheap beginning are found out.
  void run_short(Worker& self, Part& part) {
    const bool sampled = (self.random() & 15U) == 0;
    const bool timed = steps_ > 1 || sampled;
    const std::uint64_t start = timed ? ticks() : 0;
    float seen = 0;
    for (std::uint64_t lo = 0, hi = std::max<std::uint64_t>(steps_ / 8, 1);; lo = hi, hi = steps_) {
      run_steps(part, lo, hi, end_);
      if (lo == 0 && timed) seen = std::max(static_cast<float>(ticks() - start) / static_cast<float>(hi), kLeastCost);
      if (hi == steps_) break;
      if (lo == 0 && !known_to_be_short(seen, hi)) {
        run_long(self, part, Pace(seen, steps_ - hi, grain_), hi);
        return;
      }
    }
    if (sampled && steps_ > 1) seen = std::max(seen, static_cast<float>(ticks() - start) / static_cast<float>(steps_));
    if (timed) cost_.learn(seen);
  }

  /// Its chunks are strands. None that is known to be short: it is one chunk then.
  FURCA_COLD void run_observed(Part& part, Construct construct, const SourceLocation& where) {
    Worker& self = Worker::attach();
    Observed observed(construct, where);
    observed_ = observed.call();
    run_long(self, part, Pace(cost_.get(), steps_, grain_), 0);
  }

  /// Steps [lo, steps_), shared as they deserve.
  void run_long(Worker& self, Part& part, Pace pace, std::uint64_t lo) {
    pace.help_after(self.help_after(pace.now()));
    advance(self, part, pace, lo, steps_);
    self.loop_ended(pace.row_ends());
    cost_.learn(pace.step_cost());
  }

  /// Runs steps [lo, hi) into `part`. Recursion only below a published half, so it is log2(steps) deep.
  void advance(Worker& self, Part& part, Pace& pace, std::uint64_t lo, std::uint64_t hi) {
    while (lo < hi) {
      if (lo >= end_.get() || stopped()) return;
      if (!self.alone() && (self.nothing_to_steal() ? pace.worth_sharing(hi - lo, self.would_wake()) : large(pace, hi - lo))) {
        const std::uint64_t middle = split_point(lo, hi);
        Half upper(*this, part, pace.step_cost(), middle, hi);
        const Worker::Index at = self.fork(upper);
        {
          Withdrawal withdrawal(self, at, upper);
          advance(self, part, pace, lo, middle);
          withdrawal.not_needed();
        }
        const bool bare = self.level() == at + 1;  // else take() runs what the steps have spawned
        if (!self.take(at)) {
          self.wait(upper.latch);
          {
            const Strand combining(observed_, Strand::AfterAll{});
            PartPlace<Part> right = upper.outcome.take();
            absorb(part, *right);
          }
          pace.resume();
          return;
        }
        if (!bare) pace.resume();
        lo = middle;  // nobody came
        continue;
      }
      const std::uint64_t count = std::min(pace.chunk(), hi - lo);
      {
        const Strand strand(observed_);
        run_steps(part, lo, lo + count, end_);
      }
      lo += count;
      pace.ran(count, hi - lo);
    }
  }

  /// The middle, moved down to a multiple of a power of two of about a 128th of the length: neighbours then seldom write to one cache
  /// line, and the subtrees of an aligned reduction are whole.
  static std::uint64_t split_point(std::uint64_t lo, std::uint64_t hi) noexcept {
    const std::uint64_t length = hi - lo;
    const std::uint64_t unit = std::bit_floor(length / 128 + 1);
    const std::uint64_t middle = (lo + length / 2) & ~(unit - 1);
    return middle > lo ? middle : lo + length / 2;
  }

  const std::uint64_t steps_;
  const std::uint64_t grain_;
  const std::stop_token* const stop_;
  LoopEnd end_;
  BodyCost& cost_;
  ObservedCall* observed_ = nullptr;
};

}  // namespace furca::detail
