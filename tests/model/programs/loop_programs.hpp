// Programs that run the shipped loops, whole, on a pool: long loops, loops of few steps in loops,
// and loops with a portion for each thread. Only in a build whose Atomics are the model's
// (machine/machine.hpp). Its clock goes a second for each step of the run (atomics.hpp): whatever
// this machine's costs are, everything is worth sharing, chunks are as short as they may be, and
// all depends on the decisions alone.
#pragma once

#include "pool_programs.hpp"

#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/detail/loop/index_range.hpp>
#include <furca/detail/loop/results.hpp>
#include <furca/parallel_for.hpp>
#include <furca/stop_token.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace furca::model {

/// The last started threads of a pool, so many, are in their start_hook until they are let go: they
/// have places, and do not come.
class HeldThreads {
 public:
  explicit HeldThreads(std::size_t threads) : threads_(threads) {}

  Config config(std::size_t size) {
    Config config{.threads = size};
    config.start_hook = [this, size](std::size_t thread) {
      if (thread + 1 + threads_ >= size) meet_first(go_on_);
    };
    return config;
  }

  void let_go() {
    go_on_.store(1, std::memory_order_relaxed);
    furca::detail::Atomics::wake(go_on_, static_cast<int>(threads_));
  }

 private:
  const std::size_t threads_;
  Atomic<std::uint32_t> go_on_{0};
};

/// What a step throws.
struct Thrown {
  std::uint64_t step;
};

/// The steps of a loop: each is done once, by somebody, and seen by who called it. They are gone
/// when the call has returned.
template <std::size_t Steps>
class LoopSteps {
 public:
  /// `held` is let go in the first step.
  explicit LoopSteps(HeldThreads* held) noexcept : held_(held) {}

  void begin(std::uint64_t step) {
    if (step == 0 && held_ != nullptr) held_->let_go();
  }
  void run(std::uint64_t step) { steps_[step].run(); }
  void check_done() const {
    for (const Piece& step : steps_) step.check_done();
  }

 private:
  HeldThreads* const held_;
  std::array<Piece, Steps> steps_;
};

/// Results that have to come together in order: a stretch of steps, each of which is to the right
/// of all that were there before.
class Stretch {
 public:
  Stretch() noexcept = default;
  Stretch(Stretch&& other) noexcept : first_(other.first_.get()), end_(other.end_.get()) {}

  void run(std::uint64_t lo, std::uint64_t hi, const furca::detail::LoopEnd&) { append(lo, hi); }
  Stretch fresh() const { return {}; }
  void absorb(Stretch&& right) { append(right.first_.get(), right.end_.get()); }

  void check_is(std::uint64_t steps) const {
    check(first_.get() == 0 && end_.get() == steps, "not all results have come together");
  }

 private:
  static constexpr std::uint64_t kNothing = UINT64_MAX;

  void append(std::uint64_t lo, std::uint64_t hi) {
    if (lo == kNothing) return;
    if (first_.get() == kNothing) {
      first_.set(lo);
    } else {
      check(end_.get() == lo, "results have come together out of order");
    }
    end_.set(hi);
  }

  Plain<std::uint64_t> first_{kNothing};
  Plain<std::uint64_t> end_{0};
};

/// As parallel_for and parallel_reduce call it. What a step costs is known from the start, as if
/// there had been calls before: what all loops of a type have learned would remain from one run to
/// the next.
template <class Part>
void run_loop(Part& part, std::uint64_t steps, std::size_t grain) {
  constexpr const furca::detail::PartFunctions& known = furca::detail::kFunctionsOf<Part, "loop">;
  const furca::detail::PartFunctions functions{known.run,    known.fresh,
                                               known.absorb, known.drop,
                                               known.site,   furca::detail::Relaxed<float>(1e9F)};
  const StopToken never;
  const auto here = SourceLocation::current();
  furca::detail::Loop(functions, steps, grain, never, &here).run(&part);
}

/// parallel_for, with such a loop.
template <class Body>
void loop(std::uint64_t steps, const Body& body, std::size_t grain = 1) {
  if (steps <= furca::detail::kFewSteps &&
      furca::detail::run_few_steps(furca::detail::Worker::current(), body, steps))
    return;
  furca::detail::ForPart<std::uint64_t, const Body> part(
      furca::detail::IndexRange<std::uint64_t>(0, steps), body, nullptr);
  run_loop(part, steps, grain);
}

/// Each of them once.
template <std::size_t Steps>
void run_steps(std::size_t grain = 1, HeldThreads* held = nullptr) {
  LoopSteps<Steps> steps(held);
  loop(
      Steps,
      [&steps](std::uint64_t i) {
        steps.begin(i);
        steps.run(i);
      },
      grain);
  steps.check_done();
}

template <std::size_t Steps>
void run_in_order(std::size_t grain = 1) {
  Stretch all;
  run_loop(all, Steps, grain);
  all.check_is(Steps);
}

