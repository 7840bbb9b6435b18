// Gravity between all pairs of bodies of a star cluster: a loop of equal, heavy iterations, and
// beside it one of light ones.
//
// For n bodies and each step: work O(n^2), span O(n), since one body's sum is never split.
//
// The cluster is a Plummer sphere in equilibrium (Aarseth, Henon, Wielen: A comparison of numerical
// methods for the study of star cluster dynamics, 1974), in units in which its energy is -1/4. What
// to look at: about that energy, and that it stays.
// Rounding and softening cost a little, and so do few bodies, since they are drawn at random.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace {

struct Vec {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vec&) const = default;
  friend Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec operator*(double s, Vec v) { return {s * v.x, s * v.y, s * v.z}; }
};

double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Body {
  Vec position, velocity, acceleration;
  bool operator==(const Body&) const = default;
};

/// All masses are 1 / n.
using Cluster = std::vector<Body>;

constexpr double kTimeStep = 1.0 / 1024;
constexpr double kSoftening = 1e-3;  // added to squared distances: no force is infinite

Cluster plummer_sphere(std::size_t n) {
  std::mt19937_64 random(1974);
  const auto uniform = [&random](double least, double most) {
    return std::uniform_real_distribution(least, most)(random);
  };
  const auto in_any_direction = [&uniform](double length) {
    const double z = uniform(-1, 1);
    const double angle = uniform(0, 2 * std::numbers::pi);
    const double across = std::sqrt(1 - z * z);
    return length * Vec{across * std::cos(angle), across * std::sin(angle), z};
  };
  constexpr double kScale = 3 * std::numbers::pi / 16;
  Cluster bodies(n);
  for (Body& body : bodies) {
    const double radius = 1 / std::sqrt(std::pow(uniform(0.001, 0.999), -2.0 / 3) - 1);
    double share = 0;  // of the speed of escape, by rejection
    do share = uniform(0, 1);
    while (uniform(0, 0.1) > share * share * std::pow(1 - share * share, 3.5));
    body.position = in_any_direction(kScale * radius);
    body.velocity =
        in_any_direction(share * std::sqrt(2 / kScale) * std::pow(1 + radius * radius, -0.25));
  }
  return bodies;
}

// What a step consists of is not inlined, so that serial and parallel run the same instructions and
// round alike.

/// What all bodies together do to body i.
[[gnu::noinline]] Vec pull_on(const std::vector<Vec>& positions, std::size_t i) {
  Vec sum;
  for (const Vec& other : positions) {
    const Vec to = other - positions[i];
    const double squared = dot(to, to) + kSoftening;
    sum = sum + 1 / (squared * std::sqrt(squared)) * to;
  }
  return 1 / static_cast<double>(positions.size()) * sum;
}

/// Half a kick, then the flight of one time step.
[[gnu::noinline]] void fly(Body& body, Vec& position) {
  body.velocity = body.velocity + 0.5 * kTimeStep * body.acceleration;
  position = body.position = body.position + kTimeStep * body.velocity;
}

/// The other half, by the pull at the new place.
[[gnu::noinline]] void kick(Body& body, Vec pull) {
  body.acceleration = pull;
  body.velocity = body.velocity + 0.5 * kTimeStep * pull;
}

/// Leapfrog steps; `loop(n, f)` calls f(i) for all i < n.
template <class Loop>
void simulate(Cluster& bodies, std::size_t steps, Loop loop) {
  // apart from what is written beside them, and close together
  std::vector<Vec> positions(bodies.size());
  loop(bodies.size(), [&](std::size_t i) { positions[i] = bodies[i].position; });
  loop(bodies.size(), [&](std::size_t i) { bodies[i].acceleration = pull_on(positions, i); });
  for (std::size_t step = 0; step < steps; ++step) {
    loop(bodies.size(), [&](std::size_t i) { fly(bodies[i], positions[i]); });
    loop(bodies.size(), [&](std::size_t i) { kick(bodies[i], pull_on(positions, i)); });
  }
}

double energy(const Cluster& bodies) {
  const double mass = 1 / static_cast<double>(bodies.size());
  const auto energy_of = [&](std::size_t i) {
    double potential = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const Vec to = bodies[j].position - bodies[i].position;
      potential -= mass * mass / std::sqrt(dot(to, to) + kSoftening);
    }
    return 0.5 * mass * dot(bodies[i].velocity, bodies[i].velocity) + potential;
  };
  return furca::parallel_reduce(0, bodies.size(), 0.0, energy_of, std::plus<>{});
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: nbody [BODIES] [STEPS]\n"
                                "Lets a cluster of BODIES (default 2000) move for STEPS of 1/1024 "
                                "time unit each (default 30).\n");
  const std::size_t n = arguments.number("BODIES", 2000, 2, 1'000'000);
  const std::size_t steps = arguments.number("STEPS", 30, 1, 1'000'000);
  arguments.done();

  const Cluster start = plummer_sphere(n);
  Cluster serial = start;
  Cluster parallel = start;
  const double serial_time = examples::seconds([&] {
    simulate(serial, steps, [](std::size_t count, auto&& body) {
      for (std::size_t i = 0; i < count; ++i) body(i);
    });
  });
  const double parallel_time = examples::seconds([&] {
    simulate(parallel, steps,
             [](std::size_t count, auto&& body) { furca::parallel_for(0, count, body); });
  });
  if (serial != parallel)
    return examples::disagreement("some body's place or velocity, in some bit");

  // The sum of a reduction has the same bits on any number of threads.
  const double before = energy(start);
  const double after = energy(parallel);
  furca::ThreadPool alone({.threads = 1});
  if (alone.install([&] { return energy(serial); }) != after)
    return examples::disagreement("the energy, in some bit");

  std::printf("%zu bodies, %zu steps: energy %.9f before, %.9f after\n", n, steps, before, after);
  examples::print_comparison(serial_time, parallel_time);
  return 0;
}
