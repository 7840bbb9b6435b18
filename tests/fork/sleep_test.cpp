// Sleep and Bell, step by step: one thread plays the sleeper, and everybody else between two of its
// instructions. Whom they wake and what that costs; that nobody sleeps for good is the model's to
// show (model/programs/sleep_programs.hpp). With real threads: sleep_stress_test.cpp.

#include "fork/sleep.hpp"
#include "fork/lookers.hpp"

#include "support/standard.hpp"

#include <climits>

namespace {

using furca::detail::BasicBell;
using furca::detail::BasicSleep;

/// A machine that lets a test in at the heavy fence and in the place of the futex.
struct Script : furca::detail::StdAtomics {
  static inline std::function<void()> at_heavy_fence;
  static inline std::function<void()> asleep;  // what happens in the world while the thread sleeps
  static inline int waits = 0;                 // futex calls that found the word as expected
  // threads that were to be woken; everybody counts as one
  static inline int wakes = 0;
  static inline bool everybody = false;  // were to be woken the last time
  static inline int fences = 0;

  static bool asymmetric() noexcept { return true; }
  static void fence() noexcept { ++fences; }
  static void heavy_fence() noexcept {
    if (const auto act = std::exchange(at_heavy_fence, nullptr)) act();
  }
  static void wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
    if (word.load(std::memory_order_relaxed) != expected) return;
    ++waits;
    if (waits > 1000 || !asleep) {
      std::fprintf(stderr, "sleep_test: a thread sleeps that nobody will wake\n");
      std::abort();
    }
    asleep();
  }
  static void yield() noexcept {}
  /// For at least a tick of the clock, as a system call lasts.
  static void wake(std::atomic<std::uint32_t>&, int count) noexcept {
    for (const std::uint64_t began = furca::detail::ticks(); furca::detail::ticks() == began;) {
    }
    everybody = count == INT_MAX;
    wakes += everybody ? 1 : count;
  }

  static void reset() {
    at_heavy_fence = nullptr;
    asleep = nullptr;
    waits = wakes = fences = 0;
    everybody = false;
  }
};

/// The same where there is no asymmetric fence; heavy_fence() is then the caller's own.
struct ClassicScript : Script {
  static bool asymmetric() noexcept { return false; }
};

#define BOTH_MACHINES Script, ClassicScript

constexpr auto kNobody = [] {};  // to tell of sleepers
constexpr auto kNothingFound = [] { return false; };
constexpr auto kSomethingFound = [] { return true; };

template <class A>
void start_looking(BasicSleep<A>& sleep, std::uint32_t threads) {
  for (; threads > 0; --threads) sleep.start_looking();
}

/// How many threads look, when none sleeps.
template <class A>
std::uint32_t looking(BasicSleep<A>& sleep) {
  REQUIRE(sleep.sleepers() == 0);
  std::uint32_t count = 0;
  for (; sleep.somebody_looks(); ++count) CHECK_FALSE(sleep.stop_looking());
  start_looking(sleep, count);
  return count;
}

}  // namespace

// --- Sleep ---------------------------------------------------------------------------------------

TEST_CASE_TEMPLATE("a pool without threads: nobody to wake, nobody to stop", A, BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  CHECK_FALSE(sleep.must_wake());
  CHECK_FALSE(sleep.somebody_looks());
  sleep.wake();
  sleep.stop();
  CHECK(sleep.active(0) == 0);
  CHECK(sleep.stopping());
  CHECK(Script::wakes == 0);
}

TEST_CASE_TEMPLATE("a wake-up for no reason is slept through", A, BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  sleep.start_looking();
  Script::asleep = [&] {
    CHECK(sleep.sleepers() == 1);
    if (Script::waits == 5) sleep.wake();
  };
  sleep.fall_asleep(kNobody, kNothingFound);
  CHECK(Script::waits == 5);
  CHECK(looking(sleep) == 1);
}

TEST_CASE_TEMPLATE("nobody is woken while somebody is looking, or nobody sleeps", A,
                   BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  start_looking(sleep, 2);
  sleep.wake();
  CHECK(Script::wakes == 0);
  bool second_call = false;
  Script::asleep = [&] {
    if (std::exchange(second_call, true)) {
      CHECK(sleep.stop_looking());  // now the other is active
      sleep.wake();
      return;
    }
    CHECK_FALSE(sleep.must_wake());
    sleep.wake();  // the other is still looking
    CHECK(Script::wakes == 0);
    CHECK(sleep.sleepers() == 1);
  };
  sleep.fall_asleep(kNobody, kNothingFound);
  CHECK(Script::wakes == 1);
  CHECK(Script::waits == 2);
}

