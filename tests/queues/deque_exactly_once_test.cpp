// Very many items through a deque, and each is taken exactly once. A byte of bookkeeping for each,
// so that 10^8 of them fit.
#include <furca/deque.hpp>

#include "support/seams.hpp"
#include "support/tens.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

namespace {

using furca::AdaptiveFence;
using furca::Deque;
using furca::SeqCstFence;
using furca::StealStatus;
using namespace furca::test;

/// Deques go quiet after a few pops, and a thief that finds one arming arms it in the other's place
/// at once.
struct HastyAtomics : furca::detail::StdAtomics {
  static furca::detail::FenceTuning fence_tuning() noexcept {
    return {.patience = 16, .soon = 0, .asks = 1};
  }
};
using ChaosSeqCst = furca::detail::BasicSeqCstFence<Chaos<furca::detail::StdAtomics>>;
using ChaosHasty = furca::detail::BasicAdaptiveFence<Chaos<HastyAtomics>>;

#define EVERY_POLICY SeqCstFence, AdaptiveFence, ChaosSeqCst, ChaosHasty

/// So many; of operations of the chaotic machine, which cost about fifty times as much, fewer.
template <class Fence>
std::uint64_t so_many(std::uint64_t full) {
  constexpr bool kChaotic =
      !std::is_same_v<typename Fence::Atomics::template Atomic<int>, std::atomic<int>>;
  return rounds(kChaotic ? full / 50 : full);
}

/// How often each item was taken.
class Ledger {
 public:
  explicit Ledger(std::uint64_t items) : times_(items) {}

  void took(std::uint64_t item) noexcept { times_[item].fetch_add(1, std::memory_order_relaxed); }

  std::uint64_t lost() const noexcept {
    return count([](unsigned times) { return times == 0; });
  }
  std::uint64_t twice() const noexcept {
    return count([](unsigned times) { return times > 1; });
  }

 private:
  template <class Condition>
  std::uint64_t count(Condition condition) const noexcept {
    std::uint64_t sum = 0;
    for (const auto& times : times_) sum += condition(times.load(std::memory_order_relaxed));
    return sum;
  }

  std::vector<std::atomic<std::uint8_t>> times_;
};

/// The most that the owner pushes before it pops again.
struct Bursts {
  const char* name;
  std::uint64_t longest;
};

/// A thief's looks at an empty deque before it lets others have its processor: what the owner takes
/// back is there for an instant.
constexpr int kPatience = 1000;

/// The owner pushes all items, in bursts, and pops some; the thieves take what they can get. After
/// half of them another thread is the owner.
template <class Fence>
void pass_through(std::uint64_t items, unsigned thieves, const Bursts& bursts,
                  const Watchdog& watchdog) {
  Ledger ledger(items);
  Deque<std::uint64_t, Fence> deque(1);
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> stolen{0};
  std::atomic<std::uint64_t> out_of_order{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < thieves; ++i) {
    threads.emplace_back([&] {
      std::uint64_t mine = 0;
      std::uint64_t wanted = 0;  // or a later one
      int looks = 0;
      while (!done.load(std::memory_order_acquire)) {
        if (const furca::Steal<std::uint64_t> got = deque.steal()) {
          ledger.took(got.item);
          if (got.item < wanted) ++out_of_order;
          wanted = got.item + 1;
          ++mine;
          looks = 0;
        } else if (got.status == StealStatus::empty && ++looks == kPatience) {
          std::this_thread::yield();
          looks = 0;
        }
      }
      stolen.fetch_add(mine, std::memory_order_relaxed);
    });
  }

  Random random(seed() + thieves);
  std::uint64_t next = 0;
  const auto own = [&](std::uint64_t until) {
    while (next < until) {
      for (std::uint64_t left = 1 + random.below(bursts.longest); left > 0 && next < until; --left)
        deque.push(next++);
      // Now and then the thieves get all of it, or all but the last item, which then both sides go
      // for.
      if (random.below(16) == 0)
        for (const std::uint64_t left = random.below(2); deque.size() > left;)
          std::this_thread::yield();
      for (std::uint64_t pause = random.below(32); pause > 0; --pause)
        std::atomic_signal_fence(std::memory_order_seq_cst);
      for (std::uint64_t left = 1 + random.below(bursts.longest); left > 0; --left) {
        const auto got = deque.pop();
        if (!got) break;
        ledger.took(*got);
      }
      if (random.below(4096) == 0) watchdog.feed();
    }
    deque.hand_over();
  };
  std::thread(own, items / 2).join();
  own(items);
  while (const auto got = deque.pop()) ledger.took(*got);
  done.store(true, std::memory_order_release);
  for (std::thread& thread : threads) thread.join();
  watchdog.feed();

  CHECK(ledger.lost() == 0);
  CHECK(ledger.twice() == 0);
  CHECK(out_of_order == 0);
  CHECK(deque.empty());
  if (bursts.longest == 1) {
    CHECK(deque.capacity() == 1);
  } else {
    CHECK(deque.capacity() > 1);
  }
  if (ledger.lost() == 0 && ledger.twice() == 0)
    std::printf("%s items, %u %s: nothing lost, nothing twice (%s, %llu stolen)\n",
                in_tens(items).c_str(), thieves, thieves == 1 ? "thief" : "thieves", bursts.name,
                static_cast<unsigned long long>(stolen.load()));
  std::fflush(stdout);
}

}  // namespace

