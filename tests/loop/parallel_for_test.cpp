#include <furca/chunks.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>

#include "measuring/clock.hpp"
#include "support/pools.hpp"
#include "support/watchdog.hpp"

#include <stop_token>

using furca::parallel_for;
using furca::test::on_every_pool;

TEST_CASE("every index is visited once") {
  on_every_pool([] {
    for (const int n : {0, 1, 2, 3, 7, 64, 65, 1000, 100'000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
      for (int round = 0; round < 3; ++round)
        parallel_for(0, n, [&](int i) { ++seen[static_cast<std::size_t>(i)]; });
      int wrong = 0;
      for (const auto& count : seen) wrong += count != 3;
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE_TEMPLATE("any integral type, to its very ends", Index, signed char, char16_t, int,
                   unsigned, unsigned long, long long) {
  on_every_pool([] {
    using Limits = std::numeric_limits<Index>;
    const auto sum_of = [](Index first, Index last) {
      std::atomic<std::uint64_t> sum{0};
      parallel_for(first, last, [&](auto i) {
        static_assert(std::is_same_v<decltype(i), Index>);
        sum += static_cast<std::uint64_t>(i) + 1;
      });
      return sum.load();
    };
    CHECK(sum_of(0, 100) == 5050);
    const auto top = Limits::max();
    const std::uint64_t t = static_cast<std::uint64_t>(top);
    CHECK(sum_of(static_cast<Index>(top - 3), top) == (t - 3 + 1) + (t - 2 + 1) + (t - 1 + 1));
    const auto low = Limits::min();
    CHECK(sum_of(low, static_cast<Index>(low + 2)) == static_cast<std::uint64_t>(low) * 2 + 3);
    CHECK(sum_of(5, 5) == 0);
    CHECK(sum_of(6, 5) == 0);
    CHECK(sum_of(top, low) == 0);
  });
}

TEST_CASE("both ends are taken to their common type") {
  std::atomic<long> sum{0};
  parallel_for(0, std::size_t{10}, [&](auto i) {
    static_assert(std::is_same_v<decltype(i), std::size_t>);
    sum += static_cast<long>(i);
  });
  parallel_for(short{0}, 10L, [&](auto i) {
    static_assert(std::is_same_v<decltype(i), long>);
    sum += i;
  });
  CHECK(sum == 90);
  parallel_for(-1, 5U, [&](unsigned) { ++sum; });  // -1 is 4294967295 there: reversed, so empty
  CHECK(sum == 90);
}

TEST_CASE("random-access ranges, by reference") {
  on_every_pool([] {
    std::vector<int> numbers(10'000, 1);
    parallel_for(numbers, [](int& x) { x += 2; });
    parallel_for(std::span(numbers).first(5'000), [](int& x) { x += 3; });
    CHECK(std::accumulate(numbers.begin(), numbers.end(), 0) == 45'000);
    std::deque<int> deque(1'000, 1);
    parallel_for(deque, [](int& x) { x = 2; });
    CHECK(std::accumulate(deque.begin(), deque.end(), 0) == 2'000);
    const std::vector<int> constant(100, 3);
    std::atomic<int> sum{0};
    parallel_for(constant, [&](const int& x) { sum += x; });
    int plain[4] = {1, 2, 3, 4};
    parallel_for(plain, [&](int x) { sum += x; });
    parallel_for(std::vector<int>{5, 5}, [&](int& x) { sum += x; });
    CHECK(sum == 320);
    std::vector<int> none;
    parallel_for(none, [&](int) { ++sum; });
    CHECK(sum == 320);
    struct Image {
      int value = 0;
      void sharpen() { ++value; }
    };
    std::vector<Image> images(100);
    parallel_for(images, &Image::sharpen);
    for (const Image& image : images) CHECK(image.value == 1);
  });
}

TEST_CASE("the body is used where it is") {
  struct Counter {
    std::atomic<int> calls{0};
    void operator()(int) { ++calls; }
  };
  Counter counter;
  parallel_for(0, 1000, counter);
  CHECK(counter.calls == 1000);
}

TEST_CASE("nests to any depth, with joins between") {
  on_every_pool([] {
    std::atomic<long> count{0};
    parallel_for(0, 20, [&](int) {
      furca::join(
          [&] { parallel_for(0, 20, [&](int) { parallel_for(0, 20, [&](int) { ++count; }); }); },
          [&] { parallel_for(0, 10, [&](int) { ++count; }); });
    });
    CHECK(count == 20 * (20 * 20 + 10));
  });
}

TEST_CASE("grain is a floor for what is run at a time") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    std::vector<std::thread::id> who(1000);
    for (int round = 0; round < 20; ++round) {
      parallel_for(0, 1000,
                   [&](int i) {
                     who[static_cast<std::size_t>(i)] = std::this_thread::get_id();
                     furca::test::spin(1000);
                   },
                   {.grain = 250});
      std::size_t changes = 0;
      for (std::size_t i = 1; i < who.size(); ++i) changes += who[i] != who[i - 1];
      CHECK(changes <= 3);
    }
    std::atomic<int> count{0};
    parallel_for(0, 10, [&](int) { ++count; }, {.grain = 1'000'000});
    parallel_for(0, 10, [&](int) { ++count; }, {.grain = std::numeric_limits<std::size_t>::max()});
    CHECK(count == 20);
  });
}

TEST_CASE("grain 0 is an error that says what to do") {
  bool ran = false;
  CHECK_THROWS_WITH_AS(parallel_for(0, 10, [&](int) { ran = true; }, {.grain = 0}),
                       doctest::Contains("leave it out"), std::invalid_argument);
  CHECK_FALSE(ran);
}

TEST_CASE("after a stop no chunk starts, and the call returns normally") {
  on_every_pool([] {
    std::stop_source source;
    source.request_stop();
    std::atomic<int> count{0};
    parallel_for(0, 1000, [&](int) { ++count; }, {.stop = source.get_token()});
    CHECK(count == 0);

    std::stop_source later;
    parallel_for(0, 10'000'000,
                 [&](int i) {
                   ++count;
                   if (i == 5) later.request_stop();
                 },
                 {.stop = later.get_token()});
    CHECK(count >= 6);
    CHECK(count < 10'000'000);

    count = 0;
    parallel_for(0, 1000, [&](int) { ++count; }, {.stop = std::stop_token()});
    CHECK(count == 1000);
  });
}

TEST_CASE("a loop of 2^64 iterations, which nobody could run, stops; and throws") {
  on_every_pool([] {
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
    std::stop_source source;
    std::atomic<int> count{0};
    const auto body = [&](std::uint64_t) {
      if (++count == 1'000) source.request_stop();
    };
    parallel_for(std::uint64_t{0}, kAll, body, {.stop = source.get_token()});
    CHECK(count >= 1'000);
    source = std::stop_source();
    count = 0;
    furca::parallel_for_chunks(std::uint64_t{0}, kAll,
                               [&](std::uint64_t first, std::uint64_t) { body(first); },
                               {.stop = source.get_token()});
    CHECK(count >= 1'000);
    CHECK_THROWS_AS(parallel_for(std::uint64_t{0}, kAll, [](std::uint64_t) { throw 1; }), int);
  });
}

TEST_CASE("a loop of dear iterations, which nobody knew to be dear, stops after few of them") {
  on_every_pool([] {
    std::stop_source source;
    std::atomic<int> count{0};
    parallel_for(
        0, 100'000'000,
        [&](int) {
          if (++count == 100) source.request_stop();
          const auto begin = std::chrono::steady_clock::now();
          while (std::chrono::steady_clock::now() - begin < std::chrono::microseconds(20)) {
          }
        },
        {.stop = source.get_token()});
    CHECK(count >= 100);
    CHECK(count < 2'000);
  });
}

TEST_CASE("behind an iteration that takes long little is left that only its thread could run") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    std::atomic<int> done{0};
    parallel_for(0, 1000, [&](int i) {
      while (i == 0 && done.load() < 950) std::this_thread::yield();
      ++done;
    });
    CHECK(done == 1000);
  });
}

TEST_CASE("a loop that was cheap and has become expensive is shared again") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    std::vector<std::thread::id> who(64);
    const auto run = [&who](int work) {
      parallel_for(0, 64, [&who, work](int i) {
        furca::test::spin(work);
        who[static_cast<std::size_t>(i)] = std::this_thread::get_id();
      });
      return std::count_if(who.begin(), who.end(),
                           [&](std::thread::id id) { return id != who.front(); });
    };
    for (int round = 0; round < 100; ++round) run(0);
    std::ptrdiff_t shared = 0;
    for (int tries = 0; shared == 0 && tries < 100; ++tries) shared = run(3'000'000);
    CHECK(shared > 0);
  });
}

TEST_CASE("a grain of any size is taken for what it is") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    constexpr std::size_t kHalf = ~(std::numeric_limits<std::size_t>::max() / 2);
    for (const std::size_t grain :
         {std::size_t{3}, std::size_t{9}, std::size_t{10}, std::size_t{11}, kHalf - 1, kHalf,
          kHalf + 1, std::numeric_limits<std::size_t>::max() - 1}) {
      CAPTURE(grain);
      for (int round = 0; round < 3; ++round) {
        std::atomic<int> calls{0};
        parallel_for(0, 10, [&calls](int) { ++calls; }, {.grain = grain});
        CHECK(calls == 10);
      }
    }
  });
}

TEST_CASE(
    "a loop that was short a hundred times and then is not is shared at once, and can be stopped") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    std::vector<std::thread::id> who(64);
    const auto run = [&who](int work, std::stop_source* stop) {
      std::atomic<int> count{0};
      const auto body = [&who, work, stop, &count](int i) {
        furca::test::spin(work);
        who[static_cast<std::size_t>(i)] = std::this_thread::get_id();
        if (stop != nullptr) stop->request_stop(), ++count;
      };
      parallel_for(0, 64, body, {.stop = stop != nullptr ? stop->get_token() : std::stop_token()});
      return stop != nullptr
                 ? count.load()
                 : static_cast<int>(std::count_if(who.begin(), who.end(), [&](std::thread::id id) {
                     return id != who.front();
                   }));
    };
    int shared = 0;
    for (int tries = 0; shared == 0 && tries < 20; ++tries) {
      for (int round = 0; round < 100; ++round) run(0, nullptr);
      shared = run(3'000'000, nullptr);
    }
    CHECK(shared > 0);
    for (int round = 0; round < 100; ++round) run(0, nullptr);
    std::stop_source stop;
    CHECK(run(0, &stop) < 64);
  });
}

