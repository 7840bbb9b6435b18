#include <furca/chunks.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/progress.hpp>
#include <furca/scope.hpp>

#include "support/pools.hpp"
#include "support/trials.hpp"

#include <stop_token>

#include <sched.h>

using furca::parallel_for;
using furca::parallel_reduce;
using furca::Progress;
using furca::ReduceTree;
using furca::detail::RecentRate;
using furca::test::on_every_pool;

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// Asks all the time, on a thread of its own, until it is gone; what it is told must never go back.
class Poller {
 public:
  explicit Poller(const Progress& progress) : thread_([this, &progress] { poll(progress); }) {}
  ~Poller() { stop(); }
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  /// What was wrong, if anything.
  std::string stop() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
    return wrong_;
  }

 private:
  void poll(const Progress& progress) {
    std::uint64_t done = 0;
    double elapsed = 0;
    do {
      const std::uint64_t now = progress.done();
      const double seconds = progress.elapsed();
      const double fraction = progress.fraction();
      const double left = progress.seconds_left();
      if (now < done) wrong_ = "done() goes back";
      if (seconds < elapsed) wrong_ = "elapsed() goes back";
      if (!(fraction >= 0 && fraction <= 1)) wrong_ = "fraction() out of range";
      if (!(left >= 0)) wrong_ = "seconds_left() is no time";
      if (!(progress.rate() >= 0)) wrong_ = "rate() is no rate";
      done = now;
      elapsed = seconds;
    } while (!over_);
  }

  std::string wrong_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

/// Functions of one type for cheap loops and for slow ones: what the cheap ones have cost says
/// nothing about the others.
constexpr int kSteps = 1'000;
const Progress* counted = nullptr;
std::uint64_t seen_by_last = 0;

void cheap(int) {}
void slow(int i) {
  furca::test::spin(1'000);
  if (i == kSteps - 1) seen_by_last = counted->done();
}
void cheap_chunk(int, int) {}
void slow_chunk(int lo, int hi) {
  for (int i = lo; i < hi; ++i) slow(i);
}
int cheap_value(int) { return 1; }
int slow_value(int i) {
  slow(i);
  return 1;
}
void cheap_fold(int& count, int lo, int hi) { count += hi - lo; }
void slow_fold(int& count, int lo, int hi) {
  slow_chunk(lo, hi);
  count += hi - lo;
}

/// In how many slow loops the last step found nothing counted, though each was taken for a short
/// one. `loop` runs one over such a function, with such a Progress or with none.
template <class Loop, class F>
int loops_without_progress(F* cheap_one, F* slow_one, Loop loop) {
  int without = 0;
  for (int k = 0; k < 20; ++k) {
    for (int i = 0; i < 10; ++i) loop(cheap_one, nullptr);
    Progress progress(kSteps);
    counted = &progress;
    loop(slow_one, &progress);
    without += seen_by_last == 0;
  }
  return without;
}

}  // namespace

