// The product of two power series up to the n-th coefficient, by the definition: coefficient i is a sum of i + 1 products, so
// equal shares of the iterations are not equal shares of the work.
#include "../contenders.hpp"
#include "support.hpp"

namespace bench {
namespace {

class Triangular {
 public:
  static constexpr const char* kName = "triangular";
  static constexpr const char* kSummary =
      "n coefficients of a product of power series, the i-th costs i: equal parts are unfair";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) { return {by_effort(effort, 3'000, 12'000, 24'000)}; }

  explicit Triangular(const Input& input) : a_(input.size), b_(input.size), product_(input.size) {
    for (std::size_t i = 0; i < input.size; ++i) {
      a_[i] = mix(i);
      b_[i] = mix(~i);
    }
  }

  std::uint64_t serial() {
    for (std::size_t i = 0; i < product_.size(); ++i) product_[i] = coefficient(i);
    return take_hash(product_);
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(product_.size(), [this](std::size_t i) { product_[i] = coefficient(i); });
    return take_hash(product_);
  }

 private:
  std::uint64_t coefficient(std::size_t i) const {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j <= i; ++j) sum += a_[j] * b_[i - j];
    return sum;
  }

  std::vector<std::uint64_t> a_;
  std::vector<std::uint64_t> b_;
  std::vector<std::uint64_t> product_;
};

const Registration<Triangular> kRegistration;

}  // namespace
}  // namespace bench
