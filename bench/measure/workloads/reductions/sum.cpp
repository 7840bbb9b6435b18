// The sum of many doubles: each runtime's reduction with its defaults, which for furca means the
// aligned tree.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <bit>

namespace bench {
namespace {

class Sum {
 public:
  static constexpr const char* kName = "sum";
  static constexpr const char* kSummary = "sum of n doubles: the simplest reduction";
  static constexpr Group kGroup = Group::reductions;
  static constexpr Operations kUses = kReduce;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 1U << 20U, 1U << 24U, 1U << 25U)};
  }

  // Multiples of 1/1024 below 1: every partial sum is exact, so every order gives the serial run's
  // bits.
  explicit Sum(const Input& input) : x_(input.size) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<double>(mix(i) % 1024) / 1024;
  }

  std::uint64_t serial() const {
    double total = 0;
    for (const double x : x_) total += x;
    return std::bit_cast<std::uint64_t>(total);
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    const auto element = [x = x_.data()](std::size_t i) { return x[i]; };
    return std::bit_cast<std::uint64_t>(Runtime::reduce(x_.size(), 0.0, element, std::plus<>{}));
  }

 private:
  std::vector<double> x_;
};

const Registration<Sum> kRegistration;

}  // namespace
}  // namespace bench
