// The number of positions that satisfy a predicate.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/stop_token.hpp>

#include <array>

namespace furca::detail {

/// X: what is compared; a counter of the same size sits in the same lanes of a vector.
template <class Test, class X>
class CountPart {
 public:
  explicit CountPart(Test& test) noexcept : test_(&test) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    run_aligned(lo, hi, [&](std::uint64_t from, std::uint64_t to) { run_stretch(from, to, end); });
  }

  CountPart fresh() const noexcept { return CountPart(*test_); }
  void absorb(CountPart&& right) noexcept { count_ += right.count_; }
  std::uint64_t total() const noexcept { return count_; }

 private:
  using Lane = std::conditional_t<
      kLaneBytes<X> == 1, std::uint8_t,
      std::conditional_t<kLaneBytes<X> == 2, std::uint16_t,
                         std::conditional_t<kLaneBytes<X> == 4, std::uint32_t, std::uint64_t>>>;
  static constexpr std::uint64_t kBlock = 64;  // constant, so that g++ -O2 makes vectors of it
  // Without AVX2, g++ 12 makes vectors of comparisons of doubles only if doubles come of them. With
  // it, and with clang, that takes 1.1 to 1.6 times as long as integers, by AVX-512 up to 4.
#if defined(__clang__) || defined(__AVX2__)
  static constexpr bool kDoublesOfDoubles = false;
#else
  static constexpr bool kDoublesOfDoubles = true;
#endif

  /// The number of hits in a block; j is where it stands if the test throws.
  static std::uint64_t count_block(Held<Test, std::size_t>& test, std::uint64_t i,
                                   std::uint64_t& j) {
    if constexpr (kDoublesOfDoubles && std::is_same_v<X, double>) {
      std::array<double, 4> some{};
      for (j = 0; j < kBlock; j += some.size()) {
        for (std::size_t k = 0; k < some.size(); ++k)
          some[k] += test(static_cast<std::size_t>(i + j + k)) ? 1.0 : 0.0;
      }
      return static_cast<std::uint64_t>((some[0] + some[1]) + (some[2] + some[3]));
    } else {
      Lane some = 0;
      for (j = 0; j < kBlock; ++j)
        some =
            static_cast<Lane>(some + (test(static_cast<std::size_t>(i + j)) ? Lane{1} : Lane{0}));
      return some;
    }
  }

  FURCA_INNER_LOOP void run_stretch(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    Held<Test, std::size_t> test = *test_;
    std::uint64_t count = 0;
    std::uint64_t i = lo;
    std::uint64_t j = 0;
    try {
      for (; hi - i >= kBlock; i += kBlock) {
        count += count_block(test, i, j);
      }
      j = 0;
      for (; i < hi; ++i) count += test(static_cast<std::size_t>(i)) ? 1U : 0U;
    } catch (...) {
      end.lower_to(i + j);
      throw;
    }
    count_ += count;
  }

  Test* test_;
  std::uint64_t count_ = 0;
};

/// kBytes: as of run_part.
template <Literal name, class X, std::size_t kBytes = 0, class Test>
std::uint64_t count_hits(std::size_t n, Test& test, const SourceLocation& where) {
  using Part = CountPart<Test, X>;
  Part part(test);
  detail::run_part<name, kBytes>(n, part, where);
  return part.total();
}

}  // namespace furca::detail
