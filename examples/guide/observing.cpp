// The programs of observing.md.
#include "../expect.hpp"

#include <furca/furca.hpp>

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace {

using Rows = std::vector<std::vector<double>>;

double sum(const std::vector<double>& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

/// One row is much longer than all the others.
double table(const Rows& rows) {
  std::vector<double> sums(rows.size());
  furca::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) { sums[i] = sum(rows[i]); });
  return sum(sums);
}

/// The same, with a loop inside the loop.
double table_in_parts(const Rows& rows) {
  std::vector<double> sums(rows.size());
  furca::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    sums[i] = furca::parallel_reduce(rows[i], 0.0, std::identity{}, std::plus<>{});
  });
  return sum(sums);
}

}  // namespace

int main() {
  Rows rows(1000, std::vector<double>(2000, 1.0));
  rows[500].resize(1'000'000, 1.0);
  for (int round = 0; round < 10; ++round) {
    examples::expect(table(rows) == 2'998'000, "a sum");
    examples::expect(table_in_parts(rows) == 2'998'000, "the same sum");
  }
  return examples::unexpected;
}
