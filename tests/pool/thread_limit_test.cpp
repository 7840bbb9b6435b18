// Limits on how many of a pool's threads compute: how many do, what still runs, and what programs
// do wrong.
#include <furca/async.hpp>
#include <furca/broadcast.hpp>
#include <furca/furca.hpp>
#include <furca/thread_limit.hpp>

#include "support/exits.hpp"
#include "support/trials.hpp"

#include <sys/wait.h>
#include <unistd.h>

using namespace furca::test;
using furca::ThreadLimit;
using furca::ThreadPool;

namespace {

constexpr std::array<std::size_t, 4> kSizes{1, 2, 3, 16};

/// Who takes part in a loop that is long enough for every thread to wake up.
std::set<std::thread::id> threads_that_compute() {
  std::mutex lock;
  std::set<std::thread::id> threads;
  furca::parallel_for(0, 300,
                      [&](int) {
                        for (int i = 0; i < 20; ++i) busy();
                        const std::lock_guard guard(lock);
                        threads.insert(std::this_thread::get_id());
                      },
                      {.grain = 1});
  furca::join([&] { std::this_thread::yield(); },
              [&] {
                const std::lock_guard guard(lock);
                threads.insert(std::this_thread::get_id());
              });
  return threads;
}

bool only_here() { return threads_that_compute() == std::set{std::this_thread::get_id()}; }

/// So many threads run arms at the same time.
void meet(std::size_t threads) {
  Meeting meeting(threads);
  join_all(threads, [&](std::size_t) { meeting.attend(); });
}

std::unique_ptr<ThreadPool> doomed;

const ChildProcess pool_before_limit{
    "a pool destroyed before its limit", [] {
      doomed = std::make_unique<ThreadPool>(furca::Config{.threads = 2});
      std::optional<ThreadLimit> limit;
      doomed->install([&] { limit.emplace(1); });
      doomed.reset();
      return 0;
    }};

const ChildProcess pool_of_one_before_limit{
    "a pool of one destroyed before its limit", [] {
      doomed = std::make_unique<ThreadPool>(furca::Config{.threads = 1});
      std::optional<ThreadLimit> limit;
      doomed->install([&] { limit.emplace(8); });
      doomed.reset();
      return 0;
    }};

const ChildProcess limit_first{"a limit before anything else", [] {
                                 const ThreadIds before = thread_ids();
                                 const ThreadLimit limit(1);
                                 if (!threads_since(before).empty()) return 1;
                                 if (furca::num_threads() != 3 || ThreadLimit::in_force() != 1)
                                   return 2;
                                 for (int i = 0; i < 20; ++i)
                                   if (!only_here()) return 3;
                                 return computes() ? 7 : 4;
                               }};

const ChildProcess limit_at_exit{"main returns under a limit that ends later", [] {
                                   meet(3);
                                   static const ThreadLimit limit(2);
                                   return computes() ? 7 : 1;
                                 }};

const ChildProcess exit_in_a_task{"exit in a task under a limit of one", [] {
                                    const ThreadLimit limit(1);
                                    furca::spawn([] { std::exit(7); });
                                    compute_forever();
                                    return 1;
                                  }};

const ChildProcess limit_after_exit{"a limit in a static destructor", [] {
                                      static const struct AtExit {
                                        ~AtExit() {
                                          const ThreadLimit limit(1);
                                          compute_or_die();
                                        }
                                      } at_exit;
                                      return computes() ? 7 : 1;
                                    }};

const ChildProcess forked_child{
    "a child forked under a limit", [] {
      meet(3);
      const ThreadLimit limit(1);
      if (ThreadLimit::in_force() != 1) return 1;
      const auto in_child = [] {
        if (ThreadLimit::in_force() != 3) return 2;
        meet(3);
        {
          const ThreadLimit inner(1);
          if (!only_here()) return 3;
        }
        meet(3);
        return 5;
      };
      const pid_t child = fork();
      if (child == 0) _exit(in_child());
      int status = 0;
      if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
        return 2;
      return only_here() ? 7 : 3;
    }};

}  // namespace

