// The deque under real threads: nothing is lost, nothing is taken twice, and what an item points to
// is there.
#include <furca/deque.hpp>

#include "support/seams.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace {

using furca::AdaptiveFence;
using furca::Deque;
using furca::SeqCstFence;
using furca::StealStatus;
using furca::detail::BasicAdaptiveFence;
using furca::detail::BasicSeqCstFence;
using furca::detail::StdAtomics;
using furca::test::Chaos;
using furca::test::ClassicAtomics;
using furca::test::ClassicModeFence;
using furca::test::Random;
using furca::test::rounds;
using furca::test::seed;
using furca::test::Watchdog;

using ChaosSeqCst = BasicSeqCstFence<Chaos<StdAtomics>>;
using ChaosAdaptive = BasicAdaptiveFence<Chaos<StdAtomics>>;
using ChaosClassicMode = BasicAdaptiveFence<Chaos<ClassicAtomics>>;

/// Deques go quiet after a few pops, and a thief that finds one arming arms it in the other's place
/// at once.
struct HastyAtomics : StdAtomics {
  static furca::detail::FenceTuning fence_tuning() noexcept {
    return {.patience = 16, .soon = 0, .asks = 1};
  }
};
using ChaosHasty = BasicAdaptiveFence<Chaos<HastyAtomics>>;

#define EVERY_POLICY                                                                          \
  SeqCstFence, AdaptiveFence, ClassicModeFence, ChaosSeqCst, ChaosAdaptive, ChaosClassicMode, \
      ChaosHasty

template <class Fence>
inline constexpr bool kChaotic =
    !std::is_same_v<typename Fence::Atomics::template Atomic<int>, std::atomic<int>>;

/// Chaos costs about fifty times as much for each operation.
template <class Fence>
std::uint64_t items_for(std::uint64_t full) {
  return rounds(kChaotic<Fence> ? full / 50 : full);
}

/// What a pushed pointer leads to: plain memory, so that a thief that is not ordered after the push
/// is a data race.
struct Item {
  std::uint64_t number;
  std::atomic<std::uint32_t> times_taken{0};
};

class Threads {
 public:
  template <class Body>
  Threads(unsigned count, Body body) {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back(body, i);
  }
  ~Threads() { join(); }
  void join() {
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

 private:
  std::vector<std::thread> threads_;
};

struct Tally {
  std::uint64_t lost = 0;
  std::uint64_t twice = 0;
  std::uint64_t garbled = 0;
};

Tally tally(const std::vector<Item>& items) {
  Tally sum;
  for (const Item& item : items) {
    const std::uint32_t times = item.times_taken.load(std::memory_order_relaxed);
    sum.lost += times == 0;
    sum.twice += times > 1;
  }
  return sum;
}

template <class Fence>
std::uint64_t heavy_fences(const Deque<Item*, Fence>& deque) {
  if constexpr (requires { deque.fence().heavy_fences(); }) {
    return deque.fence().heavy_fences();
  } else {
    return 0;
  }
}

}  // namespace

TEST_CASE_TEMPLATE("spsc: one thief gets everything, in order", Fence, EVERY_POLICY) {
  Watchdog watchdog("deque, spsc");
  const std::uint64_t count = items_for<Fence>(1'500'000);
  Deque<std::uint64_t, Fence> deque(1);
  std::uint64_t out_of_order = 0;
  Threads thief(1, [&](unsigned) {
    for (std::uint64_t expected = 0; expected < count;) {
      if (const auto got = deque.steal()) {
        out_of_order += got.item != expected;
        ++expected;
      }
    }
  });
  for (std::uint64_t i = 0; i < count; ++i) deque.push(i);
  thief.join();
  CHECK(out_of_order == 0);
  CHECK(deque.empty());
  CHECK_FALSE(deque.pop().has_value());
}

