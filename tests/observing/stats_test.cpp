// stats(), what the environment makes furca print, and debug_dump().
#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/pools.hpp"
#include "support/subprocess.hpp"
#include "support/watchdog.hpp"

using furca::Stats;
using furca::ThreadPool;
using furca::WorkerStats;
using furca::test::ChildProcess;
using furca::test::contains;
using furca::test::Ending;
using furca::test::eventually;
using furca::test::Watchdog;

namespace {

/// Both arms at the same time: the second is stolen, if there is anybody to steal it.
void join_on_two_threads() {
  std::atomic<bool> stolen{false};
  furca::join([&] { eventually([&] { return stolen.load(); }); }, [&] { stolen = true; });
}

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++found;
  return found;
}

/// Uses half a megabyte of stack. Each frame's page is used after the call, lest the compiler make
/// a loop of it; and of a size that is not known beforehand it is on the stack, where the address
/// sanitizer does not have other variables.
int deep(int left) {
  const volatile std::size_t size = 4096;
  auto* const page = static_cast<volatile char*>(__builtin_alloca(size));
  page[left % 4096] = static_cast<char>(left);
  const int below = left == 0 ? 0 : deep(left - 1);
  page[0] = static_cast<char>(below);
  return page[left % 4096];
}

const ChildProcess global_pool{"the global pool's stats", [] {
                                 join_on_two_threads();
                                 return 0;
                               }};

const ChildProcess own_pool{"a pool's stats", [] {
                              ThreadPool pool({.threads = 2, .name = "mine"});
                              pool.install(join_on_two_threads);
                              for (int i = 0; i < 10; ++i) pool.spawn([] {});
                              return 0;
                            }};

const ChildProcess dump{"a dump", [] {
                          furca::debug_dump();
                          ThreadPool pool({.threads = 2, .name = "mine"});
                          std::atomic<bool> inside{false};
                          std::atomic<bool> release{false};
                          pool.spawn([&] {
                            inside = true;
                            eventually([&] { return release.load(); });
                          });
                          eventually([&] { return inside.load(); });
                          furca::debug_dump();
                          release = true;
                          pool.wait_idle();
                          return 0;
                        }};

const ChildProcess dump_meanwhile{
    "dumps while pools come and go", [] {
      std::atomic<bool> stop{false};
      std::thread looker([&] {
        while (!stop) {
          furca::debug_dump();
          std::this_thread::yield();
        }
      });
      for (int round = 0; round < 50; ++round) {
        ThreadPool pool({.threads = 3});
        for (int k = 0; k < 3; ++k)
          std::thread([&] { pool.install([] { furca::join([] {}, [] {}); }); }).join();
      }
      stop = true;
      looker.join();
      return 0;
    }};

}  // namespace

TEST_CASE("a pool's stats name its threads, and then its callers") {
  ThreadPool pool({.threads = 3, .name = "st"});
  CHECK(pool.stats().workers.size() == 2);
  pool.install([] {});
  const Stats stats = pool.stats();
  REQUIRE(stats.workers.size() == 3);
  CHECK(stats.workers[0].name == "st-0");
  CHECK(stats.workers[1].name == "st-1");
  CHECK(stats.workers[2].name == "caller-2");
  CHECK(stats.workers[0].started);
  CHECK_FALSE(stats.workers[2].started);
  CHECK(stats.seconds > 0);
}

TEST_CASE("inside install() stats() are of that pool, elsewhere of the global one") {
  ThreadPool pool({.threads = 5, .name = "five"});
  pool.install([] {
    const Stats stats = furca::stats();
    CHECK(stats.workers.size() == 5);
    CHECK(stats.workers[0].name == "five-0");
  });
  CHECK(furca::stats().workers.size() == furca::num_threads());
}