TEST_CASE("under a limit of one each call runs on its caller, from the constructor's return on") {
  const Watchdog watchdog("a limit of one");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    pool.install([] {
      for (int i = 0; i < 30; ++i) {
        computes();  // wakes the others
        const ThreadLimit limit(1);
        REQUIRE(only_here());
      }
      const ThreadLimit limit(1);
      std::vector<int> order;
      furca::join([&] { order.push_back(1); }, [&] { order.push_back(2); });
      CHECK(order == std::vector{1, 2});
      CHECK(computes());
    });
  }
}

TEST_CASE("who is about to steal when a limit begins is waited for") {
  const Watchdog watchdog("a limit and thieves");
  ThreadPool pool({.threads = 16});
  pool.install([] {
    const std::thread::id me = std::this_thread::get_id();
    for (int i = 0; i < 1000; ++i) {
      // many threads look for work then, more than there are processors
      furca::parallel_for(0, 64, [](int) { busy(); }, {.grain = 1});
      const ThreadLimit limit(1);
      for (int k = 0; k < 20; ++k) {
        std::thread::id by;
        furca::join([] { std::this_thread::yield(); }, [&] { by = std::this_thread::get_id(); });
        REQUIRE(by == me);
      }
    }
  });
}

TEST_CASE("a limit of two: one thread more at a time, always the same") {
  const Watchdog watchdog("a limit of two");
  ThreadPool pool({.threads = 16});
  pool.install([] {
    meet(16);
    const ThreadLimit limit(2);
    std::set<std::thread::id> all;
    for (int i = 0; i < 20; ++i) all.merge(threads_that_compute());
    CHECK(all.size() <= 2);
    meet(2);
  });
}

TEST_CASE("after a limit all threads compute again") {
  const Watchdog watchdog("after a limit");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    pool.install([threads] {
      for (std::size_t most = 1; most <= threads; most = most * 2 + 1) {
        {
          const ThreadLimit limit(most);
          meet(most);
        }
        meet(threads);
      }
    });
  }
}

TEST_CASE("the number of threads stays, and the limit in force can be asked for") {
  ThreadPool pool({.threads = 4});
  pool.install([] {
    CHECK(ThreadLimit::in_force() == 4);
    const ThreadLimit three(3);
    CHECK(ThreadLimit::in_force() == 3);
    std::optional<ThreadLimit> one(std::in_place, 1);
    const ThreadLimit many(1000);
    CHECK(ThreadLimit::in_force() == 1);
    CHECK(furca::num_threads() == 4);
    CHECK(furca::thread_index() == 3);
    one.reset();  // in any order
    CHECK(ThreadLimit::in_force() == 3);
    meet(3);
  });
  CHECK(pool.install([] { return ThreadLimit::in_force(); }) == 4);
  pool.install([] {
    const ThreadLimit many(1000);
    CHECK(ThreadLimit::in_force() == 4);
    meet(4);
  });
}

TEST_CASE("a limit is of one pool") {
  ThreadPool limited({.threads = 3});
  ThreadPool other({.threads = 3});
  limited.install([&] {
    const ThreadLimit limit(1);
    other.install([] {
      CHECK(ThreadLimit::in_force() == 3);
      meet(3);
    });
    CHECK(only_here());
    std::thread outside([&] {
      CHECK(ThreadLimit::in_force() == furca::num_threads());
      limited.install([] { CHECK(only_here()); });
    });
    outside.join();
  });
}

TEST_CASE("a limit of no threads is refused") {
  std::string said;
  try {
    const ThreadLimit limit(0);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said.find("the least is 1") != std::string::npos);
  CHECK_THROWS_AS(ThreadLimit(static_cast<std::size_t>(-1)), std::invalid_argument);
  CHECK(ThreadLimit::in_force() == furca::num_threads());
}

