// fib(n) by its definition, without cut-off: a fork for every addition, so it measures nothing but
// forks. Twice: g++ inlines the plain recursion into itself, which makes it twice as fast;
// fib-calls has one that makes every call.
#include "../../contenders.hpp"

namespace bench {
namespace {

long plain_fib(long n) { return n < 2 ? n : plain_fib(n - 1) + plain_fib(n - 2); }

[[gnu::noinline]] long called_fib(long n) {
  return n < 2 ? n : called_fib(n - 1) + called_fib(n - 2);
}

template <class Runtime>
long forked_fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = Runtime::join([n] { return forked_fib<Runtime>(n - 1); },
                                    [n] { return forked_fib<Runtime>(n - 2); });
  return a + b;
}

template <bool kCalls>
class Fib {
 public:
  static constexpr const char* kName = kCalls ? "fib-calls" : "fib";
  static constexpr const char* kSummary =
      kCalls ? "fib(n) beside a plain recursion that is not inlined: a fork beside a call"
             : "fib(n) without cut-off, a fork for every addition: what a fork costs";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kJoin | kFineForks;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {effort == Effort::quick    ? std::size_t{25}
            : effort == Effort::normal ? std::size_t{32}
                                       : std::size_t{35}};
  }

  explicit Fib(const Input& input) : n_(static_cast<long>(input.size)) {}

  std::uint64_t serial() const {
    return static_cast<std::uint64_t>(kCalls ? called_fib(n_) : plain_fib(n_));
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    return static_cast<std::uint64_t>(forked_fib<Runtime>(n_));
  }

 private:
  long n_;
};

const Registration<Fib<false>> kRegistration;
const Registration<Fib<true>> kCallsRegistration;

}  // namespace
}  // namespace bench
