#include <furca/broadcast.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/spawn.hpp>

#include "support/pools.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

using furca::ThreadPool;
using furca::test::rounds;
using furca::test::Watchdog;

namespace {

constexpr std::size_t kSizes[] = {1, 2, 3, 16};

}  // namespace

TEST_CASE("once on every thread: the caller's result first, then by number") {
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    const std::vector<std::size_t> indices = pool.broadcast([] { return furca::thread_index(); });
    REQUIRE(indices.size() == threads);
    CHECK(indices.front() == threads - 1);
    for (std::size_t i = 1; i < threads; ++i) CHECK(indices[i] == i - 1);

    std::mutex mutex;
    std::set<std::thread::id> ids;
    pool.broadcast([&] {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    });
    CHECK(ids.size() == threads);
    CHECK(ids.contains(std::this_thread::get_id()));
    const auto owners =
        pool.install([] { return furca::broadcast([] { return std::make_unique<int>(1); }); });
    CHECK(owners.size() == threads);
  }
}

TEST_CASE("from a started thread: it is one of those that were started") {
  for (const std::size_t threads : {2U, 3U}) {
    ThreadPool pool({.threads = threads});
    CHECK(pool.spawn_task([] { return furca::broadcast([] { return 1; }); }).join().size() >=
          threads - 1);
  }
}

TEST_CASE("what it throws: the caller's first, else the lowest number's; all calls are made") {
  for (const std::size_t threads : {1U, 3U, 16U}) {
    ThreadPool pool({.threads = threads});
    std::atomic<std::size_t> calls{0};
    const auto throw_number = [&] {
      ++calls;
      throw std::runtime_error(std::to_string(furca::thread_index()));
    };
    CHECK_THROWS_WITH(pool.broadcast(throw_number), std::to_string(threads - 1).c_str());
    CHECK(calls == threads);
    if (threads < 3) continue;
    CHECK_THROWS_WITH(pool.broadcast([&] {
      if (furca::thread_index() != threads - 1) throw_number();
    }),
                      "0");
  }
}

TEST_CASE("threads that work, sleep, or wait in a join hear of it; and two broadcasts at once") {
  const Watchdog watchdog("broadcast");
  for (const std::size_t threads : kSizes) {
    ThreadPool pool({.threads = threads});
    std::atomic<std::size_t> calls{0};
    std::atomic<bool> stop{false};
    std::thread loops([&] {
      pool.install([&] {
        while (!stop.load(std::memory_order_relaxed))
          furca::parallel_for(0, 1'000, [](int) { furca::test::spin(20); });
      });
    });
    const std::uint64_t times = rounds(300);
    const auto broadcast = [&] {
      for (std::uint64_t i = 0; i < times; ++i) {
        pool.broadcast([&] { calls.fetch_add(1, std::memory_order_relaxed); });
        watchdog.feed();
        if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    };
    std::thread other(broadcast);
    broadcast();
    other.join();
    stop.store(true, std::memory_order_relaxed);
    loops.join();
    CHECK(calls == 2 * times * threads);
  }
}

TEST_CASE("from inside forks, stolen or not, with the deque full of others") {
  const Watchdog watchdog("nested broadcast");
  for (const std::size_t threads : kSizes) {
    ThreadPool pool({.threads = threads});
    std::atomic<std::size_t> calls{0};
    const std::uint64_t times = rounds(100);
    for (std::uint64_t i = 0; i < times; ++i) {
      pool.install([&] {
        furca::join([&] { furca::broadcast([&] { ++calls; }); },
                    [&] {
                      furca::join([] { furca::test::spin(100); },
                                  [&] { furca::broadcast([&] { ++calls; }); });
                    });
      });
      watchdog.feed();
    }
    CHECK(calls >= times * 2 * std::max<std::size_t>(1, threads - 1));
  }
}

TEST_CASE("f may fork and spawn") {
  ThreadPool pool({.threads = 3});
  std::atomic<long> sum{0};
  for (int i = 0; i < 50; ++i) {
    pool.broadcast([&] {
      furca::parallel_for(0, 100, [&](int k) { sum.fetch_add(k, std::memory_order_relaxed); });
      furca::spawn([&] { sum.fetch_add(1, std::memory_order_relaxed); });
    });
  }
  pool.wait_idle();
  CHECK(sum == 50 * 3 * (4'950 + 1));
}
