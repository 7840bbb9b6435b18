// y += a * x, from one element to more than the caches hold: what a loop costs that is too short to
// share, and what it gains when it is long. Twice, as in empty.cpp: called back to back, and after
// a rest.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <bit>

namespace bench {
namespace {

template <bool kRested>
class Axpy {
 public:
  static constexpr const char* kName = kRested ? "axpy-rested" : "axpy";
  static constexpr const char* kSummary =
      kRested ? "y += a * x over n doubles after 2 ms of rest: what it costs to wake a thread"
              : "y += a * x over n doubles, back to back: from which size on does a loop gain?";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static constexpr double kRestMs = kRested ? 2 : 0;
  static std::vector<std::size_t> sizes(Effort effort) {
    return effort == Effort::full ? fine_sweep(kRested ? 10'000 : 10'000'000) : sweep(effort);
  }

  // Small whole numbers and a = 1/2: no sum is ever rounded, so settle() can undo any number of
  // calls exactly.
  explicit Axpy(const Input& input) : x_(input.size), y_(input.size) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = static_cast<double>(i % 8);
      y_[i] = start(i);
    }
  }

  std::uint64_t serial() {
    const double a = a_;
    const double* const x = x_.data();
    double* const y = y_.data();
    for (std::size_t i = 0; i < x_.size(); ++i) y[i] += a * x[i];
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(x_.size(),
                  [a = a_, x = x_.data(), y = y_.data()](std::size_t i) { y[i] += a * x[i]; });
    return 0;
  }

  std::uint64_t settle(std::uint64_t calls) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double added_per_call = (y_[i] - start(i)) / static_cast<double>(calls);
      hash = 31 * hash + std::bit_cast<std::uint64_t>(added_per_call);
    }
    return hash;
  }

 private:
  static double start(std::size_t i) { return static_cast<double>(i % 13); }

  double a_ = 0.5;
  std::vector<double> x_;
  std::vector<double> y_;
};

const Registration<Axpy<false>> kRegistration;
const Registration<Axpy<true>> kRestedRegistration;

}  // namespace
}  // namespace bench
