// Ends of the process that cross something else: handlers, destructors and threads that compute
// while it exits.
// The plain ways to exit are in lifecycle_test.cpp.
#include <furca/furca.hpp>

#include "support/exits.hpp"

#include "support/trials.hpp"

#include <csignal>

#include <unistd.h>

using namespace furca::test;
using furca::ThreadPool;

namespace {

/// A thread that the process does not wait for.
template <class Body>
void run_detached(Body body) {
  std::thread(body).detach();
}

void say_computed() {
  compute_or_die();
  std::fputs("computed\n", stdout);
}

constinit bool destructors_compute = false;

struct ComputesWhenDestroyed {
  ~ComputesWhenDestroyed() {
    if (!destructors_compute) return;
    say_computed();
    std::thread(compute_or_die).join();
    if (!ThreadPool({.threads = 3}).install(computes)) _exit(98);
  }
};

/// Constructed before furca's own static objects, so destroyed after them.
[[gnu::init_priority(101)]] const ComputesWhenDestroyed destroyed_last;

// --- exit inside a body, and who computes after it -----------------------------------------------

/// All that may come after exit() comes after it, on the stack of the body that called it.
void exit_with_destructors() {
  static const ComputesWhenDestroyed destroyed_first;
  destructors_compute = true;
  std::atexit(say_computed);
  std::exit(7);
}

/// A started thread that has nothing to do gets the signal, for main has it blocked.
const ChildProcess destructors_on_caller{"exit in an arm on the caller, destructors compute", [] {
                                           on_two_threads(exit_with_destructors, compute_forever);
                                           return 1;
                                         }};

const ChildProcess destructors_on_started{"exit in an arm on a started thread, destructors compute",
                                          [] {
                                            on_two_threads(compute_forever, exit_with_destructors);
                                            return 1;
                                          }};

const ChildProcess destructors_in_nested_pools{
    "exit in a pool in a pool, destructors compute", [] {
      static ThreadPool* const outer = new ThreadPool({.threads = 2});
      static ThreadPool* const inner = new ThreadPool({.threads = 2});
      outer->install([] {
        on_two_threads(compute_forever, [] {
          inner->install([] { on_two_threads(compute_forever, exit_with_destructors); });
        });
      });
      return 1;
    }};

const ChildProcess exits_on_other_thread{
    "exit on a thread that is not the first one", [] {
      run_detached([] { on_two_threads(compute_forever, [] { std::exit(7); }); });
      compute_forever();
      return 1;
    }};

// --- quick_exit ----------------------------------------------------------------------------------

void quick_exit_with_handler() {
  std::at_quick_exit([] {
    say_computed();
    std::fflush(stdout);
  });
  std::quick_exit(7);
}

const ChildProcess quick_on_caller{"quick_exit on the caller, its handler computes", [] {
                                     on_two_threads(quick_exit_with_handler, compute_forever);
                                     return 1;
                                   }};

const ChildProcess quick_on_started{"quick_exit on a started thread, its handler computes", [] {
                                      on_two_threads(compute_forever, quick_exit_with_handler);
                                      return 1;
                                    }};

// --- threads that nobody waits for ---------------------------------------------------------------

const ChildProcess detached_callers{
    "detached threads are in all kinds of calls", [] {
      static ThreadPool* const pool = new ThreadPool({.threads = 3});
      static ThreadPool* const greedy =
          new ThreadPool({.threads = 3, .wait = furca::WaitPolicy::greedy});
      static std::atomic<int> begun{0};
      const auto again_and_again = [](auto call) {
        run_detached([call] {
          call();
          ++begun;
          for (;;) call();
        });
      };
      again_and_again([] { compute_or_die(); });
      again_and_again([] {
        if (fib(15) != 610) _exit(99);
      });
      again_and_again([] { pool->install(compute_or_die); });
      again_and_again([] { greedy->install([] { pool->install(compute_or_die); }); });
      eventually([] { return begun == 4; });
      return 7;
    }};

/// Its own destructor computes, at the end of a thread that ends while the process does.
struct ComputesAtThreadEnd {
  ~ComputesAtThreadEnd() { compute_or_die(); }
  void touch() const noexcept {}
};

const ChildProcess threads_that_end{"threads end while the process exits", [] {
                                      static std::atomic<int> ending{0};
                                      for (int i = 0; i < 8; ++i) {
                                        run_detached([i] {
                                          thread_local const ComputesAtThreadEnd at_end;
                                          at_end.touch();
                                          if (i % 2 == 0) compute_or_die();
                                          ++ending;
                                        });
                                      }
                                      eventually([] { return ending > 3; });
                                      return 7;
                                    }};

/// What a task returned, and nobody wants.
struct ExitsWhenDestroyed {
  bool armed = true;
  ExitsWhenDestroyed() = default;
  ExitsWhenDestroyed(ExitsWhenDestroyed&& other) noexcept
      : armed(std::exchange(other.armed, false)) {}
  ~ExitsWhenDestroyed() {
    if (armed) std::exit(7);
  }
};

const ChildProcess dropped_result_exits{
    "exit in the destructor of what a dropped task returned", []() -> int {
      static_cast<void>(furca::spawn_task([] { return ExitsWhenDestroyed(); }));
      for (;;) wait_a_moment();
    }};

/// The handle is dropped just when the task ends.
const ChildProcess dropped_late{
    "exit in the destructor of a result whose handle is dropped when the task ends", []() -> int {
      std::atomic<bool> running{false};
      {
        const auto task = furca::spawn_task([&] {
          running = true;
          return ExitsWhenDestroyed();
        });
        while (!running) wait_a_moment();
      }
      for (;;) wait_a_moment();
    }};

/// The pool is being started on one thread while the process exits on another.
const ChildProcess during_first_use{"exit during first use", [] {
                                      const int delay = std::atoi(std::getenv("FURCA_TEST_DELAY"));
                                      static Meeting both(2);
                                      run_detached([] {
                                        both.attend();
                                        for (;;) compute_or_die();
                                      });
                                      both.attend();
                                      for (int i = 0; i < delay; ++i) wait_a_moment();
                                      return 7;
                                    }};

}  // namespace

