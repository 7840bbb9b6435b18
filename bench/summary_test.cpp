// Ratios are taken round by round and against the right series, and verdicts know the noise of their row.
#include "summary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using bench::Results;
using bench::Row;
using bench::Sample;
using bench::Series;
using bench::Verdict;

namespace {

const double kNone = std::numeric_limits<double>::quiet_NaN();

Series series(const char* family, unsigned threads, const std::vector<double>& walls, bool control = false) {
  Series made{family, family, threads, control, {}};
  for (const double wall : walls) made.samples.push_back(Sample{wall, 2 * wall, 0, 0, 0, 1});
  return made;
}

/// oneTBB takes twice furca's time, whatever the round; OpenMP half of it; A/A is 5 % off.
Row example() {
  return {"work", "", bench::Group::loops, 7, 0,
          {series("serial", 1, {20, 40, 80}), series("furca", 1, {22, 44, 88}), series("furca", 2, {10, 20, 40}),
           series("furca", 2, {10.5, 21, 42}, true), series("OpenMP", 2, {5, 10, 20}), series("oneTBB", 1, {23, 46, 92}),
           series("oneTBB", 2, {20, 40, 80})}};
}

}  // namespace

TEST_CASE("a comparison divides the rival's time by furca's, round by round") {
  const bench::Comparison found = compare(example(), "oneTBB", 2);
  CHECK(found.ratio.low == 2);
  CHECK(found.ratio.middle == 2);
  CHECK(found.ratio.high == 2);
  CHECK(found.noise == doctest::Approx(1.05));
  CHECK(found.verdict == Verdict::faster);
  CHECK(compare(example(), "OpenMP", 2).verdict == Verdict::slower);
}

TEST_CASE("the row's A/A stands for numbers of threads at which it was not measured") {
  const bench::Comparison found = compare(example(), "oneTBB", 1);
  CHECK(found.ratio.middle == doctest::Approx(23.0 / 22));
  CHECK(found.noise == doctest::Approx(1.05));
  CHECK(found.verdict == Verdict::tie);  // 4.5 % is within it
}

TEST_CASE("without A/A nothing is known to be real") {
  Row row = example();
  std::erase_if(row.series, [](const Series& one) { return one.control; });
  CHECK(std::isinf(compare(row, "oneTBB", 2).noise));
  CHECK(compare(row, "oneTBB", 2).verdict == Verdict::tie);
}

TEST_CASE("who did not run has no verdict") {
  CHECK(compare(example(), "oneTBB", 4).verdict == Verdict::unknown);
  CHECK(compare(example(), "Cilk", 2).verdict == Verdict::unknown);
}

TEST_CASE("speed-ups are over the serial run of the same round; other quantities are there too") {
  CHECK(bench::speedups(example(), "furca", 2) == std::vector<double>{2, 2, 2});
  const Row row = example();
  CHECK(bench::typical(row.find("furca", 2), &Sample::cpu_ns) == 40);
  CHECK(std::isnan(bench::typical(nullptr)));
}

TEST_CASE("a tally counts the rows that a rival ran in, and failures as what they are") {
  Results results;
  results.rows = {example(), example(), example()};
  results.rows[1].group = bench::Group::forks;
  std::erase_if(results.rows[2].series, [](const Series& one) { return one.family == "OpenMP"; });
  for (Series& one : results.rows[2].series) {
    if (one.family == "oneTBB") one.samples.assign(3, Sample{kNone, kNone, kNone, kNone, kNone, kNone});
  }
  const bench::Tally all = tally(results, "oneTBB", 2);
  CHECK(all.faster == 2);
  CHECK(all.unknown == 1);
  CHECK(all.rows() == 3);
  CHECK(all.mean.middle == doctest::Approx(2));
  CHECK(tally(results, "OpenMP", 2).rows() == 2);
  CHECK(tally(results, "oneTBB", 2, bench::Group::forks).rows() == 1);
  CHECK(bench::rivals(results) == std::vector<std::string>{"oneTBB", "OpenMP"});
  CHECK(bench::thread_counts(results) == std::vector<unsigned>{1, 2});
  CHECK(bench::control_mean(results, 2).middle == doctest::Approx(1.05));
}
