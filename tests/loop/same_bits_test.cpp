// Operations that compilers contract to fused multiply-adds: the same bits, from whatever place
// they are called. Compiled with -mfma on x86-64; other processors have such instructions anyway,
// or none.
#include <furca/execution.hpp>  // first

#include <furca/chunks.hpp>
#include <furca/group.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/scan.hpp>

#include "support/pools.hpp"
#include "support/trials.hpp"

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <execution>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

bool can_run() {
#if defined(__x86_64__) && defined(__FMA__)
  return __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

/// Between 0.5 and 1.5, with digits to the last.
double number(std::size_t i) { return 0.5 + static_cast<double>((i * 7'919 + 3) % 1'009) / 1'009; }

template <class Real>
struct ComplexProduct {
  using T = std::complex<Real>;
  static T identity() { return T(1); }
  static T make(std::size_t i) {
    return {static_cast<Real>(number(i) - 0.4), static_cast<Real>(0.9 - number(i + 1))};
  }
  using Op = std::multiplies<>;
};

/// x -> a * x + b, one after the other.
struct Affine {
  struct T {
    double a;
    double b;
  };
  static T identity() { return {1, 0}; }
  static T make(std::size_t i) { return {number(i) - 0.3, number(i + 1)}; }
  struct Op {
    T operator()(T first, T second) const {
      return {second.a * first.a, second.a * first.b + second.b};
    }
  };
};

struct Matrices {
  using T = std::array<double, 4>;
  static T identity() { return {1, 0, 0, 1}; }
  static T make(std::size_t i) {
    return {number(i) - 0.5, number(i + 1) / 2, -number(i + 2) / 2, number(i + 3) - 0.5};
  }
  struct Op {
    T operator()(const T& a, const T& b) const {
      return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
              a[2] * b[1] + a[3] * b[3]};
    }
  };
};

/// Number, mean, and the sum of squared distances from it.
struct Moments {
  struct T {
    double n;
    double mean;
    double squares;
  };
  static T identity() { return {0, 0, 0}; }
  static T make(std::size_t i) { return {1, number(i), number(i) * number(i + 1) * 1e-3}; }
  struct Op {
    T operator()(T a, T b) const {
      const double n = a.n + b.n;
      if (n == 0) return a;
      const double apart = b.mean - a.mean;
      return {n, a.mean + apart * b.n / n, a.squares + b.squares + apart * apart * a.n * b.n / n};
    }
  };
};

/// The map is contracted into the addition.
struct Dot {
  using T = double;
  static T identity() { return 0; }
  static T make(std::size_t i) { return number(i) * number(i + 1); }
  using Op = std::plus<>;
};

/// What came out first under each name; everything under that name has the same bytes.
class Bits {
 public:
  template <class T>
  void check(const std::string& name, const T& value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    check_bytes(name, std::move(bytes));
  }
  template <class T>
  void check(const std::string& name, const std::vector<T>& values) {
    std::string bytes(sizeof(T) * values.size(), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    check_bytes(name, std::move(bytes));
  }

  std::size_t names() const { return first_.size(); }

 private:
  void check_bytes(const std::string& name, std::string bytes) {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = first_.try_emplace(name, std::move(bytes));
    if (!is_new && at->second != bytes) {
      CAPTURE(name);
      CHECK(at->second == bytes);
    }
  }

  std::mutex mutex_;
  std::map<std::string, std::string> first_;
};

template <class Case>
void reduce_all(Bits& bits, std::size_t n) {
  using T = typename Case::T;
  const T identity = Case::identity();
  const typename Case::Op op;
  const std::string to = " of " + std::to_string(n);
  const auto map = [](std::size_t i) -> T { return Case::make(i); };
  const auto fold = [op](T& sum, std::size_t i) { sum = op(sum, Case::make(i)); };
  const auto chunk = [fold](T& sum, std::size_t lo, std::size_t hi) {
    for (std::size_t i = lo; i < hi; ++i) fold(sum, i);
  };
  bits.check("reduction" + to, furca::parallel_reduce(std::size_t{0}, n, identity, map, op));
  bits.check("fold" + to, furca::parallel_reduce(std::size_t{0}, n, identity, fold, op));
  bits.check("chunks" + to, furca::parallel_reduce_chunks(std::size_t{0}, n, identity, chunk, op));
}

template <class Case>
void scan_all(Bits& bits, const std::vector<typename Case::T>& values) {
  using T = typename Case::T;
  const typename Case::Op op;
  const std::string to = " of " + std::to_string(values.size());
  std::vector<T> sums(values.size());
  furca::inclusive_scan(values, sums, op);
  bits.check("inclusive_scan" + to, sums);
  furca::exclusive_scan(values, sums, Case::identity(), op);
  bits.check("exclusive_scan" + to, sums);
  std::inclusive_scan(std::execution::par, values.begin(), values.end(), sums.begin(), op);
  bits.check("std::inclusive_scan" + to, sums);
  bits.check("std::reduce" + to,
             std::reduce(std::execution::par, values.begin(), values.end(), Case::identity(), op));
  bits.check(
      "std::transform_reduce" + to,
      std::transform_reduce(std::execution::par, values.begin(), values.end(), Case::identity(), op,
                            [op](const T& x) -> T { return op(x, x); }));
}

template <class Case>
void group_all(Bits& bits, const std::vector<std::size_t>& numbers) {
  const auto groups = furca::reduce_by(
      numbers, [](std::size_t i) { return i % 5; },
      [](std::size_t i) -> typename Case::T { return Case::make(i); }, typename Case::Op());
  std::vector<typename Case::T> sums;
  for (const auto& group : groups) sums.push_back(group.second);
  bits.check("reduce_by", sums);
}

/// On pools of 1 to 64 threads, alone and in the iterations of a loop.
template <class Case>
void same_bits() {
  if (!can_run()) return;
  Bits bits;
  std::vector<typename Case::T> values(9'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = Case::make(i);
  std::vector<std::size_t> numbers(200'000);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  for (const std::size_t threads : {1U, 2U, 3U, 8U, 64U}) {
    CAPTURE(threads);
    furca::ThreadPool pool({.threads = threads});
    pool.install([&] {
      for (std::size_t n = 0; n <= 9; ++n) {
        reduce_all<Case>(bits, n);
        furca::parallel_for(0, furca::test::rounds(50), [&](int) { reduce_all<Case>(bits, n); });
      }
      for (const std::size_t n : {63U, 257U, 1'000U, 9'000U}) {
        reduce_all<Case>(bits, n);
        furca::parallel_for(0, 3, [&](int) { reduce_all<Case>(bits, n); });
        scan_all<Case>(
            bits, std::vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)));
      }
      group_all<Case>(bits, numbers);
    });
  }
  CHECK(bits.names() > 60);
}

}  // namespace

TEST_CASE("products of complex numbers") {
  same_bits<ComplexProduct<float>>();
  same_bits<ComplexProduct<double>>();
}

TEST_CASE("affine maps, one after the other") { same_bits<Affine>(); }

TEST_CASE("products of 2 x 2 matrices") { same_bits<Matrices>(); }

TEST_CASE("moments") { same_bits<Moments>(); }

TEST_CASE("a sum of products") { same_bits<Dot>(); }
