// A loop whose iterations' costs are Pareto distributed with alpha = 1.16, the "80/20 rule": most
// are far cheaper than the mean of 5 us, a few cost hundreds of times as much, and nothing in their
// order tells which.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <cmath>
#include <numeric>

namespace bench {
namespace {

class Pareto {
 public:
  static constexpr const char* kName = "pareto";
  static constexpr const char* kSummary =
      "a loop of n iterations of 5 us on average, Pareto distributed: a few take most of the time";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 1'000, 20'000, 60'000)};
  }

  explicit Pareto(const Input& input) : spins_(input.size), out_(input.size) {
    constexpr double kAlpha = 1.16;
    constexpr double kMeanMs = 0.005;
    std::vector<double> costs(input.size);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const double uniform =
          (static_cast<double>(mix(i) >> 12U) + 0.5) * 0x1p-52;  // above 0 and below 1
      costs[i] = std::pow(uniform, -1 / kAlpha);
    }
    // The mean of so few heavy-tailed samples is far from the distribution's, so they are scaled by
    // their own.
    const double mean =
        std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
    const double scale = kMeanMs * static_cast<double>(input.spins_per_ms) / mean;
    for (std::size_t i = 0; i < costs.size(); ++i)
      spins_[i] = static_cast<std::uint64_t>(scale * costs[i]);
  }

  std::uint64_t serial() {
    for (std::size_t i = 0; i < spins_.size(); ++i) out_[i] = busy_work(i, spins_[i]);
    return take_hash(out_);
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(spins_.size(), [spins = spins_.data(), out = out_.data()](std::size_t i) {
      out[i] = busy_work(i, spins[i]);
    });
    return take_hash(out_);
  }

 private:
  std::vector<std::uint64_t> spins_;
  std::vector<std::uint64_t> out_;
};

const Registration<Pareto> kRegistration;

}  // namespace
}  // namespace bench
