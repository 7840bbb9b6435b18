#include <furca/async.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/per_worker.hpp>
#include <furca/thread_pool.hpp>

#include "support/pools.hpp"

using furca::Async;
using furca::PerWorker;
using furca::test::on_every_pool;

namespace {

/// Copies beyond a number throw.
struct Rare {
  static inline std::atomic<int> alive{0};
  static inline std::atomic<int> left{0};
  Rare() { ++alive; }
  Rare(const Rare&) {
    if (left.fetch_sub(1) <= 0) throw std::runtime_error("no more");
    ++alive;
  }
  Rare(Rare&&) noexcept { ++alive; }
  ~Rare() { --alive; }
};

struct alignas(512) Wide {
  std::string text;
};

struct Sum {
  int value = 0;
  Sum add(const Sum& other) const { return {value + other.value}; }
};

Async<const int*> value_in_a_task(furca::ThreadPool& pool, PerWorker<int>& values) {
  co_await pool.schedule();
  co_return &values.local();
}

}  // namespace

TEST_CASE("every thread adds to a value of its own, and together they have all") {
  on_every_pool([] {
    for (int round = 0; round < 10; ++round) {
      PerWorker<std::uint64_t> sums;
      CHECK(sums.empty());
      furca::parallel_for(0, 10'000, [&](int i) { sums.local() += static_cast<std::uint64_t>(i); });
      CHECK(sums.size() >= 1);
      CHECK(sums.size() <= furca::num_threads());
      CHECK(sums.combine(std::plus<>()) == 49'995'000);
      CHECK(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}) == 49'995'000);
    }
  });
}

TEST_CASE("local is the same value each time, in a cache line of its own") {
  furca::ThreadPool pool({.threads = 4});
  pool.install([] {
    PerWorker<char> values;
    std::vector<std::atomic<char*>> seen(furca::num_threads());
    std::atomic<bool> same{true};
    furca::parallel_for(0, 10'000, [&](int) {
      char* const mine = &values.local();
      char* before = nullptr;
      if (!seen[furca::thread_index()].compare_exchange_strong(before, mine) && before != mine)
        same = false;
    });
    CHECK(same);
    std::set<std::uintptr_t> lines;
    for (char& value : values) lines.insert(reinterpret_cast<std::uintptr_t>(&value) / 64);
    CHECK(lines.size() == values.size());
  });
}

TEST_CASE("values begin as given, and nobody's is the initial one") {
  PerWorker<std::string> words("a");
  CHECK(words.combine([](std::string a, const std::string& b) { return a + b; }) == "a");
  words.local() += "b";
  CHECK(words.local() == "ab");
  CHECK(words.combine([](std::string a, const std::string& b) { return a + b; }) == "ab");
  words.clear();
  CHECK(words.empty());
  CHECK(words.local() == "a");
}

TEST_CASE("combine takes what std::invoke takes, and has an address") {
  furca::ThreadPool one({.threads = 1});
  furca::ThreadPool other({.threads = 1});
  PerWorker<Sum> sums;
  one.install([&] { sums.local().value = 3; });
  other.install([&] { sums.local().value = 4; });
  CHECK(sums.combine(&Sum::add).value == 7);

  PerWorker<int> values(5);
  const auto combine = &PerWorker<int>::combine<std::plus<>>;
  CHECK((values.*combine)(std::plus<>()) == 5);
}

TEST_CASE("threads of two pools with the same number have different values") {
  furca::ThreadPool one({.threads = 1});
  furca::ThreadPool other({.threads = 1});
  PerWorker<int> values;
  one.install([&] { values.local() = 1; });
  other.install([&] {
    CHECK(values.local() == 0);
    values.local() = 2;
    one.install([&] { CHECK(values.local() == 1); });
  });
  CHECK(values.size() == 2);
  CHECK(values.combine(std::plus<>()) == 3);
}

