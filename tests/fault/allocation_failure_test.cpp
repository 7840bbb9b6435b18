// Memory that cannot be had: every allocation of every call fails in turn, furca's own and those of
// its arms and bodies.
// (First calls on the global pool, each in a process of its own: allocation_test.cpp.)
#include <stop_token>
#include <version>
#if defined(__GLIBCXX__)
#include <furca/execution.hpp>
#endif

#include <furca/compat/oneapi/tbb/task_arena.h>
#include <furca/compat/oneapi/tbb/task_scheduler_observer.h>
#include <furca/furca.hpp>
#include <furca/group.hpp>
#include <furca/merge.hpp>
#include <furca/permute.hpp>
#include <furca/sets.hpp>
#include <furca/stable_sort.hpp>

#include "counted.hpp"
#include "support/allocations.hpp"
#include "support/observe.hpp"
#include "support/trials.hpp"

#include <coroutine>
#include <execution>
#include <system_error>

using namespace furca::test;
using furca::ReduceTree;
using furca::ThreadPool;
using Where = FailingAllocations::Where;

namespace {

struct Attempt {
  bool right = false;
  bool threw = false;
  long refused = 0;
};

/// Runs call() while allocations fail as planned. Nothing else may allocate meanwhile.
template <class Call>
Attempt attempt(std::int64_t successes, long failures, Where where, Call& call) {
  Attempt result;
  const FailingAllocations failing(successes, failures, where);
  try {
    result.right = call();
  } catch (const std::bad_alloc&) {
    result.threw = true;
  }
  result.refused = failing.refused();
  return result;
}

std::uint64_t refusals = 0;  // all in all
std::uint64_t survived = 0;  // of these, calls that were right all the same

/// Lets the first, the second, ... allocation of call() fail, it alone or all that follow too,
/// until there is none left to fail.
/// Each time the call is right or throws std::bad_alloc, and what it took is given back. Each
/// attempt is made by around(attempt).
template <class Call, class Around>
void fail_every_allocation(Call call, Where where, Around around) {
  for (const long failures : {1L, FailingAllocations::kAllThatFollow}) {
    for (long successes = 0;; ++successes) {
      CAPTURE(failures);
      CAPTURE(successes);
      REQUIRE(successes < 100'000);
      Attempt made;
      const long live_before = live_allocations();
      around([&] { made = attempt(successes, failures, where, call); });
      const long live_after = live_allocations();
      REQUIRE((made.threw ? made.refused > 0 : made.right));
      REQUIRE(live_after == live_before);
      REQUIRE(Counted::alive == 0);
      if (made.refused == 0) break;
      ++refusals;
      survived += made.threw ? 0U : 1U;
    }
  }
}

constexpr auto kHere = [](auto make_attempt) { make_attempt(); };

/// The same for a call in a pool, which each attempt has for itself, with the caller's place in it.
template <class Call>
void fail_in_fresh_pools(std::size_t threads, Call call) {
  std::optional<ThreadPool> pool;
  const auto in_a_fresh_pool = [&](auto make_attempt) {
    pool.emplace(furca::Config{.threads = threads});
    pool->install([] {});
    make_attempt();
    CHECK(pool->install(computes));
    pool.reset();
  };
  for (const Where where : {Where::anywhere, Where::this_thread})
    fail_every_allocation([&] { return pool->install(call); }, where, in_a_fresh_pool);
}

// --- calls whose arms and bodies allocate --------------------------------------------------------

using Numbers = std::vector<int>;
constexpr int kSize = 40;

/// Takes a moment, so that loops are shared.
std::unique_ptr<Counted> made(int value) {
  busy();
  return std::make_unique<Counted>(value);
}

bool joins_two() {
  const auto [a, b] = furca::join([] { return made(1); }, [] { return made(2); });
  return a->value == 1 && b->value == 2;
}

bool joins_many() {
  const auto [a, b, c, d, e] =
      furca::join([] { return made(1); }, [] { return made(2); }, [] { return made(3); },
                  [] { return made(4); }, [] { return made(5); });
  return a->value + b->value + c->value + d->value + e->value == 15;
}

bool joins_in_a_tree() {
  std::atomic<std::int64_t> sum{0};
  join_all(kSize, [&sum](std::size_t number) { sum += made(static_cast<int>(number))->value; });
  return sum == kSize * (kSize - 1) / 2;
}

bool loops_over_indices() {
  std::atomic<std::int64_t> sum{0};
  furca::parallel_for(0, kSize, [&sum](int i) { sum += made(i)->value; });
  return sum == kSize * (kSize - 1) / 2;
}

bool loops_over_a_range() {
  std::vector<std::unique_ptr<Counted>> elements(kSize);
  furca::parallel_for(elements, [](std::unique_ptr<Counted>& element) { element = made(1); });
  std::int64_t sum = 0;
  for (const auto& element : elements) sum += element->value;
  return sum == kSize;
}

bool loops_until_a_stop() {
  std::stop_source source;
  std::atomic<int> count{0};
  const auto body = [&](int i) {
    count += static_cast<int>(made(1)->value);
    if (i == kSize / 2) source.request_stop();
  };
  furca::parallel_for(0, kSize, body, {.stop = source.get_token()});
  return count > 0 && count <= kSize;
}

bool loops_in_loops() {
  std::atomic<std::int64_t> sum{0};
  furca::parallel_for(0, 4, [&sum](int) {
    const auto outer = made(1);
    furca::join([&] { furca::parallel_for(0, 5, [&](int) { sum += made(1)->value; }); },
                [&] { furca::parallel_for(0, 5, [&](int) { sum += outer->value; }); });
  });
  return sum == 40;
}

constexpr auto kConcatenate = [](Numbers a, const Numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
};
constexpr auto kMap = [](int i) { return busy(), Numbers{i}; };
constexpr auto kFold = [](Numbers& numbers, int i) { busy(), numbers.push_back(i); };

bool counts_up(const Numbers& numbers) {
  bool right = numbers.size() == kSize;
  for (int i = 0; right && i < kSize; ++i) right = numbers[static_cast<std::size_t>(i)] == i;
  return right;
}

template <ReduceTree kTree, auto kContribution>
bool reduces_indices() {
  return counts_up(
      furca::parallel_reduce(0, kSize, Numbers{}, kContribution, kConcatenate, {.tree = kTree}));
}

template <ReduceTree kTree, auto kContribution>
bool reduces_a_range() {
  Numbers elements(kSize);
  std::iota(elements.begin(), elements.end(), 0);
  return counts_up(
      furca::parallel_reduce(elements, Numbers{}, kContribution, kConcatenate, {.tree = kTree}));
}

/// Nothing has moved if there is no memory.
template <class Sort>
bool sorts(Sort sort) {
  Numbers numbers(5'000);
  for (int i = 0; i < 5'000; ++i) numbers[static_cast<std::size_t>(i)] = i * 7 % 2'500;
  Numbers sorted = numbers;
  std::sort(sorted.begin(), sorted.begin() + 2'500);
  std::sort(sorted.begin() + 2'500, sorted.end());
  try {
    sort(numbers);
  } catch (const std::bad_alloc&) {
    std::sort(numbers.begin(), numbers.begin() + 2'500);
    std::sort(numbers.begin() + 2'500, numbers.end());
    if (numbers != sorted) return false;
    throw;
  }
  return std::is_sorted(numbers.begin(), numbers.end());
}

bool sorts_stably() {
  return sorts([](Numbers& numbers) { furca::stable_sort(numbers); });
}

bool merges_in_place() {
  return sorts([](Numbers& numbers) {
    std::sort(numbers.begin(), numbers.begin() + 2'500);
    std::sort(numbers.begin() + 2'500, numbers.end());
    furca::inplace_merge(numbers, numbers.begin() + 2'500);
  });
}

bool groups() {
  Numbers numbers(kSize);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto by_tens =
      furca::group_by(numbers, [](int i) { return i / 10; }, [](int i) { return made(i); });
  return by_tens.size() == kSize / 10 && by_tens[1].second[0]->value == 10;
}

bool unites() {
  std::vector<int> numbers(3'000);  // more than one block
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<int> all(6'000);
  return furca::set_union(numbers, numbers, all).out - all.begin() == 3'000;
}

bool shuffles() {
  std::vector<int> numbers(20'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  try {
    furca::shuffle(numbers, 1);
  } catch (const std::bad_alloc&) {
    if (!std::is_sorted(numbers.begin(), numbers.end())) return false;  // nothing has moved
    throw;
  }
  return !std::is_sorted(numbers.begin(), numbers.end());
}

struct Call {
  const char* name;
  bool (*is_right)();
};

constexpr Call kCalls[] = {
    {"join of 2", joins_two},
    {"join of 5", joins_many},
    {"tree of joins", joins_in_a_tree},
    {"loop over indices", loops_over_indices},
    {"loop over a range", loops_over_a_range},
    {"loop with a stop", loops_until_a_stop},
    {"loops and joins in a loop", loops_in_loops},
    {"aligned reduction of indices", reduces_indices<ReduceTree::aligned, kMap>},
    {"aligned reduction of a range", reduces_a_range<ReduceTree::aligned, kMap>},
    {"aligned folding of indices", reduces_indices<ReduceTree::aligned, kFold>},
    {"aligned folding of a range", reduces_a_range<ReduceTree::aligned, kFold>},
    {"reduction of indices by schedule", reduces_indices<ReduceTree::by_schedule, kMap>},
    {"reduction of a range by schedule", reduces_a_range<ReduceTree::by_schedule, kMap>},
    {"folding of indices by schedule", reduces_indices<ReduceTree::by_schedule, kFold>},
    {"folding of a range by schedule", reduces_a_range<ReduceTree::by_schedule, kFold>},
    {"stable sort", sorts_stably},
    {"merge in place", merges_in_place},
    {"groups", groups},
    {"union", unites},
    {"shuffle", shuffles},
};

const bool not_counted = !allocations_are_counted();  // clang's sanitizers have their own operators

}  // namespace

TEST_CASE("a pool that cannot be built for want of memory throws and leaves nothing behind" *
          doctest::skip(not_counted)) {
  const Watchdog watchdog("pools without memory");
  const ThreadIds threads_before = thread_ids();
  for (const std::size_t threads : {1U, 2U, 4U, 16U}) {
    CAPTURE(threads);
    const auto builds = [threads] {
      const ThreadPool pool(
          {.threads = threads, .name = "a name that is too long to be kept in place"});
      return pool.size() == threads;
    };
    const std::uint64_t before = refusals;
    fail_every_allocation(builds, Where::anywhere, kHere);
    CHECK(refusals > before + threads);
    wait_until_gone(threads_before);
  }
}

TEST_CASE("an outside thread's first call throws for want of memory, and its second works" *
          doctest::skip(not_counted)) {
  const Watchdog watchdog("first calls without memory");
  for (const std::size_t threads : {1U, 2U, 4U}) {
    CAPTURE(threads);
    std::optional<ThreadPool> pool;
    const auto calls_in = [&pool] { return pool->install(computes); };
    const auto on_a_fresh_thread = [&](auto make_attempt) {
      pool.emplace(furca::Config{.threads = threads});
      bool second = false;
      std::thread([&] {
        make_attempt();
        second = calls_in() && allocations_in(calls_in) == 0;
      }).join();
      CHECK(second);
      pool.reset();
    };
    const std::uint64_t before = refusals;
    fail_every_allocation(calls_in, Where::this_thread, on_a_fresh_thread);
    CHECK(refusals > before);
  }
}

#if defined(__GLIBCXX__)
TEST_CASE(
    "a thread's first call is a standard reduction of numbers, and throws for want of memory" *
    doctest::skip(not_counted)) {
  const Watchdog watchdog("a standard reduction without memory");
  furca::parallel_for(0, 100, [](int) {});  // this thread has the first place
  // all of the pool's threads have begun, and given back what they began with: later cases count
  furca::broadcast([] {});
  const std::vector<double> numbers(100'000, 1);
  const auto call = [&] {
    return std::reduce(std::execution::par, numbers.begin(), numbers.end()) == 100'000;
  };
  Attempt made;
  std::thread([&] { made = attempt(0, 1, Where::this_thread, call); }).join();
  CHECK(made.refused == 1);
  CHECK(made.threw);
}
#endif

TEST_CASE("an arena of the look-alike's that is entered without memory is left" *
          doctest::skip(not_counted)) {
  const Watchdog watchdog("an arena without memory");
  struct Observer : tbb::task_scheduler_observer {
    explicit Observer(tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(true); }
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    ~Observer() override { observe(false); }
  };
  tbb::task_arena arena(2);
  const auto enters = [&arena] { return arena.execute([] { return true; }); };
  CHECK(enters());
  const Observer observer(arena);
  bool threw = false;
  for (int successes = 0; successes < 4; ++successes) {
    threw |= attempt(successes, 1, Where::this_thread, enters).threw;
    CHECK(!tbb::detail::InPool::is_named());
  }
  CHECK(threw);
}

TEST_CASE("arms and bodies that find no memory throw from the call, and the pool stays usable" *
          doctest::skip(not_counted)) {
  const Watchdog watchdog("calls without memory", 120);
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool({.threads = threads});
    pool.broadcast([] {});  // all threads have begun, and the caller has its place from here on
    for (const Call& call : kCalls) {
      CAPTURE(threads);
      CAPTURE(std::string(call.name));
      for (std::uint64_t round = 0; round < rounds(2); ++round) {
        watchdog.feed();
        const std::uint64_t before = refusals;
        const auto is_right = [&] { return pool.install(call.is_right); };
        fail_every_allocation(is_right, Where::anywhere, kHere);
        fail_every_allocation(is_right, Where::this_thread, kHere);
        CHECK(refusals > before);
      }
      CHECK(allocations_in([&] { CHECK(pool.install(computes)); }) == 0);
    }
  }
}

TEST_CASE("tasks that find no memory: spawn throws, the others run, and the pool stays usable" *
          doctest::skip(not_counted)) {
  const Watchdog watchdog("tasks without memory");
  const auto spawns = [] {
    std::atomic<int> done{0};
    int spawned = 0;
    const auto spawn_some = [&](auto& s) {
      const auto spawn = [&](auto task) {
        try {
          s.spawn(task);
          ++spawned;
        } catch (const std::bad_alloc&) {
        }
      };
      for (int i = 0; i < 300; ++i) spawn([&done] { ++done; });
      spawn([&done, large = std::array<char, 300>()] { done += large[0] + 1; });
    };
    furca::scope(spawn_some);
    furca::scope_fifo(spawn_some);
    return spawned > 0 ? done == spawned : done == 0;
  };
  for (const std::size_t threads : {1U, 2U, 4U}) {
    CAPTURE(threads);
    const std::uint64_t before = refusals;
    fail_in_fresh_pools(threads, spawns);  // memory for tasks stays with the pool
    CHECK(refusals > before + 8);
  }
}

TEST_CASE(
    "detached tasks that find no memory: the call throws, what was accepted runs, and the pool "
    "ends" *
    doctest::skip(not_counted)) {
  const Watchdog watchdog("detached tasks without memory");
  for (const std::size_t threads : {1U, 2U, 3U}) {
    CAPTURE(threads);
    std::optional<ThreadPool> pool;
    std::atomic<int> ran{0};
    int accepted = 0;
    const auto in_a_fresh_pool = [&](auto make_attempt) {
      pool.emplace(furca::Config{.threads = threads});
      ran = 0;
      accepted = 0;
      make_attempt();
      pool.reset();
      CHECK(ran == accepted);
    };
    const auto go_there = [&ran](ThreadPool& there) -> furca::Async<int> {
      co_await there.schedule();
      co_return ++ran;
    };
    const auto all_calls = [&] {
      const auto attempt = [&](auto call) {
        try {
          call();
          ++accepted;
        } catch (const std::bad_alloc&) {
        } catch (const std::system_error&) {  // a thread for tasks that cannot be started
        }
      };
      const auto task = [&ran] { ++ran; };
      const auto each = [&] {
        attempt([&] { pool->spawn(task); });
        attempt(
            [&] { pool->spawn([&ran, large = std::array<char, 300>()] { ran += large[0] + 1; }); });
        attempt([&] { const furca::Task<void> dropped = pool->spawn_task(task); });
        attempt([&] { pool->spawn(go_there(*pool)); });
        attempt([&] { const furca::Task<int> dropped = pool->spawn_task(go_there(*pool)); });
        attempt([&] { static_cast<void>(furca::sync_wait(go_there(*pool))); });
      };
      each();
      attempt([&] {
        pool->install(each);
        ++ran;
      });
      try {
        pool->broadcast([] {});
        pool->wait_idle();
      } catch (const std::bad_alloc&) {
      }
      return true;
    };
    const std::uint64_t before = refusals;
    fail_every_allocation(all_calls, Where::this_thread, in_a_fresh_pool);
    CHECK(refusals > before + 8);
  }
}

TEST_CASE(
    "a pool's end on a thread that finds no memory to help: the pool's own threads do what is "
    "left" *
    doctest::skip(not_counted)) {
  const Watchdog watchdog("ends without memory");
  std::optional<ThreadPool> pool;
  std::atomic<bool> ending{false};
  std::atomic<bool> may_end{false};
  std::atomic<long> allocated{0};  // when it began to end
  std::atomic<int> ran{0};
  const auto on_a_fresh_thread = [&](auto make_attempt) {
    pool.emplace(furca::Config{.threads = 2});
    may_end = false;
    ran = 0;
    pool->spawn([&] {
      eventually([&] { return may_end.load(); });
      ++ran;
    });
    ending = false;
    FailingAllocations::forget_refusals();
    std::thread waiter(make_attempt);
    eventually([&] { return ending.load(); });
    // it waits before the task may end
    eventually([&] { return allocations != allocated || FailingAllocations::refused() > 0; });
    may_end = true;
    waiter.join();
  };
  const auto ends = [&] {
    allocated = allocations.load();
    ending = true;
    pool.reset();
    return ran == 1;
  };
  const std::uint64_t before = survived;
  fail_every_allocation(ends, Where::this_thread, on_a_fresh_thread);
  CHECK(survived > before);
}

namespace {

/// Suspends the one coroutine that awaits it, until it is opened. Allocates nothing.
class Gate {
 public:
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter) noexcept {
    void* nobody = nullptr;
    return waiting_.compare_exchange_strong(nobody, waiter.address());
  }
  void await_resume() const noexcept {}

  bool is_awaited() const noexcept { return waiting_ != nullptr; }

  /// Once.
  void open() {
    if (void* const waiter = waiting_.exchange(this))
      std::coroutine_handle<>::from_address(waiter).resume();
  }

 private:
  std::atomic<void*> waiting_{nullptr};  // itself: it is open
};

furca::Async<> pass(Gate& gate) { co_await gate; }

std::atomic<const char*> lowest_on_stack{nullptr};  // who knows an address may use what lies there

/// Calls f() above so many KiB of stack.
[[gnu::noinline]] void above(std::size_t kib, const std::function<void()>& f) {
  std::array<char, 1024> frame{};
  lowest_on_stack = frame.data();
  if (kib == 0)
    f();
  else
    above(kib - 1, f);
  lowest_on_stack = frame.data();
}

}  // namespace

// Its own deque has a job that others may take, so it needs another one for what it runs meanwhile.
TEST_CASE(
    "a wait for a coroutine on a thread that finds no memory to work meanwhile: others do what it "
    "waits for" *
    doctest::skip(not_counted)) {
  const Watchdog watchdog("a wait without memory");
  std::optional<ThreadPool> pool;
  std::optional<Gate> gate;
  std::atomic<bool> works_meanwhile{false};
  std::atomic<bool> busy{false};
  const auto in_a_fresh_pool = [&](auto make_attempt) {
    pool.emplace(furca::Config{.threads = 2});
    gate.emplace();
    works_meanwhile = false;
    busy = false;
    FailingAllocations::forget_refusals();
    pool->spawn([&] {  // the only started thread is busy with it
      busy = true;
      eventually([&] { return works_meanwhile || FailingAllocations::refused() > 0; });
      gate->open();
    });
    eventually([&] { return busy.load(); });
    make_attempt();
    works_meanwhile = true;
    pool.reset();
  };
  const auto waits = [&] {
    bool passed = false;
    pool->install([&] {
      furca::join(
          [&] {
            furca::sync_wait(pass(*gate));
            passed = true;
          },
          [&] { works_meanwhile = true; });
    });
    return passed;
  };
  const std::uint64_t before = survived;
  fail_every_allocation(waits, Where::this_thread, in_a_fresh_pool);
  CHECK(survived > before);
}

TEST_CASE(
    "half of a stack is full of tasks that wait, and there is no memory for another thread, or "
    "none in that: the other half must do" *
    doctest::skip(not_counted)) {
  const Watchdog watchdog("a full stack without memory");
  constexpr std::size_t kKiB = 512;
  std::optional<ThreadPool> pool;
  std::optional<Gate> lower;
  std::optional<Gate> upper;
  std::atomic<bool> over{false};
  std::thread::id full_one;
  std::atomic<std::thread::id> worked;
  int by_full_one = 0;  // of the attempts in which something failed
  const auto in_a_fresh_pool = [&](auto make_attempt) {
    pool.emplace(furca::Config{.threads = 2, .stack_size = kKiB * 1024});
    lower.emplace();
    upper.emplace();
    over = false;
    worked = std::thread::id();
    pool->spawn([&] { furca::sync_wait(pass(*lower)); });
    eventually([&] { return lower->is_awaited(); });
    make_attempt();
    lower->open();
    pool.reset();
  };
  const auto goes_on = [&] {
    bool passed = false;
    const auto fill = [&] {
      full_one = std::this_thread::get_id();
      above(kKiB / 2, [&] {
        try {
          furca::sync_wait(pass(*upper));
          passed = true;
        } catch (const std::bad_alloc&) {  // it did not begin
        }
      });
      over = true;
    };
    pool->spawn(std::ref(fill));
    eventually([&] { return over || upper->is_awaited(); });
    if (over) throw std::bad_alloc();
    bool refused = false;
    try {
      pool->spawn([&] { worked = std::this_thread::get_id(); });
      eventually([&] { return worked.load() != std::thread::id(); });
    } catch (const std::bad_alloc&) {
      refused = true;
    }
    upper->open();
    eventually([&] { return over.load(); });
    if (refused) throw std::bad_alloc();
    by_full_one += FailingAllocations::refused() > 0 && worked.load() == full_one;
    return passed &&
           (FailingAllocations::refused() > 0 || built_portable() || worked.load() != full_one);
  };
  fail_every_allocation(goes_on, Where::anywhere, in_a_fresh_pool);
  CHECK(by_full_one >= (built_portable() ? 0 : 2));
}

TEST_CASE("a deque that finds no memory to grow keeps its size, and the call does not throw" *
          doctest::skip(not_counted)) {
  const Watchdog watchdog("deques without memory");
  const std::function<bool(int)> deep = [&deep](int depth) {
    if (depth == 0) return true;
    const auto [a, b] = furca::join([&, depth] { return deep(depth - 1); }, [] { return true; });
    return a && b;
  };
  for (const std::size_t threads : {1U, 2U, 4U}) {
    CAPTURE(threads);
    const std::uint64_t before = refusals;
    const std::uint64_t survived_before = survived;
    fail_in_fresh_pools(threads, [&] { return deep(3000); });  // one that has grown stays large
    CHECK(survived - survived_before == refusals - before);
    if (threads == 1) CHECK(refusals > before + 8);  // 256 to 4,096 arms, two allocations each time
  }
  std::printf("allocation failure: %llu allocations refused, %llu calls right all the same\n",
              static_cast<unsigned long long>(refusals), static_cast<unsigned long long>(survived));
}
