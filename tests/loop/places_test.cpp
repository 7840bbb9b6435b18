// Loops that have a portion for each thread: the same thread takes the same portion first, and no
// portion waits for a thread that does not come.
#include <furca/furca.hpp>

#include "fork/places.hpp"
#include "pool/pool.hpp"
#include "support/observe.hpp"
#include "support/pools.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"
#include "system/processors.hpp"

#include <stop_token>

namespace {

using furca::ThreadPool;
using furca::test::eventually;
using furca::test::spin;
using furca::test::Watchdog;

// of a microsecond and more: long enough for a portion for each thread, once that is known
constexpr int kSteps = 4096;

/// Waits until it comes true, but not for ever: on a machine that is busy with something else no
/// thread may be worth waking. Tests that need it try again until it was in time.
template <class Is>
void soon(Is is) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (!is() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

/// All loops of these tests have the same body, and the same cost.
using Body = std::function<void(int)>;
void loop(const Body& body, const furca::LoopOptions& options = {}) {
  furca::parallel_for(0, kSteps, [&body](int i) { body(i); }, options);
}
/// In a pool: its loops have portions, as if there were more processors.
void use_places() { furca::detail::Worker::if_any()->pool().portions.set_used(true); }
/// And groups of them, as if each of its threads had one.
void group_portions() {
  use_places();
  furca::detail::Worker::if_any()->pool().portions.set_grouped(true);
}

/// Whether the pool's threads wait for portions. Outside of all loops nobody should.
bool being_laid() { return furca::detail::Worker::if_any()->pool().portions.being_laid(); }

void learn() {
  use_places();
  for (int call = 0; call < 3; ++call) loop([](int) { spin(1000); });
}

/// The pool's started threads, or so many of them, are busy with something else until the end of
/// the block.
class BusyThreads {
 public:
  explicit BusyThreads(ThreadPool& pool) : BusyThreads(pool, static_cast<int>(pool.size()) - 1) {}
  BusyThreads(ThreadPool& pool, int threads) : pool_(pool), threads_(threads) {
    for (int thread = 0; thread < threads_; ++thread) {
      pool_.spawn([this] {
        who_ = furca::thread_index();
        ++busy_;
        eventually([this] { return over_ || free_ == furca::thread_index(); });
      });
    }
    eventually([this] { return busy_ == threads_; });
  }
  ~BusyThreads() {
    over_ = true;
    pool_.wait_idle();
  }
  BusyThreads(const BusyThreads&) = delete;
  BusyThreads& operator=(const BusyThreads&) = delete;

  /// One of them.
  std::size_t who() const { return who_; }

  /// That one is busy no more.
  void let_go(std::size_t thread) { free_ = thread; }

 private:
  ThreadPool& pool_;
  const int threads_;
  std::atomic<std::size_t> who_{0};
  std::atomic<int> busy_{0};
  std::atomic<std::size_t> free_{SIZE_MAX};
  std::atomic<bool> over_{false};
};

/// A portion that lies in a thread's place until the end of the block, or until somebody takes it;
/// others wait for what its receiver would lay.
class LyingPortion : public furca::detail::ForkedJob {
 public:
  LyingPortion(
      furca::detail::Worker& owner, std::size_t thread, std::uint32_t layers,
      std::function<void()> taken = [] {})
      : ForkedJob(&run),
        taken_(std::move(taken)),
        layers_(layers),
        owner_(owner),
        portions_(owner.pool().portions),
        place_(owner.pool().started_thread(thread).place) {
    if (layers_ != 0) CHECK(portions_.begin_laying(layers_));
    CHECK(place_.lay(*this));
  }
  ~LyingPortion() {
    if (!place_.take(*this)) {
      owner_.wait(latch);
    } else if (layers_ != 0) {
      portions_.end_laying();
    }
  }
  LyingPortion(const LyingPortion&) = delete;
  LyingPortion& operator=(const LyingPortion&) = delete;

  bool is_gone() const { return place_.empty(); }

 private:
  static furca::detail::JobEnd run(furca::detail::Job& job, furca::detail::Worker& runner,
                                   bool) noexcept {
    auto& self = static_cast<LyingPortion&>(job);
    return self.claim_and_fill(runner, [&] {
      self.taken_();
      if (self.layers_ != 0) self.portions_.end_laying();
    });
  }

  const std::function<void()> taken_;
  const std::uint32_t layers_;
  furca::detail::Worker& owner_;
  furca::detail::Portions& portions_;
  furca::detail::Place& place_;
};

/// So many forks that can be stolen while `innermost` runs.
void among_forks(int forks, const std::function<void()>& innermost, std::atomic<int>& ran) {
  if (forks == 0) return innermost();
  furca::join([&] { among_forks(forks - 1, innermost, ran); }, [&] { ++ran; });
}

/// Which thread has run the first step of each portion, if all of them were in their portions at
/// the same time.
std::vector<std::size_t> who_begins(std::size_t threads) {
  const int length = kSteps / static_cast<int>(threads);
  std::vector<std::size_t> who(threads);
  std::atomic<std::size_t> begun{0};
  loop([&](int i) {
    if (i % length != 0) return spin(1000);
    who[static_cast<std::size_t>(i / length)] = furca::thread_index();
    ++begun;
    soon([&] { return begun == threads; });
  });
  return who;
}

}  // namespace

TEST_CASE("a place has room for one portion, which is taken once") {
  struct Portion {};
  furca::detail::BasicPlace<furca::detail::Atomics, Portion> place;
  Portion a;
  Portion b;
  CHECK(place.receive() == nullptr);
  CHECK(place.lay(a));
  CHECK_FALSE(place.lay(b));
  CHECK_FALSE(place.take(b));
  CHECK(place.receive() == &a);
  CHECK_FALSE(place.take(a));
  CHECK(place.lay(b));
  CHECK(place.take(b));
  CHECK(place.empty());
}

TEST_CASE("one thread at a time lays portions, and small pools have no places") {
  furca::detail::Portions portions;
  CHECK(portions.begin_laying());
  CHECK_FALSE(portions.begin_laying());
  portions.end_laying();
  CHECK(portions.begin_laying(2));
  portions.end_laying();
  CHECK(portions.being_laid());
  CHECK_FALSE(portions.begin_laying());
  portions.end_laying();
  CHECK_FALSE(portions.being_laid());
}

TEST_CASE("places are for pools of four threads and more, and of no more than two to a processor") {
  using furca::detail::Portions;
  for (const std::size_t threads : {1U, 2U, 3U}) CHECK_FALSE(Portions::pay(threads, 64));
  CHECK_FALSE(Portions::pay(4, 1));
  CHECK(Portions::pay(4, 2));
  CHECK_FALSE(Portions::pay(5, 2));
  CHECK(Portions::pay(64, 64));
  CHECK(Portions::pay(64, 32));
  CHECK_FALSE(Portions::pay(64, 31));
  const std::size_t processors = furca::detail::usable_processors();
  for (const std::size_t threads : {2 * processors, 2 * processors + 1}) {
    ThreadPool pool({.threads = threads});
    pool.install([&] {
      CHECK(furca::detail::Worker::if_any()->pool().portions.used() ==
            Portions::pay(threads, processors));
    });
  }
}

TEST_CASE("groups of portions: one of few portions, and else about as many as each has portions") {
  using furca::detail::Portions;
  for (std::uint64_t portions = 2; portions <= 300; ++portions) {
    const std::uint64_t group = Portions::group(portions);
    CHECK((portions < 16 ? group == portions
                         : group * group <= 2 * portions && portions <= 2 * group * group));
  }
}

// A thread that loses its processor comes late, and another may have run its portion by then: of
// many threads hardly any call may be all as planned. So calls are tried until some of them are,
// which would take longer than the watchdog waits if threads took portions at random.
TEST_CASE("each thread begins with its own portion, call after call") {
  const Watchdog watchdog("own portions");
  for (const std::size_t threads : {4U, 8U, 16U}) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    std::vector<std::size_t> own{threads - 1};  // the caller's
    for (std::size_t thread = 0; thread + 1 < threads; ++thread) own.push_back(thread);
    const auto as_planned = [&] {
      constexpr std::size_t kCalls = 20;
      std::vector<std::size_t> kept(threads);
      int all_kept = 0;
      for (std::size_t call = 0; call < kCalls; ++call) {
        const std::vector<std::size_t> who = who_begins(threads);
        for (std::size_t portion = 0; portion < threads; ++portion)
          kept[portion] += who[portion] == own[portion];
        all_kept += who == own;
      }
      return (threads >= 16 || all_kept > 0) && *std::min_element(kept.begin(), kept.end()) > 0 &&
             // by chance it is one in a call
             std::accumulate(kept.begin(), kept.end(), std::size_t{0}) > 2 * kCalls;
    };
    pool.install([&] {
      group_portions();
      learn();
      while (!as_planned()) {
      }
    });
    watchdog.feed();
  }
}

