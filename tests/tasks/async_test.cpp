#include <furca/async.hpp>
#include <furca/broadcast.hpp>
#include <furca/detail/tasks/result.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>

#include "support/observe.hpp"
#include "support/pools.hpp"
#include "support/tracked.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"
#include "system/placement.hpp"

#include <coroutine>

using furca::Async;
using furca::sync_wait;
using furca::Task;
using furca::ThreadPool;
using furca::test::rounds;
using furca::test::Tracked;
using furca::test::Watchdog;

namespace {

constexpr std::array<std::size_t, 4> kSizes = {1, 2, 3, 16};

Async<int> number(int value) { co_return value; }

Async<int> number_on(ThreadPool& pool, int value) {
  co_await pool.schedule();
  co_return value;
}

Async<int> failing_on(ThreadPool& pool) {
  co_await pool.schedule();
  throw std::runtime_error("no number");
}

Async<int> sum_on(ThreadPool& pool, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await number_on(pool, i);
  co_return sum;
}

Async<> add_to(std::atomic<int>& sum, ThreadPool& pool, Tracked) {
  co_await pool.schedule();
  sum.fetch_add(1, std::memory_order_relaxed);
  co_await pool.schedule();
  sum.fetch_add(1, std::memory_order_relaxed);
}

/// Suspended until somebody else goes on with it: what a library for input and output does.
class Signal {
 public:
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiter) noexcept {
    waiter_.store(waiter.address(), std::memory_order_release);
  }
  void await_resume() const noexcept {}

  /// On the calling thread, as soon as somebody waits.
  void resume() {
    void* waiter = nullptr;
    while ((waiter = waiter_.exchange(nullptr, std::memory_order_acquire)) == nullptr)
      std::this_thread::yield();
    std::coroutine_handle<>::from_address(waiter).resume();
  }

 private:
  std::atomic<void*> waiter_{nullptr};
};

}  // namespace

TEST_CASE("a coroutine that never leaves its thread needs no pool") {
  CHECK(sync_wait(number(7)) == 7);
  int target = 0;
  const auto reference = [](int& to) -> Async<int&> { co_return to; };
  CHECK(&sync_wait(reference(target)) == &target);
  const auto owner = []() -> Async<std::unique_ptr<int>> { co_return std::make_unique<int>(8); };
  CHECK(*sync_wait(owner()) == 8);
  const auto thrower = []() -> Async<> {
    throw std::runtime_error("early");
    co_return;
  };
  CHECK_THROWS_WITH(sync_wait(thrower()), "early");
}

TEST_CASE("a coroutine that goes to a pool is waited for from everywhere") {
  const Watchdog watchdog("sync_wait");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    const auto check = [&] {
      CHECK(sync_wait(number_on(pool, 7)) == 7);
      CHECK(sync_wait(sum_on(pool, 20)) == 190);
      CHECK_THROWS_WITH(sync_wait(failing_on(pool)), "no number");
    };
    check();
    pool.install(check);
    std::thread(check).join();
    pool.spawn_task(check).join();  // on the only started thread, perhaps
    furca::join([&] { check(); }, [&] { check(); });
    pool.install([&] { furca::join([&] { check(); }, [&] { check(); }); });
    ThreadPool other({.threads = 2});
    other.install(check);
    other.spawn_task(check).join();
  }
}

TEST_CASE("schedule moves a coroutine to the pool, and lets others have their turn") {
  for (const std::size_t threads : kSizes) {
    ThreadPool pool({.threads = threads});
    const auto visit = [](ThreadPool& to) -> Async<std::thread::id> {
      co_await to.schedule();
      co_return std::this_thread::get_id();
    };
    std::atomic<bool> here{false};
    std::thread::id outside;
    // this thread is in no pool, and does not help
    std::thread([&] { outside = sync_wait(visit(pool)); }).join();
    CHECK(outside != std::this_thread::get_id());
    const auto polite = [](std::atomic<bool>& until) -> Async<int> {
      int turns = 0;
      for (; !until.load(std::memory_order_acquire); ++turns) co_await furca::schedule();
      co_return turns;
    };
    Task<int> turns = pool.spawn_task(polite(here));
    pool.spawn([&] { here.store(true, std::memory_order_release); });
    CHECK(turns.join() >= 0);
  }
}

