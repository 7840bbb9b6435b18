// What the page and its chart say of a busy machine, of three rounds, and of each row.
#include "example_run.hpp"
#include "report/chart.hpp"
#include "report/curves.hpp"
#include "report/page.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using bench::Results;

namespace {

/// What stands between the style sheet and the end.
std::string page(const Results& run) {
  std::ostringstream out;
  bench::write_page(out, run);
  return out.str().substr(out.str().find("<body>"));
}

std::string chart(const Results& run) {
  std::ostringstream out;
  bench::write_chart(out, run);
  return out.str().substr(out.str().find("</style>"));
}

std::string curves(const Results& run) {
  std::ostringstream out;
  bench::write_curves(out, run);
  return out.str().substr(out.str().find("</style>"));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Results busy_run() {
  Results run = bench::example_run();
  run.setting.others_percent = 94;
  return run;
}

}  // namespace

TEST_CASE("a quiet machine: the page has the verdicts, then the chart, then the tables") {
  const std::string text = page(bench::example_run());
  const std::size_t verdicts = text.find("furca beside oneTBB at 2 threads, 3 rows: faster  2, slower  0, tie  0, not known  1\n");
  REQUIRE(verdicts != std::string::npos);
  CHECK(verdicts < text.find("<svg"));
  CHECK(text.find("<svg") < text.find("\ntimes, 2 threads\n"));
  CHECK_FALSE(has(text, "ithheld"));
  CHECK(has(text, "class=\"mark faster\""));
}

TEST_CASE("a busy machine: the page and the chart by itself open with why there is no verdict") {
  const std::string text = page(busy_run());
  CHECK(text.find("Not a quiet machine: other programs used 94 %") < text.find("<svg"));
  for (const std::string& each : {text, chart(busy_run())}) {
    CHECK(has(each, ">Not a quiet machine: other programs used 94 % of the processors"));
    CHECK(has(each, "verdict withheld</text>"));
    for (const char* const style : {"mark faster", "mark slower"}) CHECK_FALSE(has(each, style));
  }
}

TEST_CASE("three rounds have a range and no interval") {
  const std::string three = chart(bench::first_rounds(bench::example_run(), 3));
  CHECK(has(three, ">in parentheses: range of three rounds</text>"));
  CHECK(has(three, ">0.42 (0.40 .. 0.80)</text>"));
  CHECK_FALSE(has(three, "95 %"));
  CHECK(has(chart(bench::example_run()), ">in brackets: 95 % interval</text>"));
}

TEST_CASE("a row of the chart says what it is, and in which form each of the others ran") {
  Results run = bench::example_run();
  run.rows[0].series.back().contender = "oneTBB task_group";
  CHECK(has(chart(run), "<title>fib 35: what it does: why it is there\noneTBB task_group/furca 40.0 [40.0 .. 40.0]</title>"));
}

TEST_CASE("curves are on the page where there are three numbers of threads, and as a file of their own") {
  CHECK_FALSE(has(page(bench::example_run()), "Speed-up over the serial code"));
  CHECK(has(curves(bench::example_run()), "fewer than three numbers of threads make no curves"));
  for (const std::string& text : {page(bench::scaling_run()), curves(bench::scaling_run())}) {
    CHECK(has(text, ">Speed-up over the serial code, by number of threads</text>"));
    CHECK(has(text, ">dashed: 4, the cores of one last-level cache; 8, all cores; beyond, two threads share a core</text>"));
    CHECK(has(text, "<title>heat 64: what it does: why it is there\nfurca: 1: 1.00 4: 2.00 16: 8.00\noneTBB: 1: 0.50 4: 1.00 16: 4.00</title>"));
    CHECK(has(text, ">lost most to: span</text>"));
    CHECK(has(text, ">0.50</text>"));  // furca's efficiency
    CHECK(has(text, ">0.25</text>"));
    CHECK(has(text, "class=\"border\""));
  }
}

TEST_CASE("of more than a dozen rows in a family the curves have the largest of each workload") {
  Results run = bench::scaling_run();
  for (std::size_t size = 100; size < 112; ++size) {
    run.rows.push_back(run.rows[0]);
    run.rows.back().size = size;
  }
  run.rows.push_back(run.rows[0]);
  run.rows.back().workload = "nbody";
  const std::string text = curves(run);
  CHECK(has(text, ">loops: 2 of 14 rows</text>"));
  CHECK(has(text, ">heat 111</text>"));
  CHECK(has(text, ">nbody 64</text>"));
  CHECK_FALSE(has(text, ">heat 110</text>"));
}

TEST_CASE("where there is no other library there is no chart on the page, and the file says so") {
  Results run = bench::example_run();
  for (bench::Row& row : run.rows) std::erase_if(row.series, [](const bench::Series& one) { return one.family == "oneTBB"; });
  CHECK_FALSE(has(page(run), "<svg"));
  CHECK(has(chart(run), "furca was compared with no other library"));
}

TEST_CASE("what has a meaning in HTML is escaped") {
  Results run = bench::example_run();
  run.setting.processor = "<b> & co";
  CHECK(has(page(run), "host      &lt;b&gt; &amp; co, "));
  CHECK(has(chart(run), ">&lt;b&gt; &amp; co, 2031-05-06, "));
}
