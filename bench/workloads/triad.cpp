// The STREAM triad, a = b + s * c over arrays far larger than the caches (J. D. McCalpin, Memory bandwidth and machine balance
// in current high performance computers, 1995), of STREAM's own size unless more is asked for: nothing but memory bandwidth.
#include "../contenders.hpp"
#include "support.hpp"

#include <bit>

namespace bench {
namespace {

class Triad {
 public:
  static constexpr const char* kName = "triad";
  static constexpr const char* kSummary = "a = b + s * c over n doubles, as in STREAM: limited by memory";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) { return {by_effort(effort, 1'000'000, 10'000'000, 30'000'000)}; }

  // Not vectors, which would write everything twice before the first call.
  explicit Triad(const Input& input)
      : n_(input.size),
        a_(std::make_unique_for_overwrite<double[]>(n_)),
        b_(std::make_unique_for_overwrite<double[]>(n_)),
        c_(std::make_unique_for_overwrite<double[]>(n_)) {
    for (std::size_t i = 0; i < n_; ++i) {
      a_[i] = 0;
      b_[i] = static_cast<double>(i % 1000);
      c_[i] = static_cast<double>(i % 77);
    }
  }

  std::uint64_t serial() {
    const double s = s_;
    double* const a = a_.get();
    const double* const b = b_.get();
    const double* const c = c_.get();
    for (std::size_t i = 0; i < n_; ++i) a[i] = b[i] + s * c[i];
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(n_, [s = s_, a = a_.get(), b = b_.get(), c = c_.get()](std::size_t i) { a[i] = b[i] + s * c[i]; });
    return 0;
  }

  std::uint64_t settle(std::uint64_t) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < n_; ++i) hash += mix(i ^ std::bit_cast<std::uint64_t>(a_[i]));
    return hash;
  }

 private:
  double s_ = 3;
  std::size_t n_;
  std::unique_ptr<double[]> a_;
  std::unique_ptr<double[]> b_;
  std::unique_ptr<double[]> c_;
};

const Registration<Triad> kRegistration;

}  // namespace
}  // namespace bench