TEST_CASE("spawned coroutines are tasks until they have ended") {
  const Watchdog watchdog("spawned coroutines");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    std::atomic<int> sum{0};
    {
      ThreadPool pool({.threads = threads, .queue_capacity = 4});
      for (std::uint64_t i = 0; i < rounds(500); ++i) pool.spawn(add_to(sum, pool, Tracked()));
      pool.wait_idle();
      CHECK(sum == static_cast<int>(2 * rounds(500)));
      CHECK(Tracked::alive == 0);
      pool.install([&] {
        for (std::uint64_t i = 0; i < rounds(500); ++i) furca::spawn(add_to(sum, pool, Tracked()));
      });
    }  // the pool's end waits for them
    CHECK(sum == static_cast<int>(4 * rounds(500)));
    CHECK(Tracked::alive == 0);
  }
}

TEST_CASE(
    "a coroutine that waits for something else keeps its pool busy, and may be resumed by "
    "anybody") {
  const Watchdog watchdog("resumed by strangers");
  for (const std::size_t threads : kSizes) {
    for (std::uint64_t round = 0; round < rounds(200); ++round) {
      Signal signal;
      bool ended = false;
      std::thread stranger;
      {
        ThreadPool pool({.threads = threads});
        const auto wait_for_it = [](Signal& what, bool& done) -> Async<> {
          co_await what;
          done = true;
        };
        pool.spawn(wait_for_it(signal, ended));
        stranger = std::thread([&] { signal.resume(); });
        if (round % 2 == 0) pool.wait_idle();
      }
      CHECK(ended);
      stranger.join();
      watchdog.feed();
    }
  }
}

TEST_CASE(
    "a coroutine that goes from a stranger's thread to the pool, which ends as soon as it has "
    "ended") {
  const Watchdog watchdog("strangers that post");
  for (std::uint64_t round = 0; round < rounds(500); ++round) {
    Signal signal;
    std::thread stranger([&] { signal.resume(); });
    {
      ThreadPool pool({.threads = 2});
      const auto come_back = [](Signal& what, ThreadPool& to) -> Async<int> {
        co_await what;
        co_await to.schedule();
        co_return 7;
      };
      CHECK(sync_wait(come_back(signal, pool)) == 7);
    }
    stranger.join();
    watchdog.feed();
  }
}

TEST_CASE(
    "an exit_hook waits for a coroutine that comes back from elsewhere when all other threads of "
    "the pool have ended") {
  const Watchdog watchdog("late coroutines");
  for (std::uint64_t round = 0; round < rounds(20); ++round) {
    Signal waited;
    Signal spawned;
    std::atomic<int> came_back{0};
    std::thread stranger;
    {
      ThreadPool* pool = nullptr;
      const auto go = [](ThreadPool*& to, Signal& what, std::atomic<int>& count) -> Async<> {
        co_await what;
        co_await to->schedule();
        ++count;
      };
      auto owner =
          std::make_unique<ThreadPool>(furca::Config{.threads = 2, .exit_hook = [&](std::size_t) {
                                                       furca::spawn(go(pool, spawned, came_back));
                                                       sync_wait(go(pool, waited, came_back));
                                                     }});
      pool = owner.get();
      stranger = std::thread([&] {
        waited.resume();
        std::this_thread::sleep_for(std::chrono::microseconds(100 * round));
        spawned.resume();
      });
    }
    stranger.join();
    CHECK(came_back == 2);
  }
}

