// Calls of furca in each of two objects, which different compilers make: with functors of the same
// types, so that the linker merges what it can.
#pragma once

#include <furca/algorithms.hpp>
#include <furca/furca.hpp>

#include <functional>

struct Double {
  long operator()(long i) const { return 2 * i; }
};

template <int kObject>
long call_furca() {
  furca::parallel_for(0L, 1000L, Double{});
  const auto [one, two] = furca::join([] { return 1L; }, [] { return 2L; });
  // many different keys, which the library sorts
  const auto sevens = furca::count_by(furca::lazy(2000, [](std::size_t i) { return i * 7; }));
  if (sevens.size() != 2000 || sevens.back().first != 7 * 1999) return 0;
  return one + two + furca::parallel_reduce(0L, 1000L, 0L, Double{}, std::plus<>{});
}

long first_object();
long second_object();