TEST_CASE("portions of threads that do not come are run by the caller") {
  const Watchdog watchdog("busy threads");
  for (const std::size_t threads : {4U, 20U}) {
    ThreadPool pool({.threads = threads});
    pool.install([] {
      group_portions();
      learn();
    });
    const BusyThreads busy(pool);
    pool.install([] {
      for (int call = 0; call < 5; ++call) {
        std::atomic<int> by_others{0};
        std::atomic<int> runs{0};
        const std::size_t caller = furca::thread_index();
        loop([&](int) {
          by_others += furca::thread_index() != caller;
          ++runs;
          spin(500);
        });
        CHECK(runs == kSteps);
        CHECK(by_others == 0);
        CHECK_FALSE(being_laid());
      }
    });
  }
}

/// Each step runs once, and no portion is left.
void check_a_loop() {
  std::vector<std::atomic<int>> ran(kSteps);
  loop([&](int i) {
    ++ran[static_cast<std::size_t>(i)];
    spin(500);
  });
  CHECK(std::all_of(ran.begin(), ran.end(), [](const auto& times) { return times == 1; }));
  CHECK_FALSE(being_laid());
}

// Their leaders are busy: a thread that takes the first portion of a group lays the others of it,
// whoever it is.
TEST_CASE("groups whose first threads do not come") {
  const Watchdog watchdog("busy leaders");
  ThreadPool pool({.threads = 20});
  pool.install([] {
    group_portions();
    learn();
  });
  const BusyThreads busy(pool, 14);
  pool.install([] {
    for (int call = 0; call < 20; ++call) check_a_loop();
  });
}

