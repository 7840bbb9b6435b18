// An idle pool costs nothing: its threads sleep, and nothing wakes them.
#include <furca/furca.hpp>

#include "support/observe.hpp"

#include <ctime>

#include <unistd.h>

using namespace furca::test;
using furca::ThreadPool;
using furca::WaitPolicy;

namespace {

void rest(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

double cpu_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void use(std::size_t threads) {
  for (int i = 0; i < 20; ++i) {
    Meeting meeting(threads);
    join_all(threads, [&meeting](std::size_t) { meeting.attend(); });
    CHECK(computes());
  }
}

/// A thread that is seen asleep may only be waiting for a lock on its way to work or to bed: all
/// must be, and stay so for a moment.
void wait_until_asleep(const ThreadIds& ids) {
  for (;;) {
    for (const std::string& id : ids) eventually([&id] { return is_asleep(id); });
    const unsigned long switches = voluntary_switches(ids);
    rest(50);
    // In this order: one that was woken and waits for a processor has no more switches yet, and one
    // that has slept again meanwhile has.
    const bool asleep =
        std::all_of(ids.begin(), ids.end(), [](const std::string& id) { return is_asleep(id); });
    if (asleep && voluntary_switches(ids) == switches) return;
  }
}

/// Nobody of `ids` runs for a while, however briefly.
void check_undisturbed(const ThreadIds& ids) {
  const unsigned long before = voluntary_switches(ids);
  rest(300);
  CHECK(voluntary_switches(ids) == before);
}

}  // namespace

TEST_CASE("a pool at rest sleeps without waking and takes no processor time") {
  const Watchdog watchdog("a pool at rest");
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    for (const std::size_t threads : {2U, 3U, 16U}) {
      CAPTURE(threads);
      const ThreadIds before = thread_ids();
      ThreadPool pool({.threads = threads, .wait = wait});
      const ThreadIds started = threads_since(before);
      REQUIRE(started.size() == threads - 1);
      pool.install([threads] { use(threads); });
      rest(100);
      wait_until_asleep(started);
      check_undisturbed(started);
      // What else is in the process, as a sanitizer's own thread, may compute now and then.
      double least = 500;
      for (int attempt = 0; attempt < 8 && least >= 5; ++attempt) {
        const double cpu = cpu_milliseconds();
        rest(500);
        least = std::min(least, cpu_milliseconds() - cpu);
      }
      CHECK(least < 5);
      CHECK(pool.install(computes));
      REQUIRE(threads_since(before) == started);
    }
  }
}

TEST_CASE("a pool that was never used sleeps too") {
  const Watchdog watchdog("an unused pool");
  const ThreadIds before = thread_ids();
  ThreadPool pool({.threads = 5});
  const ThreadIds started = threads_since(before);
  wait_until_asleep(started);
  check_undisturbed(started);
}

TEST_CASE("while the caller computes alone the others sleep") {
  const Watchdog watchdog("a long arm on the caller");
  const ThreadIds before = thread_ids();
  ThreadPool pool({.threads = 4});
  const ThreadIds started = threads_since(before);
  REQUIRE(started.size() == 3);
  pool.install([&] {
    use(4);
    furca::join(
        [&] {
          wait_until_asleep(started);
          check_undisturbed(started);
        },
        [] {});
  });
}

TEST_CASE(
    "while a started thread computes alone the others sleep, and so does the caller that waits for "
    "it") {
  const Watchdog watchdog("a long arm on a started thread");
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    const ThreadIds before = thread_ids();
    ThreadPool pool({.threads = 4, .wait = wait});
    const ThreadIds started = threads_since(before);
    REQUIRE(started.size() == 3);
    std::atomic<bool> begun{false};
    pool.install([&] {
      use(4);
      furca::join([&] { eventually([&] { return begun.load(); }); },
                  [&] {
                    begun = true;
                    ThreadIds others = started;
                    others.erase(std::to_string(gettid()));
                    others.insert(std::to_string(getpid()));
                    CHECK(others.size() == 3);
                    wait_until_asleep(others);
                    check_undisturbed(others);
                  });
    });
  }
}

TEST_CASE("a loop that is shorter than a wake-up wakes nobody") {
  const Watchdog watchdog("short loops");
  const ThreadIds before = thread_ids();
  ThreadPool pool({.threads = 3});
  const ThreadIds started = threads_since(before);
  std::atomic<int> calls{0};
  const auto short_loop = [&calls] {
    furca::parallel_for(0, 10, [&calls](int) { calls.fetch_add(1, std::memory_order_relaxed); });
  };
  pool.install([&] {
    use(3);
    for (int i = 0; i < 1000; ++i) short_loop();  // by now its cost is known
    wait_until_asleep(started);
    // An interrupt in the middle of a loop makes it look long: not in each of forty rounds.
    int quiet = 0;
    for (int round = 0; round < 40; ++round) {
      const unsigned long switches = voluntary_switches(started);
      for (int i = 0; i < 250; ++i) short_loop();
      rest(2);
      if (voluntary_switches(started) == switches) ++quiet;
    }
    CHECK(quiet > 0);
  });
  CHECK(calls == 110'000);
}