TEST_CASE(
    "under a limit of one spawned tasks run, though nobody waits for them, and joins stay on their "
    "caller") {
  const Watchdog watchdog("tasks under a limit");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads, .queue_capacity = 4});
    std::atomic<int> ran{0};
    pool.install([&] {
      for (int i = 0; i < 30; ++i) {
        ran = 0;
        // some of them before it begins
        for (int early = 0; early < 20; ++early) pool.spawn([&] { ++ran; });
        const ThreadLimit limit(1);
        furca::spawn([&] { furca::spawn([&] { ++ran; }); });
        std::thread outside([&] { pool.spawn([&] { ++ran; }); });
        CHECK(only_here());
        outside.join();
        eventually([&] { return ran == 22; });
      }
      const ThreadLimit limit(1);
      CHECK(pool.spawn_task([] { return fib(10); }).join() == 55);
      CHECK(furca::sync_wait([](ThreadPool& there) -> furca::Async<int> {
              co_await there.schedule();
              co_return 5;
            }(pool)) == 5);
      pool.spawn([&] { ++ran; });
      pool.wait_idle();
      CHECK(ran == 23);
    });
  }
}

TEST_CASE("under a limit of one tasks run one at a time, in order, whoever waits") {
  const Watchdog watchdog("tasks under a limit, and those who wait");
  constexpr int kTasks = 200;
  ThreadPool pool({.threads = 3, .queue_capacity = 4});
  pool.install([&] {
    const ThreadLimit limit(1);
    for (int round = 0; round < 10; ++round) {
      std::vector<int> ran;
      std::atomic<int> running{0};
      std::atomic<int> together{0};
      for (int i = 0; i < kTasks; ++i) {
        furca::spawn([&, i] {
          if (++running > 1) ++together;
          ran.push_back(i);
          --running;
        });
      }
      std::thread other([&] { pool.wait_idle(); });
      pool.wait_idle();
      other.join();
      REQUIRE(ran.size() == kTasks);
      CHECK(std::is_sorted(ran.begin(), ran.end()));
      CHECK(together == 0);
    }
  });
}

TEST_CASE("tasks that lie with a thread which must rest are run by others") {
  const Watchdog watchdog("tasks of a resting thread");
  for (int i = 0; i < 20; ++i) {
    Meeting both(3);
    Meeting limited(3);
    std::atomic<int> ran{0};
    ThreadPool pool({.threads = 3});  // ends before what its tasks use
    for (int t = 0; t < 2; ++t) {
      pool.spawn([&] {
        both.attend();
        for (int task = 0; task < 10; ++task) furca::spawn([&] { ++ran; });
        limited.attend();
      });
    }
    both.attend();
    pool.install([&] {
      const ThreadLimit limit(1 + static_cast<std::size_t>(i) % 2);
      limited.attend();
      eventually([&] { return ran == 20; });
    });
  }
}

TEST_CASE("a thread in a job ends it, and then it rests") {
  const Watchdog watchdog("a job under a limit");
  ThreadPool pool({.threads = 2});
  pool.install([] {
    for (int i = 0; i < 50; ++i) {
      std::optional<ThreadLimit> limit;
      Meeting begun(2);
      std::atomic<bool> limited{false};
      furca::join(
          [&] {
            begun.attend();
            limit.emplace(1);
            limited = true;
          },
          [&] {
            begun.attend();
            eventually([&] { return limited.load(); });
            CHECK(computes());
          });
      REQUIRE(only_here());
    }
    meet(2);
  });
}

TEST_CASE("limits in jobs and tasks, on threads that are too many") {
  const Watchdog watchdog("limits in tasks");
  ThreadPool pool({.threads = 3});
  std::atomic<int> ran{0};
  for (int i = 0; i < 200; ++i) {
    pool.spawn([&, i] {
      const ThreadLimit limit(1 + static_cast<std::size_t>(i) % 3);
      if (computes()) ++ran;
    });
  }
  pool.wait_idle();
  CHECK(ran == 200);
  pool.install([] {
    std::atomic<int> right{0};
    furca::parallel_for(0, 200,
                        [&](int i) {
                          const ThreadLimit limit(1 + static_cast<std::size_t>(i) % 3);
                          if (fib(8) == 21) ++right;
                        },
                        {.grain = 1});
    CHECK(right == 200);
    meet(3);
  });
}

