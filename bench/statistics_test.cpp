#include "statistics.hpp"

#include <doctest/doctest.h>

using bench::median;
using bench::paired_ratios;
using bench::quantile;

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

TEST_CASE("summarise gives the median and the quartiles about it") {
  const bench::Summary summary = bench::summarise({5, 4, 3, 2, 1});
  CHECK(summary.median == 3);
  CHECK(summary.lower_quartile == 2);
  CHECK(summary.upper_quartile == 4);
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
