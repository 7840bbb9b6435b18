// The Mandelbrot set by escape time (B. Mandelbrot, 1980), in a loop over the rows of an image: a
// row through the set costs many times what one beside it does, and the expensive rows are
// neighbours.
#include "../../contenders.hpp"
#include "../support.hpp"

namespace bench {
namespace {

constexpr unsigned kMostSteps = 256;

/// After how many steps z -> z^2 + c leaves the circle of radius 2.
unsigned escape_time(double re, double im) {
  double x = 0;
  double y = 0;
  unsigned steps = 0;
  while (steps < kMostSteps && x * x + y * y <= 4) {
    const double next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
    ++steps;
  }
  return steps;
}

/// A hash of the row's pixels. Never inlined: whether the compiler fuses multiplications with
/// additions, which changes the bits, must not depend on the caller.
[[gnu::noinline]] std::uint64_t draw_row(std::size_t row, std::size_t n) {
  const double pixel = 2.5 / static_cast<double>(n);
  const double im = static_cast<double>(row) * pixel - 1.25;
  std::uint64_t hash = 0;
  for (std::size_t column = 0; column < n; ++column)
    hash = mix(hash ^ escape_time(static_cast<double>(column) * pixel - 2, im));
  return hash;
}

class Mandelbrot {
 public:
  static constexpr const char* kName = "mandelbrot";
  static constexpr const char* kSummary =
      "the rows of an n x n image of the Mandelbrot set: iterations of very different cost";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 256, 512, 1024)};
  }

  explicit Mandelbrot(const Input& input) : rows_(input.size) {}

  std::uint64_t serial() {
    for (std::size_t row = 0; row < rows_.size(); ++row) rows_[row] = draw_row(row, rows_.size());
    return take_hash(rows_);
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(rows_.size(),
                  [this](std::size_t row) { rows_[row] = draw_row(row, rows_.size()); });
    return take_hash(rows_);
  }

 private:
  std::vector<std::uint64_t> rows_;
};

const Registration<Mandelbrot> kRegistration;

}  // namespace
}  // namespace bench
