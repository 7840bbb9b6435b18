#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/trials.hpp"
#include "system/thread.hpp"
#include "system/thread_facts.hpp"

#include <system_error>

#include <pthread.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif

using namespace furca::test;
using furca::ThreadPool;
using furca::WaitPolicy;

namespace {

static_assert(std::constructible_from<ThreadPool, furca::Config> &&
              std::default_initializable<ThreadPool>);
static_assert(!std::is_constructible_v<ThreadPool, int> &&
              !std::is_constructible_v<ThreadPool, std::size_t&> &&
              !std::is_constructible_v<ThreadPool, ThreadPool&>);

constexpr std::array<std::size_t, 4> kSizes{1, 2, 3, 16};

std::string refusal(const furca::Config& config) {
  try {
    ThreadPool pool(config);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

std::size_t stack_size_here() {
#if defined(_WIN32)
  return furca::detail::Thread::stack().second;
#else
  pthread_attr_t attributes;
  REQUIRE(pthread_getattr_np(pthread_self(), &attributes) == 0);
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return size;
#endif
}

/// Of the one that a pool starts with this `stack_size`.
std::size_t started_stack_size(std::size_t stack_size) {
  ThreadPool pool({.threads = 2, .stack_size = stack_size});
  std::size_t found = 0;
  Meeting both(2);
  pool.install([&] {
    furca::join([&] { both.attend(); },
                [&] {
                  both.attend();
                  found = stack_size_here();
                });
  });
  return found;
}

}  // namespace

TEST_CASE("hooks run on each started thread, with its number, first and last") {
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    std::mutex mutex;
    std::vector<std::size_t> started;
    std::vector<std::size_t> ended;
    std::vector<std::thread::id> threads(size);
    bool same_thread = true;
    bool computes = true;
    {
      ThreadPool pool({.threads = size,
                       .start_hook =
                           [&](std::size_t number) {
                             const auto [a, b] = furca::join([] { return furca::thread_index(); },
                                                             [] { return furca::num_threads(); });
                             const std::lock_guard lock(mutex);
                             computes = computes && a == number && b == size;
                             started.push_back(number);
                             threads[number] = std::this_thread::get_id();
                           },
                       .exit_hook =
                           [&](std::size_t number) {
                             const std::lock_guard lock(mutex);
                             ended.push_back(number);
                             same_thread =
                                 same_thread && threads[number] == std::this_thread::get_id();
                           }});
      pool.install([] { furca::parallel_for(0, 100, [](int) { busy(); }); });
    }
    std::vector<std::size_t> expected;
    for (std::size_t number = 0; number + 1 < size; ++number) expected.push_back(number);
    std::sort(started.begin(), started.end());
    std::sort(ended.begin(), ended.end());
    CHECK(started == expected);
    CHECK(ended == expected);
    CHECK(same_thread);
    CHECK(computes);
  }
}

TEST_CASE("while a thread is in its start_hook the others are woken") {
  const Watchdog watchdog("a thread in its hook");
  for (int round = 0; round < 5; ++round) {
    std::atomic<bool> in_hook{false};
    std::atomic<bool> ran{false};
    ThreadPool pool({.threads = 4, .start_hook = [&](std::size_t number) {
                       if (number != 2) return;
                       in_hook = true;
                       while (!ran)
                         std::this_thread::yield();  // for ever, if nobody else runs the task
                     }});
    while (!in_hook) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the two others sleep, as a rule
    pool.spawn([&] { ran = true; });
    while (!ran) std::this_thread::yield();
  }
}

TEST_CASE("a start_hook may use all threads of its pool") {
  const Watchdog watchdog("hooks that compute");
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    std::atomic<std::size_t> calls{0};
    {
      const ThreadPool pool({.threads = size, .start_hook = [&](std::size_t) {
                               furca::broadcast([&] { ++calls; });
                             }});
    }
    CHECK(calls == (size - 1) * (size - 1));
  }
}

TEST_CASE("a pool of N has size N and starts N - 1 threads") {
  const Watchdog watchdog("sizes");
  const ThreadIds before = thread_ids();
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    {
      ThreadPool pool({.threads = size});
      CHECK(pool.size() == size);
      CHECK(threads_since(before).size() == size - 1);
      CHECK(pool.install(computes));
    }
    wait_until_gone(before);
  }
}

