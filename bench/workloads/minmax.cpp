// The least and the greatest of many numbers in one pass: an accumulator of two words, an operation that is no addition.
#include "../contenders.hpp"
#include "support.hpp"

#include <algorithm>
#include <limits>

namespace bench {
namespace {

struct Extent {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
};

Extent unite(Extent a, Extent b) { return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)}; }

class MinMax {
 public:
  static constexpr const char* kName = "minmax";
  static constexpr const char* kSummary = "least and greatest of n 64-bit integers: a reduction to a pair";
  static constexpr Group kGroup = Group::reductions;
  static constexpr Operations kUses = kReduce;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, std::size_t{1} << 20U, std::size_t{1} << 24U, std::size_t{1} << 25U)};
  }

  // Not a vector, which would write everything twice.
  explicit MinMax(const Input& input) : n_(input.size), x_(std::make_unique_for_overwrite<std::int64_t[]>(n_)) {
    for (std::size_t i = 0; i < n_; ++i) x_[i] = static_cast<std::int64_t>(mix(i));
  }

  std::uint64_t serial() const {
    const std::int64_t* const x = x_.get();
    Extent extent;
    for (std::size_t i = 0; i < n_; ++i) extent = unite(extent, {x[i], x[i]});
    return outcome(extent);
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    const auto element = [x = x_.get()](std::size_t i) { return Extent{x[i], x[i]}; };
    return outcome(Runtime::reduce(n_, Extent{}, element, [](Extent a, Extent b) { return unite(a, b); }));
  }

 private:
  static std::uint64_t outcome(Extent extent) {
    return mix(static_cast<std::uint64_t>(extent.least)) ^ static_cast<std::uint64_t>(extent.greatest);
  }

  std::size_t n_;
  std::unique_ptr<std::int64_t[]> x_;
};

const Registration<MinMax> kRegistration;

}  // namespace
}  // namespace bench
