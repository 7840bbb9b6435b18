// Prefix sums, in use.
#include "../expect.hpp"

#include <furca/scan.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace {

struct Junction {
  std::size_t degree;
};

void highest_so_far() {
  const std::vector<double> prices = {3, 5, 4, 7, 6};
  std::vector<double> highest(prices.size());
  //! [inclusive_scan]
  furca::inclusive_scan(prices, highest, [](double a, double b) { return std::max(a, b); });
  //! [inclusive_scan]
  examples::expect(highest == std::vector<double>{3, 5, 5, 7, 7}, "the highest price so far");
}

void where_edges_begin() {
  const std::vector<Junction> junctions = {{2}, {0}, {3}};
  std::vector<std::size_t> offsets(junctions.size() + 1);
  //! [exclusive_scan]
  offsets.back() =
      furca::exclusive_scan(junctions, offsets, std::size_t{0}, std::plus<>{}, &Junction::degree)
          .total;
  //! [exclusive_scan]
  const auto again =
      furca::exclusive_scan(junctions, offsets, std::size_t{0}, std::plus<>{}, &Junction::degree);
  examples::expect(again.in == junctions.end() && again.out == offsets.end() - 1,
                   "all was read, and all but the total is written");
  examples::expect(offsets == std::vector<std::size_t>{0, 2, 2, 5},
                   "where each junction's edges begin");
}

void changes() {
  const std::vector<int> readings = {100, 130, 130, 125};
  std::vector<int> used(readings.size());
  //! [adjacent_difference]
  furca::adjacent_difference(readings, used);
  //! [adjacent_difference]
  examples::expect(used == std::vector<int>{100, 30, 0, -5}, "what each reading adds");
}

}  // namespace

int main() {
  highest_so_far();
  changes();
  where_edges_begin();
  return examples::unexpected;
}
