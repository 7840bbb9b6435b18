// Sums of few, compiled for the processor at hand with the compiler's vectors: a loop of vectors
// and what is left for the loop behind it may round in two ways.
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>

#include "support/pools.hpp"

#include <stop_token>

TEST_CASE("a map with a branch: the same bits, with a stop token too, and in a loop") {
  constexpr std::size_t kMost = 256;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;
  for (std::size_t i = 0; i < kMost; ++i) {
    const auto number = [i](std::size_t k) {
      return static_cast<double>((i * 7'919 + k) % 1'009) / 504.5 - 1;
    };
    a.push_back(number(3));
    b.push_back(number(401));
    c.push_back(number(777));
  }
  const auto map = [x = a.data(), y = b.data(), z = c.data()](std::size_t i) {
    const double product = x[i] * y[i];
    return z[i] > 0 ? product + y[i] * z[i] : product - y[i];
  };
  std::vector<std::uint64_t> first(kMost + 1);
  const auto check = [&first](std::size_t n, double sum) {
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    if (first[n] == 0) first[n] = bits;
    if (first[n] != bits) FAIL_CHECK("other bits of the sum of " << n);
  };
  const std::stop_source never;
  furca::test::on_every_pool([&] {
    for (int round = 0; round < 5; ++round) {
      for (std::size_t n = 1; n <= kMost; ++n) {
        const auto sum = [&map, n](const furca::ReduceOptions& options = {}) {
          return furca::parallel_reduce(std::size_t{0}, n, 0.0, map, std::plus<>{}, options);
        };
        check(n, sum());
        check(n, sum({.stop = never.get_token()}));
        double inside[2];
        furca::parallel_for(0, 2, [&](int k) { inside[k] = sum(); });
        check(n, inside[0]);
        check(n, inside[1]);
      }
    }
  });
}