TEST_CASE("every iteration of a loop is counted once, at any length and any grain") {
  on_every_pool([] {
    for (const int n : {0, 1, 2, 7, 64, 1000, 100'000}) {
      for (const std::size_t grain : {furca::automatic_grain, std::size_t{1}, std::size_t{100}}) {
        Progress progress(static_cast<std::uint64_t>(n));
        std::atomic<std::uint64_t> sum{0};
        // Several times: from the second on it is known how long it takes, and those that are short
        // take another path.
        for (int round = 1; round <= 4; ++round) {
          parallel_for(0, n, [&](int) { sum.fetch_add(1, std::memory_order_relaxed); },
                       {.grain = grain, .progress = &progress});
          CHECK(progress.done() == sum);
          CHECK(progress.done() == static_cast<std::uint64_t>(n * round));
        }
        CHECK(progress.fraction() == 1.0);
        CHECK(progress.seconds_left() == 0.0);
      }
    }
  });
}

TEST_CASE("elements of a range, and indices that begin anywhere, are counted") {
  on_every_pool([] {
    std::vector<int> numbers(12'345, 1);
    Progress progress(numbers.size());
    parallel_for(numbers, [](int& number) { ++number; }, {.progress = &progress});
    CHECK(progress.done() == 12'345);
    parallel_for(static_cast<signed char>(-128), static_cast<signed char>(127), [](signed char) {},
                 {.progress = &progress});
    CHECK(progress.done() == 12'600);
    parallel_for(kMost - 50, kMost, [](std::uint64_t) {}, {.progress = &progress});
    CHECK(progress.done() == 12'650);
    CHECK(parallel_reduce(numbers, 0, [](int number) { return number; }, std::plus<>{},
                          {.progress = &progress}) == 24'690);
    CHECK(progress.done() == 24'995);
  });
}

TEST_CASE("a reduction counts elements, whatever its tree and the size of its blocks") {
  on_every_pool([] {
    for (const ReduceTree tree :
         {ReduceTree::automatic, ReduceTree::aligned, ReduceTree::by_schedule}) {
      for (const int n : {0, 1, 2, 255, 256, 257, 4097, 1'000'003}) {
        for (const std::size_t grain :
             {furca::automatic_grain, std::size_t{1}, std::size_t{1000}}) {
          Progress progress(static_cast<std::uint64_t>(n));
          std::uint64_t all = 0;
          for (int round = 0; round < 2; ++round) {
            all += parallel_reduce(0, n, std::uint64_t{0}, [](int) { return std::uint64_t{1}; },
                                   std::plus<>{},
                                   {.grain = grain, .progress = &progress, .tree = tree});
          }
          CHECK(all == 2 * static_cast<std::uint64_t>(n));
          CHECK(progress.done() == all);
        }
      }
    }
  });
}

TEST_CASE("loops within loops add to the same count") {
  on_every_pool([] {
    Progress progress(50 + 50 * 300);
    parallel_for(0, 50,
                 [&](int) {
                   const auto one = [](int) { return 1; };
                   parallel_for(0, 100, [](int) {}, {.progress = &progress});
                   (void)parallel_reduce(0, 200, 0, one, std::plus<>{}, {.progress = &progress});
                 },
                 {.grain = 1, .progress = &progress});
    CHECK(progress.done() == progress.total());
  });
}

TEST_CASE("tasks, arms and threads outside of any pool count for themselves") {
  Progress progress(0);
  std::vector<std::thread> outside;
  for (std::uint64_t i = 1; i <= 100; ++i)  // more than there are counters
    outside.emplace_back([&progress, i] {
      for (int k = 0; k < 1000; ++k) progress.add(i);
    });
  std::uint64_t inside = 0;
  on_every_pool([&] {
    furca::scope([&](furca::Scope& scope) {
      for (int i = 0; i < 100; ++i) scope.spawn([&progress] { progress.add(3); });
      furca::join([&] { progress.add(); }, [&] { progress.add(2); });
    });
    inside += 303;
  });
  for (std::thread& thread : outside) thread.join();
  CHECK(progress.done() == inside + 5050 * 1000);
}

TEST_CASE("two threads that share a counter lose nothing") {
  const std::uint64_t n = furca::test::rounds(20'000'000);
  // The first ones have a counter each. Of the others the last comes 64 threads after the first.
  constexpr std::uint64_t kFirst = 32;
  constexpr std::uint64_t kThreads = kFirst + 65;
  Progress progress(kThreads + 2 * n);
  std::atomic<std::uint64_t> arrived{0};
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      progress.add();
      ++arrived;
      if (i != kFirst && i != kThreads - 1) return;
      while (arrived < kThreads) sched_yield();
      for (std::uint64_t k = 0; k < n; ++k) progress.add();
    });
    while (arrived == i) sched_yield();
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(progress.done() == progress.total());
}

TEST_CASE("after a stop exactly what has run is counted") {
  on_every_pool([] {
    constexpr int n = 1'000'000;
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
      std::stop_source source;
      Progress progress(n);
      std::atomic<std::uint64_t> run{0};
      const auto body = [&](int) {
        const std::uint64_t before = run.fetch_add(1, std::memory_order_relaxed);
        if (before == 1000) source.request_stop();
        while (before > 1000 && !source.stop_requested()) sched_yield();
        furca::test::spin(20);
        return std::uint64_t{1};
      };
      parallel_for(0, n, body, {.stop = source.get_token(), .progress = &progress});
      CHECK(run > 1000);
      CHECK(run < n);
      CHECK(progress.done() == run);
      CHECK(progress.fraction() < 1);
      source = std::stop_source();
      run = 0;
      Progress other(n);
      const std::uint64_t sum =
          parallel_reduce(0, n, std::uint64_t{0}, body, std::plus<>{},
                          {.stop = source.get_token(), .progress = &other, .tree = tree});
      CHECK(run < n);
      CHECK(sum == run);
      CHECK(other.done() == run);
      // Stopped before it begins: nothing.
      parallel_for(0, n, body, {.stop = source.get_token(), .progress = &other});
      CHECK(other.done() == sum);
    }
  });
}

TEST_CASE(
    "of a chunk that throws what has returned is counted, and the throwing iteration is not") {
  on_every_pool([] {
    constexpr int n = 20'000;
    for (const int bad : {0, 1, 777, n - 1}) {
      CAPTURE(bad);
      std::atomic<std::uint64_t> returned{0};
      const auto body = [&returned, bad](int i) {
        if (i == bad) throw std::runtime_error("bad");
        returned.fetch_add(1, std::memory_order_relaxed);
        return 1;
      };
      Progress progress(n);
      CHECK_THROWS_AS(parallel_for(0, n, body, {.progress = &progress}), std::runtime_error);
      CHECK(progress.done() == returned);
      CHECK(progress.done() >= static_cast<std::uint64_t>(bad));
      for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
        for (const std::size_t grain : {furca::automatic_grain, std::size_t{500}}) {
          returned = 0;
          Progress other(n);
          const furca::ReduceOptions options{.grain = grain, .progress = &other, .tree = tree};
          CHECK_THROWS_AS(parallel_reduce(0, n, 0, body, std::plus<>{}, options),
                          std::runtime_error);
          CHECK(other.done() == returned);
        }
      }
    }
  });
}

TEST_CASE("when a combination of two blocks throws, the elements of both are counted") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    int combined = 0;
    const auto throws_at_last = [&combined](int a, int b) {
      // an element of each of two blocks, and then the blocks
      if (++combined == 4 + 4 + 1) throw std::runtime_error("bad");
      return a + b;
    };
    Progress progress(8);
    const furca::ReduceOptions options{
        .grain = 4, .progress = &progress, .tree = ReduceTree::aligned};
    CHECK_THROWS_AS(parallel_reduce(
                        0, 8, 0, [](int) { return 1; }, throws_at_last, options),
                    std::runtime_error);
    CHECK(progress.done() == 8);
  });
}