TEST_CASE("limits of several threads at a time") {
  const Watchdog watchdog("many limits", 120);
  ThreadPool pool({.threads = 4});
  std::atomic<int> right{0};
  furca::test::on_threads(4U, [&](std::size_t number) {
    for (std::size_t i = 0; i < 150; ++i) {
      pool.install([&] {
        const ThreadLimit limit(1 + (i + number) % 5);
        if (i % 16 == 0) furca::broadcast([] {});
        if (i % 8 == 0) furca::spawn([&] { ++right; });
        if (fib(10) == 55) ++right;
      });
    }
  });
  pool.wait_idle();
  CHECK(right == 4 * (150 + 19));
  pool.install([] { meet(4); });
}

TEST_CASE("broadcast calls all threads, those that rest too") {
  const Watchdog watchdog("broadcast under a limit");
  ThreadPool pool({.threads = 4});
  pool.install([] {
    const ThreadLimit limit(1);
    for (int i = 0; i < 20; ++i) {
      const std::vector<std::size_t> numbers =
          furca::broadcast([] { return furca::thread_index(); });
      REQUIRE(numbers == std::vector<std::size_t>{3, 0, 1, 2});
      REQUIRE(only_here());
    }
  });
}

TEST_CASE("a limit in a start_hook") {
  const Watchdog watchdog("a limit in a hook");
  std::atomic<int> right{0};
  {
    ThreadPool pool({.threads = 3, .start_hook = [&](std::size_t) {
                       const ThreadLimit limit(1);
                       if (computes()) ++right;
                     }});
    pool.install([] { meet(3); });
  }
  CHECK(right == 2);
}

TEST_CASE("threads that rest cost nothing") {
  const Watchdog watchdog("resting threads");
  const ThreadIds before = thread_ids();
  ThreadPool pool({.threads = 4});
  pool.install([&] {
    meet(4);
    const ThreadLimit limit(1);
    const ThreadIds resting = threads_since(before);
    eventually([&] {
      for (const std::string& id : resting)
        if (!is_asleep(id)) return false;
      return true;
    });
    const unsigned long switches = voluntary_switches(resting);
    for (int i = 0; i < 100; ++i) CHECK(computes());
    CHECK(voluntary_switches(resting) == switches);
  });
}

TEST_CASE("a task that has a limit may run on while its pool is being destroyed") {
  std::atomic<bool> began{false};
  std::atomic<bool> leave{false};
  bool ran = false;
  std::thread other;
  {
    furca::ThreadPool pool({.threads = 4});
    pool.spawn([&] {
      const furca::ThreadLimit two(2);
      began = true;
      while (!leave) std::this_thread::yield();
      ran = true;
    });
    while (!began) std::this_thread::yield();
    other = std::thread([&] {
      // as a rule the pool is being destroyed by then
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      leave = true;
    });
  }
  CHECK(ran);
  other.join();
}

TEST_CASE(
    "after a limit of one, under which tasks ran, a chain of tasks keeps no thread from other "
    "tasks") {
  const Watchdog watchdog("a task beside a chain of tasks");
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    const furca::ThreadLimit one(1);
    for (int i = 0; i < 100; ++i) {
      std::atomic<bool> ran{false};
      furca::spawn([&] { ran = true; });
      while (!ran) std::this_thread::yield();
    }
  });
  std::atomic<bool> stop{false};
  const std::function<void()> link = [&] {
    if (!stop) furca::spawn([&] { link(); });
  };
  pool.spawn([&] { link(); });
  std::atomic<bool> ran{false};
  pool.spawn([&] { ran = true; });
  while (!ran) std::this_thread::yield();
  stop = true;
  pool.wait_idle();
}

TEST_CASE("a pool must outlive its limits") {
  for (const ChildProcess* child : {&pool_before_limit, &pool_of_one_before_limit}) {
    const Ending ending = child->run();
    INFO(ending);
    CHECK(ending.failed_saying("end the limit first"));
  }
}

TEST_CASE("limits and the global pool: before it starts, and at exit") {
  check_exit(limit_first);
  check_exit(limit_at_exit, 5);
  check_exit(exit_in_a_task, 5);
  check_exit(limit_after_exit);
}

TEST_CASE("a forked child has no limits, and may have its own") { check_exit(forked_child); }
