// A program that was written for oneTBB.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <functional>

int main() {
  const auto add = [](const tbb::blocked_range<long>& part, long sum) {
    for (long i = part.begin(); i != part.end(); ++i) sum += i;
    return sum;
  };
  return oneapi::tbb::parallel_reduce(tbb::blocked_range<long>(0, 1001), 0L, add, std::plus<>()) ==
                 500500
             ? 0
             : 1;
}
