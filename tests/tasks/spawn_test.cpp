#include <furca/async.hpp>
#include <furca/broadcast.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/scope.hpp>
#include <furca/spawn.hpp>

#include "fork/work_search.hpp"
#include "support/pools.hpp"
#include "support/subprocess.hpp"
#include "support/tracked.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

using furca::Task;
using furca::ThreadPool;
using furca::test::Random;
using furca::test::rounds;
using furca::test::Stubborn;
using furca::test::Tracked;
using furca::test::Watchdog;

namespace {

// What answers wrong calls with a sentence is not there for traits.
template <class T>
concept MovesOnly =
    std::movable<T> && std::is_nothrow_move_constructible_v<T> &&
    std::is_nothrow_move_assignable_v<T> && !std::is_constructible_v<T, T&> &&
    !std::is_constructible_v<T, const T&> && !std::is_constructible_v<T, const T> &&
    !std::convertible_to<T&, T> && !std::convertible_to<const T&, T> &&
    !std::assignable_from<T&, T&> && !std::assignable_from<T&, const T&> && !std::copyable<T>;
template <class T>
concept HasGet = requires(T x) { x.get(); };
template <class T>
concept HasWait = requires(T x) { x.wait(); };
template <class T>
concept HasJoin = requires(T x) { x.join(); };
template <class T, class = void>
constexpr bool kGets = false;
template <class T>
constexpr bool kGets<T, std::void_t<decltype(std::declval<T&>().get())>> = true;
struct HoldsTask {
  Task<int> task;
};
using Detached = decltype(furca::spawn([] {}));

static_assert(MovesOnly<Task<int>> && MovesOnly<Task<int&>> && MovesOnly<Task<void>> &&
              MovesOnly<Task<std::unique_ptr<int>>> && MovesOnly<HoldsTask>);
static_assert(HasJoin<Task<int>> && !HasGet<Task<int>> && !HasWait<Task<int>> &&
              !kGets<Task<int>> && !HasGet<Task<void>> && !HasWait<Task<void>>);
static_assert(!HasJoin<Detached> && !std::convertible_to<Detached, Task<void>> &&
              !std::is_constructible_v<std::remove_reference_t<Detached>, Detached>);

const furca::test::ChildProcess uncaught{
    "what a task throws", [] {
      ThreadPool pool({.threads = 2});
      pool.spawn([] { throw std::runtime_error("disk full"); });
      pool.wait_idle();
      return 0;
    }};

const furca::test::ChildProcess uncaught_number{"a task throws a number", [] {
                                                  ThreadPool pool({.threads = 2});
                                                  pool.spawn([] { throw 5; });
                                                  pool.wait_idle();
                                                  return 0;
                                                }};

const furca::test::ChildProcess at_exit{
    "tasks at exit", [] {
      // the global pool, without the main thread
      std::thread([] { furca::spawn_task([] {}).join(); }).join();
      return 0;
    }};

/// Tasks and coroutines still work when the threads of the global pool are gone; the main thread
/// has never called in.
struct AtExit {
  ~AtExit() {
    if (!at_exit.is_this()) return;
    const auto go = []() -> furca::Async<int> {
      co_await furca::schedule();
      co_return 7;
    };
    const bool right =
        furca::sync_wait(go()) == 7 && furca::spawn_task([] { return 8; }).join() == 8;
    int calls = 0;
    furca::spawn([&calls] { ++calls; });
    furca::wait_idle();
    furca::broadcast([&calls] { ++calls; });
    if (right && calls == 2) std::puts("right");
  }
} at_exit_object;

constexpr std::array<std::size_t, 4> kSizes = {1, 2, 3, 16};

void await(const std::atomic<bool>& flag) {
  while (!flag.load(std::memory_order_acquire)) std::this_thread::yield();
}

/// Every task by its number: how often it ran.
class Runs {
 public:
  explicit Runs(std::size_t count) : runs_(count) {}
  void ran(std::size_t number) { runs_[number].fetch_add(1, std::memory_order_relaxed); }
  bool each_once() const {
    for (const auto& run : runs_)
      if (run.load(std::memory_order_relaxed) != 1) return false;
    return true;
  }

 private:
  std::vector<std::atomic<std::uint8_t>> runs_;
};

}  // namespace

TEST_CASE("nobody needs to wait: a task runs by itself, on a pool of one too") {
  const Watchdog watchdog("by itself");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    std::atomic<bool> ran{false};
    std::atomic<bool> inner{false};
    pool.spawn([&] {
      furca::spawn([&] { inner.store(true, std::memory_order_release); });
      ran.store(true, std::memory_order_release);
    });
    await(ran);
    await(inner);
    pool.install([&] {
      std::atomic<bool> here{false};
      furca::spawn([&here] { here.store(true, std::memory_order_release); });
      await(here);
    });
  }
}

