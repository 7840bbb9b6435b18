// The parallel algorithms of libstdc++ in a program of oneTBB's, on whose threads they run. Also
// compiled with oneTBB's own headers, where all of this must hold too.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "support/standard.hpp"

#include <execution>

namespace {

TEST_CASE("parallel algorithms of the standard library") {
  std::vector<int> values(100000);
  std::iota(values.begin(), values.end(), 0);
  const std::vector<int> ordered = values;

  std::atomic<int> outside{0};
  std::for_each(std::execution::par, values.begin(), values.end(), [&outside](int& value) {
    if (tbb::this_task_arena::current_thread_index() < 0) ++outside;
    value = value * 7919 % 100000;
  });
  CHECK_EQ(outside.load(), 0);
  CHECK_EQ(std::reduce(std::execution::par, values.begin(), values.end(), 0LL), 4999950000LL);

  SUBCASE("sort") { std::sort(std::execution::par, values.begin(), values.end()); }
  SUBCASE("stable_sort") {
    std::stable_sort(std::execution::par_unseq, values.begin(), values.end(), std::less<>());
  }
  CHECK(values == ordered);
}

TEST_CASE("a parallel algorithm in a loop of oneTBB's, in an arena") {
  std::vector<long> sums(50);
  tbb::task_arena arena(2);
  arena.execute([&sums] {
    tbb::parallel_for(0, 50, [&sums](int i) {
      const std::vector<long> ones(1000, i);
      sums[static_cast<std::size_t>(i)] =
          std::reduce(std::execution::par, ones.begin(), ones.end());
    });
  });
  CHECK_EQ(std::accumulate(sums.begin(), sums.end(), 0L), 1000L * 49 * 50 / 2);
}

}  // namespace