TEST_CASE("handles on coroutines: joined, dropped, cancelled, failing, outliving the pool") {
  const Watchdog watchdog("handles on coroutines");
  furca::test::Random random(furca::test::seed());
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    Task<int> late;
    {
      std::atomic<int> sum{0};
      ThreadPool pool({.threads = threads, .queue_capacity = 2});
      int cancelled = 0;
      const std::uint64_t tasks = rounds(2'000);
      for (std::uint64_t i = 0; i < tasks; ++i) {
        Task<void> task = pool.spawn_task(add_to(sum, pool, Tracked()));
        furca::test::spin(static_cast<int>(random.below(2'000)));
        switch (random.below(4)) {
          case 0:
            task.join();
            break;
          case 1:
            cancelled += task.cancel() ? 1 : 0;
            break;
          case 2:
            while (!task.ready()) std::this_thread::yield();
            task.join();
            break;
          default:
            break;  // dropped
        }
        watchdog.feed();
      }
      pool.wait_idle();
      CHECK(sum == 2 * (static_cast<int>(tasks) - cancelled));
      CHECK(Tracked::alive == 0);
      Task<int> failing = pool.spawn_task(failing_on(pool));
      CHECK_THROWS_WITH(failing.join(), "no number");
      late = pool.spawn_task(sum_on(pool, 5));
    }
    CHECK(late.ready());
    CHECK(late.join() == 10);
  }
}

TEST_CASE("in the middle of a join: the pool may end, numbers stay, and broadcasts are heard") {
  const Watchdog watchdog("in the middle of a join");
  for (const std::size_t threads : {2U, 3U}) {
    std::atomic<int> calls{0};
    std::atomic<std::size_t> highest{0};
    {
      std::atomic<bool> inside{false};
      std::optional<ThreadPool> started;
      const auto go = [&]() -> Async<> {
        ThreadPool& pool = *started;
        co_await pool.schedule();
        inside.store(true, std::memory_order_release);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        pool.broadcast([&] {
          ++calls;
          std::size_t seen = highest;
          while (seen < furca::thread_index() &&
                 !highest.compare_exchange_weak(seen, furca::thread_index())) {
          }
        });
      };
      started.emplace(furca::Config{.threads = threads});
      started->spawn([&] { furca::join([&] { sync_wait(go()); }, [] {}); });
      while (!inside.load(std::memory_order_acquire)) std::this_thread::yield();
      started.reset();  // while what its tasks use is still there
    }
    CHECK(calls >= static_cast<int>(threads) - 1);
    CHECK(highest < threads);
  }
}

namespace {

template <class T>
Async<T> await(Task<T> task) {
  co_return co_await std::move(task);
}

/// Wants an address that is a multiple of 256, and looks whether it has one, from a place that the
/// compiler cannot see into.
struct alignas(256) OverAligned {
  static inline std::atomic<int> misplaced{0};
  static inline std::atomic<int> made{0};
  int value;
  explicit OverAligned(int of) : value(of) { look(); }
  OverAligned(OverAligned&& other) noexcept : value(other.value) { look(); }
  [[gnu::noinline]] void look() const {
    const volatile std::uintptr_t address = reinterpret_cast<std::uintptr_t>(this);
    ++made;
    if (address % 256 != 0) ++misplaced;
  }
};

/// Coroutines wait here until it is opened, and go on, on the thread that opens it.
class Gate {
 public:
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter) {
    const std::lock_guard lock(mutex_);
    if (open_) return false;
    waiting_.push_back(waiter);
    return true;
  }
  void await_resume() const noexcept {}

  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }

  void open() {
    std::vector<std::coroutine_handle<>> waiting;
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
      waiting.swap(waiting_);
    }
    for (const std::coroutine_handle<> waiter : waiting) waiter.resume();
  }

 private:
  std::mutex mutex_;
  std::vector<std::coroutine_handle<>> waiting_;
  bool open_ = false;
};

Async<> pass(Gate& gate) { co_await gate; }

}  // namespace

TEST_CASE(
    "a coroutine awaits a task: what it returns, what it throws, at any moment of the task's "
    "life") {
  const Watchdog watchdog("awaited tasks");
  for (const std::size_t threads : kSizes) {
    CAPTURE(threads);
    ThreadPool pool({.threads = threads});
    CHECK(sync_wait(await(pool.spawn_task([] { return 7; }))) == 7);
    int target = 0;
    CHECK(&sync_wait(await(pool.spawn_task([&]() -> int& { return target; }))) == &target);
    CHECK(*sync_wait(await(pool.spawn_task([] { return std::make_unique<int>(8); }))) == 8);
    sync_wait(await(pool.spawn_task([&] { target = 9; })));
    CHECK(target == 9);
    CHECK_THROWS_WITH(
        sync_wait(await(pool.spawn_task([]() -> int { throw std::runtime_error("no result"); }))),
        "no result");
    CHECK(sync_wait(await(pool.spawn_task(number_on(pool, 10)))) == 10);
    CHECK_THROWS_WITH(sync_wait(await(pool.spawn_task(failing_on(pool)))), "no number");
    Task<int> ended = pool.spawn_task([] { return 11; });
    pool.wait_idle();
    CHECK(ended.ready());
    CHECK(sync_wait(await(std::move(ended))) == 11);
    CHECK_THROWS_AS(sync_wait(await(Task<int>())), std::logic_error);
    for (std::uint64_t round = 0; round < rounds(500); ++round) {
      Task<int> task = pool.spawn_task([round] {
        furca::test::spin(static_cast<int>(round % 50));
        return static_cast<int>(round);
      });
      furca::test::spin(static_cast<int>(round * 7 % 50));
      REQUIRE(sync_wait(await(std::move(task))) == static_cast<int>(round));
      watchdog.feed();
    }
  }
}

