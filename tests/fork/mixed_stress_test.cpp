// Everything at once: outside threads run random programs in pools of 2, 8 and 64 threads that come
// and go, and check what comes out.
//
// Each random program is run twice, in parallel and serially, and the values are compared. Beside
// them detached tasks, coroutines, broadcasts, and installs of one pool inside another.
#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/random_program.hpp"
#include "support/trials.hpp"

#include <condition_variable>
#include <stop_token>

using namespace furca::test;
using furca::ThreadPool;
using furca::WaitPolicy;
using std::chrono::steady_clock;

namespace {

constexpr int kDepth = 4;  // of random programs

// --- pools that come and go ----------------------------------------------------------------------

using SharedPool = std::shared_ptr<ThreadPool>;

/// Places for pools. Whoever has taken one keeps it alive; the last one to let go of it destroys
/// it, outside of any call.
class Pools {
 public:
  Pools() {
    for (std::size_t i = 0; i < kSizes.size(); ++i) pools_[i] = made(i, false);
  }

  SharedPool take(Random& random) {
    const std::lock_guard lock(mutex_);
    return pools_[random.below(pools_.size())];
  }

  void replace(Random& random) {
    const std::size_t place = random.below(pools_.size());
    SharedPool fresh = made(place, random.below(3) == 0);
    const std::lock_guard lock(mutex_);
    pools_[place].swap(fresh);  // the old one's end, if it is one, comes after the lock's
  }

 private:
  static constexpr std::array<std::size_t, 4> kSizes{2, 8, 64, 2};

  static SharedPool made(std::size_t place, bool greedy) {
    return std::make_shared<ThreadPool>(furca::Config{
        .threads = kSizes[place], .wait = greedy ? WaitPolicy::greedy : WaitPolicy::own_subtree});
  }

  std::mutex mutex_;
  std::array<SharedPool, kSizes.size()> pools_;
};

// --- what an outside thread does -----------------------------------------------------------------

bool runs_program(Pools& pools, Random& random) {
  const SharedPool pool = pools.take(random);
  const std::uint64_t program = random.next();
  return pool->install([program] { return outcome(program, kDepth, false); }) ==
         outcome(program, kDepth, true);
}

bool runs_in_global_pool(Pools&, Random& random) {
  const std::uint64_t program = random.next();
  return outcome(program, kDepth, false) == outcome(program, kDepth, true);
}

/// A pool's arm in another pool, and one in that again.
bool nests_installs(Pools& pools, Random& random) {
  const SharedPool a = pools.take(random);
  const SharedPool b = pools.take(random);
  const std::uint64_t program = random.next();
  const auto inner = [&] {
    return a->install([&] { return outcome(program + 1, kDepth - 2, false); });
  };
  const auto [x, y] = a->install([&] {
    return furca::join([&] { return outcome(program, kDepth - 1, false); },
                       [&] { return b->install(inner); });
  });
  return x == outcome(program, kDepth - 1, true) && y == outcome(program + 1, kDepth - 2, true);
}

bool spawns_tasks(Pools& pools, Random& random) {
  const SharedPool pool = pools.take(random);
  const std::uint64_t tasks = 1 + random.below(1'000);
  const auto ended = std::make_shared<std::atomic<std::uint64_t>>(0);
  const auto count = [ended] { ended->fetch_add(1); };
  for (std::uint64_t i = 0; i < tasks; ++i) {
    if (i % 16 == 0) {
      pool->spawn([count] {
        furca::spawn(count);
        count();
      });
    } else {
      pool->spawn(count);
    }
  }
  pool->wait_idle();
  return ended->load() == tasks + (tasks + 15) / 16;
}

/// One may throw: its handle gives what it threw.
bool joins_tasks(Pools& pools, Random& random) {
  const SharedPool pool = pools.take(random);
  const std::uint64_t program = random.next();
  auto first = pool->spawn_task([program] { return value(program, kDepth - 2, false); });
  auto second = pool->spawn_task([program] { return outcome(program + 1, kDepth - 2, false); });
  std::uint64_t got = 0;
  try {
    got = first.join();
  } catch (const Thrown& thrown) {
    got = ~thrown.value;
  }
  return second.join() == outcome(program + 1, kDepth - 2, true) &&
         got == outcome(program, kDepth - 2, true);
}

furca::Async<std::uint64_t> hops(ThreadPool& from, ThreadPool& to, std::uint64_t program,
                                 int left) {
  co_await from.schedule();
  const std::uint64_t here = outcome(program, 1, false);
  if (left == 0) co_return here;
  co_return fold(here, co_await hops(to, from, program + 1, left - 1));
}

bool awaits_coroutines(Pools& pools, Random& random) {
  const SharedPool a = pools.take(random);
  const SharedPool b = pools.take(random);
  const std::uint64_t program = random.next();
  const int length = static_cast<int>(random.below(8));
  std::uint64_t expected = outcome(program + static_cast<std::uint64_t>(length), 1, true);
  for (int i = length; i-- > 0;)
    expected = fold(outcome(program + static_cast<std::uint64_t>(i), 1, true), expected);
  const bool right = furca::sync_wait(hops(*a, *b, program, length)) == expected;
  a->wait_idle();  // the threads' last steps of a coroutine come after what was waited for
  b->wait_idle();
  return right;
}

bool broadcasts(Pools& pools, Random& random) {
  const SharedPool pool = pools.take(random);
  std::atomic<std::size_t> calls{0};
  pool->broadcast([&calls] { calls.fetch_add(1); });
  return calls.load() == pool->install([] { return furca::num_threads(); });
}

bool replaces_pool(Pools& pools, Random& random) {
  pools.replace(random);
  return true;
}

struct Activity {
  const char* name;
  bool (*run)(Pools&, Random&);
  unsigned share;  // of all
};

constexpr Activity kActivities[] = {
    {"a program in a pool", runs_program, 8},
    {"a program in the global pool", runs_in_global_pool, 3},
    {"nested installs", nests_installs, 4},
    {"detached tasks", spawns_tasks, 3},
    {"tasks with handles", joins_tasks, 3},
    {"coroutines", awaits_coroutines, 3},
    {"a broadcast", broadcasts, 2},
    {"another pool", replaces_pool, 1},
};

const Activity& any_activity(Random& random) {
  std::uint64_t all = 0;
  for (const Activity& one : kActivities) all += one.share;
  std::uint64_t dice = random.below(all);
  for (const Activity& one : kActivities) {
    if (dice < one.share) return one;
    dice -= one.share;
  }
  return kActivities[0];
}

// --- whether they come back ----------------------------------------------------------------------

constexpr std::size_t kUsers = 6;

/// What each outside thread is at. If one of them is at the same for minutes, this is said, and
/// what all pools do, and the program ends. The watchdog of other tests would not see it, as the
/// others go on.
class Log {
 public:
  void begin(std::size_t user, const Activity& activity, std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    entries_[user] = {activity.name, seed, steady_clock::now()};
    ++begun_;
  }
  void end(std::size_t user) {
    const std::lock_guard lock(mutex_);
    entries_[user] = {};
  }
  std::uint64_t begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

  void look() {
    constexpr std::chrono::minutes kPatience{4};
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.name != nullptr && steady_clock::now() - entry.since > kPatience)
        report_and_abort();
    }
  }

