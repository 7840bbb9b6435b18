// Heat spreading on a square plate with cold edges: thousands of loops in a row, each of them a few
// microseconds to a few tens.
//
// For a plate of n by n points and each step: work O(n^2), span O(n), since one row is never split.
// Nothing is to be won here but by loops that start and end at little cost.
//
// It begins as the plate's slowest mode, one hill from edge to edge. Of that the k-th step is known
// exactly: the same hill times (1 - 8 r sin^2(pi h / 2))^k, with h the distance of the points. What
// to look at: the temperature in the middle.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>
#include <vector>

namespace {

constexpr double kRate = 0.2;  // r: diffusivity * time step / h^2; stable up to 1/4

/// The plate now and one step later, row by row, edges included. Those are never written.
struct Plate {
  explicit Plate(std::size_t points) : n(points), now(n * n), next(n * n) {
    const double h = std::numbers::pi / static_cast<double>(n - 1);
    for (std::size_t y = 1; y < n - 1; ++y)
      for (std::size_t x = 1; x < n - 1; ++x)
        now[y * n + x] =
            std::sin(h * static_cast<double>(y)) * std::sin(h * static_cast<double>(x));
  }

  std::size_t n;
  std::vector<double> now;
  std::vector<double> next;
};

/// Not inlined, so that serial and parallel run the same instructions and round alike.
[[gnu::noinline]] void step_row(Plate& plate, std::size_t y) {
  const std::size_t n = plate.n;
  const double* const row = plate.now.data() + y * n;
  double* const next = plate.next.data() + y * n;
  for (std::size_t x = 1; x < n - 1; ++x) {
    const double around = row[x - 1] + row[x + 1] + row[x - n] + row[x + n];
    next[x] = row[x] + kRate * (around - 4 * row[x]);
  }
}

void spread_serially(Plate& plate, std::size_t steps) {
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t y = 1; y < plate.n - 1; ++y) step_row(plate, y);
    std::swap(plate.now, plate.next);
  }
}

void spread_in_parallel(Plate& plate, std::size_t steps) {
  for (std::size_t k = 0; k < steps; ++k) {
    furca::parallel_for(std::size_t{1}, plate.n - 1, [&](std::size_t y) { step_row(plate, y); });
    std::swap(plate.now, plate.next);
  }
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(
      argc, argv,
      "usage: heat [--size N] [--steps K]\n"
      "Lets heat spread on a plate of N by N points (default 257) for K steps (default 20000).\n");
  const std::size_t n = arguments.option("--size", 257, 3, 10'000);
  const std::size_t steps = arguments.option("--steps", 20'000, 1, 100'000'000);
  arguments.done();

  Plate serial(n);
  Plate parallel(n);
  const double top = serial.now[n / 2 * n + n / 2];
  const double serial_time = examples::seconds([&] { spread_serially(serial, steps); });
  const double parallel_time = examples::seconds([&] { spread_in_parallel(parallel, steps); });
  if (serial.now != parallel.now)
    return examples::disagreement("some point's temperature, in some bit");

  const double sine = std::sin(0.5 * std::numbers::pi / static_cast<double>(n - 1));
  const double expected = top * std::pow(1 - 8 * kRate * sine * sine, static_cast<double>(steps));
  const double middle = parallel.now[n / 2 * n + n / 2];
  std::printf("%zu x %zu points, %zu steps: %.9f in the middle, by theory %.9f\n", n, n, steps,
              middle, expected);
  std::printf("a step took %.1f us serially, %.1f us with furca\n",
              1e6 * serial_time / static_cast<double>(steps),
              1e6 * parallel_time / static_cast<double>(steps));
  examples::print_comparison(serial_time, parallel_time);
  if (std::abs(middle - expected) < 1e-9) return 0;
  std::fprintf(stderr, "error: the temperature in the middle is not what theory says\n");
  return 1;
}
