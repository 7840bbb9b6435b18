// What each of two shared libraries has inside, which know nothing of each other.
#include "sum.hpp"

#include <furca/parallel_reduce.hpp>

#include <functional>

long sum(long n) {
  return furca::parallel_reduce(0L, n, 0L, [](long i) { return i; }, std::plus<>{});
}
