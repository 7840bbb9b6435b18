// What furca allocates: nothing once it runs. And what it does when there is no memory: it throws,
// or does without.
#include <furca/collect.hpp>
#include <furca/furca.hpp>
#include <furca/merge.hpp>
#include <furca/pack.hpp>
#include <furca/search.hpp>
#include <furca/sort.hpp>
#include <furca/stable_sort.hpp>
#include <furca/views.hpp>
#include <furca/write.hpp>

#include "support/allocations.hpp"
#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/temporary_directory.hpp"
#include "support/trials.hpp"

#include <fstream>
#include <system_error>

using namespace furca::test;
using furca::ThreadPool;

namespace {

std::vector<std::uint32_t> shuffled(70'000);

constexpr std::size_t kAtOnce = 30;

double sum_of_halves() {
  return furca::parallel_reduce(
      0, 300, 0.0,
      [](int i) {
        busy();
        return 0.5 * i;
      },
      std::plus<>{});
}

/// The arms are all stolen but one, since they wait for one another.
void join_on_all_threads(std::size_t size) {
  Meeting meeting(size);
  join_all(size, [&meeting](std::size_t) { meeting.attend(); });
}

void nested_loops() {
  furca::parallel_for(0, 8, [](int) {
    furca::join([] { furca::parallel_for(0, 50, [](int) { busy(); }); }, [] { sum_of_halves(); });
  });
}

/// For a task that fits into a block, but not into a small one.
using Large = std::array<char, 64>;

/// Memory for as many tasks as tasks() may need, of either size: those that are there at once, and
/// blocks that a thief keeps until it has 32 of them to give back. The tasks are all there at once,
/// since they wait for the last one to be spawned.
void make_room_for_tasks(std::size_t size) {
  std::atomic<bool> all_spawned{false};
  furca::scope([&](furca::Scope& s) {
    const auto wait = [&] {
      while (!all_spawned) std::this_thread::yield();
    };
    for (std::size_t i = 0; i < kAtOnce + 32 * (size - 1); ++i) {
      s.spawn(wait);
      s.spawn([wait, large = Large()] { wait(), static_cast<void>(large); });
    }
    all_spawned = true;
  });
}

/// Only the body spawns: what another thread spawns first takes memory there.
void tasks() {
  furca::scope([](furca::Scope& s) {
    for (std::size_t i = 0; i < kAtOnce; ++i) s.spawn([] { busy(); });
  });
  furca::scope_fifo([](furca::ScopeFifo& s) {
    for (std::size_t i = 0; i < kAtOnce; ++i)
      s.spawn([large = Large()] { busy(), static_cast<void>(large); });
  });
  for (std::size_t i = 0; i < kAtOnce; ++i) furca::spawn([] { busy(); });
  furca::wait_idle();
}

void loop_over_chunks() {
  furca::parallel_for_chunks(0, 300, [](int lo, int hi) {
    for (int i = lo; i < hi; ++i) busy();
  });
}

bool sum_of_chunks() {
  return furca::parallel_reduce_chunks(
             0, 300, 0L,
             [](long& sum, int lo, int hi) {
               for (int i = lo; i < hi; ++i) busy();
               sum += hi - lo;
             },
             std::plus<>{}) == 300;
}

/// Into a sequence that is there.
void write() {
  std::array<int, 300> x{};
  const auto plus_one = [](int v) { return busy(), v + 1; };
  furca::transform(furca::lazy(300, [](std::size_t i) { return static_cast<int>(i); }), x,
                   plus_one);
  furca::transform(x, x, x, std::plus<>{});
  furca::copy(std::span<const int>(x), x);
  furca::fill(x, 1);
  furca::generate(x, [] { return busy(), 2; });
  furca::for_each(furca::zip(x, furca::enumerate(x)), [](auto) { busy(); });
  furca::for_each(furca::tiles(20, 15, {1, 1}), [](const furca::Tile&) { busy(); });
}

/// In pieces, too.
void sort() {
  std::vector<std::uint32_t>& numbers = shuffled;
  std::uint32_t random = 1;
  for (std::uint32_t& number : numbers) number = random = random * 1'664'525 + 1'013'904'223;
  furca::nth_element(numbers, numbers.begin() + 100);
  furca::partial_sort(numbers, numbers.begin() + 100, std::greater<>{});
  furca::sort(numbers);
  furca::sort(numbers, std::greater<>{});
}

/// A container, by as many allocations as it needs.
void make() {
  (void)furca::tabulate(300, [](std::size_t i) { return busy(), i; });
  (void)furca::tabulate<furca::Vector>(300, [](std::size_t i) { return busy(), i; });
  (void)furca::tabulate(300, [](std::size_t i) { return busy(), i % 2 == 0; });
  (void)furca::flatten(std::array<std::array<int, 30>, 10>());
}
constexpr long kMade = 3 + 2;  // flatten: the result, and where the parts begin

void loop() {
  furca::parallel_for(0, 300, [](int) { busy(); });
}

/// Checks that nothing allocates on `size` threads; the caller is in the pool.
void check_calls(std::size_t size) {
  make_room_for_tasks(size);
  for (int i = 0; i < 200; ++i) {
    join_on_all_threads(size);
    nested_loops();
    tasks();
    loop_over_chunks();
  }
  for (int i = 0; i < 200; ++i) {
    CHECK(allocations_in([] { furca::join([] {}, [] {}, [] {}); }) == 0);
    CHECK(allocations_in([] { fib(12); }) == 0);
    CHECK(allocations_in([size] { join_on_all_threads(size); }) == 0);
    CHECK(allocations_in(loop) == 0);
    CHECK(allocations_in(sum_of_halves) == 0);
    CHECK(allocations_in(loop_over_chunks) == 0);
    CHECK(allocations_in(sum_of_chunks) == 0);
    CHECK(allocations_in(nested_loops) == 0);
    CHECK(allocations_in(write) == 0);
    CHECK(allocations_in(make) == kMade);
    CHECK(allocations_in(tasks) == 0);
  }
}

}  // namespace

TEST_CASE("the counter counts") {
  CHECK((allocations_are_counted() || __sanitizer_print_stack_trace != nullptr));
  if (!allocations_are_counted()) return;
  CHECK(allocations_in([] { ThreadPool pool({.threads = 2}); }) > 3);
}

TEST_CASE("joins, loops, reductions and small tasks allocate nothing, stolen or not") {
  if (!allocations_are_counted()) return;
  const Watchdog watchdog("steady state", 120);
  for (const std::size_t size : {1U, 2U, 3U}) {
    CAPTURE(size);
    ThreadPool pool({.threads = size});
    pool.install([size] { check_calls(size); });
  }
  check_calls(furca::num_threads());  // the global pool
}

TEST_CASE("sorts allocate nothing") {
  if (!allocations_are_counted()) return;
  for (const std::size_t size : {1U, 3U}) {
    ThreadPool pool({.threads = size});
    pool.install([] {
      sort();
      CHECK(allocations_in(sort) == 0);
    });
  }
}

TEST_CASE("on one thread collect returns the vector that was appended to") {
  if (!allocations_are_counted()) return;
  ThreadPool pool({.threads = 1});
  pool.install([] {
    const auto reserve = [](std::size_t i, std::vector<int>& out) {
      if (i == 0) out.reserve(600);
      out.insert(out.end(), 2, 1);
    };
    CHECK(allocations_in([&] {
            CHECK(furca::collect<int>(furca::lazy(300, std::identity{}), reserve).size() == 600);
          }) == 1);
    CHECK(allocations_in([&] {
            CHECK(furca::collect_rows<int>(furca::lazy(300, std::identity{}), reserve).size() ==
                  300);
          }) == 2);
  });
}

TEST_CASE("without memory algorithms throw, and leave nothing behind") {
  if (!allocations_are_counted()) return;
  ThreadPool pool({.threads = 3});
  pool.install([] {
    const auto append = [](std::size_t i, std::vector<std::string>& out) {
      out.emplace_back(40, static_cast<char>('a' + i % 26));
    };
    const std::array<std::function<void()>, 4> calls = {
        [&] { (void)furca::collect<std::string>(furca::lazy(100, std::identity{}), append); },
        [&] { (void)furca::collect_rows<std::string>(furca::lazy(100, std::identity{}), append); },
        [&] {
          (void)furca::tabulate(
              100, [](std::size_t i) { return std::string(40, static_cast<char>('a' + i % 26)); });
        },
        [&] { (void)furca::flatten(std::array<std::array<int, 30>, 10>()); },
    };
    for (const auto& call : calls) {
      call();
      const long before = live_allocations();
      int threw = 0;
      for (long successes = 0; successes < 60; ++successes) {
        const FailingAllocations fails(successes);
        try {
          call();
        } catch (const std::bad_alloc&) {
          ++threw;
        }
      }
      CHECK(threw > 0);
      CHECK(live_allocations() <= before);  // less where a thread has given back what it began with
    }
  });
}

TEST_CASE("to enter a pool again allocates nothing, whoever was there last") {
  if (!allocations_are_counted()) return;
  const Watchdog watchdog("guests");
  for (const std::size_t size : {1U, 2U, 3U}) {
    ThreadPool pool({.threads = size});
    pool.install([] {});
    for (int i = 0; i < 100; ++i) CHECK(allocations_in([&pool] { pool.install(loop); }) == 0);
    long on_another_thread = -1;
    std::thread([&] {
      on_another_thread = allocations_in([&pool] { pool.install(loop); });
    }).join();
    CHECK(on_another_thread == 0);
  }
}

TEST_CASE(
    "a hundred thousand tasks that wait at once take few allocations, and the next hundred "
    "thousand none") {
  if (!allocations_are_counted()) return;
  ThreadPool pool({.threads = 1});  // whose tasks wait until the scope's body has ended
  pool.install([] {
    constexpr std::size_t kTasks = 100'000;
    int ran = 0;
    const auto many = [&ran] {
      furca::scope([&ran](furca::Scope& scope) {
        for (std::size_t i = 0; i < kTasks; ++i) scope.spawn([&ran] { ++ran; });
      });
    };
    const long first = allocations_in(many);
    CHECK(first > 0);
    CHECK(first < 50);  // memory for tasks, and rings of the deque
    CHECK(allocations_in(many) == 0);
    CHECK(ran == 2 * kTasks);
  });
}

namespace {

/// A first call in a fresh process. Returns whether the result was right.
struct Attempt {
  const char* name;
  bool (*call)();
};

/// Deeper than any deque that has not grown.
bool deep_join(int depth) {
  if (depth == 0) return true;
  const auto [a, b] = furca::join([depth] { return deep_join(depth - 1); }, [] { return true; });
  return a && b;
}

template <class Call>
bool on_another_thread(Call call) {
  bool right = false;
  std::exception_ptr error;
  std::thread([&] {
    try {
      right = call();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
  return right;
}

/// The only caller's number, before and after any failure: see thread_index().
bool has_callers_index() { return furca::thread_index() == furca::num_threads() - 1; }

/// Empty when it has moved, which may throw, as the compiler sees it.
struct Emptied {
  std::uint32_t value = 0;
  Emptied() = default;
  Emptied(Emptied&& other) noexcept(false) : value(std::exchange(other.value, 0U)) {}
  Emptied& operator=(Emptied&& other) noexcept(false) {
    value = std::exchange(other.value, 0U);
    return *this;
  }
};

/// Nothing has moved if there is no memory.
bool merges_in_place() {
  std::vector<Emptied> some(10'000);
  for (std::uint32_t i = 0; i < 10'000; ++i)
    some[i].value = 1 + (i < 5'000 ? 2 * i + 1 : 2 * (i - 5'000));
  try {
    furca::inplace_merge(some, some.begin() + 5'000, {}, &Emptied::value);
  } catch (const std::bad_alloc&) {
    if (some[0].value != 2 || some[5'000].value != 1) return false;
    throw;
  }
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    if (some[i].value != 1 + i) return false;
  }
  return true;
}

constexpr std::array kAttempts{
    Attempt{"ThreadPool",
            [] {
              return ThreadPool(
                         {.threads = 3, .name = "a name that is too long to be kept in place"})
                         .size() == 3;
            }},
    Attempt{"ThreadPool of the default size", [] { return ThreadPool().size() == 3; }},
    Attempt{"install",
            [] {
              ThreadPool pool({.threads = 3});
              return pool.install(has_callers_index);
            }},
    Attempt{"install again after a failure",
            [] {
              ThreadPool pool({.threads = 3});
              try {
                pool.install([] {});
              } catch (const std::bad_alloc&) {
              }
              return pool.install(has_callers_index);
            }},
    Attempt{"join", [] { return fib(9) == 34; }},
    Attempt{"parallel_for",
            [] {
              std::atomic<int> sum{0};
              furca::parallel_for(0, 100, [&sum](int i) { sum += i; });
              return sum == 4950;
            }},
    Attempt{"parallel_reduce", [] { return sum_of_halves() == 22425.0; }},
    Attempt{"parallel_reduce_chunks", sum_of_chunks},
    Attempt{"thread_index", has_callers_index},
    Attempt{"num_threads", [] { return furca::num_threads() == 3; }},
    Attempt{"join on another thread",
            [] { return fib(9) == 34 && on_another_thread([] { return fib(10) == 55; }); }},
    Attempt{"install from another thread",
            [] {
              ThreadPool pool({.threads = 3});
              return pool.install(computes) &&
                     on_another_thread([&pool] { return pool.install(computes); });
            }},
    Attempt{"inplace_merge", merges_in_place},
    Attempt{"joins nested deeply", [] { return deep_join(3000); }},
    Attempt{"joins nested deeply in a pool",
            [] { return ThreadPool({.threads = 2}).install([] { return deep_join(3000); }); }},
};

const ChildProcess failing_allocations{
    "allocations fail", [] {
      const Watchdog watchdog("a call without memory", 30);
      const ThreadIds before = thread_ids();
      const std::string name = std::getenv("FURCA_TEST_CALL");
      for (const Attempt& attempt : kAttempts) {
        if (name != attempt.name) continue;
        const char* outcome = "right";
        {
          const FailingAllocations failing(std::atol(std::getenv("FURCA_TEST_SUCCESSES")),
                                           std::atol(std::getenv("FURCA_TEST_FAILURES")));
          try {
            if (!attempt.call()) outcome = "wrong";
          } catch (const std::bad_alloc&) {
            outcome = "bad_alloc";
          } catch (const std::system_error&) {
            outcome = "system_error";
          }
          if (failing.refused() == 0) outcome = "done";
        }
        std::puts(outcome);
        if (!attempt.call()) return 1;
        join_on_all_threads(furca::num_threads());
        if (!computes() || furca::num_threads() != 3 || threads_since(before).size() < 2) return 2;
        ThreadPool pool({.threads = 3});
        return pool.install(computes) && pool.install(has_callers_index) ? 7 : 3;
      }
      return 4;
    }};

}  // namespace

TEST_CASE("when an allocation fails, a call works or throws, and the next one works") {
  if (!allocations_are_counted()) return;
  // one allocation, or that one and all that follow
  for (const char* failures : {"1", "1000000"}) {
    if (few_cases() && failures != std::string("1")) continue;
    for (const Attempt& attempt : kAttempts) {
      for (int n = 0;; ++n) {
        REQUIRE(n < 1000);
        const Ending ending =
            failing_allocations.run({.environment = {{"FURCA_TEST_CALL", attempt.name},
                                                     {"FURCA_TEST_SUCCESSES", std::to_string(n)},
                                                     {"FURCA_TEST_FAILURES", failures}}});
        INFO(std::string(attempt.name));
        INFO(n);
        INFO(ending);
        CHECK(ending.cleanly(7));
        CHECK((ending.output == "right\n" || ending.output == "bad_alloc\n" ||
               ending.output == "system_error\n" || ending.output == "done\n"));
        if (ending.output == "done\n") {
          // num_threads alone reads files at most; everything else needs a worker at least.
          CHECK((n > 0 || std::string(attempt.name) == "num_threads"));
          break;
        }
        if (!ending.cleanly(7)) break;
      }
    }
  }
}

TEST_CASE(
    "a thread that finds no memory for its trace is left out of it, and its calls are right") {
  if (!allocations_are_counted()) return;
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "trace.json").string();
  int right = 0;
  for (int n = 0; n < 100; ++n) {  // a trace begins early, with its thread's first call
    const Ending ending =
        failing_allocations.run({.environment = {{"FURCA_TEST_CALL", "join on another thread"},
                                                 {"FURCA_TEST_SUCCESSES", std::to_string(n)},
                                                 {"FURCA_TEST_FAILURES", "1"},
                                                 {"FURCA_TRACE", file}}});
    INFO(n);
    INFO(ending);
    REQUIRE(ending.exit_code == 7);
    CHECK(ending.output != "wrong\n");
    std::ifstream written(file);
    const std::string trace{std::istreambuf_iterator<char>(written), {}};
    CHECK(trace.ends_with("}}\n"));
    right += ending.output == "right\n";
  }
  CHECK(right > 0);
}

TEST_CASE(
    "searching, counting and merging allocate nothing, nor does packing of few elements, or on one "
    "thread") {
  if (!allocations_are_counted()) return;
  for (const std::size_t threads : {1U, 2U}) {
    ThreadPool pool({.threads = threads});
    pool.install([threads] {
      std::vector<int> many(100'000, 1);
      std::vector<int> few(2'000, 1);
      std::vector<int> out(many.size());
      const auto is_one = [](int x) { return x == 1; };
      const auto search = [&] {
        (void)furca::find(many, 2);
        (void)furca::count_if(many, is_one);
        (void)furca::min_element(many);
        (void)furca::equal(many, many);
      };
      const auto pack = [&](std::vector<int>& some) {
        (void)furca::copy_if(some, out, is_one);
        (void)furca::remove_if(some, is_one);
        (void)furca::unique(some);
      };
      search();  // what a thread needs for good
      pack(few);
      CHECK(allocations_in(search) == 0);
      CHECK(allocations_in([&] { pack(few); }) == 0);
      CHECK(allocations_in([&] { (void)furca::partition(few, is_one); }) == 0);
      CHECK((allocations_in([&] { pack(many); }) == 0) == (threads == 1));
      std::vector<int> both(2 * many.size());
      CHECK(allocations_in([&] { (void)furca::merge(many, many, both); }) == 0);
      CHECK(allocations_in([&] { (void)furca::stable_sort(both); }) == 0);  // it is sorted
      both.front() = 2;
      // a buffer, and the counts of digits
      CHECK(allocations_in([&] { (void)furca::stable_sort(both); }) == 2);
    });
  }
}
