// Each bound looks at the right quantity, the worst row stands for many, and what is missing is never reached.
#include "targets.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using bench::Figure;
using bench::Group;
using bench::Judgement;
using bench::Results;
using bench::Row;
using bench::Sample;
using bench::Series;

namespace {

const double kNone = std::numeric_limits<double>::quiet_NaN();

Series series(const char* family, unsigned threads, double wall) {
  return {family, family, threads, false, {3, Sample{wall, wall, 0, 0, 0, 1}}};
}

Row row(const char* workload, std::size_t size, double serial, double alone, double together, double tbb, double openmp) {
  return {workload, "", Group::loops, size, 0,
          {series("serial", 1, serial), series("furca", 1, alone), series("furca", 2, together), series("oneTBB", 1, 2 * tbb),
           series("oneTBB", 2, tbb), series("OpenMP", 2, openmp)}};
}

Figure figure(const char* name, const char* family, const char* variant, const char* unit, std::vector<double> values) {
  return {name, "", Group::micro, family, variant, unit, std::move(values)};
}

const Judgement* find(const std::vector<Judgement>& all, const std::string& beginning) {
  for (const Judgement& one : all) {
    if (one.what.starts_with(beginning)) return &one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("nothing is judged that was not measured") {
  CHECK(judge_targets(Results{}).empty());
  Results results;
  results.rows = {row("heat", 1, 1, 1, 1, 1, 1)};
  CHECK(judge_targets(results).empty());
}

TEST_CASE("fib is compared with the plain recursion and with oneTBB, at each number of threads") {
  Results results;
  results.rows = {row("fib", 35, 10, 17, 9, 300, 0)};
  const std::vector<Judgement> all = judge_targets(results);
  CHECK(all.size() == 4);
  CHECK(find(all, "fib 35: furca/serial, threads: 1")->value == doctest::Approx(1.7));
  CHECK(find(all, "fib 35: furca/serial, threads: 1")->reached());
  CHECK(find(all, "fib 35: furca/serial, threads: 2")->value == doctest::Approx(0.9));
  CHECK(find(all, "fib 35: oneTBB/furca, threads: 1")->value == doctest::Approx(600.0 / 17));
  CHECK(find(all, "fib 35: oneTBB/furca, threads: 2")->reached());
}

TEST_CASE("of the short loops the worst stands for all, in time and beside the better rival") {
  Results results;
  results.rows = {row("axpy", 1, 10, 20, 20, 1000, 900), row("axpy", 2, 100, 120, 165, 150, 1000),
                  row("axpy", 5, 200, 200, 200, 300, 400)};
  const std::vector<Judgement> all = judge_targets(results);
  const Judgement* const excess = find(all, "axpy: ns above 1.15 serial + 40, at 2, threads: 2");
  REQUIRE(excess != nullptr);
  CHECK(excess->value == doctest::Approx(10));  // 165 - 115 - 40
  CHECK_FALSE(excess->reached());
  const Judgement* const ratio = find(all, "axpy: furca/the best other, at 2, threads: 2");
  REQUIRE(ratio != nullptr);
  CHECK(ratio->value == doctest::Approx(1.1));
  CHECK_FALSE(ratio->reached());
}

TEST_CASE("after a rest only loops below 10,000 have a bound") {
  Results results;
  results.rows = {row("axpy-rested", 5'000, 1'000, 1'500, 3'900, 1, 1), row("axpy-rested", 10'000, 1'000, 1, 90'000, 1, 1)};
  const std::vector<Judgement> all = judge_targets(results);
  REQUIRE(all.size() == 1);
  CHECK(all[0].value == 2'900);
  CHECK(all[0].reached());
}

TEST_CASE("each distribution of costs has a line, and a failed row is its worst") {
  Results results;
  results.rows = {row("cost-first", 1, 9, 9, 10, 10, 1), row("cost-first", 10, 9, 9, kNone, 10, 1),
                  row("cost-last", 1, 9, 9, 9, 10, 1)};
  const std::vector<Judgement> all = judge_targets(results);
  REQUIRE(all.size() == 2);
  CHECK(all[0].what == "cost-first: furca/oneTBB, at 10 ns, threads: 2");
  CHECK(std::isnan(all[0].value));
  CHECK_FALSE(all[0].reached());
  CHECK(all[1].value == doctest::Approx(0.9));
}

TEST_CASE("a rival that is not there is no target") {
  Results results;
  results.rows = {row("skynet", 10, 9, 9, 9, 10, 1)};
  CHECK(judge_targets(results).size() == 1);
  std::erase_if(results.rows[0].series, [](const Series& one) { return one.family == "oneTBB"; });
  CHECK(judge_targets(results).empty());
}

TEST_CASE("figures: furca's usual fence alone, some beside another family's") {
  Results results;
  results.figures = {figure("wake from sleep", "furca", "classic fence", "ns", {9, 9}),
                     figure("wake from sleep", "furca", "adaptive fence", "ns", {4, 9}),
                     figure("wake from sleep", "oneTBB", "", "ns", {10, 20}),
                     figure("push and pop", "furca", "adaptive fence", "instructions", {20}),
                     figure("mostly idle", "furca", "", "ms", {6}),
                     figure("idle", "oneTBB", "", "ms", {100}),
                     figure("memory of a thread", "furca", "", "KiB", {65})};
  const std::vector<Judgement> all = judge_targets(results);
  REQUIRE(all.size() == 2);  // without the plain loops there is nothing to say of "mostly idle"
  CHECK(all[0].what == "wake from sleep: furca/oneTBB");
  CHECK(all[0].value == doctest::Approx(0.425));  // the median of 0.4 and 0.45
  CHECK(all[0].reached());
  CHECK(all[1].what == "memory of a thread: KiB");
  CHECK_FALSE(all[1].reached());
}

TEST_CASE("figures that should be so many times another family's: the ratio is the other way round") {
  Results results;
  results.figures = {figure("spawn and run", "furca", "adaptive fence", "ns", {10, 10}),
                     figure("spawn and run", "furca", "classic fence", "ns", {1, 1}),
                     figure("spawn and run", "oneTBB", "", "ns", {28, 30})};
  const std::vector<Judgement> all = judge_targets(results);
  REQUIRE(all.size() == 1);
  CHECK(all[0].what == "spawn and run: oneTBB/furca");
  CHECK(all[0].value == doctest::Approx(2.9));
  CHECK_FALSE(all[0].reached());
  results.figures[2].values = {32, 34};
  CHECK(judge_targets(results)[0].reached());
}

TEST_CASE("of several figures of another family, that without a variant counts") {
  Results results;
  results.figures = {figure("spawn detached and run", "furca", "adaptive fence", "ns", {10}),
                     figure("spawn detached and run", "oneTBB", "enqueue", "ns", {20}),
                     figure("spawn detached and run", "oneTBB", "", "ns", {40})};
  const std::vector<Judgement> all = judge_targets(results);
  REQUIRE(all.size() == 1);
  CHECK(all[0].what == "spawn detached and run: oneTBB/furca");
  CHECK(all[0].value == doctest::Approx(4));
  CHECK(all[0].reached());
  results.figures.pop_back();
  CHECK(judge_targets(results).empty());
}

TEST_CASE("what is judged can be selected") {
  CHECK(bench::row_has_target("cost-ramp"));
  CHECK(bench::row_has_target("fib"));
  CHECK_FALSE(bench::row_has_target("heat"));
  CHECK(bench::figure_has_target("push and pop", "ns"));
  CHECK_FALSE(bench::figure_has_target("push and pop", "instructions"));
}
