// Sleep and Bell with real threads: no wake-up is lost. A lost one is a hang, and the watchdog's.
#include <furca/detail/fork/bell.hpp>

#include "fork/sleep.hpp"
#include "support/seams.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using furca::detail::BasicBell;
using furca::detail::BasicSleep;
using furca::detail::StdAtomics;
using furca::test::Chaos;
using furca::test::ClassicAtomics;
using furca::test::Random;
using furca::test::rounds;
using furca::test::seed;
using furca::test::Watchdog;

#define EVERY_MACHINE StdAtomics, ClassicAtomics, Chaos<StdAtomics>, Chaos<ClassicAtomics>

template <class A>
std::uint64_t trips(std::uint64_t full) {
  constexpr bool kChaotic = !std::is_same_v<typename A::template Atomic<int>, std::atomic<int>>;
  return rounds(kChaotic ? full / 4 : full);
}

void idle(std::uint64_t turns) {
  for (; turns > 0; --turns) std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Most of the time about as long as it takes to fall asleep, sometimes much less or more.
void random_gap(Random& random) { idle(random.below(std::uint64_t{1} << random.below(15))); }

/// A word with a cache line of its own, as a deque's bottom has.
template <class A>
struct alignas(furca::detail::kCacheLine) Count {
  typename A::template Atomic<std::uint64_t> value{0};
};

/// Threads that look for jobs and sleep, with the protocol of WorkSearch (src/fork/work_search.cpp)
/// and nothing else of it. There are several posters, each with its own queue. A queue's end is
/// written by plain stores, as a deque's bottom is: a read-modify-write would be the fence whose
/// absence is to be survived.
template <class A>
class Crew {
 public:
  using Job = std::function<void()>;

  Crew(unsigned threads, unsigned posters, Job job) : queues_(posters), job_(std::move(job)) {
    for (unsigned i = 0; i < threads; ++i) sleep_.start_looking();
    for (unsigned i = 0; i < threads; ++i)
      threads_.emplace_back([this, i] { work(Random(seed() + i)); });
  }
  ~Crew() { stop(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// One thread for each poster.
  void post(unsigned poster = 0) {
    Queue& queue = queues_[poster];
    queue.end.value.store(++queue.posted, std::memory_order_release);  // [sleep.F1]
    A::light_fence();                                                  // [sleep.F2]
    if (queue.bell.wants_attention()) {                                // [sleep.F3]
      queue.bell.attend();  // where there is no asymmetric fence this is the real one
      queue.bell.forget_sleepers();
      if (sleep_.must_wake()) sleep_.wake();
    }
  }

  /// How many threads were in a job.
  std::uint32_t stop() {
    sleep_.stop();
    const std::uint32_t active = sleep_.active(static_cast<std::uint32_t>(threads_.size()));
    release_.store(true, std::memory_order_release);
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
    return active;
  }

  bool released() const { return release_.load(std::memory_order_acquire); }
  BasicSleep<A>& sleep() { return sleep_; }

 private:
  struct Queue {
    Count<A> end;
    Count<A> begin;
    BasicBell<A> bell;
    std::uint64_t posted = 0;
  };

  static bool has_job(const Queue& queue) {
    return queue.begin.value.load(std::memory_order_relaxed) <
           queue.end.value.load(std::memory_order_acquire);
  }

  bool has_job() const {
    for (const Queue& queue : queues_)
      if (has_job(queue)) return true;
    return false;
  }

  bool take_job() {
    for (Queue& queue : queues_) {
      std::uint64_t first = queue.begin.value.load(std::memory_order_relaxed);
      if (first < queue.end.value.load(std::memory_order_acquire) &&
          queue.begin.value.compare_exchange_strong(first, first + 1, std::memory_order_acq_rel,
                                                    std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  void work(Random random) {
    while (!sleep_.stopping()) {
      bool found = false;
      for (std::uint64_t looks = random.below(100); !found && looks > 0 && !sleep_.stopping();
           --looks) {
        found = take_job();
        if (!found) idle(random.below(32));
      }
      if (found) {
        sleep_.work_found();
        job_();
        sleep_.start_looking();
      } else {
        sleep_.fall_asleep(
            [this] {
              for (Queue& queue : queues_) queue.bell.tell_of_sleepers();
            },
            [this] { return sleep_.stopping() || has_job(); });
      }
    }
  }

  BasicSleep<A> sleep_;
  std::vector<Queue> queues_;
  Job job_;
  std::atomic<bool> release_{false};
  std::vector<std::thread> threads_;
};

void await(const std::function<bool()>& condition) {
  while (!condition()) std::this_thread::yield();
}

}  // namespace

// --- Sleep ---------------------------------------------------------------------------------------

TEST_CASE_TEMPLATE("a post always finds somebody: round trips with gaps around the sleep point", A,
                   EVERY_MACHINE) {
  Watchdog watchdog("sleep, round trips");
  for (const unsigned threads : {1U, 3U}) {
    CAPTURE(threads);
    const std::uint64_t count = trips<A>(50'000);
    std::atomic<std::uint64_t> done{0};
    Crew<A> crew(threads, 1, [&] { done.fetch_add(1, std::memory_order_release); });
    Random random(seed() ^ threads);
    for (std::uint64_t i = 1; i <= count; ++i) {
      crew.post();
      while (done.load(std::memory_order_acquire) < i) std::this_thread::yield();
      random_gap(random);
      if (i % 16 == 0) watchdog.feed();
    }
    crew.stop();
    CHECK(done.load() == count);
  }
}

TEST_CASE_TEMPLATE("several posters at once, each waiting for its own", A, EVERY_MACHINE) {
  Watchdog watchdog("sleep, several posters", 120);
  constexpr unsigned kPosters = 3;
  const std::uint64_t count = trips<A>(15'000);
  std::atomic<std::uint64_t> done{0};
  {
    Crew<A> crew(2, kPosters, [&] { done.fetch_add(1, std::memory_order_release); });
    std::vector<std::thread> posters;
    for (unsigned p = 0; p < kPosters; ++p) {
      posters.emplace_back([&, p] {
        Random random(seed() + 100 + p);
        // A poster goes on when as many jobs were done as there were rounds of everybody: nobody is
        // ahead of the others.
        for (std::uint64_t i = 1; i <= count; ++i) {
          crew.post(p);
          while (done.load(std::memory_order_acquire) < i * kPosters) std::this_thread::yield();
          random_gap(random);
        }
      });
    }
    for (std::uint64_t seen = 0; seen < count * kPosters;) {
      const std::uint64_t now = done.load(std::memory_order_acquire);
      if (now > seen + 16 || now == count * kPosters) {
        watchdog.feed();
        seen = now;
      }
      std::this_thread::yield();
    }
    for (std::thread& poster : posters) poster.join();
  }
  CHECK(done.load() == count * kPosters);
}

// A job that must meet all others cannot be done by fewer threads: every looker that finds work has
// to wake the next.
TEST_CASE_TEMPLATE("as many jobs as threads all run at once", A, EVERY_MACHINE) {
  Watchdog watchdog("sleep, all at once");
  for (const unsigned threads : {2U, 5U}) {
    CAPTURE(threads);
    std::atomic<std::uint64_t> arrived{0};
    Crew<A> crew(threads, 1, [&] {
      const std::uint64_t mine = arrived.fetch_add(1, std::memory_order_acq_rel);
      const std::uint64_t all = (mine / threads + 1) * threads;
      while (arrived.load(std::memory_order_acquire) < all) std::this_thread::yield();
    });
    Random random(seed() + threads);
    const std::uint64_t count = trips<A>(5'000);
    for (std::uint64_t i = 1; i <= count; ++i) {
      for (unsigned k = 0; k < threads; ++k) crew.post();
      while (arrived.load(std::memory_order_acquire) < i * threads) std::this_thread::yield();
      random_gap(random);
      if (i % 16 == 0) watchdog.feed();
    }
    await([&] { return arrived.load() == count * threads; });
  }
}

TEST_CASE_TEMPLATE("an idle crew falls asleep, all of it, and one post wakes it", A,
                   EVERY_MACHINE) {
  Watchdog watchdog("sleep, idle");
  constexpr unsigned kThreads = 4;
  std::atomic<std::uint64_t> done{0};
  Crew<A> crew(kThreads, 1, [&] { done.fetch_add(1, std::memory_order_release); });
  for (std::uint64_t i = 1; i <= trips<A>(1000); ++i) {
    await([&] { return crew.sleep().sleepers() == kThreads; });
    crew.post();
    await([&] { return done.load(std::memory_order_acquire) == i; });
    watchdog.feed();
  }
}

TEST_CASE_TEMPLATE("stop wakes everybody, in whatever state, and counts those in a job", A,
                   EVERY_MACHINE) {
  Watchdog watchdog("sleep, stop");
  Random random(seed());
  std::uint64_t wrong = 0;
  for (std::uint64_t i = trips<A>(2500); i > 0; --i) {
    constexpr unsigned kThreads = 4;
    const auto jobs = static_cast<std::uint32_t>(random.below(kThreads + 1));
    std::atomic<std::uint32_t> running{0};
    Crew<A>* crew_seen = nullptr;
    std::atomic<bool> ready{false};
    Crew<A> crew(kThreads, 1, [&] {
      await([&] { return ready.load(std::memory_order_acquire); });
      running.fetch_add(1, std::memory_order_release);
      await([&] { return crew_seen->released(); });
    });
    crew_seen = &crew;
    ready.store(true, std::memory_order_release);
    for (std::uint32_t k = 0; k < jobs; ++k) crew.post();
    await([&] { return running.load(std::memory_order_acquire) == jobs; });
    random_gap(random);
    wrong += crew.stop() != jobs || crew.sleep().sleepers() != 0;
    watchdog.feed();
  }
  CHECK(wrong == 0);
}

// --- Bell ----------------------------------------------------------------------------------------

TEST_CASE_TEMPLATE("ping-pong: two threads, each asleep on the other's bell", A, EVERY_MACHINE) {
  Watchdog watchdog("bell, ping-pong");
  struct Player {
    BasicBell<A> bell;
    Count<A> count;
  };
  std::array<Player, 2> players;
  const std::uint64_t count = trips<A>(50'000);
  const auto play = [&](unsigned me, const std::function<void(std::uint64_t)>& between) {
    Player& self = players[me];
    Player& other = players[1 - me];
    Random random(seed() + me);
    for (std::uint64_t i = 1; i <= count; ++i) {
      const std::uint64_t awaited = me == 0 ? i - 1 : i;
      const auto ready = [&] {
        return other.count.value.load(std::memory_order_acquire) >= awaited;
      };
      for (std::uint64_t looks = random.below(64); looks > 0 && !ready(); --looks)
        idle(random.below(32));
      while (!ready()) other.bell.listen(ready);
      random_gap(random);
      self.count.value.store(i, std::memory_order_release);  // [bell.R1]
      A::light_fence();                                      // [bell.R2]
      if (self.bell.wants_attention()) self.bell.attend();   // [bell.R3]
      between(i);
    }
  };
  std::thread second([&] { play(1, [](std::uint64_t) {}); });
  play(0, [&](std::uint64_t i) {
    if (i % 16 == 0) watchdog.feed();
  });
  second.join();
  CHECK(players[0].count.value.load(std::memory_order_relaxed) == count);
  CHECK(players[1].count.value.load(std::memory_order_relaxed) == count);
}

TEST_CASE_TEMPLATE("a ring answers everybody who listens", A, EVERY_MACHINE) {
  Watchdog watchdog("bell, several listeners");
  constexpr unsigned kListeners = 4;
  BasicBell<A> bell;
  Count<A> rung;
  std::atomic<std::uint64_t> heard{0};
  const std::uint64_t count = trips<A>(10'000);
  std::vector<std::thread> listeners;
  for (unsigned me = 0; me < kListeners; ++me) {
    listeners.emplace_back([&, me] {
      Random random(seed() + me);
      for (std::uint64_t i = 1; i <= count; ++i) {
        const auto ready = [&] { return rung.value.load(std::memory_order_acquire) >= i; };
        for (std::uint64_t looks = random.below(64); looks > 0 && !ready(); --looks)
          idle(random.below(32));
        while (!ready()) bell.listen(ready);
        heard.fetch_add(1, std::memory_order_release);
      }
    });
  }
  Random random(seed() + kListeners);
  for (std::uint64_t i = 1; i <= count; ++i) {
    rung.value.store(i, std::memory_order_release);
    A::light_fence();
    if (bell.wants_attention()) bell.attend();
    while (heard.load(std::memory_order_acquire) < i * kListeners) std::this_thread::yield();
    random_gap(random);
    if (i % 16 == 0) watchdog.feed();
  }
  for (std::thread& listener : listeners) listener.join();
  CHECK(heard.load() == count * kListeners);
}