TEST_CASE(
    "a loop that was short a thousand times, and then only begins so, is shared before long") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    std::vector<std::thread::id> who(64);
    const auto run = [&who](int work) {
      parallel_for(0, 64, [&who, work](int i) {
        if (i >= 8) furca::test::spin(work);
        who[static_cast<std::size_t>(i)] = std::this_thread::get_id();
      });
      return std::count_if(who.begin(), who.end(),
                           [&](std::thread::id id) { return id != who.front(); });
    };
    for (int round = 0; round < 1000; ++round) run(0);
    std::ptrdiff_t shared = 0;
    for (int tries = 0; shared == 0 && tries < 1000; ++tries) shared = run(100'000);
    CHECK(shared > 0);
  });
}

TEST_CASE("after a stop request in a loop that is known to be short its rest does not begin") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    for (const std::size_t grain : {furca::automatic_grain, std::size_t{1}, std::size_t{4}}) {
      for (int k = 0; k < 200; ++k) {
        std::stop_source source;
        std::atomic<int> runs{0};
        const auto body = [&](int i) {
          ++runs;
          if (k > 100 && i == 0) source.request_stop();
        };
        parallel_for(0, 64, body, {.grain = grain, .stop = source.get_token()});
        if (k <= 100) CHECK(runs == 64);
        if (k > 100) CHECK(runs < 64);
      }
    }
  });
}