 private:
  struct Entry {
    const char* name = nullptr;
    std::uint64_t seed = 0;
    steady_clock::time_point since;
  };

  [[noreturn]] void report_and_abort() const {
    for (std::size_t user = 0; user < kUsers; ++user) {
      const Entry& entry = entries_[user];
      if (entry.name == nullptr) continue;
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(steady_clock::now() - entry.since)
              .count();
      std::fprintf(stderr, "mixed stress: thread %zu, for %lld s: %s, its seed %llu\n", user,
                   static_cast<long long>(seconds), entry.name,
                   static_cast<unsigned long long>(entry.seed));
    }
    furca::debug_dump();
    std::abort();
  }

  std::mutex mutex_;
  std::array<Entry, kUsers> entries_;
  std::uint64_t begun_ = 0;
};

}  // namespace

TEST_CASE(
    "outside threads run random programs in pools that come and go, and all of them give what "
    "serial ones do") {
  const auto end = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                             std::chrono::duration<double>(2.0 * scale()));
  furca::join([] {}, [] {});  // the global pool's threads stay
  const ThreadIds before = thread_ids();
  Log log;
  std::atomic<std::uint64_t> wrong{0};
  {
    Pools pools;
    std::vector<std::thread> users;
    for (std::size_t user = 0; user < kUsers; ++user) {
      users.emplace_back([&, user] {
        Random random(part(seed(), user));
        do {
          const Activity& activity = any_activity(random);
          const std::uint64_t its_seed = random.next();
          log.begin(user, activity, its_seed);
          Random its_own(its_seed);
          if (!activity.run(pools, its_own)) {
            ++wrong;
            std::fprintf(stderr, "mixed stress: wrong: %s, its seed %llu\n", activity.name,
                         static_cast<unsigned long long>(its_seed));
          }
          log.end(user);
        } while (steady_clock::now() < end);
      });
    }
    std::mutex mutex;
    std::condition_variable_any stop;
    std::jthread watch([&](std::stop_token stopped) {
      std::unique_lock lock(mutex);
      while (!stop.wait_for(lock, stopped, std::chrono::seconds(1),
                            [&] { return stopped.stop_requested(); }))
        log.look();
    });
    for (std::thread& user : users) user.join();
  }
  CHECK(wrong == 0);
  CHECK(log.begun() > 0);
  wait_until_gone(before);
  std::printf("%llu random calls, %llu of them wrong\n",
              static_cast<unsigned long long>(log.begun()),
              static_cast<unsigned long long>(wrong.load()));
}
