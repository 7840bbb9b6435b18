#include "statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using bench::estimate_geometric_mean;
using bench::estimate_median;
using bench::estimate_ratio;
using bench::Interval;
using bench::judge;
using bench::median;
using bench::noise_factor;
using bench::paired_ratios;
using bench::quantile;
using bench::Verdict;

namespace {
const double kNone = std::numeric_limits<double>::quiet_NaN();
}

TEST_CASE("median of an odd number of samples is the middle one, in any order") {
  CHECK(median({7}) == 7);
  CHECK(median({9, 1, 5}) == 5);
  CHECK(median({100, 2, 1, 3, -50}) == 2);
}

TEST_CASE("median of an even number of samples lies half way between the two in the middle") {
  CHECK(median({4, 1}) == 2.5);
  CHECK(median({8, 1, 2, 100}) == 5);
}

TEST_CASE("quantile takes its place between neighbours in proportion") {
  const std::vector<double> samples{40, 10, 30, 20};
  CHECK(quantile(samples, 0) == 10);
  CHECK(quantile(samples, 0.25) == doctest::Approx(17.5));
  CHECK(quantile(samples, 0.5) == doctest::Approx(25));
  CHECK(quantile(samples, 0.9) == doctest::Approx(37));
  CHECK(quantile(samples, 1) == 40);
}

TEST_CASE("no samples have no quantile") {
  CHECK(std::isnan(median({})));
  CHECK(std::isnan(quantile({}, 1)));
}

TEST_CASE("missing samples do not count") {
  CHECK(median({kNone, 3, kNone, 1, 2}) == 2);
  CHECK(quantile({5, kNone}, 0.9) == 5);
  CHECK(std::isnan(median({kNone, kNone})));
}

TEST_CASE("paired_ratios divides round by round and leaves out rounds that lack a value") {
  CHECK(paired_ratios({2, 9, 8}, {1, 3, 4}) == std::vector<double>{2, 3, 2});
  CHECK(paired_ratios({2, kNone, 8, 6}, {1, 3, kNone, 2}) == std::vector<double>{2, 3});
  CHECK(paired_ratios({}, {1}).empty());
}

TEST_CASE("the median of the ratios is not the ratio of the medians") {
  const std::vector<double> a{10, 40, 20};
  const std::vector<double> b{10, 10, 40};
  CHECK(median(paired_ratios(a, b)) == 1);
  CHECK(median(a) / median(b) == 2);
}

// The bootstrap's answers can be known: the median of a resample of n different samples is at most the k-th smallest with the
// probability that a binomial variable of n trials, each k/n likely, is (n + 1)/2 or more.

TEST_CASE("few samples have no interval: their bounds are the samples at the ends, and it is said of how many") {
  const Interval five = estimate_median({3, 1, 5, 2, 4});
  CHECK(five.low == 1);
  CHECK(five.middle == 3);
  CHECK(five.high == 5);
  CHECK(five.range_of == 5);
  const Interval three = estimate_median({10, 30, kNone, 20});
  CHECK(three.low == 10);
  CHECK(three.middle == 20);
  CHECK(three.high == 30);
  CHECK(three.range_of == 3);
  // 6 samples: the resampled median is the mean of the two least ones, or less, in 2.3 % of cases: there is an interval.
  CHECK(estimate_median({3, 1, 5, 2, 4, 6}).range_of == 0);
}

TEST_CASE("the bounds of many samples are the order statistics that the binomial distribution gives") {
  std::vector<double> samples;
  for (int i = 1; i <= 25; ++i) samples.push_back(i);
  const Interval interval = estimate_median(samples);
  // At most the 7th in 1.0 %, the 8th in 3.0 % of all resamples; at most the 17th in 97.0 %, the 18th in 99.0 %.
  CHECK(interval.low == 8);
  CHECK(interval.middle == 13);
  CHECK(interval.high == 18);
  CHECK(interval.range_of == 0);
}

TEST_CASE("samples that agree leave no doubt, nor does a single one") {
  for (const auto& samples : {std::vector<double>{2, 2, 2, 2}, std::vector<double>{2}, std::vector<double>{kNone, 2, kNone}}) {
    const Interval interval = estimate_median(samples);
    CHECK(interval.low == 2);
    CHECK(interval.middle == 2);
    CHECK(interval.high == 2);
  }
}

TEST_CASE("no samples have no interval") {
  CHECK(std::isnan(estimate_median({}).low));
  CHECK(std::isnan(estimate_median({kNone}).middle));
  CHECK(std::isnan(estimate_geometric_mean({}).middle));
  CHECK(std::isnan(estimate_ratio({}, {1}).high));
}

