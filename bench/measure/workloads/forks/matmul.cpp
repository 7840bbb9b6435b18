// C += A * B by halving the longest side: Frigo, Leiserson, Prokop, Ramachandran: Cache-oblivious
// algorithms, FOCS 1999. Halves of C's rows or columns are independent, so every fork is a join of
// two; halves of the sum are added one after the other.
#include "../../contenders.hpp"
#include "../in_turn.hpp"
#include "../support.hpp"

#include <bit>

namespace bench {
namespace {

constexpr std::size_t kBlock = 64;

/// A part of a matrix that is stored by rows; a row begins `stride` after the one above it.
template <class T>
struct View {
  T* row(std::size_t i) const { return begin + i * stride; }
  View part(std::size_t i, std::size_t j) const { return {row(i) + j, stride}; }

  T* begin;
  std::size_t stride;
};

/// c += a * b, all of them kBlock by kBlock. Four rows of b at a time, as each loads and stores the
/// row of c.
void add_block_product(View<const double> a, View<const double> b, View<double> c) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    double* __restrict const out = c.row(i);
    for (std::size_t k = 0; k < kBlock; k += 4) {
      const double* const factors = a.row(i) + k;
      const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
      const double* const b0 = b.row(k);
      const double* const b1 = b.row(k + 1);
      const double* const b2 = b.row(k + 2);
      const double* const b3 = b.row(k + 3);
      for (std::size_t j = 0; j < kBlock; ++j)
        out[j] += f0 * b0[j] + f1 * b1[j] + f2 * b2[j] + f3 * b3[j];
    }
  }
}

struct Sides {
  std::size_t rows, columns, terms;  // of C; of the sums that its elements are
};

template <class Runtime>
void add_product(View<const double> a, View<const double> b, View<double> c, Sides sides) {
  auto [rows, columns, terms] = sides;
  if (rows == kBlock && columns == kBlock && terms == kBlock) {
    add_block_product(a, b, c);
  } else if (rows >= columns && rows >= terms) {
    const Sides half{rows / 2, columns, terms};
    Runtime::join(
        [&, half] { add_product<Runtime>(a, b, c, half); },
        [&, half] { add_product<Runtime>(a.part(half.rows, 0), b, c.part(half.rows, 0), half); });
  } else if (columns >= terms) {
    const Sides half{rows, columns / 2, terms};
    Runtime::join([&, half] { add_product<Runtime>(a, b, c, half); },
                  [&, half] {
                    add_product<Runtime>(a, b.part(0, half.columns), c.part(0, half.columns), half);
                  });
  } else {
    const Sides half{rows, columns, terms / 2};
    add_product<Runtime>(a, b, c, half);
    add_product<Runtime>(a.part(0, half.terms), b.part(half.terms, 0), c, half);
  }
}

class MatMul {
 public:
  static constexpr const char* kName = "matmul";
  static constexpr const char* kSummary =
      "C += A * B, n by n doubles, by divide and conquer: few forks with much work in them";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kJoin;
  static std::vector<std::size_t> sizes(Effort effort) {
    if (effort == Effort::full) return {1024, 2048};
    return {effort == Effort::quick ? std::size_t{128} : std::size_t{512}};
  }

  // Small whole numbers: no sum is ever rounded, in whatever order, so settle() can divide by any
  // number of calls.
  explicit MatMul(const Input& input)
      : n_(input.size),
        stride_(n_ + kPadding),
        a_(n_ * stride_),
        b_(n_ * stride_),
        c_(n_ * stride_) {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      a_[i] = static_cast<double>(mix(i) % 4);
      b_[i] = static_cast<double>(mix(~i) % 4);
    }
  }

  std::uint64_t serial() { return parallel<InTurn>(); }

  template <class Runtime>
  std::uint64_t parallel() {
    add_product<Runtime>({a_.data(), stride_}, {b_.data(), stride_}, {c_.data(), stride_},
                         {n_, n_, n_});
    return 0;
  }

  std::uint64_t settle(std::uint64_t calls) const {
    std::uint64_t hash = 0;
    for (const double sum : c_)
      hash = mix(hash ^ std::bit_cast<std::uint64_t>(sum / static_cast<double>(calls)));
    return hash;
  }

 private:
  // Rows that are a power of two apart would all fall into the same few sets of the cache.
  static constexpr std::size_t kPadding = 8;

  std::size_t n_;
  std::size_t stride_;
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

const Registration<MatMul> kRegistration;

}  // namespace
}  // namespace bench
