// The algorithms that look for something, scan and pack.
#include "rows.hpp"

#include <furca/parallel_reduce.hpp>

#include <execution>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <numeric>

namespace bench {

void rows_of_search(const Rows& rows) {
  const std::vector<double> x = random_doubles(rows.size);
  double sum = 0;
  const double expected = std::accumulate(x.begin(), x.end(), 0.0);
  rows.compare("reduce", 8,
               {
                   {"serial", [&] { sum = std::accumulate(x.begin(), x.end(), 0.0); }},
                   {"furca", [&] { sum = furca::parallel_reduce(x, 0.0); }},
                   {"oneTBB",
                    [&] {
                      const auto add = [&](const auto& r, double s) { return std::accumulate(&x[r.begin()], &x[r.begin()] + r.size(), s); };
                      sum = tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, x.size()), 0.0, add, std::plus<>{});
                    }},
                   {"std::par", [&] { sum = std::reduce(std::execution::par, x.begin(), x.end()); }},
               },
               [&] { return std::abs(sum - expected) <= 1e-9 * expected; });
}

}  // namespace bench