TEST_CASE("who has waited for a portion takes a group that nobody comes for, before it steals") {
  const Watchdog watchdog("a group, and forks");
  ThreadPool pool({.threads = 4});
  const BusyThreads busy(pool, 2);
  constexpr int kForks = 1000;
  for (int tries = 0; tries < 5; ++tries) {
    pool.install([&] {
      use_places();
      std::atomic<int> stolen{0};
      std::atomic<int> stolen_before{kForks};
      bool late = false;  // this thread was kept off until few forks were left
      among_forks(
          kForks,
          [&] {
            const LyingPortion group(*furca::detail::Worker::if_any(), busy.who(), 1,
                                     [&] { stolen_before = stolen.load(); });
            late = stolen > kForks / 2;
            eventually([&] { return group.is_gone() || stolen == kForks; });
          },
          stolen);
      CHECK((late || stolen_before < kForks));
      CHECK_FALSE(being_laid());
    });
  }
}

TEST_CASE("a group whose place is not free belongs to the group before it") {
  const Watchdog watchdog("no room");
  ThreadPool pool({.threads = 20});
  pool.install([] {
    group_portions();
    learn();
  });
  const BusyThreads busy(pool);
  pool.install([] {
    // of sixteen portions, in groups of four, as of twenty: these are their first ones
    for (const std::size_t first : {4U, 8U, 12U}) {
      CAPTURE(first);
      const LyingPortion there(*furca::detail::Worker::if_any(), first - 1, 0);
      check_a_loop();
      CHECK_FALSE(there.is_gone());
    }
  });
}

TEST_CASE("loops have groups only where each thread may have a processor") {
  const std::size_t processors = furca::detail::usable_processors();
  for (const std::size_t threads : {processors, processors + 1}) {
    ThreadPool pool({.threads = threads});
    pool.install([&] {
      CHECK(furca::detail::Worker::if_any()->pool().portions.grouped() == (threads <= processors));
    });
  }
}