TEST_CASE("install returns what its function returns") {
  ThreadPool pool({.threads = 2});
  CHECK(pool.install([] { return 42; }) == 42);

  auto owned = pool.install([] { return std::make_unique<int>(7); });
  CHECK(*owned == 7);

  int variable = 1;
  static_assert(std::is_same_v<decltype(pool.install([&]() -> int& { return variable; })), int&>);
  pool.install([&]() -> int& { return variable; }) = 5;
  CHECK(variable == 5);
  static_assert(
      std::is_same_v<decltype(pool.install([&]() -> int&& { return std::move(variable); })),
                     int&&>);
  static_assert(
      std::is_same_v<decltype(pool.install([&]() -> const int& { return variable; })), const int&>);

  static_assert(std::is_void_v<decltype(pool.install([] {}))>);
  pool.install([&] { variable = 6; });
  CHECK(variable == 6);

  struct MovedIn {
    std::unique_ptr<int> held = std::make_unique<int>(9);
    int operator()() && { return *held; }
  };
  CHECK(pool.install(MovedIn{}) == 9);
}

TEST_CASE("install throws what its function throws, and the thread has left the pool") {
  ThreadPool pool({.threads = 3});
  ThreadPool other({.threads = 5});
  CHECK_THROWS_WITH_AS(pool.install([] { throw std::runtime_error("mine"); }), "mine",
                       std::runtime_error);
  other.install([&] {
    CHECK_THROWS_AS(pool.install([] { furca::join([] {}, [] { throw 7; }); }), int);
    CHECK(furca::num_threads() == 5);
  });
  CHECK(pool.install(computes));
}

TEST_CASE("a configuration that cannot work is refused with advice") {
  const ThreadIds before = thread_ids();
  const std::string none = refusal({.threads = 0});
  CHECK(contains(none, "furca: "));
  CHECK(contains(none, "ask for 1 or more"));
  for (const std::size_t many : {std::size_t{4097}, std::numeric_limits<std::size_t>::max()}) {
    const std::string refused = refusal({.threads = many});
    CHECK(contains(refused, "furca: "));
    CHECK(contains(refused, std::to_string(many)));
    CHECK(contains(refused, "4096"));
  }
  const std::string small_stack = refusal({.threads = 2, .stack_size = 1});
  CHECK(contains(small_stack, "furca: "));
  CHECK(contains(small_stack, ".stack_size is in bytes"));
  CHECK(contains(small_stack, std::to_string(furca::detail::Thread::least_stack_size())));
  CHECK(contains(refusal({.threads = 1, .stack_size = 1}), ".stack_size"));
  wait_until_gone(before);
}

TEST_CASE("a stack that no system has room for is refused, and nothing is left running") {
  const ThreadIds before = thread_ids();
  CHECK_THROWS_AS(ThreadPool({.threads = 2, .stack_size = std::numeric_limits<std::size_t>::max()}),
                  std::system_error);
  wait_until_gone(before);
}

#if !defined(_WIN32)  // no signals, and names that are not read back here
TEST_CASE("started threads are called name-0, name-1, ..., cut to what the system keeps") {
  if (built_portable()) return;
  const Watchdog watchdog("names");
  const ThreadIds before = thread_ids();
  const std::string own = thread_name(std::to_string(getpid()));
  const auto names = [&](const furca::Config& config) {
    ThreadPool pool(config);
    const ThreadIds started = threads_since(before);
    // A thread names itself, and until then it has its parent's.
    for (const std::string& id : started) eventually([&] { return thread_name(id) != own; });
    std::multiset<std::string> found;
    for (const std::string& id : started) found.insert(thread_name(id));
    return found;
  };
  CHECK(names({.threads = 4}) == std::multiset<std::string>{"furca-0", "furca-1", "furca-2"});
  wait_until_gone(before);
  CHECK(names({.threads = 3, .name = "render"}) ==
        std::multiset<std::string>{"render-0", "render-1"});
  wait_until_gone(before);
  CHECK(names({.threads = 3, .name = "a name far longer than that"}) ==
        std::multiset<std::string>{"a name far long", "a name far long"});
  wait_until_gone(before);
  CHECK(names({.threads = 2, .name = ""}) == std::multiset<std::string>{"-0"});
  CHECK(thread_name(std::to_string(getpid())) == own);
}

TEST_CASE("a signal to the process finds the program's own thread") {
  const Watchdog watchdog("signal delivery");
  static std::atomic<pthread_t> handled_by{};
  handled_by = pthread_t{};
  const auto old = std::signal(SIGUSR1, [](int) { handled_by = pthread_self(); });
  ThreadPool pool({.threads = 16});
  // a thread that has just been started, and sets its mask, takes any signal that is on its way
  Meeting all_started(16);
  pool.install([&] { join_all(16, [&](std::size_t) { all_started.attend(); }); });
  kill(getpid(), SIGUSR1);
  eventually([] { return handled_by.load() != pthread_t{}; });
  CHECK(handled_by.load() == pthread_self());
  std::signal(SIGUSR1, old);
}
#endif