/// One of them throws.
template <std::size_t Steps>
void run_until(std::uint64_t thrower, std::size_t grain = 1, HeldThreads* held = nullptr) {
  bool thrown = false;
  try {
    LoopSteps<Steps> steps(held);
    loop(
        Steps,
        [&steps, thrower](std::uint64_t i) {
          steps.begin(i);
          if (i == thrower) throw Thrown{i};
          steps.run(i);
        },
        grain);
  } catch (const Thrown& at) {
    check(at.step == thrower, "another exception");
    thrown = true;
  }
  check(thrown, "the exception is lost");
}

/// A loop of two steps, the first of which is `inner(held)`: a loop of few steps, which is halved
/// as joins are while the second step lies in the deque. The pool's other thread comes for that,
/// and for the upper half of the inner loop after it, when the inner loop lets it go.
template <class Inner>
auto loop_around(Inner inner) {
  return [inner] {
    HeldThreads held(1);
    ThreadPool pool(held.config(2));
    pool.install([&] {
      Piece second;
      loop(2, [&](std::uint64_t i) { i == 0 ? inner(&held) : second.run(); });
      second.check_done();
    });
  };
}

/// In a pool, until the end of the block: its loops have a portion for each thread, as if there
/// were more of them. They leave nothing behind.
class UsingPlaces {
 public:
  UsingPlaces() {
    portions_.set_used(true);
    portions_.set_grouped(true);
  }
  ~UsingPlaces() {
    check(!portions_.being_laid(), "the loop has ended, and portions of it may still come");
  }
  UsingPlaces(const UsingPlaces&) = delete;
  UsingPlaces& operator=(const UsingPlaces&) = delete;

 private:
  furca::detail::Portions& portions_ = furca::detail::Worker::current().pool().portions;
};

/// `body` where loops have portions.
template <class Body>
auto in_places(Body body) {
  return [body] {
    const UsingPlaces places;
    body();
  };
}

/// `body` in a pool of four, of which two threads do not come.
template <class Body>
auto two_of_four(Body body) {
  return [body] {
    HeldThreads held(2);
    ThreadPool pool(held.config(4));
    pool.install(body);
    held.let_go();
  };
}

/// The least loop that has portions: more than 64 steps, and enough for eight portions.
inline constexpr std::size_t kPlacedSteps = 72;
inline constexpr std::size_t kPlacedGrain = 9;

inline std::vector<Program> loop_programs() {
  return on_pools({
      {"loops: few steps", in_a_pool(2, [] { run_steps<3>(); }), with_preemptions(2, 1)},
      {"loops: many steps, in two chunks", in_a_pool(2, [] { run_steps<66>(33); }),
       with_preemptions(2, 1)},
      {"loops: results come together in order", in_a_pool(2, [] { run_in_order<3>(); }),
       with_preemptions(2, 1)},
      {"loops: the first step throws", in_a_pool(2, [] { run_until<3>(0); }),
       with_preemptions(2, 1)},
      {"loops: the second step throws", in_a_pool(2, [] { run_until<2>(1); }),
       with_preemptions(2, 1)},
      {"loops: few steps in a loop", loop_around([](HeldThreads* held) { run_steps<3>(1, held); }),
       with_preemptions(1, 1)},
      {"loops: few steps in a loop, the first of which throws",
       loop_around([](HeldThreads* held) { run_until<2>(0, 1, held); }), with_preemptions(1, 1)},
      {"loops: few steps in a loop, the second of which throws",
       loop_around([](HeldThreads* held) { run_until<2>(1, 1, held); }), with_preemptions(1, 1)},
  });
}

inline std::vector<Program> placed_loop_programs() {
  return on_pools({
      {"portions: one for each of two threads",
       in_a_pool(2, in_places([] { run_steps<kPlacedSteps>(kPlacedGrain); })),
       with_preemptions(1, 1)},
      {"portions: results come together in order",
       in_a_pool(2, in_places([] { run_in_order<kPlacedSteps>(kPlacedGrain); })),
       with_preemptions(1, 1)},
      {"portions: the first step throws",
       in_a_pool(2, in_places([] { run_until<kPlacedSteps>(0, kPlacedGrain); })),
       with_preemptions(1, 1)},
      {"portions: the last step throws",
       in_a_pool(2, in_places([] { run_until<kPlacedSteps>(kPlacedSteps - 1, kPlacedGrain); })),
       with_preemptions(1, 1)},
      {"portions: three, and a thread that does not come for its own",
       in_a_pool(3, in_places([] { run_steps<kPlacedSteps>(kPlacedGrain); })),
       with_preemptions(1, 0)},
      {"portions: two groups of two, and one thread that comes",
       two_of_four(in_places([] { run_steps<kPlacedSteps>(kPlacedGrain); })),
       with_preemptions(0, 0)},
      {"portions: two groups of two, and results",
       two_of_four(in_places([] { run_in_order<kPlacedSteps>(kPlacedGrain); })),
       with_preemptions(0, 0)},
  });
}

}  // namespace furca::model