TEST_CASE("exit in an arm on the caller, and what runs then computes") {
  check_exit(destructors_on_caller, 10, "computed\ncomputed\ncomputed\n");
}
TEST_CASE("exit in an arm on a started thread, and what runs then computes") {
  check_exit(destructors_on_started, 10, "computed\ncomputed\ncomputed\n");
}
TEST_CASE("exit in a pool inside a pool, and what runs then computes") {
  check_exit(destructors_in_nested_pools, 10, "computed\ncomputed\ncomputed\n");
}
TEST_CASE("exit on a started thread that a second thread called in from") {
  check_exit(exits_on_other_thread, 10);
}
TEST_CASE("a handler of quick_exit computes, on the caller") {
  check_exit(quick_on_caller, 10, "computed\n");
}
TEST_CASE("a handler of quick_exit computes, on a started thread") {
  check_exit(quick_on_started, 10, "computed\n");
}
TEST_CASE("return from main while detached threads are in calls of all kinds") {
  check_exit(detached_callers, 20);
}
TEST_CASE("return from main while threads end whose thread_local destructors compute") {
  check_exit(threads_that_end, 20);
}

TEST_CASE("exit in the destructor of what a dropped task returned") {
  check_exit(dropped_result_exits, 10);
}
TEST_CASE("exit in the destructor of a result whose handle is dropped when the task ends") {
  check_exit(dropped_late, 10);
}

TEST_CASE("exit at any moment of the first use on another thread") {
  const std::uint64_t runs = rounds(100);
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::uint64_t delay = 40'000 * i / runs;
    const Ending ending =
        during_first_use.run({.environment = {{"FURCA_TEST_DELAY", std::to_string(delay)}}});
    INFO(delay);
    INFO(ending);
    REQUIRE(ending.cleanly(7));
  }
}
