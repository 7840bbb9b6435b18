// A sum and a dot product as one writes them for speed, in vectors of the machine: the plain ones
// (sum.cpp, dot.cpp) add one number at a time, and leave time for a runtime to hide in. These wait
// for memory and for nothing else.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <bit>
#include <cstring>

namespace bench {
namespace {

using Pair [[gnu::vector_size(16)]] = double;
using FloatPair [[gnu::vector_size(8)]] = float;

/// Eight sums side by side.
struct Lanes {
  Pair a{}, b{}, c{}, d{};

  Lanes& operator+=(const Lanes& other) {
    a += other.a;
    b += other.b;
    c += other.c;
    d += other.d;
    return *this;
  }

  double total() const {
    const Pair sum = (a + b) + (c + d);
    return sum[0] + sum[1];
  }
};

constexpr std::size_t kLanes = 8;

template <class Vector, class Element>
Vector load(const Element* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

struct Sum {
  static constexpr const char* kName = "sum-simd";
  static constexpr const char* kSummary = "sum of n doubles, in vectors: as fast as memory allows";
  using Element = double;

  // Multiples of 1/1024 below 1: every partial sum is exact, so every order gives the serial run's
  // bits.
  static double element(std::uint64_t noise) { return static_cast<double>(noise % 1024) / 1024; }

  static Lanes eight(const double* x, const double*) {
    return {load<Pair>(x), load<Pair>(x + 2), load<Pair>(x + 4), load<Pair>(x + 6)};
  }
};

struct Dot {
  static constexpr const char* kName = "dot-simd";
  static constexpr const char* kSummary =
      "dot product of two vectors of n floats, in vectors: as fast as memory allows";
  using Element = float;

  // Whole numbers: exact likewise.
  static float element(std::uint64_t noise) { return static_cast<float>(noise % 1024); }

  static Lanes eight(const float* x, const float* y) {
    return {product(x, y), product(x + 2, y + 2), product(x + 4, y + 4), product(x + 6, y + 6)};
  }

 private:
  static Pair product(const float* x, const float* y) {
    return __builtin_convertvector(load<FloatPair>(x), Pair) *
           __builtin_convertvector(load<FloatPair>(y), Pair);
  }
};

template <class Kind>
class Simd {
 public:
  static constexpr const char* kName = Kind::kName;
  static constexpr const char* kSummary = Kind::kSummary;
  static constexpr Group kGroup = Group::reductions;
  static constexpr Operations kUses = kReduce;
  static std::vector<std::size_t> sizes(Effort effort) {
    if (effort != Effort::full) return {};
    return {std::size_t{1} << 25U};
  }

  explicit Simd(const Input& input)
      : n_(input.size / kLanes * kLanes),
        x_(std::make_unique_for_overwrite<Element[]>(n_)),
        y_(std::make_unique_for_overwrite<Element[]>(kTwo ? n_ : 0)) {
    for (std::size_t i = 0; i < n_; ++i) {
      const std::uint64_t noise = mix(i);
      x_[i] = Kind::element(noise);
      if constexpr (kTwo) y_[i] = Kind::element(noise >> 32U);
    }
  }

  std::uint64_t serial() const {
    const Element* const x = x_.get();
    const Element* const y = y_.get();
    Lanes sums;
    for (std::size_t i = 0; i < n_; i += kLanes) sums += Kind::eight(x + i, y + (kTwo ? i : 0));
    return std::bit_cast<std::uint64_t>(sums.total());
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    const auto add_eight = [x = x_.get(), y = y_.get()](Lanes& sums, std::size_t block) {
      const std::size_t i = block * kLanes;
      sums += Kind::eight(x + i, y + (kTwo ? i : 0));
    };
    const auto add = [](Lanes left, const Lanes& right) { return left += right; };
    return std::bit_cast<std::uint64_t>(
        Runtime::reduce(n_ / kLanes, Lanes{}, add_eight, add).total());
  }

 private:
  using Element = typename Kind::Element;
  static constexpr bool kTwo = std::is_same_v<Kind, Dot>;

  std::size_t n_;
  std::unique_ptr<Element[]> x_;
  std::unique_ptr<Element[]> y_;
};

const Registration<Simd<Sum>> kSumRegistration;
const Registration<Simd<Dot>> kDotRegistration;

}  // namespace
}  // namespace bench
