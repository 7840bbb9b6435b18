// Reductions whose operations compilers contract to fused multiply-adds: over several ranks the
// same bits as on one. run.py compiles it for the processor at hand, and starts it.
#include <furca/mpi.hpp>
#include <furca/parallel_reduce.hpp>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>

namespace {

double number(std::uint64_t i) { return 0.5 + static_cast<double>(i * 7'919 % 1'009) / 1'009; }

/// x -> a * x + b, one after the other.
struct Affine {
  double a;
  double b;
};

Affine then(Affine first, Affine second) {
  return {second.a * first.a, second.a * first.b + second.b};
}

using Complex = std::complex<float>;

Complex factor(std::uint64_t i) {
  return {static_cast<float>(number(i) - 0.4), static_cast<float>(0.9 - number(i + 1))};
}

template <class T, class Map, class Op>
int differs(std::uint64_t n, T identity, Map map, Op op) {
  const T here = furca::parallel_reduce(std::uint64_t{0}, n, identity, map, op);
  const T over_ranks = furca::mpi::reduce(n, identity, map, op);
  if (std::memcmp(&here, &over_ranks, sizeof(T)) == 0) return 0;
  std::fprintf(stderr, "FAILED: other bits of %llu\n", static_cast<unsigned long long>(n));
  return 1;
}

int compare() {
  int wrong = 0;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    furca::ThreadPool pool({.threads = threads});
    pool.install([&] {
      for (const std::uint64_t n : {0U, 1U, 2U, 3U, 5U, 8U, 100U, 257U, 3'000U, 70'001U}) {
        wrong += differs(n, Complex(1), factor, std::multiplies<>{});
        wrong += differs(
            n, Affine{1, 0}, [](std::uint64_t i) { return Affine{number(i) - 0.3, number(i + 1)}; },
            then);
        wrong += differs(
            n, 0.0, [](double& sum, std::uint64_t i) { sum += number(i) * number(i + 1); },
            std::plus<>{});
      }
    });
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) { return furca::mpi::run(argc, argv, compare); }
