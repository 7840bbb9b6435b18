// Far more threads than processors, the lowest of priorities, far more callers than threads, pools
// nested in each other.
#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/trials.hpp"

#include <sched.h>
#include <sys/resource.h>

using namespace furca::test;
using furca::ThreadPool;
using furca::WaitPolicy;

namespace {

// --- 64 threads on few processors ----------------------------------------------------------------

constexpr std::size_t kThreads = 64;

bool be_idle(int thread) {
  const sched_param none{};
  return sched_setscheduler(thread, SCHED_IDLE, &none) == 0;
}

bool be_nice(int thread) { return setpriority(PRIO_PROCESS, static_cast<id_t>(thread), 19) == 0; }

/// What the process does to itself before it starts threads, which inherit it.
bool settle_down(const std::string& manners, const std::string& processors) {
  if (processors == "one") {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return false;
  }
  if (manners == "idle") return be_idle(0);
  if (manners == "nice") return be_nice(0);
  return true;
}

/// The caller keeps its priority, and waits for threads that hardly ever get a processor while it
/// wants one.
bool mix(const ThreadIds& started) {
  bool done = true;
  int number = 0;
  for (const std::string& id : started) {
    if (number % 3 == 0) done = done && be_idle(std::stoi(id));
    if (number % 3 == 1) done = done && be_nice(std::stoi(id));
    ++number;
  }
  return done;
}

const ChildProcess crowd{"64 threads", [] {
                           const std::string manners = std::getenv("FURCA_TEST_MANNERS");
                           const Watchdog watchdog("64 threads");
                           if (!settle_down(manners, std::getenv("FURCA_TEST_PROCESSORS")))
                             return 2;
                           const ThreadIds before = thread_ids();
                           if (!computes() || furca::num_threads() != kThreads) return 3;
                           const ThreadIds started = threads_since(before);
                           if (started.size() != kThreads - 1) return 4;
                           if (manners == "mixed" && !mix(started)) return 5;
                           for (std::uint64_t left = rounds(40); left > 0; --left) {
                             if (!computes() || fib(14) != 377) return 6;
                             watchdog.feed();
                           }
                           if (manners == "ordinary") {  // and all of them take part
                             Meeting meeting(kThreads);
                             join_all(kThreads, [&meeting](std::size_t) { meeting.attend(); });
                           }
                           return 7;
                         }};

// --- many callers --------------------------------------------------------------------------------

/// On how many of 64 threads body(number) returns false.
template <class Body>
std::uint64_t on_many_threads(Body body) {
  std::atomic<std::uint64_t> wrong{0};
  furca::test::on_threads(std::size_t{64}, [&](std::size_t number) {
    if (!body(number)) ++wrong;
  });
  return wrong;
}

// --- nested pools --------------------------------------------------------------------------------

/// Eight pools of one to three threads, of both kinds.
class Pools {
 public:
  Pools() {
    for (std::size_t i = 0; i < pools_.size(); ++i)
      pools_[i] = std::make_unique<ThreadPool>(furca::Config{
          .threads = 1 + i % 3, .wait = i % 2 == 0 ? WaitPolicy::own_subtree : WaitPolicy::greedy});
  }

  /// 2^depth leaves, each of a path through pools of its own: whatever waits for whatever.
  long wander(Random random, int depth) const {
    if (depth == 0) return fib(3);
    return pools_[random.below(pools_.size())]->install([&] {
      const std::uint64_t left_seed = random.next();
      const std::uint64_t right_seed = random.next();
      const auto [left, right] =
          furca::join([=, this] { return wander(Random(left_seed), depth - 1); },
                      [=, this] { return wander(Random(right_seed), depth - 1); });
      return left + right;
    });
  }

 private:
  std::array<std::unique_ptr<ThreadPool>, 8> pools_;
};

}  // namespace

TEST_CASE("64 threads compute on all processors and on one, whatever their priorities") {
  for (const char* const processors : {"all", "one"}) {
    for (const char* const manners : {"ordinary", "idle", "nice", "mixed"}) {
      const Ending ending =
          crowd.run({.environment = {{"FURCA_NUM_THREADS", std::to_string(kThreads)},
                                     {"FURCA_TEST_PROCESSORS", processors},
                                     {"FURCA_TEST_MANNERS", manners}},
                     .seconds = static_cast<int>(100 + 10 * scale())});
      CAPTURE(processors);
      CAPTURE(manners);
      INFO(ending);
      CHECK(ending.cleanly(7));
    }
  }
}

TEST_CASE("64 threads call into one pool many times each") {
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    const Watchdog watchdog("64 callers");
    ThreadPool pool({.threads = 3, .wait = wait});
    const std::uint64_t calls = rounds(1000);
    const std::uint64_t wrong = on_many_threads([&](std::size_t number) {
      Random random(seed() + number);
      bool right = true;
      for (std::uint64_t left = calls; left > 0; --left) {
        const long count = static_cast<long>(random.below(200));
        const long sum = pool.install([count] {
          return furca::parallel_reduce(
              0L, count, 0L, [](long i) { return wait_a_moment(), i; }, std::plus<>{});
        });
        right = right && sum == count * (count - 1) / 2 &&
                (count % 16 != 0 || pool.install([] { return fib(8); }) == 21);
        watchdog.feed();
      }
      return right;
    });
    CHECK(wrong == 0);
    std::printf("64 callers, %llu calls each, wrong on %llu of them\n",
                static_cast<unsigned long long>(calls), static_cast<unsigned long long>(wrong));
  }
}

TEST_CASE("64 threads go from a pool into another and back into the first") {
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    const Watchdog watchdog("A in B in A, many times at once");
    ThreadPool a({.threads = 2, .wait = wait});
    ThreadPool b({.threads = 2, .wait = wait});
    const std::uint64_t rounds = furca::test::rounds(200);
    const std::uint64_t wrong = on_many_threads([&](std::size_t number) {
      ThreadPool& outer = number % 2 == 0 ? a : b;
      ThreadPool& inner = number % 2 == 0 ? b : a;
      bool right = true;
      for (std::uint64_t left = rounds; left > 0; --left) {
        const auto back_in_outer = [&outer] { return outer.install([] { return fib(6); }); };
        const auto in_inner = [&] {
          return inner.install([&] {
            const auto [x, y] = furca::join(back_in_outer, back_in_outer);
            return x + y;
          });
        };
        const long sum = outer.install([&] {
          const auto [x, y] = furca::join(in_inner, in_inner);
          return x + y;
        });
        right = right && sum == 4 * 8;
        watchdog.feed();
      }
      return right;
    });
    CHECK(wrong == 0);
    std::printf("64 callers, %llu rounds of A in B in A each, wrong on %llu of them\n",
                static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(wrong));
  }
}

TEST_CASE("eight pools call into one another from 64 threads at a time") {
  const Watchdog watchdog("mutual installs of eight pools");
  const Pools pools;
  const std::uint64_t rounds = furca::test::rounds(100);
  const std::uint64_t wrong = on_many_threads([&](std::size_t number) {
    bool right = true;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      right = pools.wander(Random(seed() + number * rounds + round), 4) == 16 * 2 && right;
      watchdog.feed();
    }
    return right;
  });
  CHECK(wrong == 0);
  std::printf("64 callers, %llu walks through eight pools each, wrong on %llu of them\n",
              static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(wrong));
}