/// A token that counts how often it is asked.
struct CountedToken {
  int* asked;

  bool stop_possible() const noexcept { return true; }
  bool stop_requested() const noexcept {
    ++*asked;
    return false;
  }
};

TEST_CASE("on a pool of one a stop token is not asked after each of a few steps") {
  if (furca::detail::observing) return;  // a trace has every chunk
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    for (const std::size_t grain : {furca::automatic_grain, std::size_t{1}, std::size_t{6}}) {
      int least = 1'000;  // one loop of sixteen is timed, and asks after each step
      for (int round = 0; round < 200; ++round) {
        int asked = 0;
        int sum = 0;
        const auto body = [&](int i) {
          furca::test::spin(3'000);  // sixteen of them are worth sharing
          sum += i;
        };
        parallel_for(0, 16, body, {.grain = grain, .stop = CountedToken{&asked}});
        CHECK(sum == 120);
        least = std::min(least, asked);
      }
      CHECK(least <= 6);
    }
  });
}

TEST_CASE("the body gets a copy of the index, whatever it does with it") {
  std::atomic<int> count{0};
  parallel_for(0, 1000, [&](auto&& i) {
    ++count;
    i += 1000;
  });
  parallel_for(0, 1000, [&](int&&) { ++count; });
  CHECK(count == 2000);
}

