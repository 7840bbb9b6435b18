// A loop that does nothing: what remains is what the loop itself costs, from one iteration to ten
// million. Twice: called back to back, when a runtime's threads may still be looking for work, and
// after a rest, when they may have gone to sleep.
#include "../../contenders.hpp"
#include "../support.hpp"

namespace bench {
namespace {

/// Nothing, but for each i: without it the compiler would drop the loop.
inline void touch(std::size_t i) { __asm__ __volatile__("" : : "r"(i)); }

template <bool kRested>
class Empty {
 public:
  static constexpr const char* kName = kRested ? "empty-rested" : "empty";
  static constexpr const char* kSummary =
      kRested ? "a loop of n empty iterations after 2 ms of rest: what waking a thread costs"
              : "a loop of n empty iterations, back to back: what the loop itself costs";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static constexpr double kRestMs = kRested ? 2 : 0;
  static std::vector<std::size_t> sizes(Effort effort) { return sweep(effort); }

  explicit Empty(const Input& input) : n_(input.size) {}

  std::uint64_t serial() const {
    for (std::size_t i = 0; i < n_; ++i) touch(i);
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    Runtime::loop(n_, [](std::size_t i) { touch(i); });
    return 0;
  }

 private:
  std::size_t n_;
};

const Registration<Empty<false>> kRegistration;
const Registration<Empty<true>> kRestedRegistration;

}  // namespace
}  // namespace bench
