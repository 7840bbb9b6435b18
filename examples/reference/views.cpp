// lazy, zip, enumerate, chunks, windows, tiles, in use.
#include "../expect.hpp"

#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/views.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace {

//! [LazyElement]
/// The sum of f(0), f(1), ... f(n - 1).
template <class F>
  requires furca::LazyElement<F>
double sum_of(std::size_t n, F f) {
  return furca::parallel_reduce(furca::lazy(n, f), 0.0);
}
//! [LazyElement]

//! [Lazy]
struct Celsius {
  const double* fahrenheit;
  double operator()(std::size_t i) const { return (fahrenheit[i] - 32) / 1.8; }
};

furca::Lazy<Celsius> celsius(const std::vector<double>& fahrenheit) {
  return {fahrenheit.size(), Celsius{fahrenheit.data()}};
}
//! [Lazy]

//! [ViewableRange]
/// Every other element.
template <furca::ViewableRange Range>
auto halved(Range&& range) {
  return furca::lazy(std::ranges::size(range) / 2,
                     [begin = std::ranges::begin(range)](std::size_t i) -> decltype(auto) {
                       return begin[2 * static_cast<std::ptrdiff_t>(i)];
                     });
}
//! [ViewableRange]

//! [ViewableChunks]
/// The mean of each block of 16 elements.
template <furca::ViewableChunks Range>
auto means(Range&& range) {
  const auto blocks = furca::chunks(range, 16);
  return furca::lazy(blocks.size(), [blocks](std::size_t i) {
    return std::accumulate(blocks[i].begin(), blocks[i].end(), 0.0) /
           static_cast<double>(blocks[i].size());
  });
}
//! [ViewableChunks]

void sequences_that_hold_nothing() {
  const std::vector<double> x = {1, 2, 3, 4};
  const std::vector<std::size_t> index = {3, 0, 0};
  //! [lazy]
  const double picked = furca::parallel_reduce(
      furca::lazy(index.size(), [&](std::size_t i) { return x[index[i]]; }), 0.0);
  //! [lazy]
  examples::expect(picked == 6, "the sum of the elements that the indices name");
  examples::expect(sum_of(10, [](std::size_t i) { return 0.5 * static_cast<double>(i); }) == 22.5,
                   "the sum of halves");
  const std::vector<double> fahrenheit = {32, 212};
  examples::expect(celsius(fahrenheit)[1] == 100, "water boils");
  const furca::Lazy<Celsius> all = celsius(fahrenheit);
  const furca::Lazy<Celsius>::iterator last = std::ranges::max_element(all);
  examples::expect(!all.empty() && *last == 100, "the hottest");
  examples::expect(furca::parallel_reduce(halved(x), 0.0) == 4, "every other element");
  examples::expect(means(x)[0] == 2.5, "the mean of the only block");
}

void ranges_side_by_side() {
  const std::vector<double> x(1000, 1.5);
  const std::vector<double> y(1000, 2.5);
  std::vector<double> z(1000);
  //! [zip]
  furca::parallel_for(furca::zip(x, y, z), [](auto t) {
    auto& [a, b, sum] = t;
    sum = a + b;
  });
  //! [zip]
  examples::expect(std::ranges::count(z, 4.0) == 1000, "z = x + y");
  std::vector<std::string> lines = {"first", "second"};
  //! [enumerate]
  furca::parallel_for(furca::enumerate(lines), [](auto numbered) {
    auto& [number, line] = numbered;
    line = std::to_string(number + 1) + ": " + line;
  });
  //! [enumerate]
  examples::expect(lines[1] == "2: second", "lines have numbers");
}

void stretches() {
  std::vector<float> samples(10'000, 0.5F);
  //! [chunks]
  furca::parallel_for(furca::chunks(samples, 1024),
                      [](std::span<float> block) { std::ranges::sort(block); });
  //! [chunks]
  //! [windows]
  const auto rises = [](std::span<const float> three) {
    return three[0] < three[1] && three[1] < three[2] ? 1 : 0;
  };
  const int rising = furca::parallel_reduce(furca::windows(std::as_const(samples), 3), 0, rises);
  //! [windows]
  examples::expect(rising == 0, "nothing rises");
}

//! [Tile]
/// Transposes one tile.
void transpose(const furca::Tile& tile, const float* from, float* to, std::size_t rows,
               std::size_t columns) {
  for (std::size_t i = tile.row_begin; i < tile.row_end; ++i)
    for (std::size_t j = tile.column_begin; j < tile.column_end; ++j)
      to[j * rows + i] = from[i * columns + j];
}
//! [Tile]

//! [Tile3]
double sum_of_box(const furca::Tile3& box, const double* field, std::size_t rows,
                  std::size_t columns) {
  double sum = 0;
  for (std::size_t h = box.plane_begin; h < box.plane_end; ++h)
    for (std::size_t i = box.row_begin; i < box.row_end; ++i)
      for (std::size_t j = box.column_begin; j < box.column_end; ++j)
        sum += field[(h * rows + i) * columns + j];
  return sum;
}
//! [Tile3]

void two_and_three_dimensions() {
  const std::size_t rows = 300;
  const std::size_t columns = 200;
  std::vector<float> matrix(rows * columns);
  std::iota(matrix.begin(), matrix.end(), 0.0F);
  std::vector<float> transposed(matrix.size());
  //! [tiles]
  furca::parallel_for(furca::tiles(rows, columns, {32, 32}), [&](const furca::Tile& tile) {
    transpose(tile, matrix.data(), transposed.data(), rows, columns);
  });
  //! [tiles]
  examples::expect(transposed[1] == 200, "the first column is the first row");
  //! [TileSize]
  constexpr furca::TileSize square = {.rows = 64, .columns = 64};
  const auto squares = furca::tiles(rows, columns, square);
  //! [TileSize]
  examples::expect(squares.size() == 5 * 4, "squares, and what is left at the edges");
  const std::vector<double> field(20 * 30 * 40, 1.0);
  //! [tiles of a volume]
  const double sum = furca::parallel_reduce(
      furca::tiles(20, 30, 40), 0.0,
      [&](const furca::Tile3& box) { return sum_of_box(box, field.data(), 30, 40); });
  //! [tiles of a volume]
  examples::expect(sum == 24'000, "every place is in one box");
  //! [TileSize3]
  constexpr furca::TileSize3 cube = {.planes = 16, .rows = 16, .columns = 16};
  const auto cubes = furca::tiles(20, 30, 40, cube);
  //! [TileSize3]
  examples::expect(cubes.size() == 2 * 2 * 3, "cubes, and what is left at the edges");
}

}  // namespace

int main() {
  sequences_that_hold_nothing();
  ranges_side_by_side();
  stretches();
  two_and_three_dimensions();
  return examples::unexpected;
}