TEST_CASE_TEMPLATE("each item is taken exactly once, from a ring of one and a growing one", Fence,
                   EVERY_POLICY) {
  const Watchdog watchdog("deque, exactly once");
  const std::uint64_t items = so_many<Fence>(250'000);
  for (const Bursts bursts : {Bursts{"room for one", 1}, Bursts{"growing", 1000}})
    for (const unsigned thieves : {1U, 3U, 7U})
      pass_through<Fence>(items, thieves, bursts, watchdog);
}

// What leapfrogging rests on: a steal that was told that a job still runs never takes what was
// pushed after that job.
TEST_CASE_TEMPLATE("steal_if and skip_index: a thief takes nothing of a later job", Fence,
                   EVERY_POLICY) {
  Watchdog watchdog("deque, steal_if");
  for (const unsigned thieves : {1U, 3U}) {
    const std::uint64_t jobs = so_many<Fence>(250'000);
    Random random(seed() ^ thieves);
    Deque<std::uint64_t, Fence> deque(4);
    std::atomic<std::uint64_t> current{1};  // the job that runs
    std::atomic<std::uint64_t> strangers{0};
    std::atomic<std::uint64_t> stolen{0};
    std::vector<std::thread> running;
    for (unsigned i = 0; i < thieves; ++i)
      running.emplace_back([&] {
        for (std::uint64_t job = 0; (job = current.load(std::memory_order_acquire)) <= jobs;) {
          const auto got =
              deque.steal_if([&] { return current.load(std::memory_order_acquire) == job; });
          if (!got) continue;
          if (got.item != job) strangers.fetch_add(1, std::memory_order_relaxed);
          stolen.fetch_add(1, std::memory_order_relaxed);
        }
      });
    std::uint64_t popped = 0;
    std::uint64_t pushed = 0;
    for (std::uint64_t job = 1; job <= jobs; ++job) {
      for (std::uint64_t left = random.below(3); left > 0; --left, ++pushed) deque.push(job);
      while (deque.pop()) ++popped;
      current.store(job + 1, std::memory_order_release);
      deque.skip_index();
      if (job % 4096 == 0) watchdog.feed();
    }
    for (std::thread& thief : running) thief.join();
    CHECK(strangers.load() == 0);
    CHECK(popped + stolen.load() == pushed);
  }
}
