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

#include <complex>
#include <execution>

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

/// What came out first under each name; everything under that name has the same bytes. A name's
/// first value does not come in a loop, where several threads may only look at it.
class Bits {
 public:
  template <class T>
  void check(std::string_view what, const std::vector<T>& values, std::size_t of) {
    const auto bytes = std::as_bytes(std::span(values));
    const auto at = first_.find({what, of});
    if (at == first_.end()) {
      first_.emplace(Name(what, of), Bytes(bytes.begin(), bytes.end()));
    } else if (!std::ranges::equal(at->second, bytes)) {
      CAPTURE(what);
      CAPTURE(of);
      CHECK(std::ranges::equal(at->second, bytes));
    }
  }
  template <class T>
  void check(std::string_view what, const T& value, std::size_t of) {
    check(what, std::vector{value}, of);
  }

  std::size_t names() const { return first_.size(); }

 private:
  using Name = std::pair<std::string_view, std::size_t>;
  using Bytes = std::vector<std::byte>;
  std::map<Name, Bytes> first_;
};

template <class Case>
void reduce_all(Bits& bits, std::size_t n) {
  using T = typename Case::T;
  const T identity = Case::identity();
  const typename Case::Op op;
  const auto map = [](std::size_t i) -> T { return Case::make(i); };
  const auto fold = [op](T& sum, std::size_t i) { sum = op(sum, Case::make(i)); };
  const auto chunk = [fold](T& sum, std::size_t lo, std::size_t hi) {
    for (std::size_t i = lo; i < hi; ++i) fold(sum, i);
  };
  bits.check("reduction", furca::parallel_reduce(std::size_t{0}, n, identity, map, op), n);
  bits.check("fold", furca::parallel_reduce(std::size_t{0}, n, identity, fold, op), n);
  bits.check("chunks", furca::parallel_reduce_chunks(std::size_t{0}, n, identity, chunk, op), n);
  const furca::ReduceOptions long_chunks{.grain = 64};
  bits.check("reduction, grain",
             furca::parallel_reduce(std::size_t{0}, n, identity, map, op, long_chunks), n);
  bits.check("chunks, grain",
             furca::parallel_reduce_chunks(std::size_t{0}, n, identity, chunk, op, long_chunks), n);
}

template <class Case>
void scan_all(Bits& bits, std::span<const typename Case::T> values) {
  using T = typename Case::T;
  const typename Case::Op op;
  const std::size_t n = values.size();
  std::vector<T> sums(n);
  furca::inclusive_scan(values, sums, op);
  bits.check("inclusive_scan", sums, n);
  furca::exclusive_scan(values, sums, Case::identity(), op);
  bits.check("exclusive_scan", sums, n);
  std::inclusive_scan(std::execution::par, values.begin(), values.end(), sums.begin(), op);
  bits.check("std::inclusive_scan", sums, n);
  std::exclusive_scan(std::execution::par, values.begin(), values.end(), sums.begin(),
                      Case::identity(), op);
  bits.check("std::exclusive_scan", sums, n);
  bits.check("std::reduce",
             std::reduce(std::execution::par, values.begin(), values.end(), Case::identity(), op),
             n);
  bits.check(
      "std::transform_reduce",
      std::transform_reduce(std::execution::par, values.begin(), values.end(), Case::identity(), op,
                            [op](const T& x) -> T { return op(x, x); }),
      n);
}

template <class Case>
void group_all(Bits& bits, std::span<const std::size_t> numbers) {
  const auto groups = furca::reduce_by(
      numbers, [](std::size_t i) { return i % 5; },
      [](std::size_t i) -> typename Case::T { return Case::make(i); }, typename Case::Op());
  std::vector<typename Case::T> sums;
  for (const auto& group : groups) sums.push_back(group.second);
  bits.check("reduce_by", sums, numbers.size());
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
  const auto all = [&](std::size_t n) {
    reduce_all<Case>(bits, n);
    scan_all<Case>(bits, std::span(values).first(n));
    group_all<Case>(bits, std::span(numbers).first(n));
  };
  for (const std::size_t threads : {1U, 2U, 3U, 8U, 64U}) {
    CAPTURE(threads);
    furca::ThreadPool pool({.threads = threads});
    pool.install([&] {
      for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 63U, 257U, 1'000U}) {
        all(n);
        furca::parallel_for(0, furca::test::rounds(50), [&](int) { all(n); });
      }
      all(values.size());
      furca::parallel_for(0, furca::test::rounds(3), [&](int) { all(values.size()); });
      group_all<Case>(bits, numbers);
    });
  }
  CHECK(bits.names() > 120);
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
