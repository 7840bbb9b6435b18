// Loops and reductions of few steps in loops, which are halved as joins are
// (src/loop/few_steps.cpp).
#include <furca/detail/fork/worker.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/progress.hpp>

#include "support/pools.hpp"

#include <complex>

using furca::parallel_for;
using furca::parallel_reduce;
using furca::detail::kFewSteps;
using furca::detail::Worker;
using furca::test::on_every_pool;

namespace {

/// Runs `body` in a loop, where loops of few steps are halved: while something older can be stolen,
/// in a pool of two or three, whose other threads are held up by other steps. They are held up for
/// a while only: a thread that waits for an arm of `body` may begin such a step, and `body` cannot
/// end before it does.
template <class Body>
void in_a_loop(Body body) {
  std::atomic<bool> done{false};
  parallel_for(0, 8, [&](int step) {
    if (step == 0) {
      body();
      done = true;
    }
    for (int looks = 0; looks < 2'000 && !done; ++looks) std::this_thread::yield();
  });
}

/// In a loop of a single step.
template <class Body>
void in_a_single_step(Body body) {
  parallel_for(0, 1, [&](int) { body(); });
}

/// Of a tree whose nodes have `children` children each.
std::uint64_t leaves(int levels, int children) {
  if (levels == 0) return 1;
  std::array<std::uint64_t, kFewSteps> below{};
  parallel_for(0, children,
               [&](int i) { below[static_cast<std::size_t>(i)] = leaves(levels - 1, children); });
  std::uint64_t sum = 0;
  for (const std::uint64_t one : below) sum += one;
  return sum;
}

/// The same, counted by reductions.
std::uint64_t reduced_leaves(int levels, int children) {
  if (levels == 0) return 1;
  return parallel_reduce(0, children, std::uint64_t{0},
                         [=](int) { return reduced_leaves(levels - 1, children); });
}

/// x -> a * x + b. Composing them is associative, and does not commute.
struct Affine {
  std::uint32_t a;
  std::uint32_t b;
  friend bool operator==(const Affine&, const Affine&) = default;
};
Affine then(Affine first, Affine second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

/// Whose sum depends on the order in which they are added.
double term(int i) { return i == 0 ? 1e16 : 1.0; }

}  // namespace

TEST_CASE("every step runs once, for each number of them and a few more") {
  on_every_pool([] {
    for (int n = 0; n <= static_cast<int>(kFewSteps) + 2; ++n) {
      std::array<std::atomic<int>, kFewSteps + 2> runs{};
      parallel_for(0, 50, [&](int) {
        parallel_for(0, n, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      });
      for (int i = 0; i < static_cast<int>(runs.size()); ++i)
        CHECK(runs[static_cast<std::size_t>(i)] == (i < n ? 50 : 0));
    }
  });
}

TEST_CASE("a tree of loops, and one of reductions") {
  on_every_pool([] {
    for (const auto count : {leaves, reduced_leaves}) {
      CHECK(count(12, 2) == 4'096);
      CHECK(count(4, 8) == 4'096);
      CHECK(count(7, 3) == 2'187);
      CHECK(count(200, 1) == 1);
      CHECK(count(2, 0) == 0);
    }
  });
}

TEST_CASE_TEMPLATE("indices begin anywhere, to the ends of their type", Index, signed char,
                   unsigned char, int, unsigned, long long, std::uint64_t) {
  using Limits = std::numeric_limits<Index>;
  in_a_loop([] {
    for (const Index first : {Limits::min(), Index{0}, static_cast<Index>(Limits::max() - 5)}) {
      std::array<std::atomic<int>, 5> runs{};
      parallel_for(first, static_cast<Index>(first + 5),
                   [&](Index i) { ++runs[static_cast<std::size_t>(i - first)]; });
      for (const auto& times : runs) CHECK(times == 1);
    }
  });
}

TEST_CASE(
    "a range of few elements, a function pointer, a body that is not const, and one that cannot be "
    "copied") {
  static std::atomic<int> sum;
  in_a_loop([] {
    sum = 0;
    std::vector<int> values{1, 2, 3, 4};
    parallel_for(values, [](int& value) { sum += value++; });
    CHECK(sum == 10);
    CHECK(values == std::vector{2, 3, 4, 5});
    parallel_for(0, 4, +[](int i) { sum += i; });
    CHECK(sum == 16);
    struct Counter {
      Counter() = default;
      Counter(const Counter&) = delete;
      void operator()(int) { ++runs; }
      std::atomic<int> runs{0};
    } counter;
    parallel_for(0, 4, counter);
    CHECK(counter.runs == 4);
  });
}

TEST_CASE("each step may run on a thread of its own") {
  furca::ThreadPool pool({.threads = kFewSteps});
  pool.install([] {
    // Ends when all steps are running at once; as a rule of furca's, loops must not wait so.
    std::atomic<std::size_t> running{0};
    in_a_single_step([&] {
      parallel_for(std::size_t{0}, kFewSteps, [&](std::size_t) {
        ++running;
        while (running < kFewSteps) std::this_thread::yield();
      });
    });
    CHECK(running == kFewSteps);
  });
}

TEST_CASE("how many loops a step is in, on the caller and on a thief") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    CHECK(Worker::current().loops == 0);
    std::atomic<int> running{0};
    in_a_single_step([&] {
      CHECK(Worker::current().loops == 1);
      parallel_for(0, 2, [&](int) {
        ++running;
        while (running < 2) std::this_thread::yield();  // on two threads
        CHECK(Worker::current().loops == 2);
        parallel_for(0, 2, [&](int) { CHECK(Worker::current().loops == 3); });
        CHECK_THROWS(parallel_for(0, 3, [](int i) {
          if (i == 1) throw std::runtime_error("");
        }));
        CHECK(Worker::current().loops == 2);
      });
      CHECK(Worker::current().loops == 1);
    });
    CHECK(Worker::current().loops == 0);
  });
}

TEST_CASE("options of a loop of few steps in a loop are heeded") {
  on_every_pool([] {
    in_a_loop([] {
      CHECK_THROWS_AS(parallel_for(0, 4, [](int) {}, {.grain = 0}), std::invalid_argument);
      CHECK_THROWS_AS(parallel_for(0, 0, [](int) {}, {.grain = 0}), std::invalid_argument);

      std::stop_source stop;
      stop.request_stop();
      int runs = 0;
      parallel_for(0, 4, [&](int) { ++runs; }, {.stop = stop.get_token()});
      CHECK(runs == 0);

      furca::Progress progress(4);
      parallel_for(0, 4, [](int) {}, {.progress = &progress});
      CHECK(progress.done() == 4);

      const std::thread::id self = std::this_thread::get_id();
      parallel_for(0, 4, [&](int) { CHECK(std::this_thread::get_id() == self); }, {.grain = 4});
    });
  });
}

TEST_CASE(
    "it costs nothing but forks: loops of few steps leave no mark in what is remembered of "
    "bodies") {
  struct Body {
    void operator()(int) const {}
  };
  const auto& cost = furca::detail::kFunctionsOf<furca::detail::ForPart<int, Body>, "loop">.cost;
  furca::ThreadPool pool({.threads = 1});  // nobody would have to be woken
  pool.install([&] {
    in_a_loop([] {
      for (int k = 0; k < 100; ++k) parallel_for(0, 4, Body{});
    });
    CHECK(cost.read() == 0);
    parallel_for(0, 4, Body{});
    CHECK(cost.read() != 0);
  });
}

TEST_CASE("joins, loops and tasks below a step") {
  on_every_pool([] {
    std::atomic<int> sum{0};
    parallel_for(0, 20, [&](int) {
      parallel_for(0, 3, [&](int i) {
        furca::join([&] { sum += i; }, [&] { parallel_for(0, 1'000, [&](int) { ++sum; }); });
      });
    });
    CHECK(sum == 20 * (3'000 + 3));
  });
}

TEST_CASE(
    "a reduction of few steps in a loop has the bits that it has outside, for each number of "
    "them") {
  std::array<std::uint64_t, kFewSteps + 1> bits{};
  constexpr Affine kIdentity{1, 0};
  std::array<Affine, kFewSteps + 1> composed;
  composed.fill(kIdentity);
  for (int n = 0; n <= static_cast<int>(kFewSteps); ++n) {
    bits[static_cast<std::size_t>(n)] =
        std::bit_cast<std::uint64_t>(parallel_reduce(0, n, -0.0, term));
    for (int i = 0; i < n; ++i)
      composed[static_cast<std::size_t>(n)] =
          then(composed[static_cast<std::size_t>(n)], Affine{3, static_cast<std::uint32_t>(i)});
  }
  // what comes of adding one after the other
  CHECK(bits[7] != std::bit_cast<std::uint64_t>(term(0)));
  on_every_pool([&] {
    in_a_loop([&] {
      for (int n = 0; n <= static_cast<int>(kFewSteps); ++n) {
        const auto at = static_cast<std::size_t>(n);
        const double sum = parallel_reduce(0, n, -0.0, term);
        CHECK(std::bit_cast<std::uint64_t>(sum) == bits[at]);
        const Affine whole = parallel_reduce(
            0, n, kIdentity, [](int i) { return Affine{3, static_cast<std::uint32_t>(i)}; }, then);
        CHECK(whole == composed[at]);
        const Affine folded = parallel_reduce(
            0, n, kIdentity,
            [](Affine& all, int i) { all = then(all, Affine{3, static_cast<std::uint32_t>(i)}); },
            then);
        CHECK(folded == composed[at]);
      }
      const std::vector<int> values{5, 3, 8};
      CHECK(parallel_reduce(values, 0) == 16);
      CHECK(parallel_reduce(values, 0, [](const int& value) { return 2 * value; }) == 32);
    });
  });
}

TEST_CASE(
    "a reduction of few steps in a loop calls op no more often than it does outside; with another "
    "tree it is one as others are") {
  furca::ThreadPool pool({.threads = 1});  // on more than one it depends on the schedule
  pool.install([] {
    const auto calls = [](auto identity, const furca::ReduceOptions& options) {
      int count = 0;
      const auto op = [&count](auto left, auto right) {
        ++count;
        return left + right;
      };
      CHECK(parallel_reduce(
                0, static_cast<int>(kFewSteps), identity, [](int i) { return i; }, op, options) ==
            28);
      return count;
    };
    const int exact = calls(0, {});
    const int rounded = calls(0.0, {});
    const int by_schedule = calls(0, {.tree = furca::ReduceTree::by_schedule});
    in_a_loop([&] {
      CHECK(calls(0, {}) <= exact);
      CHECK(calls(0, {}) == static_cast<int>(kFewSteps) - 1);  // it was one of few steps
      CHECK(calls(0.0, {}) == rounded);
      CHECK(calls(0, {.tree = furca::ReduceTree::by_schedule}) == by_schedule);
    });
  });
}

/// Accumulators need no more than to be copied when they are made, and moved.
struct OnlyMoveAssigned {
  long sum;
  OnlyMoveAssigned(long value) : sum(value) {}  // NOLINT: converts
  OnlyMoveAssigned(const OnlyMoveAssigned&) = default;
  OnlyMoveAssigned(OnlyMoveAssigned&&) = default;
  OnlyMoveAssigned& operator=(OnlyMoveAssigned&&) = default;
};

/// Copied by a constructor of its own, it is wrong.
struct TakesAnything {
  long sum;
  template <class U>
  TakesAnything(U&&) : sum(-1'000'000) {}  // NOLINT: converts
  TakesAnything(const TakesAnything&) = default;
  TakesAnything(TakesAnything&&) = default;
  TakesAnything& operator=(const TakesAnything& other) {  // so it is not trivially copyable
    sum = other.sum;
    return *this;
  }
  static TakesAnything of(long value) {
    TakesAnything made(nullptr);
    made.sum = value;
    return made;
  }
};

TEST_CASE("accumulators with a constructor that takes anything are copied") {
  static_assert(furca::detail::kSmallAccumulator<TakesAnything>);
  const auto added = [](const TakesAnything& left, const TakesAnything& right) {
    return TakesAnything::of(left.sum + right.sum);
  };
  on_every_pool([&] {
    for (const auto tree :
         {furca::ReduceTree::automatic, furca::ReduceTree::aligned, furca::ReduceTree::by_schedule})
      for (const int n : {5, 1'000})
        CHECK(parallel_reduce(0, n, TakesAnything::of(0),
                              [](int i) { return TakesAnything::of(i); }, added, {.tree = tree})
                  .sum == long{n} * (n - 1) / 2);
  });
}

TEST_CASE("accumulators that are no numbers") {
  static_assert(furca::detail::kSmallAccumulator<OnlyMoveAssigned> &&
                furca::detail::kSmallAccumulator<std::pair<int, int>> &&
                furca::detail::kSmallAccumulator<Affine>);
  on_every_pool([] {
    in_a_loop([] {
      const auto sum = parallel_reduce(
          0, 5, OnlyMoveAssigned(0), [](int i) { return OnlyMoveAssigned(i); },
          [](OnlyMoveAssigned left, OnlyMoveAssigned right) {
            return OnlyMoveAssigned(left.sum + right.sum);
          });
      CHECK(sum.sum == 10);
      const auto least_and_greatest = parallel_reduce(
          0, 7, std::pair(100, -100), [](int i) { return std::pair(10 - i, i); },
          [](std::pair<int, int> left, std::pair<int, int> right) {
            return std::pair(std::min(left.first, right.first),
                             std::max(left.second, right.second));
          });
      CHECK(least_and_greatest == std::pair(4, 6));
      const auto points = parallel_reduce(0, 4, std::complex<double>(),
                                          [](int i) { return std::complex<double>(i, -i); });
      CHECK(points == std::complex<double>(6, -6));
      const auto words = parallel_reduce(
          0, 4, std::string(), [](int i) { return std::to_string(i); }, std::plus<>{});
      CHECK(words == "0123");
      const int kept = parallel_reduce(0, 6, 0, [](int& all, int i) { all += i; }, std::plus<>{});
      CHECK(kept == 15);
    });
  });
}

TEST_CASE("what op throws leaves a reduction of few steps; the identity may be asked for alone") {
  on_every_pool([] {
    in_a_loop([] {
      const auto refuse = [](int, int) -> int { throw std::runtime_error("op"); };
      CHECK_THROWS_AS(static_cast<void>(parallel_reduce(
                          0, 3, 0, [](int i) { return i; }, refuse)),
                      std::runtime_error);
      CHECK(parallel_reduce(0, 0, 17, [](int i) { return i; }, refuse) == 17);
    });
  });
}

TEST_CASE("a stop request in a loop of few steps in a loop: no step begins after it") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    in_a_loop([] {
      std::stop_source stop;
      int runs = 0;
      const auto body = [&](int i) {
        ++runs;
        if (i == 2) stop.request_stop();
      };
      parallel_for(0, 8, body, {.grain = 1, .stop = stop.get_token()});
      CHECK(runs == 3);
      parallel_for(0, 8, body, {.stop = stop.get_token()});
      CHECK(runs == 3);
    });
  });
}

TEST_CASE("options of a reduction of few steps in a loop are heeded") {
  on_every_pool([] {
    in_a_loop([] {
      CHECK_THROWS_AS(
          static_cast<void>(parallel_reduce(0, 4, 0, [](int i) { return i; }, {.grain = 0})),
          std::invalid_argument);
      furca::Progress progress(4);
      CHECK(parallel_reduce(0, 4, 0, [](int i) { return i; }, {.progress = &progress}) == 6);
      CHECK(progress.done() == 4);
      std::stop_source stop;
      stop.request_stop();
      CHECK(parallel_reduce(0, 4, 1, [](int i) { return i; }, {.stop = stop.get_token()}) == 1);
    });
  });
}

TEST_CASE("reductions of few steps leave no mark in what is remembered of bodies either") {
  struct Map {
    int operator()(int i) const { return i; }
  };
  using Shared = furca::detail::Reduction<int, int, Map, std::plus<>>;
  const auto& cost =
      furca::detail::kFunctionsOf<furca::detail::SchedulePart<Shared>, "reduction">.cost;
  furca::ThreadPool pool({.threads = 1});  // nobody would have to be woken
  pool.install([&] {
    in_a_loop([] {
      for (int k = 0; k < 100; ++k) CHECK(parallel_reduce(0, 4, 0, Map{}) == 6);
    });
    CHECK(cost.read() == 0);
    CHECK(parallel_reduce(0, 4, 0, Map{}) == 6);
    CHECK(cost.read() != 0);
  });
}