TEST_CASE_TEMPLATE(
    "stampede: all thieves and the owner at a full deque, and everybody's order is kept", Fence,
    EVERY_POLICY) {
  Watchdog watchdog("deque, stampede");
  for (const unsigned thieves : {1U, 3U, 7U}) {
    CAPTURE(thieves);
    const std::uint64_t count = items_for<Fence>(500'000);
    Deque<std::uint64_t, Fence> deque;
    for (std::uint64_t i = 1; i <= count; ++i) deque.push(i);
    std::atomic<std::uint64_t> left{count};
    std::atomic<std::uint64_t> out_of_order{0};
    Threads running(thieves, [&](unsigned) {
      std::uint64_t last = 0;
      while (left.load(std::memory_order_relaxed) > 0) {
        if (const auto got = deque.steal()) {
          if (got.item <= last) out_of_order.fetch_add(1, std::memory_order_relaxed);
          last = got.item;
          left.fetch_sub(1, std::memory_order_relaxed);
        }
      }
    });
    std::uint64_t last = count + 1;
    while (left.load(std::memory_order_relaxed) > 0) {
      if (const std::optional<std::uint64_t> got = deque.pop()) {
        if (*got >= last) out_of_order.fetch_add(1, std::memory_order_relaxed);
        last = *got;
        left.fetch_sub(1, std::memory_order_relaxed);
      }
    }
    running.join();
    CHECK(out_of_order.load() == 0);
    watchdog.feed();
  }
}

TEST_CASE_TEMPLATE(
    "stress: an owner who pushes and pops at random loses nothing, and nothing is taken twice",
    Fence, EVERY_POLICY) {
  Watchdog watchdog("deque, stress");
  for (const unsigned thieves : {1U, 3U, 7U}) {
    CAPTURE(thieves);
    Random random(seed() + thieves);
    std::vector<Item> items(items_for<Fence>(5'000'000));
    Deque<Item*, Fence> deque(1);
    std::atomic<bool> done{false};
    std::atomic<std::uint64_t> garbled{0};
    std::atomic<std::uint64_t> stolen{0};
    const auto took = [&](Item* item) {
      if (item->number != static_cast<std::uint64_t>(item - items.data()))
        garbled.fetch_add(1, std::memory_order_relaxed);
      item->times_taken.fetch_add(1, std::memory_order_relaxed);
    };

    Threads running(thieves, [&](unsigned) {
      std::uint64_t mine = 0;
      while (!done.load(std::memory_order_acquire)) {
        const furca::Steal<Item*> got = deque.steal();
        if (got) {
          took(got.item);
          ++mine;
        } else if (got.status == StealStatus::empty) {
          std::this_thread::yield();
        }
      }
      stolen.fetch_add(mine, std::memory_order_relaxed);
    });

    // Bursts of pushes and of pops, long and short: the deque grows, runs dry, and is often down to
    // its last item.
    std::size_t next = 0;
    while (next < items.size()) {
      const std::uint64_t most = random.below(16) == 0 ? 5000 : random.below(4) == 0 ? 50 : 3;
      for (std::uint64_t left = random.below(most) + 1; left > 0 && next < items.size();
           --left, ++next) {
        items[next].number = next;
        deque.push(&items[next]);
      }
      for (std::uint64_t left = random.below(most) + 1; left > 0; --left) {
        const std::optional<Item*> got = deque.pop();
        if (!got) break;
        took(*got);
      }
      if (next % 4096 < 3) watchdog.feed();
    }
    while (const std::optional<Item*> got = deque.pop()) took(*got);
    done.store(true, std::memory_order_release);
    running.join();

    const Tally sum = tally(items);
    CHECK(sum.lost == 0);
    CHECK(sum.twice == 0);
    CHECK(garbled.load() == 0);
    CHECK(deque.empty());
    MESSAGE(items.size() << " items, " << stolen.load() << " stolen, " << heavy_fences(deque)
                         << " heavy fences");
    watchdog.feed();
  }
}

TEST_CASE_TEMPLATE("last item: owner and thieves meet at a deque that never holds more than two",
                   Fence, EVERY_POLICY) {
  Watchdog watchdog("deque, last item");
  for (const unsigned thieves : {1U, 3U}) {
    CAPTURE(thieves);
    std::vector<Item> items(items_for<Fence>(1'000'000));
    Deque<Item*, Fence> deque(1);
    std::atomic<bool> done{false};
    Threads running(thieves, [&](unsigned) {
      while (!done.load(std::memory_order_acquire))
        if (const auto got = deque.steal())
          got.item->times_taken.fetch_add(1, std::memory_order_relaxed);
    });
    // As join does: fork one or two, take them back by their indices.
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      const auto outer = deque.offer(&items[i]);
      const auto inner = deque.offer(&items[i + 1]);
      if (deque.take(inner)) items[i + 1].times_taken.fetch_add(1, std::memory_order_relaxed);
      if (deque.take(outer)) items[i].times_taken.fetch_add(1, std::memory_order_relaxed);
      if (i % 4096 == 0) watchdog.feed();
    }
    const bool empty = deque.empty();
    done.store(true, std::memory_order_release);
    running.join();
    const Tally sum = tally(items);
    CHECK(empty);
    CHECK(sum.lost == items.size() % 2);
    CHECK(sum.twice == 0);
    CHECK(deque.capacity() <= 4);
  }
}

