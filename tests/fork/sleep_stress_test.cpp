// Sleep and Bell with real threads and the system's own fence for all threads: where that does not
// reach them, wake-ups are lost. A lost one is a hang, and the watchdog's.

#include "fork/sleep.hpp"
#include "support/seams.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

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
/// and nothing else of it. The queue's end is written by plain stores, as a deque's bottom is: a
/// read-modify-write would be the fence whose absence is to be survived.
template <class A>
class Crew {
 public:
  using Job = std::function<void()>;

  Crew(unsigned threads, Job job) : job_(std::move(job)) {
    for (unsigned i = 0; i < threads; ++i) sleep_.start_looking();
    for (unsigned i = 0; i < threads; ++i)
      threads_.emplace_back([this, i] { work(Random(seed() + i)); });
  }
  ~Crew() { stop(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// One thread alone.
  void post() {
    end_.value.store(++posted_, std::memory_order_release);  // [sleep.F1]
    A::light_fence();                                        // [sleep.F2]
    if (bell_.wants_attention()) {                           // [sleep.F3]
      bell_.attend();  // where there is no asymmetric fence this is the real one
      bell_.forget_sleepers();
      if (sleep_.must_wake()) sleep_.wake();
    }
  }

  void stop() {
    sleep_.stop();
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

 private:
  bool has_job() const {
    return begin_.value.load(std::memory_order_relaxed) <
           end_.value.load(std::memory_order_acquire);
  }

  bool take_job() {
    std::uint64_t first = begin_.value.load(std::memory_order_relaxed);
    return first < end_.value.load(std::memory_order_acquire) &&
           begin_.value.compare_exchange_strong(first, first + 1, std::memory_order_acq_rel,
                                                std::memory_order_relaxed);
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
        if (sleep_.stop_looking()) sleep_.wake();
        job_();
        sleep_.start_looking();
      } else {
        sleep_.fall_asleep([this] { bell_.mark_sleepers(); },
                           [this] { return sleep_.stopping() || has_job(); });
      }
    }
  }

  BasicSleep<A> sleep_;
  Count<A> end_;
  Count<A> begin_;
  BasicBell<A> bell_;
  std::uint64_t posted_ = 0;
  Job job_;
  std::vector<std::thread> threads_;
};

}  // namespace

// --- Sleep ---------------------------------------------------------------------------------------

TEST_CASE_TEMPLATE("a post always finds somebody: round trips with gaps around the sleep point", A,
                   EVERY_MACHINE) {
  Watchdog watchdog("sleep, round trips");
  for (const unsigned threads : {1U, 3U}) {
    CAPTURE(threads);
    const std::uint64_t count = trips<A>(50'000);
    std::atomic<std::uint64_t> done{0};
    Crew<A> crew(threads, [&] { done.fetch_add(1, std::memory_order_release); });
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