TEST_CASE("the same samples have the same interval") {
  const std::vector<double> samples{1.3, 0.8, 1.1, 0.9, 1.7, 1.2};
  CHECK(estimate_median(samples).low == estimate_median(samples).low);
  CHECK(estimate_median(samples).high == estimate_median(samples).high);
}

TEST_CASE("the geometric mean is of the medians") {
  const Interval mean = estimate_geometric_mean({{2, 2, 2}, {8, 8}, {}, {kNone}});
  CHECK(mean.low == doctest::Approx(4));
  CHECK(mean.middle == doctest::Approx(4));
  CHECK(mean.high == doctest::Approx(4));
  const Interval wide = estimate_geometric_mean({{1, 4, 16}});
  CHECK(wide.low == doctest::Approx(1));
  CHECK(wide.middle == doctest::Approx(4));
  CHECK(wide.high == doctest::Approx(16));
  CHECK(wide.range_of == 3);
}

TEST_CASE("the geometric mean has an interval only if every set of samples is large enough") {
  const std::vector<double> enough{1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6};
  const Interval interval = estimate_geometric_mean({enough, enough});
  CHECK(interval.range_of == 0);
  CHECK(interval.middle == doctest::Approx(1.3));
  CHECK(interval.low > 1.0);
  CHECK(interval.high < 1.6);
  const Interval range = estimate_geometric_mean({enough, {4, 1, 2, 3}});
  CHECK(range.range_of == 4);
  CHECK(range.low == doctest::Approx(1));
  CHECK(range.high == doctest::Approx(std::sqrt(1.6 * 4)));
}

TEST_CASE("the ratio of two runs takes the doubt of both") {
  const Interval ratio = estimate_ratio({2, 4, 6}, {1, 2, 1});
  CHECK(ratio.low == 1);
  CHECK(ratio.middle == 4);
  CHECK(ratio.high == 6);
  CHECK(ratio.range_of == 3);
  CHECK(estimate_ratio({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4}).range_of == 4);
  CHECK(estimate_ratio({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}).range_of == 0);
}

TEST_CASE("noise is what A/A reaches on either side, and 2 % at least") {
  CHECK(noise_factor({0.999, 1, 1.001}) == 1.02);
  CHECK(noise_factor({0.99, 1.02, 1.07}) == 1.07);
  CHECK(noise_factor({0.8, 1, 1.1}) == 1.25);
  CHECK(noise_factor({1.05, 1.06, 1.08}) == 1.08);  // biased: that is noise too
  CHECK(std::isinf(noise_factor({kNone, kNone, kNone})));
}

TEST_CASE("faster and slower take bounds on one side of 1 and a middle beyond the noise") {
  CHECK(judge({1.05, 1.10, 1.20}, 1.02) == Verdict::faster);
  CHECK(judge({0.80, 0.90, 0.95}, 1.02) == Verdict::slower);
  CHECK(judge({0.80, 0.86, 0.95}, 1.15) == Verdict::slower);
  CHECK(judge({1.021, 1.03, 1.04}, 1.02) == Verdict::faster);  // little, but sure
  CHECK(judge({kNone, kNone, kNone}, 1.02) == Verdict::no_result);
}

TEST_CASE("a tie takes bounds within 5 % of 1") {
  CHECK(judge({0.98, 1.00, 1.02}, 1.02) == Verdict::tie);
  CHECK(judge({1.01, 1.015, 1.02}, 1.02) == Verdict::tie);  // sure, and nothing worth a word
  CHECK(judge({0.953, 1.00, 1.049}, 1.02) == Verdict::tie);
  CHECK(judge({0.98, 1.00, 1.06}, 1.02) == Verdict::not_known);
  CHECK(judge({0.94, 1.00, 1.02}, 1.02) == Verdict::not_known);
}

TEST_CASE("what may be twice as fast or slower by a seventh is not known, and no tie") {
  CHECK(judge({0.40, 0.80, 1.14}, 1.02) == Verdict::not_known);
  CHECK(judge({0.99, 1.10, 1.20}, 1.02) == Verdict::not_known);
  CHECK(judge({1.00, 1.10, 1.20}, 1.02) == Verdict::not_known);
  CHECK(judge({1.05, 1.10, 1.20}, 1.15) == Verdict::not_known);  // furca differs as much from itself
  CHECK(judge({0.80, 0.90, 0.95}, 1.15) == Verdict::not_known);
}

TEST_CASE("without A/A nothing is known to be real, not even a tie") {
  CHECK(judge({1.5, 2, 3}, std::numeric_limits<double>::infinity()) == Verdict::not_known);
  CHECK(judge({1, 1, 1}, std::numeric_limits<double>::infinity()) == Verdict::not_known);
}