TEST_CASE("the global pool") {
  std::atomic<int> ran{0};
  for (int i = 0; i < 1'000; ++i) furca::spawn([&ran] { ++ran; });
  furca::wait_idle();
  CHECK(ran == 1'000);
  std::thread([&ran] { furca::spawn([&ran] { ++ran; }); }).join();
  furca::wait_idle();
  CHECK(ran == 1'001);
}

TEST_CASE("who spawns a task and who runs it: small ones, large ones, ones that must be moved") {
  for (const std::size_t threads : kSizes) {
    {
      ThreadPool pool({.threads = threads});
      std::atomic<int> sum{0};
      const auto spawn_all = [&] {
        pool.spawn([&sum, tracked = Tracked()] { ++sum; });
        pool.spawn([&sum, large = std::array<char, 1'000>(), tracked = Tracked()] {
          sum += large[0] + 1;
        });
        pool.spawn(
            [&sum, owned = std::make_unique<int>(1), tracked = Tracked()] { sum += *owned; });
        const std::function<void()> named = [&sum] { ++sum; };
        pool.spawn(named);
        CHECK_THROWS_WITH(pool.spawn(Stubborn()), "stubborn");
        CHECK_THROWS_WITH(static_cast<void>(pool.spawn_task(Stubborn())), "stubborn");
      };
      spawn_all();
      pool.install(spawn_all);
      pool.spawn(spawn_all);
      pool.wait_idle();
      CHECK(sum == 12);
      CHECK(Tracked::alive == 0);  // a task's callable is gone when the task counts as ended
    }
  }
}

TEST_CASE("tasks may use everything: joins, loops and scopes") {
  furca::test::on_every_pool([] {
    std::atomic<long> sum{0};
    for (int task = 0; task < 20; ++task) {
      furca::spawn([&sum] {
        furca::parallel_for(0, 1'000, [&](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
        furca::join([&] { ++sum; }, [&] { ++sum; });
        furca::scope([&](furca::Scope& s) {
          for (int i = 0; i < 10; ++i) s.spawn([&sum] { ++sum; });
        });
      });
    }
    furca::wait_idle();
    CHECK(sum == 20 * (499'500 + 12));
  });
}

TEST_CASE("what a task throws goes to the pool's handler, once each, and the pool goes on") {
  for (const std::size_t threads : kSizes) {
    std::atomic<int> caught{0};
    std::atomic<int> ran{0};
    ThreadPool pool({.threads = threads, .exception_handler = [&](const std::exception_ptr& error) {
                       try {
                         std::rethrow_exception(error);
                       } catch (const std::runtime_error& problem) {
                         if (problem.what() == std::string("lost")) ++caught;
                       }
                     }});
    for (int i = 0; i < 100; ++i) {
      pool.spawn([&ran, i, tracked = Tracked()] {
        ++ran;
        if (i % 2 == 0) throw std::runtime_error("lost");
      });
    }
    pool.wait_idle();
    CHECK(ran == 100);
    CHECK(caught == 50);
    CHECK(Tracked::alive == 0);
  }
}

TEST_CASE("without a handler the program ends with a word on it") {
  const furca::test::Ending ending = uncaught.run();
  CHECK_MESSAGE(ending.failed_saying("an exception has left a spawned task"), ending);
  CHECK_MESSAGE(ending.failed_saying("exception_handler"), ending);
  CHECK_MESSAGE(ending.failed_saying("disk full"), ending);
  const furca::test::Ending of_a_number = uncaught_number.run();
  CHECK_MESSAGE(of_a_number.failed_saying("an exception has left a spawned task"), of_a_number);
}

TEST_CASE("in static destructors tasks run on the calling thread") {
  for (const char* threads : {"1", "2", "3"}) {
    const furca::test::Ending ending =
        at_exit.run({.environment = {{"FURCA_NUM_THREADS", threads}}});
    INFO(ending);
    CHECK(ending.cleanly(0));
    CHECK(ending.output == "right\n");
  }
}

TEST_CASE("a handle brings what the task returned, or threw") {
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    const auto check = [&] {
      Task<int> number = furca::spawn_task([] { return 7; });
      CHECK(number.valid());
      CHECK(number.join() == 7);
      CHECK_FALSE(number.valid());
      Task<std::unique_ptr<int>> owner = furca::spawn_task([] { return std::make_unique<int>(8); });
      CHECK(*owner.join() == 8);
      int target = 0;
      Task<int&> reference = furca::spawn_task([&target]() -> int& { return target; });
      CHECK(&reference.join() == &target);
      Task<void> nothing = furca::spawn_task([&target] { target = 1; });
      nothing.join();
      CHECK(target == 1);
      Task<int> failing = furca::spawn_task([]() -> int { throw std::runtime_error("no number"); });
      CHECK_THROWS_WITH(failing.join(), "no number");
      CHECK_FALSE(failing.valid());
    };
    pool.install(check);
    pool.spawn(check);
    pool.wait_idle();
    Task<int> from_outside = pool.spawn_task([] { return 9; });
    CHECK(from_outside.join() == 9);
  }
}

namespace elsewhere {

/// Found by argument-dependent lookup for a task of a function from here, should furca not say
/// which function it means.
template <class... Any>
void post(Any&&...) {}
template <class... Any>
void post_last(Any&&...) {}
template <class... Any>
void mail(Any&&...) {}

struct Count {
  std::atomic<int>& sum;
  void operator()() const { ++sum; }
};
struct Value {};

furca::Async<Value> value() { co_return Value{}; }

}  // namespace elsewhere

TEST_CASE("functions of the user's that have internal names are left alone") {
  ThreadPool pool({.threads = 2});
  std::atomic<int> sum = 0;
  const elsewhere::Count count{sum};
  pool.spawn(count);
  pool.spawn_task(count).join();
  static_cast<void>(pool.spawn_task(elsewhere::value()).join());
  pool.spawn(elsewhere::value());
  pool.install([&] {
    furca::broadcast(count);
    furca::spawn(count);
    furca::spawn_task(count).join();
  });
  pool.wait_idle();
  CHECK(sum == 4 + 2);
}

TEST_CASE("a handle that is empty says so") {
  Task<int> empty;
  CHECK_FALSE(empty.valid());
  CHECK_THROWS_AS(empty.join(), std::logic_error);
  CHECK_THROWS_AS(empty.cancel(), std::logic_error);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(empty.ready()),
      "furca: this Task is empty: it has been joined, cancelled or moved from, or never was one",
      std::logic_error);
  ThreadPool pool({.threads = 2});
  Task<int> one = pool.spawn_task([] { return 1; });
  Task<int> other = std::move(one);
  CHECK_THROWS_AS(one.join(), std::logic_error);
  CHECK(other.join() == 1);
}

TEST_CASE("a handle outlives its pool") {
  Task<int> number;
  Task<int> failing;
  Task<int> dropped;
  {
    ThreadPool pool({.threads = 2});
    number = pool.spawn_task([] { return 7; });
    failing = pool.spawn_task([]() -> int { throw std::runtime_error("no number"); });
    dropped = pool.spawn_task([]() -> int { throw std::runtime_error("nobody hears of it"); });
  }
  CHECK(number.ready());
  CHECK(number.join() == 7);
  CHECK_THROWS_WITH(failing.join(), "no number");
}

TEST_CASE(
    "a task that nobody has begun runs where it is joined; one that was cancelled never runs") {
  ThreadPool pool({.threads = 2});
  std::atomic<bool> busy{false};
  std::atomic<bool> release{false};
  pool.spawn([&] {
    busy.store(true, std::memory_order_release);
    await(release);
  });
  await(busy);  // the only started thread

  Task<std::thread::id> here = pool.spawn_task([] { return std::this_thread::get_id(); });
  CHECK_FALSE(here.ready());
  CHECK(here.join() == std::this_thread::get_id());

  bool ran = false;
  Task<void> never = pool.spawn_task([&ran, tracked = Tracked()] { ran = true; });
  CHECK(Tracked::alive == 1);
  CHECK(never.cancel());
  CHECK(Tracked::alive == 0);
  CHECK_FALSE(never.valid());

  release.store(true, std::memory_order_release);
  pool.wait_idle();
  CHECK_FALSE(ran);
  Task<void> over = pool.spawn_task([] {});
  pool.wait_idle();
  CHECK(over.ready());
  CHECK_FALSE(over.cancel());
  CHECK(over.valid());
}

TEST_CASE("tasks join tasks, to any depth, however few threads there are") {
  const Watchdog watchdog("tasks that join");
  for (const std::size_t threads : kSizes) {
    ThreadPool pool({.threads = threads});
    const std::function<int(int)> tree = [&](int depth) {
      if (depth == 0) return 1;
      Task<int> left = pool.spawn_task([&, depth] { return tree(depth - 1); });
      Task<int> right = pool.spawn_task([&, depth] { return tree(depth - 1); });
      return left.join() + right.join();
    };
    CHECK(pool.spawn_task([&] { return tree(8); }).join() == 256);
    // In the middle of a join, with an arm in the deque.
    pool.install([&] {
      int sum = 0;
      furca::join([&] { sum = tree(5); }, [&] { furca::parallel_for(0, 1'000, [](int) {}); });
      CHECK(sum == 32);
    });
  }
}

TEST_CASE("a handle is joined, dropped or cancelled at any moment") {
  const Watchdog watchdog("handles");
  Random random(furca::test::seed());
  for (const std::size_t threads : {1U, 2U, 3U}) {
    ThreadPool pool({.threads = threads, .queue_capacity = 2});
    std::uint64_t cancelled = 0;
    std::atomic<std::uint64_t> ran{0};
    const std::uint64_t tasks = rounds(20'000);
    for (std::uint64_t i = 0; i < tasks; ++i) {
      Task<std::uint64_t> task = pool.spawn_task([&ran, i, tracked = Tracked()] {
        ran.fetch_add(1, std::memory_order_relaxed);
        return i;
      });
      furca::test::spin(static_cast<int>(random.below(2'000)));
      switch (random.below(4)) {
        case 0:
          CHECK(task.join() == i);
          break;
        case 1:
          cancelled += task.cancel() ? 1 : 0;
          break;
        case 2:
          while (!task.ready()) std::this_thread::yield();
          CHECK(task.join() == i);
          break;
        default:
          break;  // dropped
      }
    }
    pool.wait_idle();
    CHECK(ran == tasks - cancelled);
    CHECK(Tracked::alive == 0);
  }
}

TEST_CASE(
    "with a thread free, a task runs wherever it waits: in a slot, a ring, the common queue") {
  const Watchdog watchdog("progress");
  // tasks that are spawned first, and push the next one on from the slot to the ring and beyond
  for (const int before : {0, 1, 5, 20}) {
    CAPTURE(before);
    ThreadPool pool({.threads = 3, .queue_capacity = 4});
    std::atomic<bool> ran{false};
    pool.spawn([&] {
      furca::spawn([&] { ran.store(true, std::memory_order_release); });
      for (int i = 0; i < before; ++i) furca::spawn([] {});
      await(ran);  // this thread will not run it
    });
    pool.wait_idle();
    CHECK(ran);
  }
}

TEST_CASE(
    "where a thread looks first: the newest task, its ring, the common queue, others' forks, "
    "others' rings") {
  const Watchdog watchdog("order of search");
  int as_expected = 0;
  constexpr int kRounds = 600;
  constexpr int kWanted = 10;
  for (int round = 0; round < kRounds && as_expected < kWanted; ++round) {
    ThreadPool pool({.threads = 2});
    std::string order;  // written by the one started thread
    std::atomic<int> ran{0};
    const auto mark = [&](char what) {
      order += what;
      ran.fetch_add(1, std::memory_order_release);
    };
    std::atomic<bool> ready{false};
    std::atomic<bool> release{false};
    pool.spawn([&] {
      furca::spawn([&] { mark('2'); });
      furca::spawn([&] { mark('3'); });
      furca::spawn([&] { mark('1'); });
      ready.store(true, std::memory_order_release);
      await(release);
    });
    await(ready);
    pool.spawn([&] { mark('4'); });
    pool.install([&] {
      furca::spawn([&] { mark('6'); });
      furca::join(
          [&] {
            release.store(true, std::memory_order_release);
            while (ran.load(std::memory_order_acquire) < 6) std::this_thread::yield();
          },
          [&] { mark('5'); });
    });
    as_expected += order == "123456" ? 1 : 0;
  }
  // Now and then it is the common queue's turn, or that of a fork, before the others; on a crowded
  // machine the other thread may be first.
  CHECK(as_expected == kWanted);
}

TEST_CASE(
    "a flood from outside, or of forks, does not keep the ring from its turn; nor does the ring "
    "keep them") {
  const Watchdog watchdog("turns");
  ThreadPool pool({.threads = 2});
  std::atomic<bool> ready{false};
  std::atomic<bool> release{false};
  int order = 0;  // of the one started thread
  std::vector<int> of_ring;
  std::vector<int> of_common;
  pool.spawn([&] {
    for (int i = 0; i < 200; ++i) furca::spawn([&] { of_ring.push_back(order++); });
    ready.store(true, std::memory_order_release);
    await(release);
  });
  await(ready);
  for (int i = 0; i < 2'000; ++i) pool.spawn([&] { of_common.push_back(order++); });
  release.store(true, std::memory_order_release);
  std::atomic<bool> last{false};
  pool.spawn([&] { last.store(true, std::memory_order_release); });
  await(last);
  CHECK(of_ring.size() == 200);
  CHECK(of_ring.back() < 300);     // each 61st task at most was of the others
  CHECK(of_common.front() < 100);  // and one of them came soon
}

TEST_CASE("two tasks that start each other for ever starve neither the ring nor the common queue") {
  const Watchdog watchdog("starvation");
  for (const std::size_t threads : {1U, 2U, 3U}) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    std::atomic<bool> stop{false};
    std::function<void()> ping;
    std::function<void()> pong;
    ping = [&] {
      if (!stop.load(std::memory_order_relaxed)) furca::spawn(std::ref(pong));
    };
    pong = [&] {
      if (!stop.load(std::memory_order_relaxed)) furca::spawn(std::ref(ping));
    };
    std::atomic<bool> from_ring{false};
    pool.spawn([&] {
      furca::spawn([&] { from_ring.store(true, std::memory_order_release); });
      furca::spawn(std::ref(ping));
    });
    for (std::size_t i = 1; i < threads; ++i) pool.spawn(std::ref(ping));
    await(from_ring);
    for (int i = 0; i < 20; ++i) {
      std::atomic<bool> from_outside{false};
      pool.spawn([&] { from_outside.store(true, std::memory_order_release); });
      await(from_outside);
    }
    stop.store(true, std::memory_order_relaxed);
    pool.wait_idle();  // what they use is gone before the pool
  }
}

TEST_CASE("a pool of one runs one task at a time, in order, whoever waits") {
  const Watchdog watchdog("a pool of one, and those who wait");
  constexpr int kTasks = 1'000;
  enum class Wait { nobody, wait_idle, pools_end, join, sync_wait };
  for (const Wait how :
       {Wait::nobody, Wait::wait_idle, Wait::pools_end, Wait::join, Wait::sync_wait}) {
    for (std::uint64_t round = 0; round < rounds(20); ++round) {
      std::vector<int> ran;
      std::atomic<int> running{0};
      std::atomic<int> together{0};
      std::optional<ThreadPool> pool(std::in_place, furca::Config{.threads = 1});
      std::atomic<bool> all{false};
      for (int i = 0; i < kTasks; ++i) {
        pool->spawn([&, i] {
          if (++running > 1) ++together;
          ran.push_back(i);
          --running;
        });
      }
      Task<void> last = pool->spawn_task([&] { all = true; });
      const auto back = [](ThreadPool& there) -> furca::Async<> { co_await there.schedule(); };
      switch (how) {
        case Wait::nobody:
          await(all);
          break;
        case Wait::wait_idle:
          pool->wait_idle();
          break;
        case Wait::pools_end:
          pool.reset();
          break;
        case Wait::join:
          last.join();
          break;
        case Wait::sync_wait:
          pool->install([&] { furca::sync_wait(back(*pool)); });
      }
      REQUIRE(ran.size() == kTasks);
      CHECK(std::is_sorted(ran.begin(), ran.end()));
      CHECK(together == 0);
    }
  }
}

TEST_CASE("a pool of one runs what its tasks spawn in order, too") {
  ThreadPool pool({.threads = 1, .queue_capacity = 4});
  constexpr int kTasks = 100;
  std::vector<int> ran;
  pool.spawn([&] {
    for (int i = 0; i < kTasks; ++i) {
      furca::spawn([&, i] {
        ran.push_back(i);
        furca::spawn([&, i] { ran.push_back(kTasks + i); });
      });
    }
  });
  pool.wait_idle();
  CHECK(ran.size() == 2 * kTasks);
  CHECK(std::is_sorted(ran.begin(), ran.end()));
}

TEST_CASE("who joins a task and sleeps is woken when that is over, whatever runs next there") {
  const Watchdog watchdog("a join in a pool of one");
  ThreadPool pool({.threads = 1});
  std::atomic<bool> begun{false};
  std::atomic<bool> joined{false};
  Task<void> first = pool.spawn_task([&] {
    begun = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // who joins sleeps by then
  });
  while (!begun) std::this_thread::yield();
  pool.spawn([&] {
    while (!joined) std::this_thread::yield();
  });
  first.join();
  joined = true;
  pool.wait_idle();
}

TEST_CASE("a task of a pool of one waits for others of that pool, which run on top of it") {
  const Watchdog watchdog("waits in a pool of one");
  ThreadPool pool({.threads = 1});
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<bool> elsewhere{false};
  const auto number = [&](ThreadPool& there, int value) -> furca::Async<int> {
    co_await there.schedule();
    if (std::this_thread::get_id() == here) elsewhere = true;
    co_return value;
  };
  Task<int> task = pool.spawn_task([&] {
    Task<int> inner = pool.spawn_task([] { return 1; });
    Task<int> coroutine = pool.spawn_task(number(pool, 2));
    return inner.join() + coroutine.join() + furca::sync_wait(number(pool, 4));
  });
  CHECK(task.join() == 7);
  CHECK_FALSE(elsewhere);
}

TEST_CASE("tasks run on no more threads than the pool has, however many wait") {
  const Watchdog watchdog("many wait");
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    std::atomic<int> ran{0};
    const auto work = [&] {
      const int now = ++running;
      for (int before = most; now > before && !most.compare_exchange_weak(before, now);) {
      }
      for (int turn = 0; turn < 3; ++turn) std::this_thread::yield();
      ++ran;
      --running;
    };
    furca::test::on_threads(6, [&](int t) {
      for (std::uint64_t round = 0; round < rounds(30); ++round) {
        Task<void> first = pool.spawn_task(work);
        for (int i = 0; i < 10; ++i) pool.spawn(work);
        Task<void> last = pool.spawn_task(work);
        if (t % 3 == 0) pool.wait_idle();
        if (t % 3 == 1) last.join();
        first.join();
      }
    });
    pool.wait_idle();
    CHECK(ran == 6 * static_cast<int>(rounds(30)) * 12);
    CHECK(most <= static_cast<int>(threads));
  }
}

TEST_CASE("neither a flood of tasks nor one of forks starves the other") {
  const Watchdog watchdog("mixed");
  ThreadPool pool({.threads = 3});
  std::atomic<bool> stop{false};
  std::function<void()> flood = [&] {
    furca::test::spin(1'000);
    if (!stop.load(std::memory_order_relaxed)) furca::spawn(std::ref(flood));
  };
  for (int i = 0; i < 8; ++i) pool.spawn(std::ref(flood));
  // Forks get through, and get help: two arms that must run at the same time.
  pool.install([&] {
    for (int i = 0; i < 20; ++i) {
      std::atomic<bool> met{false};
      furca::join([&] { await(met); }, [&] { met.store(true, std::memory_order_release); });
    }
  });
  // And tasks get through a flood of forks.
  std::atomic<bool> forking{true};
  std::thread forker([&] {
    pool.install([&] {
      while (forking.load(std::memory_order_relaxed))
        furca::parallel_for(0, 1'000, [](int) { furca::test::spin(10); });
    });
  });
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> ran{false};
    pool.spawn([&] { ran.store(true, std::memory_order_release); });
    await(ran);
  }
  forking.store(false, std::memory_order_relaxed);
  forker.join();
  stop.store(true, std::memory_order_relaxed);
  pool.wait_idle();  // what they use is gone before the pool
}

TEST_CASE("waiting for a join runs no spawned task: a mutex may be held across it") {
  const Watchdog watchdog("mutex");
  ThreadPool pool({.threads = 2});
  std::mutex mutex;
  std::uint64_t sum = 0;
  for (std::uint64_t round = 0; round < rounds(2'000); ++round) {
    for (int i = 0; i < 4; ++i) {
      pool.spawn([&] {
        const std::lock_guard lock(mutex);
        furca::join([&] { sum += 1; }, [] { furca::test::spin(50); });
      });
    }
    pool.install([&] {
      const std::lock_guard lock(mutex);
      furca::join([&] { sum += 1; }, [] { furca::test::spin(50); });
    });
  }
  pool.wait_idle();
  CHECK(sum == 5 * rounds(2'000));
}

TEST_CASE("who waits until a pool is idle computes with it, and may be several") {
  const Watchdog watchdog("wait_idle");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    pool.wait_idle();  // nothing was spawned
    for (std::uint64_t round = 0; round < rounds(200); ++round) {
      std::atomic<int> ran{0};
      const auto spawn_and_wait = [&] {
        for (int i = 0; i < 50; ++i)
          pool.spawn([&] { pool.spawn([&] { ran.fetch_add(1, std::memory_order_relaxed); }); });
        pool.wait_idle();
      };
      std::thread other(spawn_and_wait);
      spawn_and_wait();
      CHECK(ran >= 50);
      other.join();
      CHECK(ran == 100);
    }
  }
}

TEST_CASE("a task cannot wait until its own pool is idle, but may wait for another's") {
  for (const std::size_t threads : kSizes) {
    ThreadPool pool({.threads = threads});
    ThreadPool other({.threads = 2});
    std::atomic<bool> told{false};
    pool.spawn([&] {
      CHECK_THROWS_AS(furca::wait_idle(), std::logic_error);
      other.wait_idle();
      other.install([&] { CHECK_THROWS_AS(pool.wait_idle(), std::logic_error); });
      told.store(true, std::memory_order_release);
    });
    await(told);
  }
}

TEST_CASE("a pool of one: one thread beside the caller, and forks of neither go to the other") {
  ThreadPool pool({.threads = 1, .name = "single"});
  std::atomic<int> elsewhere{0};
  const auto compute = [&elsewhere] {
    const std::thread::id me = std::this_thread::get_id();
    furca::parallel_for(0, 10'000, [&](int) {
      if (std::this_thread::get_id() != me) ++elsewhere;
    });
    for (int i = 0; i < 1'000; ++i) {
      furca::join([] { furca::test::spin(10); },
                  [&] {
                    if (std::this_thread::get_id() != me) ++elsewhere;
                  });
    }
  };
  std::mutex mutex;
  std::vector<std::thread::id> threads;
  for (int i = 0; i < 20; ++i) {
    pool.spawn([&] {
      compute();
      const std::lock_guard lock(mutex);
      threads.push_back(std::this_thread::get_id());
    });
  }
  pool.install(compute);
  while (true) {
    const std::lock_guard lock(mutex);
    if (threads.size() == 20) break;
  }
  pool.wait_idle();
  for (const std::thread::id& thread : threads) CHECK(thread == threads.front());
  CHECK(threads.front() != std::this_thread::get_id());
  CHECK(elsewhere == 0);
}

TEST_CASE("tasks of a busy thread are found by threads that have tasks of their own") {
  const Watchdog watchdog("a busy thread's ring");
  constexpr int kOld = 200;
  ThreadPool pool({.threads = 3});  // two started threads; the caller only looks on
  std::atomic<int> old_tasks{0};
  std::atomic<std::uint64_t> newer{0};
  std::atomic<std::uint64_t> newer_at_the_end{0};
  std::atomic<int> step{0};
  std::atomic<bool> over{false};
  const auto reach = [&](int which) {
    while (step < which) std::this_thread::yield();
  };
  pool.spawn([&] {
    ++step;
    reach(2);
    for (int i = 0; i < kOld; ++i) {  // the last one is in its slot
      furca::spawn([&] {
        if (++old_tasks < kOld) return;
        newer_at_the_end = newer.load();
        over = true;
      });
    }
    ++step;
    while (!over) std::this_thread::yield();
  });
  // The other thread's tasks follow one another without end.
  const std::function<void()> chain = [&] {
    newer.fetch_add(1, std::memory_order_relaxed);
    if (!over) furca::spawn(chain);
  };
  pool.spawn([&] {
    ++step;
    reach(3);
    furca::spawn(chain);
    furca::spawn(chain);
  });
  while (!over) std::this_thread::yield();
  pool.wait_idle();
  // One look in so many turns, half of the ring at each, at one of two threads in turn; and some
  // for the slot. Twice that.
  const std::uint64_t looks = std::bit_width(std::uint64_t{kOld}) + 6;
  CHECK(newer_at_the_end.load() <= 2 * looks * 2 * 2 * furca::detail::WorkSearch::kNeighbourEvery);
}

namespace {
std::atomic<int> spawned_at_the_end{0};
std::atomic<int> ran_at_the_end{0};

/// Spawns a task, and that another one, when its thread ends.
struct SpawnsWhenDestroyed {
  bool armed = false;
  ~SpawnsWhenDestroyed() {
    if (!armed) return;
    spawned_at_the_end += 2;
    furca::spawn([] {
      ++ran_at_the_end;
      furca::spawn([] { ++ran_at_the_end; });
    });
  }
};
}  // namespace

TEST_CASE("tasks that are spawned at the end of a pool's thread run") {
  const Watchdog watchdog("the last tasks");
  for (const std::size_t threads : {1U, 2U, 4U}) {
    CAPTURE(threads);
    spawned_at_the_end = ran_at_the_end = 0;
    {
      const auto fork = [](std::size_t) { furca::join([] {}, [] {}); };
      ThreadPool pool(
          {.threads = threads, .start_hook = fork, .exit_hook = [fork](std::size_t number) {
             spawned_at_the_end += 300;
             for (int i = 0; i < 300; ++i) {  // more than a ring holds
               furca::spawn([fork, number] {
                 fork(number);
                 ++ran_at_the_end;
               });
             }
           }});
      std::atomic<bool> armed{false};
      pool.spawn([&armed] {
        thread_local SpawnsWhenDestroyed at_the_end;
        at_the_end.armed = true;
        armed = true;
      });
      // and not wait_idle(): a thread of the pool's shall run it
      while (!armed) std::this_thread::yield();
    }
    CHECK(spawned_at_the_end.load() == 2 + 300 * static_cast<int>(threads > 1 ? threads - 1 : 1));
    CHECK(ran_at_the_end.load() == spawned_at_the_end.load());
  }
}

TEST_CASE("a task cannot wait until its own pool is idle, by whatever way it comes there") {
  const Watchdog watchdog("wait_idle by way of another pool");
  ThreadPool a({.threads = 1});
  ThreadPool b({.threads = 2});
  std::atomic<bool> busy{false};
  std::atomic<bool> over{false};
  b.spawn([&] {  // keeps b's started thread
    busy = true;
    while (!over) std::this_thread::yield();
  });
  await(busy);
  bool told = false;
  a.install([&] {
    b.spawn([&] {
      over = true;
      a.install([&] { CHECK_THROWS_AS(b.wait_idle(), std::logic_error); });
      told = true;
    });
    b.wait_idle();  // runs the task, on this thread, which was in a before
  });
  CHECK(told);
}

TEST_CASE("misuse of the configuration is told") {
  CHECK_THROWS_WITH_AS(ThreadPool({.threads = 2, .queue_capacity = 3}),
                       "furca: .queue_capacity is a power of two, from 2 to 65,536; not 3",
                       std::invalid_argument);
  CHECK_THROWS_AS(ThreadPool({.threads = 2, .queue_capacity = 0}), std::invalid_argument);
  CHECK_THROWS_AS(ThreadPool({.threads = 2, .queue_capacity = 131'072}), std::invalid_argument);
  CHECK_THROWS_AS(ThreadPool({.threads = 2, .steal_attempts = 0}), std::invalid_argument);
  CHECK_THROWS_AS(ThreadPool({.threads = 2, .steal_attempts = 1'000'001}), std::invalid_argument);
}

TEST_CASE("who waits until a pool is idle waits for a task that somebody joins and runs himself") {
  const Watchdog watchdog("joined elsewhere");
  for (std::uint64_t round = 0; round < rounds(200); ++round) {
    ThreadPool pool({.threads = 2});
    std::atomic<bool> begun{false};
    std::atomic<bool> ended{false};
    Task<void> task = pool.spawn_task([&] {
      begun.store(true, std::memory_order_release);
      std::this_thread::yield();
      furca::test::spin(20'000);
      ended.store(true, std::memory_order_release);
    });
    std::thread joiner([&] { task.join(); });
    await(begun);
    pool.wait_idle();
    CHECK(ended.load(std::memory_order_acquire));
    joiner.join();
  }
}

TEST_CASE("any number of looks before sleeping will do") {
  const Watchdog watchdog("steal_attempts");
  for (const std::size_t attempts : {1U, 2U, 32U, 1'000U}) {
    ThreadPool pool({.threads = 3, .steal_attempts = attempts});
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> ran{0};
      for (int i = 0; i < 20; ++i) pool.spawn([&ran] { ++ran; });
      pool.install([] { furca::parallel_for(0, 100, [](int) { furca::test::spin(10); }); });
      pool.wait_idle();
      CHECK(ran == 20);
    }
  }
}

TEST_CASE(
    "producers from everywhere, tasks that spawn and throw, handles, pools that end: nothing lost, "
    "nothing twice") {
  const Watchdog watchdog("chaos of tasks");
  Random random(furca::test::seed() + 1);
  for (std::uint64_t round = 0; round < rounds(60); ++round) {
    const auto threads = static_cast<std::size_t>(1 + random.below(4));
    const std::size_t capacity = std::size_t{2} << random.below(4);
    constexpr std::size_t kProducers = 3;
    constexpr std::size_t kTasks = 300;
    Runs runs(2 * kProducers * kTasks);
    std::atomic<int> caught{0};
    {
      ThreadPool pool({.threads = threads,
                       .exception_handler = [&](const std::exception_ptr&) { ++caught; },
                       .queue_capacity = capacity});
      std::vector<std::thread> producers;
      for (std::size_t producer = 0; producer < kProducers; ++producer) {
        producers.emplace_back([&, producer, inside = random.below(2) == 0] {
          const auto produce = [&] {
            for (std::size_t i = 0; i < kTasks; ++i) {
              const std::size_t number = 2 * (producer * kTasks + i);
              pool.spawn([&, number] {
                runs.ran(number);
                furca::spawn([&, number] {
                  runs.ran(number + 1);
                  if (number % 10 == 0) throw number;
                });
              });
            }
          };
          inside ? pool.install(produce) : produce();
        });
      }
      for (std::thread& producer : producers) producer.join();
    }
    REQUIRE(runs.each_once());
    REQUIRE(caught == kProducers * kTasks / 5);
  }
}
