// Ratios are taken round by round and against the right series, and verdicts know the noise of their row.
#include "summary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using bench::Results;
using bench::Row;
using bench::RowFamily;
using bench::Sample;
using bench::Series;
using bench::Setting;
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
  const bench::Comparison found = compare(Setting{}, example(), "oneTBB", 2);
  CHECK(found.ratio.low == 2);
  CHECK(found.ratio.middle == 2);
  CHECK(found.ratio.high == 2);
  CHECK(found.noise == doctest::Approx(1.05));
  CHECK(found.verdict == Verdict::faster);
  CHECK(compare(Setting{}, example(), "OpenMP", 2).verdict == Verdict::slower);
}

TEST_CASE("the row's A/A stands for numbers of threads at which it was not measured") {
  const bench::Comparison found = compare(Setting{}, example(), "oneTBB", 1);
  CHECK(found.ratio.middle == doctest::Approx(23.0 / 22));
  CHECK(found.noise == doctest::Approx(1.05));
  CHECK(found.verdict == Verdict::tie);  // 4.5 % is within it
}

TEST_CASE("without A/A nothing is known to be real") {
  Row row = example();
  std::erase_if(row.series, [](const Series& one) { return one.control; });
  CHECK(std::isinf(compare(Setting{}, row, "oneTBB", 2).noise));
  CHECK(compare(Setting{}, row, "oneTBB", 2).verdict == Verdict::not_known);
}

TEST_CASE("who did not run has no verdict") {
  CHECK(compare(Setting{}, example(), "oneTBB", 4).verdict == Verdict::no_result);
  CHECK(compare(Setting{}, example(), "Cilk", 2).verdict == Verdict::no_result);
}

TEST_CASE("speed-ups are over the serial run of the same round; other quantities are there too") {
  CHECK(bench::speedups(example(), "furca", 2) == std::vector<double>{2, 2, 2});
  const Row row = example();
  CHECK(bench::typical(row.find("furca", 2), &Sample::cpu_ns) == 40);
  CHECK(std::isnan(bench::typical(nullptr)));
}

TEST_CASE("of a machine that others used by more than 5 % there are ratios and no verdicts") {
  Setting setting;
  setting.others_percent = 4;
  setting.stolen_percent = 1;
  CHECK(was_quiet(setting));
  CHECK(compare(setting, example(), "oneTBB", 2).verdict == Verdict::faster);
  setting.stolen_percent = 1.1;
  CHECK_FALSE(was_quiet(setting));
  for (const char* const rival : {"oneTBB", "OpenMP"}) CHECK(compare(setting, example(), rival, 2).verdict == Verdict::withheld);
  CHECK(compare(setting, example(), "oneTBB", 2).ratio.middle == 2);
  CHECK(compare(setting, example(), "oneTBB", 4).verdict == Verdict::no_result);
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
  CHECK(all.no_result == 1);
  CHECK(all.rows() == 3);
  CHECK(tally(results, "OpenMP", 2).rows() == 2);
  CHECK(bench::rivals(results) == std::vector<std::string>{"oneTBB", "OpenMP"});
  CHECK(bench::thread_counts(results) == std::vector<unsigned>{1, 2});
  CHECK(bench::typical_noise(results, 2) == doctest::Approx(1.05));
  results.setting.others_percent = 94;
  CHECK(tally(results, "oneTBB", 2).withheld == 2);
  CHECK(tally(results, "oneTBB", 2).faster == 0);
}

TEST_CASE("a mean is of one family of rows") {
  Results results;
  results.rows = {example(), example(), example()};
  results.rows[0].workload = "fib";
  results.rows[0].group = bench::Group::forks;
  for (Series& one : results.rows[2].series) {
    if (one.family != "oneTBB") continue;
    for (Sample& sample : one.samples) sample.wall_ns *= 4;  // a ratio of 8
  }
  const std::vector<bench::FamilyTally> families = tallies_by_family(results, "oneTBB", 2);
  REQUIRE(families.size() == 2);
  CHECK(families[0].family == RowFamily::bare_forks);
  CHECK(families[0].mean.middle == doctest::Approx(2));
  CHECK(families[0].tally.rows() == 1);
  CHECK(families[1].family == RowFamily::loops);
  CHECK(families[1].mean.middle == doctest::Approx(4));
  CHECK(families[1].tally.faster == 2);
  CHECK(tallies_by_family(results, "Cilk", 2).empty());
  CHECK(speedups_by_family(results, 2).size() == 2);
  CHECK(speedups_by_family(results, 2)[1].mean.middle == doctest::Approx(2));
}

TEST_CASE("near-empty loops and forks are in other families than programs") {
  const auto family = [](const char* workload, bench::Group group, std::size_t size, double rest_ms) {
    return family_of(Row{workload, "", group, size, rest_ms, {}});
  };
  using bench::Group;
  CHECK(family("skynet", Group::forks, 100, 0) == RowFamily::bare_forks);
  CHECK(family("mergesort", Group::forks, 100, 0) == RowFamily::forks);
  CHECK(family("empty", Group::loops, 10'000'000, 0) == RowFamily::near_empty_loops);
  CHECK(family("axpy", Group::loops, 10'000, 0) == RowFamily::near_empty_loops);
  CHECK(family("axpy-rested", Group::loops, 10'000, 2) == RowFamily::near_empty_loops);
  CHECK(family("axpy-rested", Group::loops, 100'000, 2) == RowFamily::rested_loops);
  CHECK(family("axpy", Group::loops, 100'000, 0) == RowFamily::loops);
  CHECK(family("heat", Group::loops, 256, 0) == RowFamily::loops);
  CHECK(family("cost-ramp", Group::loops, 1, 0) == RowFamily::cost_loops);
  CHECK(family("bfs", Group::reductions, 1, 0) == RowFamily::reductions);
}

TEST_CASE("rounds that make no interval are counted") {
  Results results;
  CHECK_FALSE(round_counts(results).intervals);
  results.rows = {example()};
  CHECK(round_counts(results).fewest == 3);
  CHECK(round_counts(results).most == 3);
  CHECK_FALSE(round_counts(results).intervals);
  results.rows.push_back(example());
  for (Series& one : results.rows.back().series) one.samples.resize(6, one.samples.front());
  CHECK(round_counts(results).intervals);
  CHECK(round_counts(results).most == 3);
}