TEST_CASE_TEMPLATE("no_starvation: every thief gets something", Fence, EVERY_POLICY) {
  Watchdog watchdog("deque, no_starvation");
  constexpr unsigned kThieves = 7;
  Random random(seed());
  Deque<int, Fence> deque;
  std::atomic<unsigned> served{0};
  Threads running(kThieves, [&](unsigned) {
    bool counted = false;
    while (served.load(std::memory_order_relaxed) < kThieves) {
      if (deque.steal()) {
        if (!counted) served.fetch_add(1, std::memory_order_relaxed);
        counted = true;
      }
    }
  });
  while (served.load(std::memory_order_relaxed) < kThieves) {
    if (random.below(3) > 0) {
      deque.push(1);
    } else {
      deque.pop();
    }
    if (deque.size() > 10'000)
      while (deque.pop()) {
      }
  }
  running.join();
  CHECK(served.load() == kThieves);
}

TEST_CASE_TEMPLATE("destructors: deques live and die between steals, and nothing of them is left",
                   Fence, EVERY_POLICY) {
  Watchdog watchdog("deque, destructors");
  std::vector<Item> items(64);
  const std::uint64_t lives = items_for<Fence>(1000);
  std::uint64_t wrong = 0;
  for (std::uint64_t life = 0; life < lives; ++life) {
    for (Item& item : items) item.times_taken.store(0, std::memory_order_relaxed);
    std::uint64_t left = 0;
    {
      Deque<Item*, Fence> deque(1);
      std::atomic<bool> done{false};
      Threads running(2, [&](unsigned) {
        do {
          if (const auto got = deque.steal())
            got.item->times_taken.fetch_add(1, std::memory_order_relaxed);
        } while (!done.load(std::memory_order_acquire));
      });
      for (Item& item : items) deque.push(&item);
      done.store(true, std::memory_order_release);
      running.join();
      left = deque.size();  // dies with them
    }
    const Tally sum = tally(items);
    wrong += sum.lost != left || sum.twice != 0;
    watchdog.feed();
  }
  CHECK(wrong == 0);
}

// What leapfrogging rests on: a steal that was told that a job still runs never takes what was
// pushed after that job.
TEST_CASE_TEMPLATE("steal_if and skip_index: a thief takes nothing of a later job", Fence,
                   EVERY_POLICY) {
  Watchdog watchdog("deque, steal_if");
  for (const unsigned thieves : {1U, 3U}) {
    const std::uint64_t jobs = items_for<Fence>(1'000'000);
    Random random(seed() ^ thieves);
    Deque<std::uint64_t, Fence> deque(4);
    std::atomic<std::uint64_t> current{1};  // the job that runs
    std::atomic<std::uint64_t> strangers{0};
    std::atomic<std::uint64_t> stolen{0};
    Threads running(thieves, [&](unsigned) {
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
    running.join();
    CHECK(strangers.load() == 0);
    CHECK(popped + stolen.load() == pushed);
  }
}

TEST_CASE_TEMPLATE("hand_over: the owner changes a thousand times while thieves go on", Fence,
                   EVERY_POLICY) {
  Watchdog watchdog("deque, hand_over");
  const std::uint64_t owners = items_for<Fence>(500);
  std::vector<Item> items(owners * 32);
  Deque<Item*, Fence> deque(1);
  std::atomic<bool> done{false};
  Threads running(2, [&](unsigned) {
    while (!done.load(std::memory_order_acquire))
      if (const auto got = deque.steal())
        got.item->times_taken.fetch_add(1, std::memory_order_relaxed);
  });
  for (std::uint64_t owner = 0; owner < owners; ++owner) {
    std::thread([&] {
      for (std::uint64_t i = 0; i < 32; ++i) {
        deque.push(&items[owner * 32 + i]);
        if (i % 3 == 0)
          if (const auto got = deque.pop())
            (*got)->times_taken.fetch_add(1, std::memory_order_relaxed);
      }
      deque.hand_over();
    }).join();
  }
  while (const auto got = deque.pop()) (*got)->times_taken.fetch_add(1, std::memory_order_relaxed);
  done.store(true, std::memory_order_release);
  running.join();
  const Tally sum = tally(items);
  CHECK(sum.lost == 0);
  CHECK(sum.twice == 0);
}

TEST_CASE_TEMPLATE("2^24 pushes go round a ring of one and of two", Fence, SeqCstFence,
                   AdaptiveFence, ClassicModeFence) {
  const auto pushes = static_cast<std::int64_t>(rounds(std::uint64_t{1} << 24U));
  Deque<std::int64_t, Fence> one(1);
  Deque<std::int64_t, Fence> two(2);
  std::uint64_t wrong = 0;
  for (std::int64_t i = 0; i < pushes; ++i) {
    one.push(i);
    if (i % 2 == 0) {
      wrong += one.pop() != i;
    } else {
      wrong += one.steal().item != i;
    }
    two.push(2 * i);
    two.push(2 * i + 1);
    wrong += two.steal().item != 2 * i;
    wrong += two.pop() != 2 * i + 1;
  }
  CHECK(wrong == 0);
  CHECK(one.empty());
  CHECK(two.empty());
  CHECK(one.capacity() == 1);
  CHECK(two.capacity() == 2);
}
