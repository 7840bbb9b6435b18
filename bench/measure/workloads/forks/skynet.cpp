// A tree of fan-out ten whose leaves are numbered and summed, without cut-off: forks of ten
// children that do nothing. After A. Temerev's skynet, which makes a million actors or goroutines
// that way.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <array>
#include <numeric>
#include <stdexcept>

namespace bench {
namespace {

constexpr std::size_t kFanOut = 10;

std::uint64_t plain_sum(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kFanOut; ++i)
    sum += plain_sum(first + i * (leaves / kFanOut), leaves / kFanOut);
  return sum;
}

template <class Runtime>
std::uint64_t forked_sum(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  std::array<std::uint64_t, kFanOut> sums;
  Runtime::spawn(kFanOut, [&sums, first, share = leaves / kFanOut](std::size_t i) {
    sums[i] = forked_sum<Runtime>(first + i * share, share);
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

class Skynet {
 public:
  static constexpr const char* kName = "skynet";
  static constexpr const char* kSummary =
      "a tree of fan-out 10 with n numbered leaves, summed without cut-off: what a spawn costs";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kSpawn | kFineForks;
  static std::vector<std::size_t> sizes(Effort effort) {
    if (effort == Effort::full) return {10'000'000, 100'000'000};
    return {effort == Effort::quick ? std::size_t{100'000} : std::size_t{1'000'000}};
  }

  explicit Skynet(const Input& input) : leaves_(input.size) {}

  std::uint64_t serial() const { return checked(plain_sum(0, leaves_)); }

  template <class Runtime>
  std::uint64_t parallel() const {
    return checked(forked_sum<Runtime>(0, leaves_));
  }

 private:
  std::uint64_t checked(std::uint64_t sum) const {
    if (sum != leaves_ * (leaves_ - 1) / 2) throw std::logic_error("skynet: wrong sum");
    return sum;
  }

  std::uint64_t leaves_;
};

const Registration<Skynet> kRegistration;

}  // namespace
}  // namespace bench
