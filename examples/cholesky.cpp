// The Cholesky factor of a covariance matrix, by a graph of tasks: L with L * transpose(L) = A.
//
// The matrix is cut into tiles. Step k of tile (i, j) subtracts what column k of the factor
// contributes; the last one, k = j, finishes the tile. A step begins when what it reads is there:
// each has a counter of what it still waits for, and who brings that to 0 spawns it into one scope.
// Steps of a tile come in order, so the result has the bits of the serial one.
//
// Work O(n^3), span O(n b^2), for n rows and tiles of b rows.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/scope.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr std::size_t kRows = 64;
using Tile = std::array<std::array<double, kRows>, kRows>;

/// Those on and below the diagonal.
struct Matrix {
  explicit Matrix(std::size_t n) : tiles(n * (n + 1) / 2), size(n) {}
  Tile& operator()(std::size_t i, std::size_t j) { return tiles[i * (i + 1) / 2 + j]; }
  std::vector<Tile> tiles;
  std::size_t size;
};

void transpose(const Tile& tile, Tile& out) {
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t c = 0; c < kRows; ++c) out[c][r] = tile[r][c];
}

/// out -= left * transpose(right)
void subtract_product(Tile& out, const Tile& left, const Tile& right) {
  Tile turned;
  transpose(right, turned);
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t m = 0; m < kRows; ++m)
      for (std::size_t c = 0; c < kRows; ++c) out[r][c] -= left[r][m] * turned[m][c];
}

/// out * transpose(corner) = tile, in place.
void divide(Tile& tile, const Tile& corner) {
  Tile turned;
  transpose(corner, turned);
  for (auto& row : tile)
    for (std::size_t c = 0; c < kRows; ++c) {
      row[c] /= corner[c][c];
      for (std::size_t k = c + 1; k < kRows; ++k) row[k] -= row[c] * turned[c][k];
    }
}

void factor(Tile& tile) {
  for (std::size_t c = 0; c < kRows; ++c) {
    std::fill(tile[c].begin() + c + 1, tile[c].end(), 0.0);
    tile[c][c] = std::sqrt(tile[c][c]);
    for (std::size_t r = c + 1; r < kRows; ++r) tile[r][c] /= tile[c][c];
    for (std::size_t r = c + 1; r < kRows; ++r)
      for (std::size_t k = c + 1; k <= r; ++k) tile[r][k] -= tile[r][c] * tile[k][c];
  }
}

void step(Matrix& a, std::size_t i, std::size_t j, std::size_t k) {
  if (k < j) return subtract_product(a(i, j), a(i, k), a(j, k));
  return i == j ? factor(a(i, j)) : divide(a(i, j), a(j, j));
}

void cholesky(Matrix& a) {
  for (std::size_t k = 0; k < a.size; ++k)
    for (std::size_t j = k; j < a.size; ++j)
      for (std::size_t i = j; i < a.size; ++i) step(a, i, j, k);
}

class Graph {
 public:
  explicit Graph(Matrix& a) : a_(a), n_(a.size), waits_(n_ * n_ * n_) {
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        for (std::size_t k = 0; k <= j; ++k) waits(i, j, k) = (k > 0) + (k < j ? 2 : i != j);
  }

  void run() {
    furca::scope([this](furca::Scope& tasks) { run(tasks, 0, 0, 0); });
  }

 private:
  std::atomic<int>& waits(std::size_t i, std::size_t j, std::size_t k) {
    return waits_[(i * n_ + j) * n_ + k];
  }

  void done_for(furca::Scope& tasks, std::size_t i, std::size_t j, std::size_t k) {
    if (waits(i, j, k).fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    tasks.spawn([this, &tasks, i, j, k] { run(tasks, i, j, k); });
  }

  void run(furca::Scope& tasks, std::size_t i, std::size_t j, std::size_t k) {
    step(a_, i, j, k);
    if (k < j) return done_for(tasks, i, j, k + 1);
    for (std::size_t r = i; r < n_; ++r)
      if (i != j) done_for(tasks, r, i, j);
    for (std::size_t c = j + 1; c <= i; ++c) done_for(tasks, i, c, j);
    for (std::size_t r = j + 1; i == j && r < n_; ++r) done_for(tasks, r, j, j);
  }

  Matrix& a_;
  std::size_t n_;
  std::vector<std::atomic<int>> waits_;  // of each step, for how many others
};

/// What is measured at places of a square has less in common the farther they are apart.
Matrix covariances(std::size_t tiles) {
  std::mt19937_64 random(1924);
  std::uniform_real_distribution<double> anywhere(0, 1);
  std::vector<std::complex<double>> places(tiles * kRows);
  for (auto& place : places) place = {anywhere(random), anywhere(random)};
  Matrix a(tiles);
  for (std::size_t y = 0; y < places.size(); ++y)
    for (std::size_t x = 0; x / kRows <= y / kRows; ++x)
      a(y / kRows, x / kRows)[y % kRows][x % kRows] = std::exp(-std::abs(places[y] - places[x]));
  return a;
}

/// The largest difference between A and L * transpose(L), in the last row.
double error_of(Matrix& l, Matrix& a) {
  double largest = 0;
  const std::size_t last = l.size - 1;
  for (std::size_t j = 0; j <= last; ++j) {
    Tile left = a(last, j);
    for (std::size_t k = 0; k <= j; ++k) subtract_product(left, l(last, k), l(j, k));
    for (const double each : left.back()) largest = std::max(largest, std::abs(each));
  }
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: cholesky [TILES]\n"
                                "Factors the covariance matrix of 64 TILES places (default 18).\n");
  const std::size_t tiles = arguments.number("TILES", 18, 1, 200);
  arguments.done();

  Matrix a = covariances(tiles);
  Matrix serial = a;
  Matrix parallel = a;
  const double serial_time = examples::seconds([&] { cholesky(serial); });
  const double parallel_time = examples::seconds([&] { Graph(parallel).run(); });
  if (serial.tiles != parallel.tiles) return examples::disagreement("the factor");
  const double error = error_of(parallel, a);
  if (!(error < 1e-10)) return examples::disagreement("the product");

  std::printf("%zu rows, %zu steps, error %.1e\n", tiles * kRows,
              tiles * (tiles + 1) * (tiles + 2) / 6, error);
  examples::print_comparison(serial_time, parallel_time);
  return 0;
}
