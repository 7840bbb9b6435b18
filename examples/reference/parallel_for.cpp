// parallel_for, in use.
#include "../expect.hpp"

#include <furca/parallel_for.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string>
#include <vector>

namespace {

//! [IndexBody]
/// Calls f(cell) for all cells of a table, numbered row by row.
template <class F>
  requires furca::IndexBody<F, int>
void for_cells(int rows, int columns, F f) {
  furca::parallel_for(0, rows * columns, f);
}
//! [IndexBody]

//! [LoopRange]
template <furca::LoopRange Range>
void clear_all(Range&& range) {
  furca::parallel_for(range, [](auto& element) { element = {}; });
}
//! [LoopRange]

//! [ElementBody]
template <furca::LoopRange Range, furca::ElementBody<Range> F>
void for_all(Range&& range, F f) {
  if (std::ranges::size(range) < 2) {
    for (auto&& element : range) f(element);
  } else {
    furca::parallel_for(range, f);
  }
}
//! [ElementBody]

void loop_over_indices() {
  const std::size_t n = 10'000;
  const double a = 2;
  const std::vector<double> x(n, 3);
  std::vector<double> y(n, 1);
  //! [parallel_for]
  furca::parallel_for(std::size_t{0}, n, [&](std::size_t i) { y[i] += a * x[i]; });
  //! [parallel_for]
  examples::expect(std::ranges::all_of(y, [](double each) { return each == 7; }), "y += a * x");
}

void loop_over_elements() {
  std::vector<std::string> words(1000, "fork");
  //! [range]
  furca::parallel_for(words, [](std::string& word) { word += " and join"; });
  //! [range]
  examples::expect(
      std::ranges::all_of(words, [](const std::string& word) { return word == "fork and join"; }),
      "every word has grown");
}

}  // namespace

int main() {
  loop_over_indices();
  loop_over_elements();
  std::vector<int> cells(12);
  for_cells(3, 4, [&](int cell) { cells[static_cast<std::size_t>(cell)] = cell; });
  examples::expect(cells.back() == 11, "every cell was visited");
  for_all(cells, [](int& cell) { cell += 1; });
  examples::expect(cells.back() == 12, "every cell was changed");
  clear_all(cells);
  examples::expect(cells == std::vector<int>(12), "every cell is clear");
  return examples::unexpected;
}
