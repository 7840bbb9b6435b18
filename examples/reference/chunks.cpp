// parallel_for_chunks and parallel_reduce_chunks, in use.
#include "../expect.hpp"

#include <furca/chunks.hpp>
#include <furca/per_worker.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace {

/// Kernels of one's own, or of a library.
void axpy(std::size_t n, double a, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

double dot(std::size_t n, const double* x, const double* y) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

//! [ChunkBody]
/// Calls f(first row, row behind the last) for all rows of a picture.
template <class F>
  requires furca::ChunkBody<F, int>
void for_rows(int rows, F f) {
  furca::parallel_for_chunks(0, rows, f);
}
//! [ChunkBody]

//! [ChunkRange]
template <furca::ChunkRange Range>
void clear_all(Range&& range) {
  furca::parallel_for_chunks(range, [](auto part) { std::fill(part.begin(), part.end(), 0); });
}
//! [ChunkRange]

//! [RangeChunkBody]
template <furca::ChunkRange Range, furca::RangeChunkBody<Range> F>
void for_parts(Range&& range, F f) {
  furca::parallel_for_chunks(range, f, {.grain = 1024});
}
//! [RangeChunkBody]

//! [Chunk]
using Samples = std::vector<float>;
void amplify(furca::Chunk<Samples&> part) {  // a std::span<float>
  for (float& sample : part) sample *= 2;
}
//! [Chunk]

//! [ChunkFold]
template <class F>
  requires furca::ChunkFold<F, int, long>
long sum_of(int n, F fold) {
  return furca::parallel_reduce_chunks(0, n, 0L, fold, std::plus<>{});
}
//! [ChunkFold]

//! [RangeChunkFold]
template <furca::ChunkRange Range, furca::RangeChunkFold<Range, double> F>
double sum_of_parts(Range&& range, F fold) {
  return furca::parallel_reduce_chunks(range, 0.0, fold, std::plus<>{});
}
//! [RangeChunkFold]

void loop_over_chunks_of_indices() {
  const std::size_t n = 10'000;
  const std::vector<double> x(n, 3);
  std::vector<double> y(n, 1);
  //! [parallel_for_chunks]
  furca::parallel_for_chunks(std::size_t{0}, n, [&](std::size_t lo, std::size_t hi) {
    axpy(hi - lo, 2.0, &x[lo], &y[lo]);
  });

  furca::PerWorker<std::vector<double>> scratch{std::vector<double>(256)};
  furca::parallel_for_chunks(std::size_t{0}, n,
                             [&](std::size_t lo, std::size_t hi) {
                               std::vector<double>& mine = scratch.local();  // once for a chunk
                               // which may be longer than the scratch memory: tile by tile
                               for (std::size_t i = lo; i < hi; i += mine.size()) {
                                 const std::size_t count = std::min(mine.size(), hi - i);
                                 std::reverse_copy(&y[i], &y[i] + count, mine.begin());
                                 std::copy_n(mine.begin(), count, &y[i]);
                               }
                               // and begins at a multiple of 256
                             },
                             {.grain = 256});
  //! [parallel_for_chunks]
  examples::expect(std::ranges::all_of(y, [](double each) { return each == 7; }),
                   "y += a * x, reversed");
}

void loop_over_chunks_of_a_range() {
  std::vector<float> samples(10'000, 0.5F);
  //! [range]
  furca::parallel_for_chunks(
      samples,
      [](std::span<float> part) {
        for (float& sample : part) sample += 1;
      },
      {.grain = 16});  // no chunk is shorter, and none begins within 16 floats
  //! [range]
  examples::expect(std::ranges::all_of(samples, [](float each) { return each == 1.5F; }),
                   "every sample is louder");
}

void reduce_chunks() {
  const std::vector<double> x(1000, 2);
  const std::vector<double> y(1000, 3);
  //! [parallel_reduce_chunks]
  const double product = furca::parallel_reduce_chunks(
      std::size_t{0}, x.size(), 0.0,
      [&](double& sum, std::size_t lo, std::size_t hi) { sum += dot(hi - lo, &x[lo], &y[lo]); },
      std::plus<>{});
  //! [parallel_reduce_chunks]
  examples::expect(product == 6000, "the scalar product");

  const std::vector<unsigned char> bytes(10'000, 'x');
  //! [fold]
  using Histogram = std::array<long, 256>;
  const auto add = [](Histogram a, const Histogram& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  };
  const Histogram histogram = furca::parallel_reduce_chunks(
      bytes, Histogram{},
      [](Histogram& some, std::span<const unsigned char> part) {
        for (const unsigned char byte : part) ++some[byte];
      },
      add);
  //! [fold]
  examples::expect(histogram['x'] == 10'000, "all bytes were counted");
}

}  // namespace

int main() {
  loop_over_chunks_of_indices();
  loop_over_chunks_of_a_range();
  reduce_chunks();
  std::vector<int> rows(12);
  for_rows(12, [&](int lo, int hi) { std::fill(&rows[0] + lo, &rows[0] + hi, 7); });
  examples::expect(rows == std::vector<int>(12, 7), "every row was visited");
  clear_all(rows);
  examples::expect(rows == std::vector<int>(12), "every row is clear");
  Samples samples(5000, 2);
  for_parts(samples, amplify);
  examples::expect(samples == Samples(5000, 4), "every sample was amplified");
  examples::expect(sum_of(100, [](long& sum, int lo, int hi) { sum += hi - lo; }) == 100,
                   "a hundred indices");
  const std::vector<double> ones(100, 1.0);
  examples::expect(sum_of_parts(ones,
                                [](double& sum, std::span<const double> part) {
                                  sum += dot(part.size(), part.data(), part.data());
                                }) == 100,
                   "a hundred ones");
  return examples::unexpected;
}
