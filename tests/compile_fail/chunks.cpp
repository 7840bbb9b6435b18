// Wrong calls of chunks.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/chunks.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

void right(std::vector<float>& v) {
  furca::parallel_for_chunks(0, 10, [](int, int) {});
  furca::parallel_for_chunks(v, [](std::span<float>) {}, {.grain = 64});
}

void wrong(std::vector<float>& v, const std::vector<float>& constant, std::deque<float>& d) {
  const auto body = [](int, int) {};
  const auto fold = [](double& sum, int lo, int hi) { sum += hi - lo; };
  const std::plus<> plus;
  double x = 0;

  // parallel_for_chunks(v, [&](std::span<float> part) { ... })
  furca::parallel_for_chunks(constant, [](std::span<float>) {});
  // furca: write parallel_for_chunks(first, last, [&](int lo, int hi) { ... }) for integers
  furca::parallel_for_chunks(0, 10, [](int& lo, int& hi) {
    while (lo < hi) ++lo;
  });
  // for elements side by side, as in a std::vector
  furca::parallel_for_chunks(d, [](auto part) { part[0] = 1; });
  // for integers
  furca::parallel_for_chunks(0.0, 1.0, [](double, double) {});
  // for integers
  furca::parallel_for_chunks(false, true, [](bool, bool) {});
  // options stand behind: {.grain = 64,
  furca::parallel_for_chunks(0, 10, body, 64);
  // options stand behind: {.grain = 64,
  furca::parallel_for_chunks(0, 10, body, {.chunk_size = 64});
  // furca: write parallel_for_chunks(
  furca::parallel_for_chunks(v, 64, [](std::span<float>) {});
  // furca: write parallel_for_chunks(
  furca::parallel_for_chunks(v.begin(), v.end(), [](std::span<float>) {});
  // furca: write parallel_for_chunks(
  furca::parallel_for_chunks(v, [](float& each) { each = 1; });
  // furca: write parallel_for_chunks(
  furca::parallel_for_chunks(v, body);
  // furca: write parallel_for_chunks(
  furca::parallel_for_chunks(10, body);
  // furca: write parallel_for_chunks(
  furca::parallel_for_chunks(0, 10, [](int) {});
  // furca: write parallel_for_chunks(
  furca::parallel_for_chunks(0, 10, 2, body);

  // furca: what is called with an accumulator adds to it in place
  x = furca::parallel_reduce_chunks(
      0, 10, 0.0, [](double sum, int lo, int hi) { sum += hi - lo; }, plus);
  // furca: what is called with an accumulator adds to it in place
  x = furca::parallel_reduce_chunks(0, 10, 0.0, [](double& sum, int, int) { return sum; }, plus);
  // furca: a sum has the type of the value to begin with, and what op returns
  x = furca::parallel_reduce_chunks(
      0, 10, 0, [](int& sum, int, int) { ++sum; }, std::plus<double>{});
  // furca: write parallel_reduce_chunks(first, last, 0.0, [&](double& sum, int lo, int hi) { ... }
  x = furca::parallel_reduce_chunks(0, 10, 0.0, [](int, int, double&) {}, plus);
  // furca: write parallel_reduce_chunks(
  static_cast<void>(furca::parallel_reduce_chunks(0, 9, std::unique_ptr<int>(), fold, plus));
  // the operation is given two values as 0.0, and returns one
  x = furca::parallel_reduce_chunks(0, 10, 0.0, fold, [](double& a, double b) { a += b; });
  // for elements side by side, as in a std::vector
  x = furca::parallel_reduce_chunks(d, 0.0, [](double& some, auto part) { some += part[0]; }, plus);
  // for integers
  x = furca::parallel_reduce_chunks(0.0, 9.0, 0.0, [](double&, double, double) {}, plus);
  // furca: write parallel_reduce_chunks(
  x = furca::parallel_reduce_chunks(0, 10, fold, plus, 0.0);
  // furca: write parallel_reduce_chunks(
  x = furca::parallel_reduce_chunks(v.begin(), v.end(), 0.0, fold, plus);
  // furca: write parallel_reduce_chunks(
  x = furca::parallel_reduce_chunks(
      0, 10, 0.0, [](int lo, int hi) { return 1.0 * (hi - lo); }, plus);
  // furca: write parallel_reduce_chunks(
  x = furca::parallel_reduce_chunks(v, 0.0, [](double& sum, double each) { sum += each; }, plus);
  // furca: write parallel_reduce_chunks(
  x = furca::parallel_reduce_chunks(0, 10, 0.0, fold);
  // options stand behind: {.grain = 64,
  x = furca::parallel_reduce_chunks(0, 10, 0.0, fold, plus, 64);
  // options stand behind: {.grain = 64,
  x = furca::parallel_reduce_chunks(0, 10, 0.0, fold, plus, furca::LoopOptions{});
  // nodiscard
  furca::parallel_reduce_chunks(0, 10, 0.0, fold, plus);
  static_cast<void>(x);
}