TEST_CASE("steals, jobs, parks, wake-ups and fences are counted, and only grow") {
  const Watchdog watchdog("counts");
  ThreadPool pool({.threads = 2});
  WorkerStats before;
  std::uint64_t wakes = 0;
  for (int round = 0; round < 20; ++round) {
    pool.install(join_on_two_threads);
    eventually([&] { return pool.stats().workers[0].parks > before.parks; });
    const Stats stats = pool.stats();
    const WorkerStats& thread = stats.workers[0];
    CHECK(thread.jobs_run > before.jobs_run);
    CHECK(thread.steals_won > before.steals_won);
    CHECK(thread.steals_tried >= thread.steals_won);
    CHECK(thread.steals_tried > before.steals_tried);
    CHECK(thread.heavy_fences > before.heavy_fences);
    CHECK(stats.wakes >= wakes);
    CHECK(thread.idle_seconds >= before.idle_seconds);
    CHECK(thread.idle_seconds <= thread.seconds);
    before = thread;
    wakes = stats.wakes;
  }
  CHECK(wakes > 0);  // it had slept each time
}

TEST_CASE("who sleeps is idle, who computes is busy") {
  ThreadPool pool({.threads = 2});
  eventually([&] { return pool.stats().workers[0].parks > 0; });
  eventually([&] {  // once nobody comes between the two readings of the clock
    const WorkerStats asleep = pool.stats().workers[0];
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const WorkerStats later = pool.stats().workers[0];
    return later.idle_seconds - asleep.idle_seconds ==
           doctest::Approx(later.seconds - asleep.seconds).epsilon(0.01);
  });
  std::atomic<bool> inside{false};
  std::atomic<bool> release{false};
  pool.spawn([&] {
    inside = true;
    eventually([&] { return release.load(); });
  });
  eventually([&] { return inside.load(); });
  const WorkerStats busy = pool.stats().workers[0];
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(pool.stats().workers[0].idle_seconds == busy.idle_seconds);
  CHECK(busy.busy() > 0);
  CHECK(busy.busy() < 1);
  release = true;
  pool.wait_idle();
}

TEST_CASE("the stack's high-water mark rises with the deepest job, and stays") {
  ThreadPool pool({.threads = 2});
  pool.broadcast([] {});
  const std::size_t before = pool.stats().workers[0].stack_high_water;
  if (furca::test::built_portable()) {  // nobody knows
    CHECK(before == 0);
    return;
  }
  CHECK(before > 0);
  CHECK(before < 256 * 1024);
  pool.broadcast([] { static_cast<void>(deep(128)); });
  const Stats after = pool.stats();
  CHECK(after.workers[0].stack_high_water >= 512 * 1024);
  CHECK(after.workers[0].stack_high_water < 2 * 1024 * 1024);
  CHECK(after.workers[1].stack_high_water == 0);  // a caller's is not the pool's
  CHECK(after.total().stack_high_water == after.workers[0].stack_high_water);
}

TEST_CASE("the total adds up") {
  Stats stats;
  stats.workers.resize(2);
  stats.workers[0].jobs_run = 3;
  stats.workers[1].jobs_run = 4;
  stats.workers[0].seconds = 2;
  stats.workers[0].idle_seconds = 1;
  stats.workers[1].seconds = 2;
  CHECK(stats.total().jobs_run == 7);
  CHECK(stats.total().busy() == doctest::Approx(0.75));
  CHECK(WorkerStats().busy() == 0);
}