TEST_CASE_TEMPLATE("one sleeper is woken once, however many forkers want to", A, BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  sleep.start_looking();
  Script::asleep = [&] {
    for (int i = 0; i < 10; ++i) sleep.wake();
  };
  sleep.fall_asleep(kNobody, kNothingFound);
  CHECK(Script::wakes == 1);
  Script::asleep = [&] { sleep.wake(); };
  sleep.fall_asleep(kNobody, kNothingFound);  // no permit was left over
  CHECK(Script::waits == 2);
}

TEST_CASE_TEMPLATE("several are woken in one step, no more than sleep and than enough", A,
                   BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  start_looking(sleep, 4);
  std::uint32_t woken[3] = {};
  Script::asleep = [&] {
    if (sleep.sleepers() < 4) {
      sleep.fall_asleep(kNobody, kNothingFound);
      return;
    }
    woken[0] = sleep.wake(2, 9);
    woken[1] = sleep.wake(9, 3);
    woken[2] = sleep.wake(9, 9);
  };
  sleep.fall_asleep(kNobody, kNothingFound);
  CHECK(woken[0] == 2);
  CHECK(woken[1] == 1);
  CHECK(woken[2] == 1);
  CHECK(sleep.sleepers() == 0);
  CHECK(sleep.wakes() == 4);
}

TEST_CASE(
    "Lookers: one more for each woken thread that finds work, half as many for each that does "
    "not") {
  furca::detail::Lookers lookers;
  CHECK(lookers.wanted() == 1);
  lookers.woken_found_work();
  CHECK(lookers.wanted() == 1);
  for (const std::size_t threads : {1U, 2U, 7U}) {
    lookers.set_threads(threads, threads);
    for (int i = 0; i < 10; ++i) lookers.woken_found_work();
    CHECK(lookers.wanted() == 1);
  }
  lookers.set_threads(64, 64);
  for (std::uint32_t i = 2; i <= 16; ++i) {
    lookers.woken_found_work();
    CHECK(lookers.wanted() == i);
  }
  lookers.woken_found_work();
  CHECK(lookers.wanted() == 16);
  for (const std::uint32_t left : {8U, 4U, 2U, 1U, 1U}) {
    lookers.woken_in_vain();
    CHECK(lookers.wanted() == left);
  }
}

TEST_CASE(
    "Lookers: a loop with portions calls as many as the processors can run, and no fewer than look "
    "already") {
  furca::detail::Lookers lookers;
  lookers.set_threads(64, 2);
  CHECK_FALSE(lookers.call(64));
  CHECK(lookers.wanted() == 1);
  lookers.set_threads(64, 32);
  CHECK_FALSE(lookers.call(1));
  CHECK(lookers.call(5));
  CHECK(lookers.wanted() == 5);
  CHECK(lookers.call(64));
  CHECK(lookers.wanted() == 32);
  CHECK(lookers.call(3));
  CHECK(lookers.wanted() == 32);
}

TEST_CASE_TEMPLATE("the last looker that stops looking must wake the next; another one need not", A,
                   BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  start_looking(sleep, 3);
  int step = 0;
  Script::asleep = [&] {
    if (step++ == 0) {
      CHECK_FALSE(sleep.stop_looking());  // one of two lookers
      CHECK(sleep.sleepers() == 1);
    } else {
      CHECK(sleep.stop_looking());  // the last one
      CHECK(sleep.wake() == 1);
      CHECK(Script::wakes == 1);
      CHECK(sleep.sleepers() == 0);
      CHECK(sleep.somebody_looks());
    }
  };
  sleep.fall_asleep(kNobody, kNothingFound);
  CHECK(step == 2);
  CHECK(looking(sleep) == 1);
}

TEST_CASE_TEMPLATE("stop needs no fence: it changes the word that sleepers change", A,
                   BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  sleep.start_looking();
  sleep.stop();
  CHECK(sleep.active(1) == 0);
  CHECK(Script::fences == 0);
  // comes too late to be counted: its last look keeps it awake
  sleep.fall_asleep(kNobody, [&] { return sleep.stopping(); });
  CHECK(Script::waits == 0);
  CHECK(Script::wakes == 0);
}

TEST_CASE_TEMPLATE("active is whoever neither looks nor sleeps, and stop changes nothing of that",
                   A, BOTH_MACHINES) {
  for (std::uint32_t active = 0; active <= 5; ++active) {
    Script::reset();
    BasicSleep<A> sleep;
    start_looking(sleep, 5);
    for (std::uint32_t i = 0; i < active; ++i) CHECK_FALSE(sleep.stop_looking());
    CHECK(sleep.active(5) == active);
    sleep.stop();
    CHECK(sleep.active(5) == active);
    CHECK(looking(sleep) == 5 - active);
    CHECK(Script::wakes == 0);
  }
}

// --- Bell ----------------------------------------------------------------------------------------