TEST_CASE("an expensive loop of two steps is shared although a cheap one ran before it") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    const auto run = [](int work) {
      std::thread::id who[2];
      parallel_for(0, 2, [&who, work](int i) {
        furca::test::spin(work);
        who[i] = std::this_thread::get_id();
      });
      return who[0] != who[1];
    };
    run(5'000'000);
    bool shared = false;
    for (int tries = 0; !shared && tries < 100; ++tries) {
      run(0);
      shared = run(5'000'000);
    }
    CHECK(shared);
  });
}

namespace {

#ifdef __SIZEOF_INT128__
__extension__ using WiderThanSize = unsigned __int128;
#else
using WiderThanSize = std::uint64_t;
#endif

/// A range that says it has more elements than memory can have, as a std::views::iota of 64 bits
/// may where a std::size_t has 32.
struct Endless {
  int* begin() const { return nullptr; }
  int* end() const { return nullptr; }
  WiderThanSize size() const {
    return WiderThanSize{std::numeric_limits<std::size_t>::max()} + more;
  }
  WiderThanSize more;
};

}  // namespace

TEST_CASE("a range with more elements than a std::size_t counts is refused, and not cut short") {
  const auto body = [](int&) { FAIL("there is no element"); };
  CHECK_THROWS_AS(parallel_for(Endless{1}, body), std::length_error);
  // whose lower half would have four
  CHECK_THROWS_AS(parallel_for(Endless{5}, body), std::length_error);
  const Endless longest{0};
  CHECK(furca::detail::size_of(longest) == std::numeric_limits<std::size_t>::max());
}

namespace {

/// Two steps of many take nearly all the time: each some milliseconds, and after that it waits for
/// the other to begin on another thread, but not for ever.
class TwoExpensive {
 public:
  /// Of so many steps these two: `first` and the next one.
  TwoExpensive(std::size_t steps, std::size_t first) noexcept : count(steps), first_(first) {}

  std::size_t operator()(std::size_t step) {
    if (step == first_ || step == first_ + 1) run(step - first_);
    return step;
  }

  bool met() const noexcept { return met_[0] || met_[1]; }

  const std::size_t count;

 private:
  using Clock = std::chrono::steady_clock;

  void run(std::size_t which) {
    begun_[which] = true;
    const Clock::time_point start = Clock::now();
    while (Clock::now() - start < std::chrono::milliseconds(5)) {
    }
    while (!begun_[1 - which] && Clock::now() - start < std::chrono::milliseconds(200))
      std::this_thread::yield();
    met_[which] = begun_[1 - which] && !ended_[1 - which];
    ended_[which] = true;
  }

  const std::size_t first_;
  std::array<std::atomic<bool>, 2> begun_{};
  std::array<std::atomic<bool>, 2> ended_{};
  std::array<std::atomic<bool>, 2> met_{};
};

constexpr std::size_t kManySteps = 10'000;

/// loop(steps) runs them. What a crowded machine spoils is tried again.
template <class Loop>
void check_that_two_meet(std::size_t count, Loop loop) {
  const furca::test::Watchdog watchdog("two expensive steps");
  for (const std::size_t first : {count - 2, count / 2, count / 3, std::size_t{0}}) {
    CAPTURE(first);
    furca::ThreadPool pool({.threads = 2});
    constexpr int kWanted = 10;
    int met = 0;
    for (int trial = 0; trial < 4 * kWanted && met < kWanted; ++trial) {
      TwoExpensive steps(count, first);
      pool.install([&] { loop(steps); });
      met += steps.met();
      watchdog.feed();
    }
    CHECK(met == kWanted);
  }
}

/// In the first call of a body that has never run: each is of another type.
template <std::size_t body>
bool two_meet_at_once(std::size_t first) {
  TwoExpensive steps(kManySteps, first);
  parallel_for(std::size_t{0}, steps.count, [&](std::size_t i) { (void)steps(i); });
  return steps.met();
}

}  // namespace

TEST_CASE("two neighbours among cheap steps run at the same time, if they were expensive before") {
  check_that_two_meet(64, [](TwoExpensive& steps) {
    parallel_for(std::size_t{0}, steps.count, [&](std::size_t i) { (void)steps(i); });
  });
  check_that_two_meet(kManySteps, [](TwoExpensive& steps) {
    parallel_for(std::size_t{0}, steps.count, [&](std::size_t i) { (void)steps(i); });
  });
  check_that_two_meet(kManySteps, [](TwoExpensive& steps) {
    CHECK(furca::parallel_reduce(std::size_t{0}, steps.count, std::size_t{0}, [&](std::size_t i) {
            return steps(i);
          }) == steps.count * (steps.count - 1) / 2);
  });
}

