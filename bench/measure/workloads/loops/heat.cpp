// Heat spreading over a plate, by Jacobi's iteration with the five-point stencil: hundreds of short
// loops over the rows, each of which needs the one before it done.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <bit>

namespace bench {
namespace {

constexpr std::size_t kSteps = 200;

/// A row's new temperatures from the old ones, which lie in rows of n. The plate's edges stay as
/// they are.
void relax_row(const double* old, double* fresh, std::size_t row, std::size_t n) {
  const double* const here = old + row * n;
  double* const out = fresh + row * n;
  for (std::size_t i = 1; i + 1 < n; ++i)
    out[i] = 0.25 * (here[i - 1] + here[i + 1] + (here - n)[i] + (here + n)[i]);
}

class Heat {
 public:
  static constexpr const char* kName = "heat";
  static constexpr const char* kSummary =
      "200 steps of heat on an n x n plate, a loop over the rows in each: many short loops in a "
      "row";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 256, 512, 1024)};
  }

  explicit Heat(const Input& input) : n_(input.size), start_(n_ * n_) {
    for (std::size_t i = 0; i < start_.size(); ++i) start_[i] = static_cast<double>(mix(i) % 1000);
    even_ = odd_ = start_;
  }

  std::uint64_t serial() {
    simulate([n = n_](const double* old, double* fresh) {
      for (std::size_t row = 1; row + 1 < n; ++row) relax_row(old, fresh, row, n);
    });
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() {
    simulate([n = n_](const double* old, double* fresh) {
      Runtime::loop(n - 2, [n, old, fresh](std::size_t i) { relax_row(old, fresh, i + 1, n); });
    });
    return 0;
  }

  std::uint64_t settle(std::uint64_t) const {
    std::uint64_t hash = 0;
    for (const double temperature : even_)
      hash = mix(hash ^ std::bit_cast<std::uint64_t>(temperature));
    return hash;
  }

 private:
  template <class Step>
  void simulate(Step step) {
    const double* old = start_.data();
    for (std::size_t done = 1; done <= kSteps; ++done) {
      double* const fresh = done % 2 == 0 ? even_.data() : odd_.data();
      step(old, fresh);
      old = fresh;
    }
  }
  static_assert(kSteps % 2 == 0, "the last step writes even_");

  std::size_t n_;
  std::vector<double> start_;  // never written: every call begins with it
  std::vector<double> even_;
  std::vector<double> odd_;
};

const Registration<Heat> kRegistration;

}  // namespace
}  // namespace bench