TEST_CASE("many threads at once: the table grows") {
  constexpr int kThreads = 100;
  furca::ThreadPool pool({.threads = 1});
  PerWorker<int> values;
  std::atomic<int> inside{0};
  furca::test::on_threads(kThreads, [&](int) {
    pool.install([&] {
      ++inside;
      while (inside < kThreads) std::this_thread::yield();
      ++values.local();
      ++values.local();
    });
  });
  CHECK(values.size() == kThreads);
  for (const int& value : static_cast<const PerWorker<int>&>(values)) CHECK(value == 2);
}

TEST_CASE("a value that cannot be made: local throws, and there is none") {
  {
    PerWorker<Rare> values;
    Rare::left = 0;
    CHECK_THROWS_AS(values.local(), std::runtime_error);
    CHECK(values.empty());
    Rare::left = 1;
    values.local();
    values.local();
    CHECK(values.size() == 1);
  }
  CHECK(Rare::alive == 0);
}

TEST_CASE("pools one after the other: each thread begins with the initial value") {
  PerWorker<int> values(7);
  for (std::size_t round = 1; round <= 50; ++round) {
    furca::ThreadPool pool({.threads = 1});
    pool.install([&] {
      CHECK(values.local() == 7);
      values.local() = 42;
    });
    CHECK(values.size() == round);
  }
}

TEST_CASE("tables one after the other at one address: none has a former one's values") {
  on_every_pool([] {
    std::optional<PerWorker<int>> values;
    std::atomic<int> old{0};
    for (int round = 0; round < 50; ++round) {
      values.emplace(round);
      furca::parallel_for(0, 100, [&](int) {
        int& mine = values->local();
        if (mine != round && mine != -1) ++old;
        mine = -1;
      });
    }
    CHECK(old == 0);
  });
}

TEST_CASE("cleared: nobody finds what he had") {
  on_every_pool([] {
    PerWorker<int> values(7);
    std::atomic<int> old{0};
    for (int round = 0; round < 50; ++round) {
      furca::parallel_for(0, 100, [&](int) {
        int& mine = values.local();
        if (mine != 7 && mine != round) ++old;
        mine = round;
      });
      values.clear();
    }
    CHECK(old == 0);
    CHECK(values.empty());
  });
}

TEST_CASE("more tables in turns than a thread remembers: each has its own value") {
  std::array<PerWorker<int>, 5> tables;
  for (int round = 0; round < 10; ++round)
    for (PerWorker<int>& table : tables) ++table.local();
  for (std::size_t most = 1; most <= tables.size(); ++most)
    for (int round = 0; round < 10; ++round)
      for (std::size_t i = 0; i < most; ++i) ++tables[i].local();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    CHECK(tables[i].size() == 1);
    CHECK(tables[i].local() == 10 + 10 * static_cast<int>(tables.size() - i));
  }
}

TEST_CASE("in a task that a thread runs while it waits, it has the same value") {
  PerWorker<int> values;
  std::atomic<bool> busy{false};
  std::atomic<bool> enough{false};
  furca::ThreadPool pool({.threads = 2});
  pool.spawn([&] {  // or the other thread would take the task, or the arm
    busy = true;
    while (!enough) std::this_thread::yield();
  });
  while (!busy) std::this_thread::yield();
  const int* before = nullptr;
  const int* inside = nullptr;
  pool.install([&] {
    furca::join(
        [&] {
          before = &values.local();
          inside = furca::sync_wait(value_in_a_task(pool, values));
          CHECK(&values.local() == before);
          enough = true;
        },
        [] {});
  });
  CHECK(inside == before);
  CHECK(values.size() == 1);
}

TEST_CASE("a thread that calls in later has the place, and the value, of one that has left") {
  furca::ThreadPool pool({.threads = 1});
  PerWorker<int> values;
  for (int i = 0; i < 10; ++i) std::thread([&] { pool.install([&] { ++values.local(); }); }).join();
  CHECK(values.size() == 1);
  CHECK(values.combine(std::plus<>()) == 10);
}

TEST_CASE("values keep to their own alignment") {
  PerWorker<Wide> values;
  furca::parallel_for(0, 1000, [&](int) { values.local().text.push_back('a'); });
  for (const Wide& value : values)
    CHECK(reinterpret_cast<std::uintptr_t>(&value) % alignof(Wide) == 0);
}
