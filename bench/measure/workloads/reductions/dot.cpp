// The dot product of two long vectors of floats, added up in doubles: dsdot (C. Lawson et al.,
// Basic linear algebra subprograms for Fortran usage, 1979).
#include "../../contenders.hpp"
#include "../support.hpp"

#include <bit>

namespace bench {
namespace {

class Dot {
 public:
  static constexpr const char* kName = "dot";
  static constexpr const char* kSummary =
      "dot product of two vectors of n floats, in doubles: a reduction that reads two arrays";
  static constexpr Group kGroup = Group::reductions;
  static constexpr Operations kUses = kReduce;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, std::size_t{1} << 20U, std::size_t{1} << 24U, std::size_t{1} << 25U)};
  }

  // Whole numbers: every partial sum is exact, so every order gives the serial run's bits. Not
  // vectors, which would write everything twice.
  explicit Dot(const Input& input)
      : n_(input.size),
        x_(std::make_unique_for_overwrite<float[]>(n_)),
        y_(std::make_unique_for_overwrite<float[]>(n_)) {
    for (std::size_t i = 0; i < n_; ++i) {
      const std::uint64_t noise = mix(i);
      x_[i] = static_cast<float>(noise % 1024);
      y_[i] = static_cast<float>((noise >> 32U) % 1024);
    }
  }

  std::uint64_t serial() const {
    const float* const x = x_.get();
    const float* const y = y_.get();
    double total = 0;
    for (std::size_t i = 0; i < n_; ++i) total += product(x[i], y[i]);
    return std::bit_cast<std::uint64_t>(total);
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    const auto term = [x = x_.get(), y = y_.get()](std::size_t i) { return product(x[i], y[i]); };
    return std::bit_cast<std::uint64_t>(Runtime::reduce(n_, 0.0, term, std::plus<>{}));
  }

 private:
  static double product(float x, float y) {
    return static_cast<double>(x) * static_cast<double>(y);
  }

  std::size_t n_;
  std::unique_ptr<float[]> x_;
  std::unique_ptr<float[]> y_;
};

const Registration<Dot> kRegistration;

}  // namespace
}  // namespace bench
