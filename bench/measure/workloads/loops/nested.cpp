// A loop inside a loop, both parallel: n times n iterations of some 20 ns. The outer loop alone is
// parallelism enough, so what it shows is what the inner loops cost that nobody needs to share.
// OpenMP's are serial unless one asks for more, and stay so here.
#include "../../contenders.hpp"
#include "../support.hpp"

namespace bench {
namespace {

class Nested {
 public:
  static constexpr const char* kName = "nested";
  static constexpr const char* kSummary =
      "n x n small iterations, a parallel loop inside a parallel loop: what nesting costs";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 500, 1'000, 3'000)};
  }

  explicit Nested(const Input& input) : n_(input.size), cells_(n_ * n_) {}

  std::uint64_t serial() {
    for (std::size_t row = 0; row < n_; ++row) {
      for (std::size_t column = 0; column < n_; ++column)
        cells_[row * n_ + column] += work(row, column);
    }
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() {
    Runtime::loop(n_, [n = n_, cells = cells_.data()](std::size_t row) {
      Runtime::loop(n, [row, line = cells + row * n](std::size_t column) {
        line[column] += work(row, column);
      });
    });
    return 0;
  }

  std::uint64_t settle(std::uint64_t calls) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t cell : cells_) hash = mix(hash ^ (cell / calls));
    return hash;
  }

 private:
  /// Below 2^32, so that a cell can add up as many calls as one likes.
  static std::uint64_t work(std::size_t row, std::size_t column) {
    return busy_work(mix(row) + column, 24) >> 32U;
  }

  std::size_t n_;
  std::vector<std::uint64_t> cells_;
};

const Registration<Nested> kRegistration;

}  // namespace
}  // namespace bench
