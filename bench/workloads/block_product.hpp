// What the matrix workloads end their recursion with.
#pragma once

#include <cstddef>

namespace bench {

inline constexpr std::size_t kBlock = 64;

/// A part of a matrix that is stored by rows; a row begins `stride` after the one above it.
template <class T>
struct View {
  T* row(std::size_t i) const { return begin + i * stride; }
  View part(std::size_t i, std::size_t j) const { return {row(i) + j, stride}; }

  T* begin;
  std::size_t stride;
};

/// c += a * b, all of them kBlock by kBlock. Four rows of b at a time, as each loads and stores the row of c.
inline void add_block_product(View<const double> a, View<const double> b, View<double> c) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    double* __restrict const out = c.row(i);
    for (std::size_t k = 0; k < kBlock; k += 4) {
      const double* const factors = a.row(i) + k;
      const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
      const double* const b0 = b.row(k);
      const double* const b1 = b.row(k + 1);
      const double* const b2 = b.row(k + 2);
      const double* const b3 = b.row(k + 3);
      for (std::size_t j = 0; j < kBlock; ++j) out[j] += f0 * b0[j] + f1 * b1[j] + f2 * b2[j] + f3 * b3[j];
    }
  }
}

}  // namespace bench
