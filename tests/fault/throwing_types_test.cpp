// Operations, copies and moves that throw inside of furca's own work: something of it leaves, and
// nothing is lost or kept.
#include <furca/furca.hpp>

#include "counted.hpp"
#include "support/observe.hpp"
#include "support/trials.hpp"

using namespace furca::test;
using furca::ReduceTree;
using furca::ThreadPool;

namespace {

constexpr auto add = [](const Counted& a, const Counted& b) { return Counted(a.value + b.value); };
constexpr auto map = [](int) { return busy(), Counted(1); };
constexpr auto fold = [](Counted& sum, int) { busy(), ++sum.value; };

/// Runs call(k) for k = 1, 2, ... until it returns false; returns how often it returned true.
template <class Call>
std::uint64_t until_nothing_throws(Call call) {
  std::int64_t k = 1;
  while (call(k)) REQUIRE(++k < 100'000);
  return static_cast<std::uint64_t>(k - 1);
}

}  // namespace

TEST_CASE(
    "a throw in any call of a reduction's combining operation leaves, and everything is "
    "destroyed") {
  const Watchdog watchdog("throwing operations", 120);
  std::uint64_t cases = 0;
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool({.threads = threads});
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
      for (const bool folding : {false, true}) {
        CAPTURE(threads);
        CAPTURE(static_cast<int>(tree));
        CAPTURE(folding);
        watchdog.feed();
        const auto reduce = [&](auto op) {
          return folding ? furca::parallel_reduce(0, 200, Counted(), fold, op, {.tree = tree}).value
                         : furca::parallel_reduce(0, 200, Counted(), map, op, {.tree = tree}).value;
        };
        std::uint64_t wrong = 0;
        const auto op_throws_at = [&](std::int64_t k) {
          std::atomic<std::int64_t> calls{0};
          std::int64_t where = 0;
          try {
            const std::int64_t sum = pool.install([&] {
              return reduce([&](const Counted& a, const Counted& b) {
                if (++calls == k) throw Thrown(k);
                return add(a, b);
              });
            });
            wrong += sum == 200 ? 0U : 1U;
          } catch (const Thrown& thrown) {
            where = thrown.where();
          }
          if (where != (calls >= k ? k : 0) || !nothing_is_left()) ++wrong;
          return calls >= k;
        };
        cases += until_nothing_throws(op_throws_at);
        CHECK(wrong == 0);
      }
    }
  }
  std::printf("exceptions: %llu throws in combining operations\n",
              static_cast<unsigned long long>(cases));
}

TEST_CASE("a result or accumulator whose copy or move throws leaks nothing, whichever it is") {
  const Watchdog watchdog("throwing moves", 120);
  struct Call {
    const char* name;
    std::int64_t (*sum)();
  };
  // Each comes to 60 when nothing throws.
  constexpr Call kCalls[] = {
      {"join of 2",
       [] {
         const auto [a, b] =
             furca::join([] { return busy(), Counted(20); }, [] { return busy(), Counted(40); });
         return a.value + b.value;
       }},
      {"join of 5",
       [] {
         const auto arm = [] { return busy(), Counted(12); };
         const auto [a, b, c, d, e] = furca::join(arm, arm, arm, arm, arm);
         return a.value + b.value + c.value + d.value + e.value;
       }},
      {"reduction by schedule",
       [] {
         return furca::parallel_reduce(0, 60, Counted(), map, add,
                                       {.tree = ReduceTree::by_schedule})
             .value;
       }},
      {"reduction, aligned",
       [] {
         return furca::parallel_reduce(0, 60, Counted(), map, add, {.tree = ReduceTree::aligned})
             .value;
       }},
      {"folding reduction by schedule",
       [] {
         return furca::parallel_reduce(0, 60, Counted(), fold, add,
                                       {.tree = ReduceTree::by_schedule})
             .value;
       }},
      {"folding reduction, aligned",
       [] {
         return furca::parallel_reduce(0, 60, Counted(), fold, add, {.tree = ReduceTree::aligned})
             .value;
       }},
  };
  std::uint64_t cases = 0;
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool({.threads = threads});
    for (const Call& call : kCalls) {
      CAPTURE(threads);
      CAPTURE(std::string(call.name));
      std::uint64_t wrong = 0;
      for (std::uint64_t round = 0; round < rounds(3); ++round) {
        watchdog.feed();
        cases += until_nothing_throws([&](std::int64_t k) {
          bool thrown = false;
          Counted::transfers.start(k);
          try {
            wrong += pool.install(call.sum) == 60 ? 0U : 1U;
          } catch (const Thrown&) {
            thrown = true;
          }
          const bool due = Counted::transfers.has_thrown();
          Counted::transfers.stop();
          if (thrown != due || !nothing_is_left()) ++wrong;
          return thrown;
        });
      }
      CHECK(wrong == 0);
    }
  }
  std::printf("exceptions: %llu throws in copies and moves\n",
              static_cast<unsigned long long>(cases));
}