TEST_CASE(
    "a time that is measured now and then is a mean, in which one measurement counts for little") {
  const float microsecond = furca::detail::ticks_per_microsecond();
  furca::detail::MeasuredTime latency;
  CHECK(latency.get() == 0);
  latency.learn(4 * microsecond);
  CHECK(latency.get() == 4 * microsecond);
  latency.learn(6 * microsecond);
  CHECK(latency.get() == doctest::Approx(4.25F * microsecond));
  latency.learn(0.25F * microsecond);
  CHECK(latency.get() == doctest::Approx(3.75F * microsecond));
  latency.learn(1000 * microsecond);
  CHECK(latency.get() == doctest::Approx(1.125F * 3.75F * microsecond));
  for (int i = 0; i < 100; ++i) latency.learn(1000 * microsecond);
  CHECK(latency.get() == doctest::Approx(100 * microsecond));

  furca::detail::MeasuredTime slow_first;
  slow_first.learn(1000 * microsecond);
  CHECK(slow_first.get() == doctest::Approx(10 * microsecond));
}

TEST_CASE_TEMPLATE("a thread that was woken knows how long that took", A, BOTH_MACHINES) {
  A::reset();
  BasicSleep<A> sleep;
  sleep.start_looking();
  A::asleep = [&] { sleep.wake(); };
  CHECK(sleep.fall_asleep([] {}, [] { return false; }));
  sleep.latency.woken();
  CHECK(sleep.latency.get() > 0);
  CHECK(sleep.latency.get() <= 10 * furca::detail::ticks_per_microsecond());
  CHECK(sleep.latency.wakers_own() > 0);
}

TEST_CASE("nobody listens: the bell wants no attention, and attending to it wakes nobody") {
  Script::reset();
  BasicBell<Script> bell;
  bell.forget_sleepers();
  Script::reset();
  CHECK_FALSE(bell.wants_attention());
  bell.attend();
  CHECK(Script::wakes == 0);
  CHECK(Script::fences == 0);
}

TEST_CASE(
    "of sleepers a bell tells until they are forgotten, with a fence, and rings or not as before") {
  Script::reset();
  BasicBell<Script> bell;
  CHECK(bell.wants_attention());  // nobody knows who slept before it was made
  bell.attend();
  CHECK(bell.wants_attention());
  for (int i = 0; i < 2; ++i) {
    const int before = Script::fences;
    bell.forget_sleepers();
    CHECK(Script::fences == before + 1);
    CHECK_FALSE(bell.wants_attention());
    bell.forget_sleepers();
    CHECK(Script::fences == before + 1);
    bell.mark_sleepers();
    bell.mark_sleepers();
    CHECK(bell.wants_attention());
  }
  bell.listen(kSomethingFound);
  bell.forget_sleepers();
  CHECK(bell.wants_attention());  // somebody listens
  bell.mark_sleepers();
  bell.attend();
  CHECK(Script::wakes == 1);
  CHECK(bell.wants_attention());
}

TEST_CASE_TEMPLATE("the last to look tells of sleepers, between a fence and the heavy fence", A,
                   BOTH_MACHINES) {
  Script::reset();
  BasicSleep<A> sleep;
  start_looking(sleep, 2);
  int told = 0;
  const auto tell = [&] {
    ++told;
    CHECK(Script::fences == 1);
    CHECK(sleep.must_wake());
    Script::at_heavy_fence = [&] { ++told; };
  };
  sleep.fall_asleep(tell, [&] {
    CHECK(told == 0);  // somebody still looks
    sleep.fall_asleep(tell, kSomethingFound);
    return true;
  });
  CHECK(told == 2);
}

TEST_CASE(
    "without an asymmetric fence the bell always wants attention, and attending to it fences") {
  Script::reset();
  BasicBell<ClassicScript> bell;
  CHECK(bell.wants_attention());
  bell.attend();
  CHECK(Script::fences == 1);
  CHECK(Script::wakes == 0);
  Script::asleep = [&] { bell.attend(); };
  bell.listen(kNothingFound);
  CHECK(Script::fences == 2);
  CHECK(Script::wakes == 1);
  CHECK(bell.wants_attention());
}

TEST_CASE_TEMPLATE("ready in time: no sleep; the ring that is still owed is harmless", A,
                   BOTH_MACHINES) {
  Script::reset();
  BasicBell<A> bell;
  bell.listen(kSomethingFound);
  CHECK(Script::waits == 0);
  CHECK(bell.wants_attention());
  bell.attend();
  bell.attend();
  CHECK(Script::wakes == 1);
}

TEST_CASE("a ring answers all who listen, and silence follows") {
  Script::reset();
  BasicBell<Script> bell;
  int rung = 0;
  Script::asleep = [&] {
    if (rung++ == 0) bell.listen(kNothingFound);  // a second listener sleeps; the ring is for both
    bell.attend();
  };
  bell.listen(kNothingFound);
  CHECK(Script::wakes == 1);
  CHECK(Script::everybody);
  bell.forget_sleepers();
  CHECK_FALSE(bell.wants_attention());
  bell.attend();
  CHECK(Script::wakes == 1);
}
