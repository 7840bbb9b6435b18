// Allocations of a join, a loop and a reduction.
#include "../allocations.hpp"
#include "../busy_work.hpp"
#include "probe.hpp"

#include <functional>

namespace bench {
namespace {

/// Allocations for each operation of f, after it was called often enough for what is allocated
/// once.
template <class F>
double allocations_per(unsigned threads, double operations, F f) {
  constexpr int kRounds = 200;
  const std::uint64_t before = allocations_counted();
  Furca::kContender.enter(threads, [&] {
    for (int i = 0; i < kRounds; ++i) f();
    count_allocations(true);
    for (int i = 0; i < kRounds; ++i) f();
    count_allocations(false);
  });
  return static_cast<double>(allocations_counted() - before) / (kRounds * operations);
}

std::uint64_t small_tree(unsigned depth) {
  if (depth == 0) return busy_work(1, 200);
  const auto [a, b] = Furca::join([depth] { return small_tree(depth - 1); },
                                  [depth] { return small_tree(depth - 1); });
  return a + b;
}

double per_join(unsigned threads) {
  std::uint64_t sum = 0;
  return allocations_per(threads, (1U << 10U) - 1, [&] { sum += small_tree(10); });
}

constexpr std::size_t kSharedIterations = 1000;  // of half a microsecond: long enough to be shared

double per_loop(unsigned threads) {
  std::vector<std::uint64_t> out(kSharedIterations);
  return allocations_per(threads, 1, [&] {
    Furca::loop(out.size(), [&](std::size_t i) { out[i] += busy_work(i, 200); });
  });
}

double per_reduce(unsigned threads) {
  std::uint64_t sum = 0;
  return allocations_per(threads, 1, [&] {
    sum += Furca::reduce(
        kSharedIterations, std::uint64_t{0}, [](std::size_t i) { return busy_work(i, 200); },
        std::plus<>{});
  });
}

Probe make_probe(const char* name, const char* summary, double (*measure)(unsigned)) {
  return {Group::behaviour, name, "furca", "", "allocations", summary, measure};
}

const ProbeRegistration kAllocations({
    make_probe("allocations per join",
               "what a join, one of a thousand in a tree, takes from operator new", &per_join),
    make_probe("allocations per loop", "what a loop that is shared takes from it", &per_loop),
    make_probe("allocations per reduce", "what a reduction that is shared takes from it",
               &per_reduce),
});

}  // namespace
}  // namespace bench
