// How often each byte occurs: a reduction whose accumulator is an array of two kilobytes, added to
// in place.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace bench {
namespace {

using Bins = std::array<std::uint64_t, 256>;

Bins add(Bins into, const Bins& from) {
  for (std::size_t bin = 0; bin < into.size(); ++bin) into[bin] += from[bin];
  return into;
}

class Histogram {
 public:
  static constexpr const char* kName = "histogram";
  static constexpr const char* kSummary =
      "how often each of 256 values occurs among n bytes: a reduction to an array";
  static constexpr Group kGroup = Group::reductions;
  static constexpr Operations kUses = kReduce;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, std::size_t{1} << 22U, std::size_t{1} << 26U, std::size_t{1} << 27U)};
  }

  explicit Histogram(const Input& input) : bytes_(input.size) {
    for (std::size_t i = 0; i < bytes_.size(); i += sizeof(std::uint64_t)) {
      const std::uint64_t noise = mix(i);
      std::memcpy(&bytes_[i], &noise, std::min(sizeof noise, bytes_.size() - i));
    }
  }

  std::uint64_t serial() const {
    Bins bins{};
    for (const std::uint8_t byte : bytes_) ++bins[byte];
    return outcome(bins);
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    const auto count = [bytes = bytes_.data()](Bins& bins, std::size_t i) { ++bins[bytes[i]]; };
    return outcome(Runtime::reduce(bytes_.size(), Bins{}, count, add));
  }

 private:
  static std::uint64_t outcome(const Bins& bins) {
    std::uint64_t hash = 0;
    for (const std::uint64_t bin : bins) hash = mix(hash ^ bin);
    return hash;
  }

  std::vector<std::uint8_t> bytes_;
};

const Registration<Histogram> kRegistration;

}  // namespace
}  // namespace bench
