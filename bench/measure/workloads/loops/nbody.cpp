// Bodies that attract each other, all pairs, by the semi-implicit Euler method with softened
// gravity (S. Aarseth, Gravitational N-body simulations, 2003): ten steps, in each a regular loop
// with much arithmetic and little memory.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <bit>
#include <cmath>

namespace bench {
namespace {

constexpr int kSteps = 10;
constexpr double kTimeStep = 0.001;
constexpr double kSoftening = 0.01;

struct Vector {
  double x, y, z;
};

struct Star {
  Vector position;
  Vector velocity;
  double mass;
};

/// A number in [-1, 1).
double noise(std::size_t seed) { return static_cast<double>(mix(seed) >> 11U) * 0x1p-52 - 1; }

std::uint64_t hash_of(const Vector& v) {
  return mix(std::bit_cast<std::uint64_t>(v.x) ^
             mix(std::bit_cast<std::uint64_t>(v.y) ^ mix(std::bit_cast<std::uint64_t>(v.z))));
}

/// The i-th star a step later. Always adds up in the same order, and is never inlined: whether the
/// compiler fuses multiplications with additions, which changes the bits, must not depend on the
/// caller.
[[gnu::noinline]] Star moved(const std::vector<Star>& stars, std::size_t i) {
  Star star = stars[i];
  Vector pull{0, 0, 0};
  for (const Star& other : stars) {
    const Vector d{other.position.x - star.position.x, other.position.y - star.position.y,
                   other.position.z - star.position.z};
    const double square = d.x * d.x + d.y * d.y + d.z * d.z + kSoftening;
    const double strength = other.mass / (square * std::sqrt(square));
    pull.x += strength * d.x;
    pull.y += strength * d.y;
    pull.z += strength * d.z;
  }
  star.velocity.x += kTimeStep * pull.x;
  star.velocity.y += kTimeStep * pull.y;
  star.velocity.z += kTimeStep * pull.z;
  star.position.x += kTimeStep * star.velocity.x;
  star.position.y += kTimeStep * star.velocity.y;
  star.position.z += kTimeStep * star.velocity.z;
  return star;
}

class NBody {
 public:
  static constexpr const char* kName = "nbody";
  static constexpr const char* kSummary =
      "10 steps of n bodies that attract each other, a loop over them in each: even work";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 400, 1'000, 2'000)};
  }

  explicit NBody(const Input& input) : start_(input.size), next_(input.size) {
    for (std::size_t i = 0; i < start_.size(); ++i)
      start_[i] = {
          {noise(4 * i), noise(4 * i + 1), noise(4 * i + 2)}, {0, 0, 0}, 2 + noise(4 * i + 3)};
  }

  std::uint64_t serial() {
    return simulate([this] {
      for (std::size_t i = 0; i < stars_.size(); ++i) next_[i] = moved(stars_, i);
    });
  }

  template <class Runtime>
  std::uint64_t parallel() {
    return simulate([this] {
      Runtime::loop(stars_.size(), [this](std::size_t i) { next_[i] = moved(stars_, i); });
    });
  }

 private:
  template <class Step>
  std::uint64_t simulate(Step step) {
    stars_ = start_;
    for (int done = 0; done < kSteps; ++done) {
      step();
      stars_.swap(next_);
    }
    std::uint64_t hash = 0;
    for (const Star& star : stars_) hash = mix(hash ^ hash_of(star.position));
    return hash;
  }

  std::vector<Star> start_;
  std::vector<Star> stars_;
  std::vector<Star> next_;
};

const Registration<NBody> kRegistration;

}  // namespace
}  // namespace bench