TEST_CASE("stack_size is what started threads get at least") {
  const Watchdog watchdog("stack size");
  // Above the usual default, which the system may hand out again for anything smaller.
  for (const std::size_t wanted : {(std::size_t{48} << 20U) + 1, std::size_t{64} << 20U}) {
    CAPTURE(wanted);
    CHECK(started_stack_size(wanted) >= wanted);
  }
}

#if defined(__linux__)
TEST_CASE("started threads have as much stack as the first one where the default is less") {
  const Watchdog watchdog("default stack size");
  rlimit first{};
  REQUIRE(getrlimit(RLIMIT_STACK, &first) == 0);
  const auto wanted = std::min<rlim_t>(furca::detail::least_stack_size(), first.rlim_cur);
  pthread_attr_t before;
  pthread_attr_t small;
  REQUIRE(pthread_getattr_default_np(&before) == 0);
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, std::size_t{256} << 10U);
  REQUIRE(pthread_setattr_default_np(&small) == 0);
  CHECK(started_stack_size(0) >= wanted);
  pthread_setattr_default_np(&before);
  pthread_attr_destroy(&small);
  pthread_attr_destroy(&before);
}
#endif

TEST_CASE("with N threads, N arms of joins that must all run at the same time do") {
  const Watchdog watchdog("rendezvous of joins", 120);
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    for (const std::size_t size : {2U, 3U, 4U, 7U, 16U}) {
      ThreadPool pool({.threads = size, .wait = wait});
      for (std::uint64_t round = 0; round < furca::test::rounds(150); ++round) {
        Meeting meeting(size);
        pool.install([&] { join_all(size, [&meeting](std::size_t) { meeting.attend(); }); });
        CHECK(meeting.complete());
      }
    }
  }
}

TEST_CASE("arms of one flat join run at the same time too") {
  const Watchdog watchdog("rendezvous of a flat join");
  ThreadPool pool({.threads = 4});
  for (int round = 0; round < 500; ++round) {
    Meeting meeting(4);
    const auto arm = [&meeting] { meeting.attend(); };
    pool.install([&] { furca::join(arm, arm, arm, arm); });
  }
}

TEST_CASE("a loop whose cost is not known yet is shared before its first iteration") {
  const Watchdog watchdog("rendezvous of loops", 120);
  ThreadPool two({.threads = 2});
  ThreadPool three({.threads = 3});
  // What a body costs is remembered for its type, so each has to be another one. Of more than three
  // iterations a loop may keep one behind the one that it runs: only arms of joins are promised to
  // run at the same time.
  const auto first_runs = [&]<int... kRound>(std::integer_sequence<int, kRound...>) {
    const auto first_run = [&]<int kNumber>(std::integral_constant<int, kNumber>) {
      Meeting pair(2);
      two.install([&] { furca::parallel_for(0, 2, [&pair](int) { pair.attend(); }); });
      Meeting trio(3);
      three.install([&] { furca::parallel_for(0, 3, [&trio](int) { trio.attend(); }); });
      CHECK(pair.complete());
      CHECK(trio.complete());
    };
    (first_run(std::integral_constant<int, kRound>{}), ...);
  };
  first_runs(std::make_integer_sequence<int, 3>{});
}

TEST_CASE("thread_index differs between the threads of a pool and is below num_threads") {
  const Watchdog watchdog("thread_index");
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    ThreadPool pool({.threads = size});
    for (int round = 0; round < 20; ++round) {
      std::vector<std::size_t> index(size);
      Meeting meeting(size);
      pool.install([&] {
        CHECK(furca::thread_index() == size - 1);
        join_all(size, [&](std::size_t arm) {
          meeting.attend();
          index[arm] = furca::thread_index();
        });
        CHECK(furca::thread_index() == size - 1);
      });
      std::sort(index.begin(), index.end());
      for (std::size_t i = 0; i < size; ++i) CHECK(index[i] == i);
    }
  }
}

TEST_CASE(
    "threads that are in a pool at the same time have different indices, and the numbers are given "
    "back") {
  const Watchdog watchdog("guest indices");
  ThreadPool pool({.threads = 2});
  for (int round = 0; round < 5; ++round) {
    std::mutex mutex;
    std::set<std::size_t> seen;
    Meeting inside(8);
    on_threads(8U, [&](std::size_t) {
      pool.install([&] {
        inside.attend();
        const std::lock_guard lock(mutex);
        seen.insert(furca::thread_index());
      });
    });
    CHECK(seen == std::set<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8});
  }
}

