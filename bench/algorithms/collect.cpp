// The algorithms that make or fill sequences.
#include "rows.hpp"

#include <furca/parallel_for.hpp>

#include <execution>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace bench {

void rows_of_collect(const Rows& rows) {
  const std::size_t n = rows.size;
  std::vector<double> x = random_doubles(n);
  const std::vector<double> original = x;
  const auto negate = [](double& v) { v = -v; };
  bool negative = false;
  rows.compare("for_each", 16,
               {
                   {"serial", [&] { negative = !negative, std::for_each(x.begin(), x.end(), negate); }},
                   {"furca", [&] { negative = !negative, furca::parallel_for(x, negate); }},
                   {"oneTBB", [&] { negative = !negative, tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { negate(x[i]); }); }},
                   {"std::par", [&] { negative = !negative, std::for_each(std::execution::par, x.begin(), x.end(), negate); }},
               },
               [&] { return std::equal(x.begin(), x.end(), original.begin(), [&](double a, double b) { return a == (negative ? -b : b); }); });
}

}  // namespace bench
