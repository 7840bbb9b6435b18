// What the terminal shows: no verdict of a busy machine, no interval of three rounds, and every row with a word on what it is.
#include "terminal/terminal.hpp"
#include "example_run.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using bench::Results;

namespace {

std::string shown(const Results& run) {
  std::ostringstream out;
  bench::terminal::print_tables(out, run);
  bench::terminal::print_summary(out, run);
  return out.str();
}

std::string targets(const Results& run) {
  std::ostringstream out;
  bench::terminal::print_targets(out, run);
  return out.str();
}

std::string changes(const Results& earlier, const Results& now) {
  std::ostringstream out;
  bench::terminal::print_changes(out, earlier, now);
  return out.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The line that begins so.
std::string line_of(const std::string& text, const std::string& beginning) {
  const std::size_t at = ("\n" + text).find("\n" + beginning);
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

Results busy_run() {
  Results run = bench::example_run();
  run.setting.others_percent = 94;
  return run;
}

}  // namespace

TEST_CASE("a quiet machine: verdicts") {
  const std::string text = shown(bench::example_run());
  CHECK_FALSE(has(text, "ithheld"));
  CHECK_FALSE(has(text, "quiet machine"));
  CHECK(has(line_of(text, "fib 35 "), " faster "));
  CHECK(has(text, "furca beside oneTBB at 2 threads, 3 rows: faster  2, slower  0, tie  0, not known  1\n"));
}

TEST_CASE("a busy machine: verdicts are withheld, and that is said above the figures, on each row and at the end") {
  const std::string text = shown(busy_run());
  const std::size_t notice = text.find("Not a quiet machine: other programs used 94 %");
  REQUIRE(notice != std::string::npos);
  CHECK(notice < text.find("fib 35"));
  CHECK(text.rfind("Not a quiet machine") > text.find("A/A"));
  CHECK(has(text, "Verdicts are withheld"));
  CHECK(has(text, "times, 2 threads (not a quiet machine)\n"));
  CHECK(has(text, "micro (not a quiet machine)"));
  for (const char* const row : {"fib 35 ", "skynet 1000 ", "heat 64 "}) CHECK(has(line_of(text, row), " withheld "));
  CHECK(has(line_of(text, "  bare forks "), "verdicts withheld on 2"));
  CHECK_FALSE(has(text, "faster"));
  CHECK_FALSE(has(text, "SLOWER"));
}

TEST_CASE("three rounds have a range and no interval") {
  const std::string three = shown(bench::first_rounds(bench::example_run(), 3));
  CHECK(has(three, "in parentheses: range of three rounds\n"));
  CHECK(has(line_of(three, "heat 64 "), "0.42 (0.40 .. 0.80)"));
  CHECK_FALSE(has(three, "95 %"));
  CHECK_FALSE(has(three, "["));
  const std::string six = shown(bench::example_run());
  CHECK(has(six, "in brackets: 95 % interval\n"));
  CHECK(has(line_of(six, "heat 64 "), "0.80 [0.4"));
  CHECK_FALSE(has(six, "range of"));
}

TEST_CASE("where rows differ, both are named") {
  Results run = bench::example_run();
  for (bench::Series& series : run.rows[2].series) series.samples.resize(4);
  CHECK(has(shown(run), "in brackets: 95 % interval; in parentheses: range of four rounds\n"));
}

TEST_CASE("from 0.40 to 1.14 is not known, and no tie") {
  CHECK(has(line_of(shown(bench::example_run()), "heat 64 "), " not known "));
}

TEST_CASE("means are by family, and none is over all") {
  const std::string text = shown(bench::example_run());
  CHECK(has(line_of(text, "  bare forks "), " 20.0 [20.0 .. 20.0] "));
  CHECK(has(line_of(text, "  loops "), " 0.80 ["));
  CHECK_FALSE(has(text, "6.84"));  // of all rows
}

TEST_CASE("rows are explained where they stand, the rows of a workload once") {
  Results run = bench::example_run();
  run.rows.insert(run.rows.begin() + 1, bench::row_of("fib", bench::Group::forks, 40, {40, 40, 40}));
  const std::string text = shown(run);
  CHECK(has(text,
            "bare forks: recursions with next to no work in them: what a fork costs\n"
            "  fib: what it does: why it is there\nfib 35 "));
  CHECK(text.find("  fib: what") == text.rfind("  fib: what"));
  CHECK(has(text, "  skynet: what it does: why it is there\nskynet 1000 "));
  CHECK(has(text, "  heat: what it does: why it is there\nheat 64 "));
}

TEST_CASE("speed-ups by number of threads are there where there are more than two") {
  Results run = bench::example_run();
  CHECK_FALSE(has(shown(run), "by number of threads"));
  for (bench::Row& row : run.rows) {
    for (const unsigned threads : {4U, 8U}) {
      row.series.push_back(bench::series_of("furca", threads, {0.5e6, 0.5e6}));
      row.series.push_back(bench::series_of("oneTBB", threads, {0.25e6, 0.25e6}));
    }
  }
  const std::string text = shown(run);
  const std::string table = text.substr(text.find("\nspeed-up over the serial code by number of threads\n"));
  CHECK(has(table, "\nfib 35                furca     2.00   4.00   4.00   0.50\n                      oneTBB    0.05   8.00   8.00   1.00\n"));
}

TEST_CASE("of three numbers of threads: efficiency at the largest, the borders, and where the time goes") {
  const std::string text = shown(bench::scaling_run());
  CHECK(has(text, "                                   1      4     16   / 16\nheat 64               furca     1.00   2.00   8.00   0.50\n"));
  CHECK(has(text, "\n  at   4: the cores of one last-level cache\n  at   8: all cores; beyond, two threads share a core\n"));
  const std::string table = text.substr(text.find("\nwhere the time of furca's threads goes"));
  CHECK(has(table, "\nheat 64                     1     100      0          0      0      0          0  -             0.00\n"));
  CHECK(has(table, "\n                           16      50      0          0      0     25         25  span          2.50\n"));
  CHECK_FALSE(has(shown(bench::example_run()), "where the time"));
}

TEST_CASE("a row of which furca has told nothing has its fences and nothing else") {
  Results run = bench::scaling_run();
  std::erase_if(run.rows[0].series, [](const bench::Series& one) { return one.family == "furca" && one.threads == 1; });
  run.rows[0].series.push_back(bench::series_of("furca", 8, {4e6, 4e6, 4e6}));
  CHECK(has(shown(run), "\n                           16       -      -          -      -      -          -  -             2.50\n"));
}

TEST_CASE("without another library the serial code is what there is to compare with") {
  Results run = bench::example_run();
  for (bench::Row& row : run.rows) std::erase_if(row.series, [](const bench::Series& one) { return one.family == "oneTBB"; });
  CHECK(has(shown(run), "oneTBB was not there when this was built"));
  CHECK(has(shown(run), "serial / furca at 2 threads, geometric means:\n  bare forks           2.00 [2.00 .. 2.00]\n"));
  run.setting.others_percent = 94;
  CHECK(has(shown(run), "serial / furca at 2 threads (not a quiet machine), geometric means:"));
}

TEST_CASE("no table is wider than a hundred columns") {
  Results many = bench::scaling_run();
  for (unsigned threads = 20; threads < 100; threads += 8) many.rows[0].series.push_back(bench::series_of("furca", threads, {1e6, 1e6, 1e6}));
  for (Results run : {bench::example_run(), busy_run(), many}) {
    run.rows.push_back(bench::row_of("empty-rested", bench::Group::loops, 10'000'000, {1234, 1234, 1234}));
    std::istringstream lines(shown(run) + changes(run, run) + targets(run));
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 100, line);
  }
}

TEST_CASE("targets are part of no result, and of a busy machine not judged") {
  CHECK_FALSE(has(shown(bench::example_run()), "target"));
  CHECK(has(targets(bench::example_run()), "MISSED"));
  CHECK_FALSE(has(targets(busy_run()), "MISSED"));
  CHECK_FALSE(has(targets(busy_run()), "reached"));
  CHECK(has(targets(busy_run()), "withheld\n"));
  CHECK(has(targets(busy_run()), "Not a quiet machine"));
}

TEST_CASE("a run beside an earlier one: means by family, and no verdict if either machine was busy") {
  Results slower = bench::example_run();
  for (bench::Series& series : slower.rows[0].series) {
    if (series.family != "furca") continue;
    for (bench::Sample& sample : series.samples) sample.wall_ns *= 4;
  }
  const std::string text = changes(bench::example_run(), slower);
  CHECK(has(line_of(text, "fib 35 "), " SLOWER"));
  CHECK(has(line_of(text, "skynet 1000 "), " same"));
  CHECK(has(line_of(text, "  bare forks "), " 2.00 over 2 rows"));  // 4 and 1
  CHECK(has(line_of(text, "  loops "), " 1.00 over 1 row"));
  for (const std::string& busy : {changes(busy_run(), slower), changes(slower, busy_run())}) {
    CHECK(has(line_of(busy, "fib 35 "), " withheld"));
    CHECK(busy.find("Not a quiet machine") < busy.find("fib 35"));
    CHECK_FALSE(has(busy, "SLOWER"));
  }
}