TEST_CASE("num_threads is the size of the pool that the caller is in") {
  const std::size_t global = furca::num_threads();
  CHECK(global >= 1);
  ThreadPool three({.threads = 3});
  ThreadPool five({.threads = 5});
  three.install([&] {
    CHECK(furca::num_threads() == 3);
    furca::join([] { CHECK(furca::num_threads() == 3); }, [] { CHECK(furca::num_threads() == 3); });
    five.install([&] {
      CHECK(furca::num_threads() == 5);
      three.install([] { CHECK(furca::num_threads() == 3); });
      CHECK(furca::num_threads() == 5);
    });
    CHECK(furca::num_threads() == 3);
  });
  CHECK(furca::num_threads() == global);
}

TEST_CASE("a pool of one runs everything on the caller in program order") {
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    ThreadPool pool({.threads = 1, .wait = wait});
    std::vector<int> order;
    std::set<std::thread::id> threads;
    const auto note = [&](int what) {
      order.push_back(what);
      threads.insert(std::this_thread::get_id());
    };
    pool.install([&] {
      note(0);
      furca::join([&] { note(1); },
                  [&] {
                    furca::join([&] { note(2); }, [&] { note(3); });
                    note(4);
                  },
                  [&] { note(5); });
      furca::parallel_for(6, 1000, note);
      std::vector<int> elements(1000);
      for (int i = 0; i < 1000; ++i) elements[static_cast<std::size_t>(i)] = 1000 + i;
      furca::parallel_for(elements, [&](int element) {
        note(element);
        busy();
      });
      (void)furca::parallel_reduce(
          2000, 3000, 0,
          [&](int i) {
            note(i);
            busy();
            return i;
          },
          std::plus<>{});
    });
    std::vector<int> expected(3000);
    for (int i = 0; i < 3000; ++i) expected[static_cast<std::size_t>(i)] = i;
    CHECK(order == expected);
    CHECK(threads == std::set<std::thread::id>{std::this_thread::get_id()});
  }
}

TEST_CASE("many outside threads use one pool at once") {
  const Watchdog watchdog("outside threads", 120);
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    for (const std::size_t size : kSizes) {
      ThreadPool pool({.threads = size, .wait = wait});
      for (const std::size_t callers : {8U, 64U}) {
        CAPTURE(size);
        CAPTURE(callers);
        std::atomic<std::size_t> right{0};
        on_threads(callers, [&](std::size_t number) {
          bool ok = true;
          for (int call = 0; call < (few_cases() ? 2 : 5); ++call) {
            const long extra = static_cast<long>(number);
            ok = ok && pool.install(computes) &&
                 pool.install([extra] { return fib(14) + extra; }) == 377 + extra;
          }
          right += ok ? 1U : 0U;
        });
        CHECK(right == callers);
      }
    }
  }
}

TEST_CASE("outside threads share the global pool") {
  const Watchdog watchdog("global pool");
  for (const std::size_t callers : {8U, 64U}) {
    std::atomic<std::size_t> right{0};
    on_threads(callers, [&](std::size_t) { right += computes() ? 1U : 0U; });
    CHECK(right == callers);
  }
}

namespace {
std::size_t index_at_end = 0;

/// Has nothing of its own, which MinGW would have freed before.
struct ComputesAtEnd {
  ~ComputesAtEnd() {
    furca::join([] {}, [] {});
    index_at_end = furca::thread_index();
  }
};
void compute_at_end() { static thread_local const ComputesAtEnd at_end; }
}  // namespace

TEST_CASE("a thread that computes in thread_local destructors gives back the one place it has") {
  std::size_t expected = 0;  // the least number that is free
  std::thread([&] {
    furca::join([] {}, [] {});
    expected = furca::thread_index();
  }).join();
  for (const bool before_furca : {true, false}) {
    CAPTURE(before_furca);
    for (int i = 0; i < 20; ++i) {
      std::size_t index = 0;
      std::thread([&] {
        if (before_furca) compute_at_end();
        furca::join([] {}, [] {});
        index = furca::thread_index();
        if (!before_furca) compute_at_end();
      }).join();
      REQUIRE(index == expected);
      REQUIRE(index_at_end == expected);
    }
  }
}

