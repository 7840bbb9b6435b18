// The code of random_numbers.md.
#include "../expect.hpp"

#include <furca/algorithms.hpp>
#include <furca/thread_pool.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

// number i of the sequence of SplitMix64
std::uint64_t random_at(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

double from_zero_to_one(std::uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

std::vector<double> noise(std::size_t n, std::uint64_t seed) {
  return furca::tabulate(n, [=](std::size_t i) { return from_zero_to_one(random_at(seed, i)); });
}

class Sequence {  // fits the distributions of <random>
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  Sequence(std::uint64_t seed, std::uint64_t i) : start_(random_at(seed, i)) {}
  result_type operator()() { return random_at(start_, next_++); }

 private:
  std::uint64_t start_;
  std::uint64_t next_ = 0;
};

std::size_t steps_to_leave(std::size_t walkers, std::uint64_t seed) {
  return furca::parallel_reduce(std::size_t{0}, walkers, std::size_t{0}, [=](std::size_t i) {
    Sequence random(seed, i);
    std::uniform_int_distribution<int> coin(0, 1);
    std::size_t steps = 0;
    for (int place = 0; std::abs(place) < 10; ++steps) place += coin(random) == 1 ? 1 : -1;
    return steps;
  });
}

void fill_by_blocks(std::vector<double>& values, std::uint64_t seed) {
  constexpr std::size_t block = 10'000;
  furca::parallel_for(std::size_t{0}, (values.size() + block - 1) / block, [&](std::size_t k) {
    std::mt19937_64 generator(random_at(seed, k));
    for (std::size_t i = k * block; i < std::min(values.size(), (k + 1) * block); ++i)
      values[i] = from_zero_to_one(generator());
  });
}

}  // namespace

int main() {
  const std::vector<double> some = noise(100'000, 1);
  const std::size_t steps = steps_to_leave(1'000, 2);
  std::vector<double> blocks(25'000);
  fill_by_blocks(blocks, 3);
  furca::ThreadPool(furca::Config{.threads = 1}).install([&] {
    examples::expect(noise(100'000, 1) == some, "the same numbers on one thread");
    examples::expect(steps_to_leave(1'000, 2) == steps, "the same walks");
    std::vector<double> again(25'000);
    fill_by_blocks(again, 3);
    examples::expect(again == blocks, "the same blocks");
  });
  examples::expect(std::abs(furca::parallel_reduce(some, 0.0) / 100'000 - 0.5) < 0.01,
                   "half on average");
  examples::expect(steps > 90'000 && steps < 110'000, "a hundred steps on average");
  return examples::unexpected;
}
