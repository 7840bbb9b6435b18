// Allocations of a join, a loop and a reduction, for whoever can count them.
#pragma once

#include "../allocations.hpp"
#include "../busy_work.hpp"
#include "probe.hpp"

#include <functional>

namespace bench {

/// Allocations for each operation of f, after it was called often enough for what is allocated once.
template <class C, class F>
double allocations_per(unsigned threads, double operations, F f) {
  constexpr int kRounds = 200;
  const std::uint64_t before = allocations_counted();
  C::kContender.enter(threads, [&] {
    for (int i = 0; i < kRounds; ++i) f();
    count_allocations(true);
    for (int i = 0; i < kRounds; ++i) f();
    count_allocations(false);
  });
  return static_cast<double>(allocations_counted() - before) / (kRounds * operations);
}

template <class C>
std::uint64_t small_tree(unsigned depth) {
  if (depth == 0) return busy_work(1, 200);
  const auto [a, b] = C::join([depth] { return small_tree<C>(depth - 1); }, [depth] { return small_tree<C>(depth - 1); });
  return a + b;
}

template <class C>
double allocations_per_join(unsigned threads) {
  std::uint64_t sum = 0;
  return allocations_per<C>(threads, (1U << 10U) - 1, [&] { sum += small_tree<C>(10); });
}

inline constexpr std::size_t kSharedIterations = 1000;  // of half a microsecond: long enough to be shared

template <class C>
double allocations_per_loop(unsigned threads) {
  std::vector<std::uint64_t> out(kSharedIterations);
  return allocations_per<C>(threads, 1, [&] { C::loop(out.size(), [&](std::size_t i) { out[i] += busy_work(i, 200); }); });
}

template <class C>
double allocations_per_reduce(unsigned threads) {
  std::uint64_t sum = 0;
  return allocations_per<C>(threads, 1, [&] {
    sum += C::reduce(
        kSharedIterations, std::uint64_t{0}, [](std::size_t i) { return busy_work(i, 200); }, std::plus<>{});
  });
}

inline std::vector<Probe> allocation_probes(const std::string& family, double (*per_join)(unsigned), double (*per_loop)(unsigned),
                                            double (*per_reduce)(unsigned)) {
  const auto probe = [&family](const char* name, const char* summary, double (*measure)(unsigned)) {
    return Probe{Group::behaviour, name, family, "", "allocations", summary, measure};
  };
  return {probe("allocations per join", "what a join, one of a thousand in a tree, takes from operator new or a pool of objects",
                per_join),
          probe("allocations per loop", "what a loop that is shared takes from them", per_loop),
          probe("allocations per reduce", "what a reduction that is shared takes from them", per_reduce)};
}

}  // namespace bench