TEST_CASE("two neighbours among cheap steps run at the same time in the first call of all") {
  const furca::test::Watchdog watchdog("two expensive steps, at once");
  furca::ThreadPool pool({.threads = 2});
  pool.install([&] {
    int met = 0;  // a crowded machine may spoil some
    const auto run = [&]<std::size_t... body>(std::index_sequence<body...>) {
      ((met += two_meet_at_once<body>(body * (kManySteps - 2) / (sizeof...(body) - 1)),
        watchdog.feed()),
       ...);
    };
    run(std::make_index_sequence<16>());
    CHECK(met >= 8);
  });
}

namespace {

/// Not by computing: that might keep the other thread from it.
void take_50_milliseconds() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

/// A loop whose steps are cheap on the thread that calls it, and take 50 milliseconds on another.
/// The caller's first step waits for another thread to come.
class ExpensiveElsewhere {
 public:
  static void run(void* part, std::uint64_t, std::uint64_t, furca::detail::LoopEnd&) {
    auto& self = *static_cast<ExpensiveElsewhere*>(part);
    if (std::this_thread::get_id() == self.caller_) return self.wait();
    ++self.slow_;
    take_50_milliseconds();
  }

  int slow() const noexcept { return slow_; }

  /// At least, in milliseconds.
  float took() const noexcept { return waited_ + 49.9F * static_cast<float>(slow_.load()); }

 private:
  void wait() {
    if (slow_ > 0) return;
    const auto start = std::chrono::steady_clock::now();
    const auto limit = start + std::chrono::seconds(20);
    while (slow_ == 0 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    waited_ =
        std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<int> slow_{0};
  float waited_ = 0;
};

/// What is remembered of a body after its first call, in milliseconds for all of its steps.
float remembered_milliseconds(void (*run)(void*, std::uint64_t, std::uint64_t,
                                          furca::detail::LoopEnd&),
                              void* part, std::uint64_t steps) {
  const furca::test::Watchdog watchdog("what is remembered");
  const auto here = [](const void*) noexcept {
    return furca::detail::SourceSite{"loop", __FILE__, "remembered_milliseconds", 1, 1};
  };
  const furca::detail::PartFunctions functions{run, nullptr, nullptr, nullptr, here};
  furca::ThreadPool pool({.threads = 2});
  pool.install([&] { furca::detail::Loop(functions, steps, 1, {}, nullptr).run(part); });
  return functions.cost.read() * static_cast<float>(steps) /
         (1'000 * furca::detail::ticks_per_microsecond());
}

}  // namespace

TEST_CASE("what steps took the threads that helped is remembered with what they took the caller") {
  ExpensiveElsewhere part;
  const float all = remembered_milliseconds(&ExpensiveElsewhere::run, &part, 100'000);
  REQUIRE(part.slow() > 0);
  CHECK(all >= part.took());
}

TEST_CASE("steps that vectors went through once are timed again when they have become slow") {
  if (furca::detail::observing) return;  // then no loop is known to be short
  const furca::test::Watchdog watchdog("slow steps");
  const auto here = [](const void*) noexcept {
    return furca::detail::SourceSite{"loop", __FILE__, "slow steps", 1, 1};
  };
  const auto slow = [](void*, std::uint64_t, std::uint64_t, furca::detail::LoopEnd&) {
    take_50_milliseconds();
  };
  const furca::detail::PartFunctions functions{slow, nullptr, nullptr, nullptr, here};
  functions.cost.write(1e-3F);
  functions.vector_steps.write(1'000'000);
  furca::ThreadPool pool({.threads = 2});
  pool.install([&] { furca::detail::Loop(functions, 64, 1, {}, nullptr).run(nullptr); });
  CHECK(functions.vector_steps.read() == 0);
}

TEST_CASE("of few steps what the last ones took is remembered, if the first one was cheap") {
  const auto last_is_slow = [](void*, std::uint64_t, std::uint64_t hi, furca::detail::LoopEnd&) {
    if (hi == 64) take_50_milliseconds();
  };
  CHECK(remembered_milliseconds(last_is_slow, nullptr, 64) >= 49.9F);
}