TEST_CASE("nothing to do is done") {
  const Progress nothing(0);
  CHECK(nothing.done() == 0);
  CHECK(nothing.total() == 0);
  CHECK(nothing.fraction() == 1.0);
  CHECK(nothing.seconds_left() == 0.0);
  CHECK(nothing.rate() == 0.0);
}

TEST_CASE("totals and counts as large as there are") {
  Progress progress(kMost);
  CHECK(progress.fraction() == 0.0);
  CHECK(progress.seconds_left() == std::numeric_limits<double>::infinity());
  progress.add(kMost / 2);
  CHECK(progress.fraction() == doctest::Approx(0.5));
  progress.add(kMost - kMost / 2);
  CHECK(progress.done() == kMost);
  CHECK(progress.fraction() == 1.0);
  CHECK(progress.seconds_left() == 0.0);
}

TEST_CASE("more than was foreseen") {
  Progress progress(10);
  progress.add(25);
  CHECK(progress.done() == 25);
  CHECK(progress.fraction() == 1.0);
  CHECK(progress.seconds_left() == 0.0);
}

TEST_CASE("many threads ask at any time, and nothing goes back") {
  on_every_pool([] {
    const std::uint64_t n = furca::test::rounds(200'000);
    Progress progress(2 * n);
    Poller one(progress);
    Poller another(progress);
    parallel_for(std::uint64_t{0}, n, [](std::uint64_t) { furca::test::spin(5); },
                 {.progress = &progress});
    parallel_for(std::uint64_t{0}, n, [&](std::uint64_t) { progress.add(); });
    CHECK(one.stop() == "");
    CHECK(another.stop() == "");
    CHECK(progress.done() == progress.total());
  });
}

TEST_CASE("some of a loop is counted before all of it has run") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    constexpr int n = 1000;
    Progress progress(n);
    std::uint64_t seen = 0;
    // Whoever runs the last iteration has run others before: no chunk is more than an eighth of
    // what it is cut from.
    const auto body = [&](int i) {
      if (i == n - 1) seen = progress.done();
    };
    parallel_for(0, n, body, {.progress = &progress});
    CHECK(seen > 0);
    CHECK(seen < n);
  });
}

