// Calls that no header declares: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/threads.hpp>
#include <furca/version.hpp>

#include <functional>
#include <vector>

void right() { static_cast<void>(furca::version()); }

// Names of other libraries, and of headers that are not there.
void wrong(std::vector<int>& v) {
  // furca: write parallel_reduce(v, 0.0, std::identity{}, std::plus<>{})
  int sum = furca::reduce(v.begin(), v.end());
  // furca: write join(f, g)
  furca::parallel_invoke([] {}, [] {});
  // furca: write sort(v)
  furca::parallel_sort(v);
  // furca: write ThreadLimit limit(4) for a block
  furca::set_num_threads(4);
  // furca: sort is in <furca/sort.hpp>: include it
  furca::sort(v, {}, {});
  // furca: join is in <furca/join.hpp>: include it
  auto result = furca::join([] { return 1; }, [] { return 2; });
  // furca: parallel_for is in <furca/parallel_for.hpp>: include it
  furca::parallel_for(0, 10, [](int) {}, {.grain = 64});
  // furca: collect is in <furca/collect.hpp>: include it
  furca::collect<int>(v, [](int, std::vector<int>&) {});
}