TEST_CASE(
    "a coroutine that its joiner begins is a task of the pool: it cannot wait until that is idle") {
  const Watchdog watchdog("a joined coroutine that waits");
  std::atomic<bool> busy{false};
  std::atomic<bool> over{false};
  ThreadPool pool({.threads = 2});
  pool.spawn([&] {  // keeps the started thread, so that the joiner begins it
    busy = true;
    while (!over) std::this_thread::yield();
  });
  while (!busy) std::this_thread::yield();
  const auto wait = [](ThreadPool& there) -> Async<bool> {
    try {
      there.wait_idle();
    } catch (const std::logic_error&) {
      co_return true;
    }
    co_return false;
  };
  CHECK(pool.spawn_task(wait(pool)).join());
  over = true;
}

TEST_CASE("coroutines that await tasks block no thread: a pool of one runs any number of them") {
  const Watchdog watchdog("a pool of one, and coroutines that await");
  ThreadPool pool({.threads = 1});
  std::atomic<int> sum{0};
  const auto add = [](ThreadPool& there, std::atomic<int>& to) -> Async<> {
    for (int i = 0; i < 3; ++i)
      to.fetch_add(co_await there.spawn_task([] { return 1; }), std::memory_order_relaxed);
  };
  for (int i = 0; i < 2'000; ++i) pool.spawn(add(pool, sum));
  pool.wait_idle();
  CHECK(sum == 6'000);
}

TEST_CASE("an over-aligned result lies where it must") {
  OverAligned::misplaced = OverAligned::made = 0;
  ThreadPool pool({.threads = 2});
  const auto make = [](ThreadPool& there, int value) -> Async<OverAligned> {
    co_await there.schedule();
    co_return OverAligned(value);
  };
  // so that blocks of memory do not come at one distance
  std::vector<std::unique_ptr<char[]>> noise;
  for (int i = 0; i < 100; ++i) {
    noise.push_back(std::make_unique<char[]>(static_cast<std::size_t>(i * 40 + 1)));
    CHECK(sync_wait(make(pool, i)).value == i);
    CHECK(pool.spawn_task(make(pool, i)).join().value == i);
    CHECK(pool.spawn_task([i] { return OverAligned(i); }).join().value == i);
    pool.spawn(make(pool, i));
  }
  pool.wait_idle();
  CHECK(OverAligned::made > 0);
  CHECK(OverAligned::misplaced == 0);
}

TEST_CASE(
    "tasks that wait for coroutines lie on each other a few deep, however long the queue is") {
  const Watchdog watchdog("tasks on top of tasks");
  for (const std::size_t capacity : {std::size_t{256}, std::size_t{65'536}}) {
    CAPTURE(capacity);
    constexpr int kTasks = 5'000;
    std::atomic<int> sum{0};
    std::atomic<int> deepest{0};
    ThreadPool pool({.threads = 2, .queue_capacity = capacity});
    pool.spawn([&] {
      for (int i = 0; i < kTasks; ++i) {
        furca::spawn([&] {
          thread_local int depth = 0;
          ++depth;
          int most = deepest;
          while (depth > most && !deepest.compare_exchange_weak(most, depth)) {
          }
          sum += sync_wait(number_on(pool, 1));
          --depth;
        });
      }
    });
    pool.wait_idle();
    CHECK(sum == kTasks);
    CHECK(deepest < 100);  // 5,000 where each waits behind all the others
  }
}

TEST_CASE(
    "a task that has waited for a coroutine counts as busy again: another thread runs what it "
    "waits for next") {
  const Watchdog watchdog("a task that has waited");
  // Not by std::atomic::wait: that of g++ 12 loses wake-ups where there are no futexes.
  for (int round = 0; round < 3; ++round) {
    std::atomic<bool> waited{false};
    std::atomic<bool> ran{false};
    ThreadPool pool({.threads = 3});
    pool.spawn([&] {
      sync_wait(number_on(pool, 1));
      waited = true;
      while (!ran) std::this_thread::yield();
    });
    while (!waited) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the other thread falls asleep
    pool.spawn([&] { ran = true; });
    while (!ran) std::this_thread::yield();
    CHECK(ran);
  }
}

TEST_CASE("tasks that wait for coroutines do not outgrow the stack") {
  const Watchdog watchdog("a stack full of tasks");
  // Each waits for what the last one does, so all of them lie on each other: a kilobyte or so each,
  // and several with sanitizers, where threads also cost more.
  constexpr int kTasks = furca::test::kSanitized ? 500 : 3'000;
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    CAPTURE(threads);
    const bool bind = threads == 2;  // who stands in for a thread stays where that stays
    Gate gate;
    std::atomic<int> hooks{0};
    std::atomic<int> passed{0};
    std::atomic<int> begun{0};
    std::atomic<int> bound{0};
    std::mutex threads_mutex;
    std::set<std::thread::id> threads_seen;
    std::atomic<std::size_t> highest{0};
    {
      ThreadPool pool({.threads = threads,
                       .stack_size = 512 * 1024,
                       .start_hook = [&](std::size_t) { ++hooks; },
                       .exit_hook = [&](std::size_t) { --hooks; },
                       .bind = bind});
      pool.spawn([&] {
        for (int i = 0; i < kTasks; ++i) {
          furca::spawn([&] {
            std::size_t most = highest;
            while (furca::thread_index() > most &&
                   !highest.compare_exchange_weak(most, furca::thread_index())) {
            }
            if (furca::detail::find_binding()) ++bound;
            {
              const std::lock_guard lock(threads_mutex);
              threads_seen.insert(std::this_thread::get_id());
            }
            if (++begun == kTasks) gate.open();
            sync_wait(pass(gate));
            ++passed;
          });
        }
      });
      while (passed < kTasks) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK(passed == kTasks);
    CHECK(threads_seen.size() > 1);  // others stood in for the only started one
    CHECK(bound == (bind && !furca::test::built_portable() ? kTasks : 0));
    CHECK(highest <= threads);  // who stands in for a thread has its number
    CHECK(hooks == 0);
  }
}

TEST_CASE("a pair in braces") {
  const auto pair = []() -> Async<std::pair<int, int>> { co_return {1, 2}; };
  CHECK(sync_wait(pair()) == std::pair(1, 2));
}

TEST_CASE("what a spawned coroutine throws goes to the handler") {
  std::atomic<int> caught{0};
  ThreadPool pool(
      {.threads = 2, .exception_handler = [&](const std::exception_ptr&) { ++caught; }});
  for (int i = 0; i < 50; ++i) pool.spawn(failing_on(pool));
  pool.wait_idle();
  CHECK(caught == 50);
}

TEST_CASE("an Async that was never begun is dropped with its arguments") {
  std::atomic<int> sum{0};
  ThreadPool pool({.threads = 2});
  {
    Async<> never = add_to(sum, pool, Tracked());
    Async<> other = add_to(sum, pool, Tracked());
    CHECK(Tracked::alive == 2);
    never = std::move(other);
    CHECK(Tracked::alive == 1);
  }
  CHECK(Tracked::alive == 0);
  CHECK(sum == 0);
}

// As where a destructor throws behind a co_return.
TEST_CASE("an exception in the place of a result drops it, and the other way round") {
  furca::detail::Result<Tracked> result;
  result.set(Tracked());
  CHECK(Tracked::alive == 1);
  result.fail(std::make_exception_ptr(1));
  CHECK(Tracked::alive == 0);
  result.set(Tracked());
  result.set(Tracked());
  CHECK(Tracked::alive == 1);
  result.fail(std::make_exception_ptr(2));
  CHECK_THROWS_AS(static_cast<void>(result.get()), int);
  CHECK(Tracked::alive == 0);
}

TEST_CASE("coroutines compute: joins and loops between two suspensions") {
  ThreadPool pool({.threads = 3});
  const auto compute = [](ThreadPool& on) -> Async<long> {
    co_await on.schedule();
    std::atomic<long> sum{0};
    furca::parallel_for(0, 10'000, [&](int i) { sum.fetch_add(i, std::memory_order_relaxed); });
    co_await on.schedule();
    co_return sum.load();
  };
  std::vector<Task<long>> tasks;
  for (int i = 0; i < 20; ++i) tasks.push_back(pool.spawn_task(compute(pool)));
  for (Task<long>& task : tasks) CHECK(task.join() == 49'995'000);
}