TEST_CASE("on a pool of one a loop that is taken for a short one is counted while it runs") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    CHECK(loops_without_progress(&cheap, &slow, [](void (*f)(int), Progress* p) {
            parallel_for(0, kSteps, f, {.progress = p});
          }) == 0);
    CHECK(loops_without_progress(&cheap_chunk, &slow_chunk, [](void (*f)(int, int), Progress* p) {
            furca::parallel_for_chunks(0, kSteps, f, {.progress = p});
          }) == 0);
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
      CAPTURE(static_cast<int>(tree));
      CHECK(loops_without_progress(&cheap_value, &slow_value, [tree](int (*f)(int), Progress* p) {
              (void)parallel_reduce(0, kSteps, 0, f, std::plus<>{}, {.progress = p, .tree = tree});
            }) == 0);
      CHECK(loops_without_progress(
                &cheap_fold, &slow_fold, [tree](void (*f)(int&, int, int), Progress* p) {
                  (void)furca::parallel_reduce_chunks(0, kSteps, 0, f, std::plus<>{},
                                                      {.progress = p, .tree = tree});
                }) == 0);
    }
  });
}

TEST_CASE("rate and time left, of real time") {
  Progress progress(1000);
  CHECK(progress.seconds_left() == std::numeric_limits<double>::infinity());
  const double begin = progress.elapsed();
  CHECK(begin >= 0);
  while (progress.elapsed() < begin + 0.02) furca::test::spin(1000);
  progress.add(250);
  const double before = progress.elapsed();
  const double rate = progress.rate();
  const double left = progress.seconds_left();
  const double after = progress.elapsed();
  // All was done since the first question: that is the plain mean if it came early, and up to four
  // times as much if it came late.
  CHECK(rate <= 4 * 250 / before);
  CHECK(rate >= 250 / after);
  CHECK(left >= 750 / rate);
  CHECK(progress.rate() <= rate);  // nothing was done since
}

TEST_CASE(
    "the first question gets the plain mean, and an even pace is an even pace however often one "
    "asks") {
  RecentRate asked_once;
  CHECK(asked_once.sample(100, 700) == doctest::Approx(7));
  for (const double step : {0.01, 0.5, 7.0}) {
    RecentRate rate;
    for (double t = step; t < 100; t += step) {
      const double now = rate.sample(t, static_cast<std::uint64_t>(1e6 * t));
      CHECK(now == doctest::Approx(1e6).epsilon(1e-3));
    }
  }
}

TEST_CASE("what was done lately counts more") {
  // 1000 a second for 75 seconds, and then nothing: a quarter of the time takes two thirds of it
  // away.
  RecentRate rate;
  CHECK(rate.sample(75, 75'000) == doctest::Approx(1000));
  CHECK(rate.sample(100, 75'000) == doctest::Approx(1000 * std::pow(0.75, 4)));
  CHECK(rate.sample(150, 75'000) == doctest::Approx(1000 * std::pow(0.5, 4)));
  // Asked often or seldom, it is the same.
  RecentRate often;
  double last = 0;
  for (int t = 1; t <= 150; ++t)
    last = often.sample(t, static_cast<std::uint64_t>(t < 75 ? 1000 * t : 75'000));
  CHECK(last == doctest::Approx(1000 * std::pow(0.5, 4)));
}

TEST_CASE("the time left does not jump where steps come in bursts") {
  // Two threads, a step of a minute each, so two steps once a minute; asked once a second.
  RecentRate rate;
  double before = 0;
  for (int t = 1; t <= 3600; ++t) {
    const double now = rate.sample(t, static_cast<std::uint64_t>(2 * (t / 60)));
    if (t > 1200) {
      CHECK(now == doctest::Approx(before).epsilon(0.25));
      CHECK(now == doctest::Approx(2.0 / 60).epsilon(0.2));
    }
    before = now;
  }
}

TEST_CASE("two questions within one tick of the clock") {
  RecentRate rate;
  CHECK(rate.sample(0, 0) == 0);
  CHECK(rate.sample(0, 5) == 0);
  CHECK(rate.sample(1, 5) == doctest::Approx(5));
  CHECK(rate.sample(1, 9) == doctest::Approx(5));
  CHECK(rate.sample(2, 9) == doctest::Approx(5.0 / 16 + 4 * 15.0 / 16));
}
