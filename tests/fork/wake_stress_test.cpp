// Nobody sleeps through work, in whole pools: a wake-up that is lost is a hang, and the watchdog's.
#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/tens.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

namespace {

using namespace furca::test;
using furca::ThreadPool;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// Awake throughout: whoever sleeps for so short a time gets up late.
void pass(nanoseconds time) {
  const steady_clock::time_point end = steady_clock::now() + time;
  while (steady_clock::now() < end) wait_a_moment();
}

/// An idle thread looks for work for about 20 us before it sleeps.
void pass_until_about_asleep(Random& random, std::uint64_t longest_microseconds) {
  pass(nanoseconds(random.below(1000 * longest_microseconds + 1)));
}

/// A join of two arms, neither of which ends before the other has begun.
void rendezvous() {
  Meeting meeting(2);
  furca::join([&meeting] { meeting.attend(); }, [&meeting] { meeting.attend(); });
}

}  // namespace

// All threads of the pool must come: the first is woken by the caller, and each of them wakes the
// next.
TEST_CASE("work from outside wakes an idle pool, all of it, whenever it comes") {
  const Watchdog watchdog("wake-ups from outside");
  const std::uint64_t trips = rounds(2'500);
  for (const std::size_t threads : {2U, 3U}) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    Random random(seed() + threads);
    steady_clock::duration longest{};
    for (std::uint64_t trip = 0; trip < trips; ++trip) {
      pass_until_about_asleep(random, 200);
      const steady_clock::time_point start = steady_clock::now();
      Meeting meeting(threads);
      pool.install([&] { join_all(threads, [&meeting](std::size_t) { meeting.attend(); }); });
      longest = std::max(longest, steady_clock::now() - start);
      if (trip % 64 == 0) watchdog.feed();
    }
    std::printf("%s round trips to an idle pool of %zu: the longest took %.3f ms\n",
                in_tens(trips).c_str(), threads,
                std::chrono::duration<double, std::milli>(longest).count());
    std::fflush(stdout);
  }
}

// The thread that forks is the only one awake, and does not end its arm before somebody else has
// begun the other. Where it is a started thread, the caller is one of those that may: it waits for
// the arm in which all this happens, asleep on its bell.
TEST_CASE("the two arms of a join meet, whoever forked and whoever sleeps") {
  const Watchdog watchdog("rendezvous");
  const std::uint64_t meetings = rounds(2'500);
  for (const std::size_t threads : {2U, 3U}) {
    for (const bool on_caller : {true, false}) {
      CAPTURE(threads);
      CAPTURE(on_caller);
      ThreadPool pool({.threads = threads});
      Random random(seed() + threads);
      const auto meet = [&] {
        for (std::uint64_t i = 0; i < meetings; ++i) {
          if (random.below(2) == 0) pass_until_about_asleep(random, 50);
          rendezvous();
          if (i % 64 == 0) watchdog.feed();
        }
      };
      if (on_caller) {
        pool.install(meet);
      } else {
        Meeting begun(2);
        pool.install([&] {
          furca::join([&begun] { begun.attend(); },
                      [&] {
                        begun.attend();
                        meet();
                      });
        });
      }
      std::printf("%s rendezvous in a pool of %zu, forked on %s\n", in_tens(meetings).c_str(),
                  threads, on_caller ? "the caller" : "a started thread");
      std::fflush(stdout);
    }
  }
}