TEST_CASE("portions of threads that do not come are taken by those that look for work") {
  const Watchdog watchdog("two busy threads");
  ThreadPool pool({.threads = 4});
  pool.install([] { learn(); });
  const BusyThreads busy(pool, 2);
  // The caller does not come to any portion but its own before another thread has run all others.
  constexpr int kOwn = kSteps / 4;
  for (bool all = false; !all;) {
    std::atomic<int> others{0};
    pool.install([&] {
      learn();
      const std::size_t caller = furca::thread_index();
      loop([&](int i) {
        if (i == 0) soon([&] { return others == kSteps - kOwn; });
        others += i >= kOwn && furca::thread_index() != caller;
      });
    });
    all = others == kSteps - kOwn;
  }
}

TEST_CASE("what the steps of a portion spawn runs before its thread waits for another portion") {
  const Watchdog watchdog("spawned");
  ThreadPool pool({.threads = 4});
  pool.install([] { learn(); });
  const BusyThreads busy(pool, 2);
  constexpr int kOwn = kSteps / 4;
  for (int tries = 0; tries < 10; ++tries) {
    std::atomic<bool> ran{false};
    std::atomic<bool> begun{false};
    pool.install([&] {
      const std::size_t caller = furca::thread_index();
      furca::scope([&](furca::Scope& s) {
        loop([&](int i) {
          if (i == 0) soon([&] { return begun.load(); });
          if (i == kOwn - 1 && furca::thread_index() == caller) s.spawn([&] { ran = true; });
          if (i == kOwn - 1 && furca::thread_index() != caller) ran = true;
          if (i % kOwn == 0 && furca::thread_index() != caller && !begun.exchange(true))
            eventually([&] { return ran.load(); });
          spin(1000);
        });
      });
    });
    CHECK(ran);
  }
}

TEST_CASE(
    "the exception of the lowest step, whoever has which portion, and nothing runs any more") {
  const Watchdog watchdog("exceptions");
  std::size_t threads = 4;
  SUBCASE("four threads") {}
  SUBCASE("groups") { threads = 20; }
  ThreadPool pool({.threads = threads});
  const auto throws_from = [](int lowest) {
    std::vector<std::atomic<int>> ran(kSteps);
    std::atomic<int> inside{0};
    int caught = -1;
    try {
      loop([&](int i) {
        ++inside;
        ++ran[static_cast<std::size_t>(i)];
        spin(300);
        --inside;
        if (i >= lowest && (i - lowest) % 100 == 0) throw i;
      });
    } catch (const int i) {
      caught = i;
    }
    CHECK(inside == 0);
    CHECK(caught == lowest);
    CHECK_FALSE(being_laid());
    CHECK(std::all_of(ran.begin(), ran.begin() + lowest,
                      [](const auto& times) { return times == 1; }));
    CHECK(
        std::all_of(ran.begin() + lowest, ran.end(), [](const auto& times) { return times <= 1; }));
  };
  pool.install([] {
    group_portions();
    learn();
  });
  for (const bool alone : {false, true}) {
    CAPTURE(alone);
    std::unique_ptr<BusyThreads> busy;
    if (alone) busy = std::make_unique<BusyThreads>(pool);
    pool.install([&] {
      for (const int lowest : {0, 1023, 1024, 2500, kSteps - 1}) throws_from(lowest);
    });
  }
}

