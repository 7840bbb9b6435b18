// The watchdog of the other tests: it must bark, and only then.
#include "watchdog.hpp"

#include "forked.hpp"

#include <csignal>
#include <ctime>

#include <unistd.h>

using furca::test::ForkedEnd;
using furca::test::in_forked_child;
using furca::test::Watchdog;

TEST_CASE("a process that sleeps for ever is aborted, with the name of the test") {
  const ForkedEnd end = in_forked_child([]() -> int {
    const Watchdog watchdog("sleeper", 1);
    for (;;) pause();
  });
  CHECK(end.signal == SIGABRT);
  CHECK(end.said == "watchdog: everybody is asleep, deadlock or lost wake-up: sleeper\n");
}

TEST_CASE("a process that computes for ever is aborted") {
  const ForkedEnd end = in_forked_child([]() -> int {
    const Watchdog watchdog("spinner", 1);
    // On an atomic, as whoever spins does: ThreadSanitizer hands no signal to a thread that does
    // nothing it would look at.
    for (std::atomic<unsigned> turns = 0;;) ++turns;
  });
  CHECK(end.signal == SIGABRT);
  CHECK(end.said == "watchdog: no progress, though it computes: spinner\n");
}

TEST_CASE("a process that feeds it is left alone, and so is one whose watchdog has gone") {
  const ForkedEnd end = in_forked_child([] {
    {
      const Watchdog watchdog("busy", 1);
      const std::clock_t enough = std::clock() + 3 * CLOCKS_PER_SEC;
      while (std::clock() < enough) watchdog.feed();
    }
    const std::clock_t enough = std::clock() + 2 * CLOCKS_PER_SEC;
    while (std::clock() < enough) {
    }
    return 7;
  });
  CHECK(end.exit_code == 7);
  CHECK(end.said.empty());
}