TEST_CASE("stats may be asked for at any time, by anybody") {
  const Watchdog watchdog("asking");
  ThreadPool pool({.threads = 3});
  std::atomic<bool> stop{false};
  std::thread asker([&] {
    while (!stop) static_cast<void>(pool.stats());
  });
  for (int round = 0; round < 200; ++round) {
    pool.install([] { furca::parallel_for(0, 1'000, [](int) { furca::test::spin(10); }); });
    std::thread([&] { pool.install(join_on_two_threads); }).join();
  }
  stop = true;
  asker.join();
}

TEST_CASE("stats may be asked for while a pool of one gets its thread for tasks") {
  const Watchdog watchdog("a thread for tasks");
  for (int round = 0; round < 20; ++round) {
    ThreadPool pool({.threads = 1});
    std::atomic<bool> stop{false};
    std::thread asker([&] {
      while (!stop) static_cast<void>(pool.stats());
    });
    pool.spawn([] {});
    eventually([&] { return pool.stats().workers.size() == 1; });
    CHECK(pool.stats().workers[0].started);
    stop = true;
    asker.join();
  }
}

TEST_CASE("in a hook all threads of the pool are known, those that have not begun too") {
  std::atomic<std::size_t> started{0};
  const auto count_started = [&](std::size_t) {
    for (const WorkerStats& worker : furca::stats().workers) started += worker.started ? 1 : 0;
  };
  {
    const ThreadPool pool({.threads = 5, .start_hook = count_started, .exit_hook = count_started});
  }
  CHECK(started == 2 * 4 * 4);
}

TEST_CASE("FURCA_STATS=1: every pool prints its own at its end; otherwise none does") {
  CHECK(global_pool.run().cleanly(0));
  CHECK(global_pool.run({.environment = {{"FURCA_STATS", "0"}}}).cleanly(0));
  const Ending global = global_pool.run({.environment = {{"FURCA_STATS", "1"}}});
  INFO(global);
  CHECK(global.exit_code == 0);
  CHECK(count(global.errors, "furca: global pool, in ") == 1);
  CHECK(count(global.errors, "furca:   furca-0 ") == 1);
  CHECK(count(global.errors, "furca:   furca-1 ") == 1);
  CHECK(count(global.errors, "furca:   caller-2 ") == 1);
  CHECK(global.error_lines() == 5);
  const Ending own = own_pool.run({.environment = {{"FURCA_STATS", "1"}}});
  INFO(own);
  CHECK(count(own.errors, "furca: pool mine, in ") == 1);
  CHECK(count(own.errors, "furca:   mine-0 ") == 1);
  CHECK(own.error_lines() == 4);
}

TEST_CASE("FURCA_DISPLAY=1: how many threads, why, and which fence") {
  const Ending quota = global_pool.run(
      {.environment = {{"FURCA_DISPLAY", "1"}, {"FURCA_NUM_THREADS", std::nullopt}}});
  INFO(quota);
  CHECK(contains(quota.errors, std::string("furca: version ") + furca::version() +
                                   ", global pool: " + std::to_string(furca::num_threads()) +
                                   " thread"));
  CHECK(contains(quota.errors, "(affinity mask "));
  CHECK(contains(quota.errors, "cgroup quota "));
  const Ending told = global_pool.run(
      {.environment = {
           {"FURCA_DISPLAY", "1"}, {"FURCA_NUM_THREADS", "2"}, {"FURCA_FENCE", "classic"}}});
  INFO(told);
  CHECK(told.exit_code == 0);
  CHECK(contains(told.errors, "global pool: 2 threads (FURCA_NUM_THREADS; "));
  CHECK(contains(told.errors, "classic fence\n"));
  CHECK(contains(told.errors, "furca: global pool, costs: clock "));
  CHECK(contains(told.errors, "furca: global pool, so: chunks of "));
  CHECK(told.error_lines() == 3);
  const Ending own = own_pool.run({.environment = {{"FURCA_DISPLAY", "1"}}});
  INFO(own);
  CHECK(contains(own.errors, "pool mine: 2 threads (asked for by the program)"));
}

TEST_CASE("values that make no sense are reported once, with what there is to choose from") {
  const Ending ending =
      own_pool.run({.environment = {{"FURCA_DISPLAY", "yes"}, {"FURCA_STATS", "2"}}});
  INFO(ending);
  CHECK(ending.exit_code == 0);
  CHECK(count(ending.errors, "furca: FURCA_DISPLAY=yes ignored: it can be 0 or 1\n") == 1);
  CHECK(count(ending.errors, "furca: FURCA_STATS=2 ignored: it can be 0, 1 or span\n") == 1);
  CHECK(ending.error_lines() == 2);
}

TEST_CASE("debug_dump tells of every pool what its threads do") {
  const Ending ending = dump.run();
  INFO(ending);
  CHECK(ending.exit_code == 0);
  CHECK(ending.errors.starts_with("furca: there is no pool\n"));
  CHECK(contains(ending.errors, "furca: pool mine, 2 threads"));
  CHECK(contains(ending.errors,
                 "furca:   thread 0: busy, 1 jobs on its stack, 0 forks to steal, no tasks\n"));
}

TEST_CASE("debug_dump may be called while pools start and end") {
  CHECK(dump_meanwhile.run().exit_code == 0);
}