TEST_CASE("who throws waits for the portions that others have") {
  const Watchdog watchdog("a throw");
  std::size_t threads = 4;
  SUBCASE("four threads") {}
  SUBCASE("groups") { threads = 20; }
  ThreadPool pool({.threads = threads});
  pool.install([] {
    group_portions();
    learn();
    for (int call = 0; call < 10; ++call) {
      std::atomic<bool> thrown{false};
      std::atomic<int> inside{0};
      CHECK_THROWS_AS(loop([&](int i) {
                        if (i == 0) {
                          soon([&] { return inside > 0; });
                          thrown = true;
                          throw i;
                        }
                        if (i % (kSteps / 4) != 0) return;
                        ++inside;
                        eventually([&] { return thrown.load(); });
                        spin(20'000);
                        --inside;
                      }),
                      int);
      CHECK(inside == 0);
      CHECK_FALSE(being_laid());
    }
  });
}

/// Throws when it is copied for the first result of another thread.
struct Fragile {
  explicit Fragile(std::size_t owner) : owner_(owner) {}
  Fragile(const Fragile& other) : owner_(other.owner_) {
    if (furca::thread_index() != owner_) throw std::runtime_error("copied");
  }
  Fragile(Fragile&&) = default;
  Fragile& operator=(Fragile&&) = default;
  ~Fragile() = default;

 private:
  std::size_t owner_;
};

TEST_CASE("a result that cannot be made: nobody waits for portions that are not laid then") {
  const Watchdog watchdog("fragile");
  ThreadPool pool({.threads = 20});
  int thrown = 0;
  for (int call = 0; call < 60 && (call < 10 || thrown < 3); ++call) {
    pool.install([&] {
      group_portions();
      try {
        (void)furca::parallel_reduce(
            0, kSteps, Fragile(furca::thread_index()),
            [](Fragile& sum, int) {
              (void)sum;
              spin(1000);
            },
            [](Fragile a, Fragile) { return a; });
      } catch (const std::runtime_error&) {
        ++thrown;
      }
      CHECK_FALSE(being_laid());
    });
  }
  CHECK(thrown > 0);
}

TEST_CASE("after a stop no portion goes on") {
  const Watchdog watchdog("stop");
  ThreadPool pool({.threads = 4});
  pool.install([] {
    learn();
    for (int call = 0; call < 10; ++call) {
      std::stop_source source;
      std::atomic<int> runs{0};
      loop(
          [&](int) {
            if (++runs == 100) source.request_stop();
            spin(1000);
          },
          {.stop = source.get_token()});
      CHECK(runs >= 100);
      CHECK(runs < kSteps);
    }
  });
}

TEST_CASE("reductions over portions: the same bits, and from left to right") {
  const Watchdog watchdog("reductions");
  const auto sum = [] {
    return furca::parallel_reduce(
        0, 40'000, 0.0,
        [](int i) {
          spin(100);
          return std::sin(i);
        },
        std::plus<>{});
  };
  const auto words = [] {
    return furca::parallel_reduce(
        0, kSteps, std::string(),
        [](int i) {
          spin(500);
          return std::string(1, static_cast<char>('a' + i % 26));
        },
        [](std::string a, std::string b) { return std::move(a) + b; });
  };
  ThreadPool one({.threads = 1});
  const double bits = one.install(sum);
  const std::string all = one.install(words);
  for (const std::size_t threads : {4U, 9U, 17U}) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    pool.install([&] {
      group_portions();
      for (int call = 0; call < 8; ++call) {
        CHECK(sum() == bits);
        CHECK(words() == all);
        CHECK_FALSE(being_laid());  // 17 portions, say, have a last group of one, which nobody lays
      }
    });
  }
}

TEST_CASE("several callers at once, with loops and joins below") {
  const Watchdog watchdog("several callers");
  ThreadPool pool({.threads = 8});
  pool.install([] { learn(); });
  std::array<std::atomic<long>, 3> sums{};
  {
    std::vector<std::jthread> callers;
    for (auto& sum : sums)
      callers.emplace_back([&pool, &sum] {
        pool.install([&] {
          for (int call = 0; call < 10; ++call)
            loop([&](int i) {
              if (i % 64 == 0) furca::parallel_for(0, 32, [&](int) { ++sum; });
              if (i % 64 == 1) furca::join([&] { ++sum; }, [&] { ++sum; });
              spin(300);
            });
        });
      });
  }
  for (const auto& sum : sums) CHECK(sum == 10 * 64 * (32 + 2));
}

TEST_CASE("portions are counted as steals") {
  const Watchdog watchdog("counts");
  ThreadPool pool({.threads = 4});
  pool.install([&] {
    learn();
    const auto won = [&] { return pool.stats().total().steals_won; };
    std::uint64_t most = 0;
    while (most < 3) {
      const std::uint64_t before = won();
      who_begins(4);
      most = std::max(most, won() - before);
    }
    CHECK(pool.stats().total().steals_tried >= won());
  });
}
