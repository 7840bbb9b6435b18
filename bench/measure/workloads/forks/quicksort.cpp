// Quicksort of skewed keys: those equal to the pivot are done with a partition into three, and the
// two sides left are rarely of the same size. Hoare, Quicksort, 1962; the pivot as Bentley and
// McIlroy, Engineering a sort function, 1993. Beside std::sort.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// As many keys as are worth no fork.
constexpr std::ptrdiff_t kCutOff = 4096;

std::uint32_t median(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

std::uint32_t ninther(const std::uint32_t* begin, std::ptrdiff_t size) {
  const std::ptrdiff_t step = size / 9;
  const auto median_from = [&](std::ptrdiff_t i) {
    return median(begin[i * step], begin[(i + 1) * step], begin[(i + 2) * step]);
  };
  return median(median_from(0), median_from(3), median_from(6));
}

template <class Runtime>
void quicksort(std::uint32_t* begin, std::uint32_t* end) {
  if (end - begin <= kCutOff) {
    std::sort(begin, end);
    return;
  }
  const std::uint32_t pivot = ninther(begin, end - begin);
  std::uint32_t* const equal =
      std::partition(begin, end, [pivot](std::uint32_t key) { return key < pivot; });
  std::uint32_t* const greater =
      std::partition(equal, end, [pivot](std::uint32_t key) { return key == pivot; });
  Runtime::join([=] { quicksort<Runtime>(begin, equal); },
                [=] { quicksort<Runtime>(greater, end); });
}

class QuickSort {
 public:
  static constexpr const char* kName = "quicksort";
  static constexpr const char* kSummary =
      "quicksort of n keys with many equal ones, beside std::sort: forks of uneven size";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kJoin;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 1U << 16U, 1U << 20U, 1U << 22U)};
  }

  // n to the power of an evenly distributed number: how often key k comes goes about as 1 / k
  // (Zipf).
  explicit QuickSort(const Input& input) : in_(input.size), out_(input.size) {
    const double log_size = std::log2(static_cast<double>(input.size));
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const double even = static_cast<double>(mix(i) >> 11U) * 0x1p-53;
      in_[i] = static_cast<std::uint32_t>(std::exp2(even * log_size));
    }
  }

  std::uint64_t serial() {
    std::copy(in_.begin(), in_.end(), out_.begin());
    std::sort(out_.begin(), out_.end());
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() {
    std::copy(in_.begin(), in_.end(), out_.begin());
    quicksort<Runtime>(out_.data(), out_.data() + out_.size());
    return 0;
  }

  std::uint64_t settle(std::uint64_t) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t key : out_) hash = mix(hash ^ key);
    return hash;
  }

 private:
  std::vector<std::uint32_t> in_;
  std::vector<std::uint32_t> out_;
};

const Registration<QuickSort> kRegistration;

}  // namespace
}  // namespace bench
