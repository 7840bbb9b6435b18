// C = A * B by seven products of half the size in place of eight: Strassen, Gaussian elimination is not optimal, 1969. Seven
// children at once, which all allocate.
#include "../contenders.hpp"
#include "block_product.hpp"
#include "in_turn.hpp"
#include "support.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace bench {
namespace {

/// A quarter of a matrix, 0 to 3 by rows, and if sign is not 0, another one times the sign added.
struct Factor {
  std::size_t quarter;
  double sign;
  std::size_t other;
};

constexpr std::size_t kProducts = 7;
constexpr std::array<Factor, kProducts> kLeft{{{0, 1, 3}, {2, 1, 3}, {0, 0, 0}, {3, 0, 0}, {0, 1, 1}, {2, -1, 0}, {1, -1, 3}}};
constexpr std::array<Factor, kProducts> kRight{{{0, 1, 3}, {0, 0, 0}, {1, -1, 3}, {2, -1, 0}, {3, 0, 0}, {0, 1, 1}, {2, 1, 3}}};

template <class T>
View<T> quarter_of(View<T> matrix, std::size_t quarter, std::size_t half) {
  return matrix.part(quarter / 2 * half, quarter % 2 * half);
}

/// The factor, of n by n elements: where it stands in the matrix, or computed into sum.
View<const double> evaluate(const Factor& factor, View<const double> matrix, std::size_t n, std::vector<double>& sum) {
  const View<const double> first = quarter_of(matrix, factor.quarter, n);
  if (factor.sign == 0.0) return first;
  const View<const double> second = quarter_of(matrix, factor.other, n);
  sum.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) sum[i * n + j] = first.row(i)[j] + factor.sign * second.row(i)[j];
  }
  return {sum.data(), n};
}

template <class Runtime>
void multiply(View<const double> a, View<const double> b, View<double> c, std::size_t n) {
  if (n == kBlock) {
    for (std::size_t i = 0; i < n; ++i) std::fill_n(c.row(i), n, 0.0);
    add_block_product(a, b, c);
    return;
  }
  const std::size_t half = n / 2;
  std::array<std::vector<double>, kProducts> p;
  Runtime::spawn(kProducts, [&](std::size_t i) {
    std::vector<double> left;
    std::vector<double> right;
    p[i].resize(half * half);
    multiply<Runtime>(evaluate(kLeft[i], a, half, left), evaluate(kRight[i], b, half, right), {p[i].data(), half}, half);
  });
  for (std::size_t i = 0; i < half; ++i) {
    const std::array rows{c.row(i), c.row(i) + half, c.row(half + i), c.row(half + i) + half};
    for (std::size_t j = 0; j < half; ++j) {
      const std::size_t at = i * half + j;
      rows[0][j] = p[0][at] + p[3][at] - p[4][at] + p[6][at];
      rows[1][j] = p[2][at] + p[4][at];
      rows[2][j] = p[1][at] + p[3][at];
      rows[3][j] = p[0][at] - p[1][at] + p[2][at] + p[5][at];
    }
  }
}

class Strassen {
 public:
  static constexpr const char* kName = "strassen";
  static constexpr const char* kSummary =
      "C = A * B, n by n doubles, by seven products of half the size: forks that need memory";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kSpawn;
  static std::vector<std::size_t> sizes(Effort effort) { return {by_effort(effort, 128, 512, 1024)}; }

  // Small whole numbers: nothing is ever rounded.
  explicit Strassen(const Input& input) : n_(input.size), a_(n_ * n_), b_(n_ * n_), c_(n_ * n_) {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      a_[i] = static_cast<double>(mix(i) % 4);
      b_[i] = static_cast<double>(mix(~i) % 4);
    }
  }

  std::uint64_t serial() { return parallel<InTurn>(); }

  template <class Runtime>
  std::uint64_t parallel() {
    multiply<Runtime>({a_.data(), n_}, {b_.data(), n_}, {c_.data(), n_}, n_);
    return 0;
  }

  std::uint64_t settle(std::uint64_t) const {
    std::uint64_t hash = 0;
    for (const double sum : c_) hash = mix(hash ^ std::bit_cast<std::uint64_t>(sum));
    return hash;
  }

 private:
  std::size_t n_;
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

const Registration<Strassen> kRegistration;

}  // namespace
}  // namespace bench
