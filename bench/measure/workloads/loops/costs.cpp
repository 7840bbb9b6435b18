// Loops by what an iteration costs, from a nanosecond to a millisecond, and by how the cost is
// spread over the iterations: is there any loop for which somebody should have chosen a grain? The
// size of a row is the cost in nanoseconds, not the number of iterations, which are as many as make
// milliseconds. It is nominal: a processor overlaps iterations that are shorter than 100 ns or so,
// and mispredicts the ends of those whose costs differ.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {
namespace {

// A distribution's weight(i) is what iteration i costs; all are scaled so that their mean is as
// wanted. longest(n) of n then takes as long as all others together: half of the work, in one
// piece.
struct Uniform {
  static constexpr const char* kName = "cost-uniform";
  static constexpr const char* kSummary = "iterations of n ns each: must anybody choose a grain?";
  static double weight(std::size_t) { return 1; }
};

struct Pareto {
  static constexpr const char* kName = "cost-pareto";
  static constexpr const char* kSummary =
      "iterations of n ns on average, Pareto distributed: a few take most of the time";
  static double weight(std::size_t i) {
    const double uniform =
        (static_cast<double>(mix(i) >> 12U) + 0.5) * 0x1p-52;  // above 0 and below 1
    return std::pow(uniform, -1 / 1.16);
  }
};

struct Ramp {
  static constexpr const char* kName = "cost-ramp";
  static constexpr const char* kSummary =
      "iterations of n ns on average, the i-th costs i: halves are not equal";
  static double weight(std::size_t i) { return static_cast<double>(i) + 0.5; }
};

struct First : Uniform {
  static constexpr const char* kName = "cost-first";
  static constexpr const char* kSummary =
      "iterations of n ns each, but the first is as long as the rest: is the rest shared?";
  static std::size_t longest(std::size_t) { return 0; }
};

struct Middle : Uniform {
  static constexpr const char* kName = "cost-middle";
  static constexpr const char* kSummary =
      "iterations of n ns each, but one in the middle is as long as the rest: is that shared?";
  static std::size_t longest(std::size_t n) { return n / 2; }
};

struct Last : Uniform {
  static constexpr const char* kName = "cost-last";
  static constexpr const char* kSummary =
      "iterations of n ns each, but the last is as long as the rest: is it begun in time?";
  static std::size_t longest(std::size_t n) { return n - 1; }
};

/// The loop itself, which is the same for all distributions, and compiled once.
class CostLoop {
 public:
  std::uint64_t serial() {
    for (std::size_t i = 0; i < spins_.size(); ++i) out_[i] += work(i, spins_[i]);
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(spins_.size(), [spins = spins_.data(), out = out_.data()](std::size_t i) {
      out[i] += work(i, spins[i]);
    });
    return 0;
  }

  std::uint64_t settle(std::uint64_t calls) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t sum : out_) hash = mix(hash ^ (sum / calls));
    return hash;
  }

 protected:
  explicit CostLoop(std::size_t n) : spins_(n), out_(n) {}

  std::vector<long> spins_;

 private:
  /// Below 2^32, so that out_ can add up as many calls as one likes: a hash in each call would take
  /// longer than the short loops.
  static std::uint64_t work(std::size_t i, long spins) {
    return busy_work(i, static_cast<std::uint64_t>(spins)) >> 32U;
  }

  std::vector<std::uint64_t> out_;
};

template <class Distribution>
class Costs : public CostLoop {
 public:
  static constexpr const char* kName = Distribution::kName;
  static constexpr const char* kSummary = Distribution::kSummary;
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) {
    if (effort != Effort::full) return {};
    return {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};
  }

  explicit Costs(const Input& input) : CostLoop(iterations(input.size)) {
    const std::size_t n = spins_.size();
    std::vector<double> weights(n);
    for (std::size_t i = 0; i < n; ++i) weights[i] = Distribution::weight(i);
    const double mean =
        std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(n);
    const double mean_spins =
        static_cast<double>(input.size) * static_cast<double>(input.spins_per_ms) * 1e-6;
    for (std::size_t i = 0; i < n; ++i)
      spins_[i] = std::max(1L, std::lround(mean_spins * weights[i] / mean));
    if constexpr (requires { Distribution::longest(n); })
      spins_[Distribution::longest(n)] = std::accumulate(spins_.begin(), spins_.end(), 0L);
  }

 private:
  /// Four milliseconds' worth, but no more than the caches hold and no fewer than there is
  /// something to share.
  static std::size_t iterations(std::size_t ns) {
    return std::clamp<std::size_t>(4'000'000 / ns, 32, 100'000);
  }
};

const Registration<Costs<Uniform>> kUniform;
const Registration<Costs<Pareto>> kParetoCosts;
const Registration<Costs<Ramp>> kRamp;
const Registration<Costs<First>> kFirst;
const Registration<Costs<Middle>> kMiddle;
const Registration<Costs<Last>> kLast;

}  // namespace
}  // namespace bench
