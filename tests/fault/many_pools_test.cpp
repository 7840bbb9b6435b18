// Pools that come and go for ever: no thread and no memory is left behind, whoever made them and
// whoever destroys them.
#include <furca/furca.hpp>

#include "support/memory.hpp"
#include "support/observe.hpp"
#include "support/trials.hpp"

using namespace furca::test;
using furca::ThreadPool;
using furca::WaitPolicy;

namespace {

std::atomic<std::uint64_t> made{0};

std::unique_ptr<ThreadPool> any_pool(Random& random) {
  ++made;
  return std::make_unique<ThreadPool>(furca::Config{
      .threads = 1 + random.below(4),
      .wait = random.below(2) == 0 ? WaitPolicy::own_subtree : WaitPolicy::greedy,
  });
}

/// One pool more in the life of the process. One in four is destroyed as soon as it is made.
bool come_and_go(Random& random) {
  const std::unique_ptr<ThreadPool> pool = any_pool(random);
  if (random.below(4) == 0) return true;
  return pool->install([] { return fib(8); }) == 21;
}

/// Where any thread may leave a pool for any other to use or destroy.
struct Slot {
  std::mutex mutex;
  std::unique_ptr<ThreadPool> pool;
};

/// One step of a thread among others: uses what it finds in a slot, or destroys it and leaves a new
/// one.
bool trade(Slot& slot, Random& random) {
  std::unique_ptr<ThreadPool> old;
  bool right = true;
  if (random.below(3) == 0) {
    const std::lock_guard lock(slot.mutex);
    if (slot.pool) right = slot.pool->install([] { return fib(8); }) == 21;
  } else {
    std::unique_ptr<ThreadPool> fresh = any_pool(random);
    const std::lock_guard lock(slot.mutex);
    old = std::exchange(slot.pool, std::move(fresh));
  }
  return right;  // the old one ends here, outside of the lock
}

/// Counts what is there after a warm-up, and checks that there is no more of it at the end.
class Steadiness {
 public:
  Steadiness() : threads_(thread_ids()), heap_(heap_in_use()), resident_(pages().resident) {}

  void check(const char* what) const {
    wait_until_gone(threads_);
    const std::size_t heap = growth(heap_, heap_in_use());
    const std::size_t resident = growth(resident_, pages().resident);
    std::printf("%s: %llu pools, threads left 0, heap +%zu bytes, resident +%zu KiB\n", what,
                static_cast<unsigned long long>(made - made_), heap, resident / 1024);
    CHECK(heap < kMost);
    if (!kSanitized) CHECK(resident < kMostResident);  // sanitizers keep what was freed
  }

 private:
  static constexpr std::size_t kMost = 24 * 1024;  // eight pools' worth
  // the allocator's whims; a stack has some 16 KiB resident
  static constexpr std::size_t kMostResident = std::size_t{4} << 20U;

  std::uint64_t made_ = made;
  ThreadIds threads_;
  std::size_t heap_;
  std::size_t resident_;
};

}  // namespace

TEST_CASE("pools that are made, used and destroyed leave no thread and no memory") {
  const Watchdog watchdog("pools, one after the other");
  Random random(seed());
  for (int i = 0; i < 100; ++i) REQUIRE(come_and_go(random));
  const Steadiness steadiness;
  for (std::uint64_t left = rounds(300); left > 0; --left) {
    REQUIRE(come_and_go(random));
    watchdog.feed();
  }
  steadiness.check("one after the other");
}

TEST_CASE("a pool may be destroyed by another thread than made it, and after that one has ended") {
  const Watchdog watchdog("pools of threads that have ended");
  Random random(seed() + 1);
  const auto made_elsewhere = [&random] {
    std::unique_ptr<ThreadPool> pool;
    bool right = true;
    std::thread([&] {
      pool = any_pool(random);
      if (random.below(2) == 0) right = pool->install([] { return fib(8); }) == 21;
    }).join();
    if (random.below(2) == 0) right = right && pool->install([] { return fib(8); }) == 21;
    return right;
  };
  for (int i = 0; i < 20; ++i) REQUIRE(made_elsewhere());
  const Steadiness steadiness;
  for (std::uint64_t left = rounds(100); left > 0; --left) {
    REQUIRE(made_elsewhere());
    watchdog.feed();
  }
  steadiness.check("made by threads that have ended");
}

TEST_CASE("several threads use and destroy the pools that the others made") {
  const Watchdog watchdog("pools that change hands");
  constexpr std::size_t kThreads = 4;
  const auto trade_all = [&watchdog](std::uint64_t steps) {
    std::array<Slot, 3> slots;
    std::atomic<std::uint64_t> wrong{0};
    furca::test::on_threads(kThreads, [&](std::size_t number) {
      Random random(seed() + 2 + number);
      for (std::uint64_t left = steps; left > 0; --left) {
        if (!trade(slots[random.below(slots.size())], random)) ++wrong;
        watchdog.feed();
      }
    });
    return wrong == 0;
  };
  REQUIRE(trade_all(50));
  const Steadiness steadiness;
  REQUIRE(trade_all(rounds(100)));
  steadiness.check("made by one, destroyed by another");
}
