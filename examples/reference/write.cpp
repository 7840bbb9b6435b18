// transform, copy, fill, generate, for_each, in use.
#include "../expect.hpp"

#include <furca/write.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace {

//! [OutputRange]
template <furca::OutputRange Range>
void blacken(Range&& range) {
  furca::fill(range, 0);
}
//! [OutputRange]

struct Particle {
  double x = 0;
  double speed = 0;
  std::string name;
};

void transform() {
  const std::vector<Particle> particles(1000, Particle{4, 2, ""});
  std::vector<double> roots(1000);
  //! [transform]
  const auto ends =
      furca::transform(particles, roots, [](double x) { return std::sqrt(x); }, &Particle::x);
  //! [transform]
  examples::expect(ends.in == particles.end() && roots[999] == 2, "the roots of all x");
  const std::vector<double> x(1000, 3);
  std::vector<double> y(1000, 4);
  //! [transform two]
  // an output may be an input
  furca::transform(x, y, y, [](double a, double b) { return 2 * a + b; });
  //! [transform two]
  examples::expect(std::ranges::count(y, 10.0) == 1000, "y += 2 x");
}

void copy() {
  const std::vector<int> all(1000, 1);
  std::vector<int> buffer(300);
  //! [copy]
  const auto ends = furca::copy(all, buffer);  // as many as there is room for
  const auto copied = ends.in - all.begin();
  //! [copy]
  examples::expect(copied == 300, "the rest is still to be copied");
}

void fill() {
  std::vector<float> image(64 * 64, 1);
  //! [fill]
  furca::fill(std::span(image).first(64), 0.5F);  // the first row
  //! [fill]
  examples::expect(image[63] == 0.5F && image[64] == 1, "one row is filled");
  blacken(image);
  examples::expect(std::ranges::count(image, 0.0F) == 64 * 64, "all is clear");
}

void generate() {
  std::vector<int> tickets(100);
  //! [generate]
  std::atomic<int> next{1};
  furca::generate(tickets, [&] { return next++; });  // in any order
  //! [generate]
  std::ranges::sort(tickets);
  examples::expect(tickets.front() == 1 && tickets.back() == 100, "every ticket once");
}

void for_each() {
  std::vector<Particle> particles(100, Particle{1, 2, "p"});
  //! [for_each]
  furca::for_each(particles, [](std::string& name) { name += "!"; }, &Particle::name);
  //! [for_each]
  examples::expect(particles[42].name == "p!", "every name has grown");
}

}  // namespace

int main() {
  transform();
  copy();
  fill();
  generate();
  for_each();
  return examples::unexpected;
}