TEST_CASE("a thread finds itself in pools that are nested in any order") {
  ThreadPool a({.threads = 2});
  ThreadPool b({.threads = 2});
  std::size_t deepest = 0;
  std::size_t highest = 0;
  const std::function<void(std::size_t)> down = [&](std::size_t depth) {
    deepest = std::max(deepest, depth);
    highest = std::max(highest, furca::thread_index());
    if (depth < 200) a.install([&] { b.install([&] { down(depth + 1); }); });
  };
  const auto both = [&] { a.install([&] { b.install([&] { down(0); }); }); };
  both();
  CHECK(deepest == 200);
  CHECK(highest == 1);  // one outside thread in a pool of 2
  CHECK(a.stats().workers.size() == 2);
  CHECK(b.stats().workers.size() == 2);

  // From a thread of one of them, and with a third pool between.
  ThreadPool c({.threads = 3});
  std::size_t in_a = 99;
  a.broadcast([&] {
    const std::size_t me = furca::thread_index();
    b.install([&] {
      c.install([&] {
        b.install([&] {
          a.install([&] {
            if (furca::thread_index() != me) in_a = furca::thread_index();
          });
        });
      });
    });
  });
  CHECK(in_a == 99);
}

TEST_CASE("a thread that works for its pool while it waits in a join takes no number for that") {
  const Watchdog watchdog("numbers");
  std::atomic<int> step{0};
  const auto reach = [&](int which) {
    while (step < which) std::this_thread::yield();
  };
  ThreadPool pool({.threads = 2});
  pool.spawn([&] {
    step = 1;
    reach(3);
  });
  reach(1);
  std::size_t waiting = 99;
  std::size_t other_thread = 99;
  std::thread other([&] {
    reach(2);
    // the first one waits by now, as a rule
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pool.install([&] { other_thread = furca::thread_index(); });
    step = 3;
  });
  pool.install([&] {
    furca::join(
        [&] {
          waiting = furca::thread_index();
          step = 2;
          pool.wait_idle();
        },
        [] {});
  });
  other.join();
  CHECK(waiting == 1);
  CHECK(other_thread == 2);  // below num_threads() + 2 - 1
}

TEST_CASE("pools that call into one another from their threads do not lock up") {
  const Watchdog watchdog("mutual installs", 120);
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    for (const std::size_t size : {1U, 2U, 3U}) {
      CAPTURE(size);
      ThreadPool a({.threads = size, .wait = wait});
      ThreadPool b({.threads = size, .wait = wait});
      const auto mutual = [&](auto& self, ThreadPool& here, ThreadPool& there, int depth) -> long {
        if (depth == 0) return 1;
        return here.install([&] {
          const auto [left, right] =
              furca::join([&] { return self(self, there, here, depth - 1); },
                          [&] { return self(self, there, here, depth - 1); });
          std::atomic<long> sum{0};
          furca::parallel_for(0, 4, [&](int) {
            busy();
            sum += there.install([] { return fib(3); });
          });
          return left + right + (sum == 8 ? 0 : -1000);
        });
      };
      std::atomic<int> right{0};
      on_threads(8U, [&](std::size_t number) {
        bool ok = true;
        for (int round = 0; round < 10; ++round)
          ok = ok && (number % 2 == 0 ? mutual(mutual, a, b, 5) : mutual(mutual, b, a, 5)) == 32;
        right += ok ? 1 : 0;
      });
      CHECK(right == 8);
    }
  }
}

TEST_CASE("pools sized beyond the processors give right results") {
  const Watchdog watchdog("oversubscription");
  ThreadPool pool({.threads = 64});
  for (int round = 0; round < 20; ++round) CHECK(pool.install(computes));
}

TEST_CASE("threads create, use, nest and destroy pools at random") {
  const Watchdog watchdog("random actors", 120);
  ThreadPool shared({.threads = 3});
  std::atomic<int> wrong{0};
  on_threads(8U, [&](std::size_t number) {
    std::uint32_t random = static_cast<std::uint32_t>(number) + 1;
    std::unique_ptr<ThreadPool> own;
    for (int step = 0; step < 100; ++step) {
      random = random * 1664525U + 1013904223U;
      const std::uint32_t choice = random >> 29U;
      bool ok = true;
      if (choice < 2 || !own) {
        own = std::make_unique<ThreadPool>(furca::Config{.threads = 1 + (random >> 20U & 3U)});
      } else if (choice == 2) {
        own.reset();
      } else if (choice < 5) {
        ok = own->install(computes);
      } else if (choice < 7) {
        ok = shared.install(
            [&] { return own->install([&] { return shared.install(computes) && computes(); }); });
      } else {
        ok = shared.install(computes);
      }
      wrong += ok ? 0 : 1;
    }
  });
  CHECK(wrong == 0);
}
