// A loop of few iterations of very unequal cost, 1 to 5 ms: is the work shared evenly?
#include "../../contenders.hpp"
#include "../support.hpp"

namespace bench {
namespace {

class Unbalanced {
 public:
  static constexpr const char* kName = "unbalanced";
  static constexpr const char* kSummary =
      "a loop of n iterations that take 1 ms to 5 ms each: so few that the last ones count";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) { return {by_effort(effort, 8, 32, 64)}; }

  explicit Unbalanced(const Input& input) : spins_(input.size), out_(input.size) {
    for (std::size_t i = 0; i < spins_.size(); ++i)
      spins_[i] = input.spins_per_ms * (1000 + mix(i) % 4001) / 1000;
  }

  std::uint64_t serial() {
    for (std::size_t i = 0; i < spins_.size(); ++i) out_[i] = busy_work(i, spins_[i]);
    return take_hash(out_);
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(spins_.size(), [this](std::size_t i) { out_[i] = busy_work(i, spins_[i]); });
    return take_hash(out_);
  }

 private:
  std::vector<std::uint64_t> spins_;
  std::vector<std::uint64_t> out_;
};

const Registration<Unbalanced> kRegistration;

}  // namespace
}  // namespace bench
