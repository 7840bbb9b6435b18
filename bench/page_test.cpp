// What the page and its chart say of a busy machine, of three rounds, and of each row.
#include "example_run.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using bench::Results;

namespace {

/// What stands between the style sheet and the end.
std::string page(const Results& run) {
  std::ostringstream out;
  bench::write_html(out, run);
  return out.str().substr(out.str().find("<body>"));
}

std::string chart(const Results& run) {
  std::ostringstream out;
  bench::write_ratio_chart(out, run);
  return out.str().substr(out.str().find("</style>"));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Results busy_run() {
  Results run = bench::example_run();
  run.setting.others_percent = 94;
  return run;
}

}  // namespace

TEST_CASE("a quiet machine: the page opens with the verdict") {
  const std::string text = page(bench::example_run());
  CHECK(has(text, "furca is faster than oneTBB on 2 of 3 rows, slower on 0, tie on 0, not known on 1."));
  CHECK_FALSE(has(text, "ithheld"));
  CHECK_FALSE(has(text, "quiet machine"));
  CHECK(has(text, "class=\"words faster\""));
  CHECK(has(chart(bench::example_run()), "class=\"mark faster\""));
}

TEST_CASE("a busy machine: the page opens with why there is no verdict, and its figures are marked") {
  const std::string text = page(busy_run());
  const std::size_t notice = text.find("Not a quiet machine: other programs used 94 %");
  REQUIRE(notice != std::string::npos);
  CHECK(notice < text.find("<table"));
  CHECK(notice < text.find("<svg"));
  CHECK_FALSE(has(text, "furca is faster than"));
  for (const char* const style : {"words faster", "words slower", "mark faster", "mark slower"}) CHECK_FALSE(has(text, style));
  CHECK(has(text, "<td class=\"words tie\">withheld</td>"));
  for (const char* const heading : {"Times", "Costs besides time", "Behaviour, single operations, instructions"})
    CHECK(has(text, std::string("<h2>") + heading + " (not a quiet machine)</h2>"));
  CHECK(has(text, "oneTBB / furca, 2 threads (not a quiet machine)"));
}

TEST_CASE("a busy machine: the chart says so, also when it is shown by itself") {
  const std::string text = chart(busy_run());
  CHECK(has(text, "Not a quiet machine: other programs used 94 %"));
  CHECK(has(text, "verdict withheld"));
  CHECK_FALSE(has(text, "mark faster"));
}

TEST_CASE("three rounds have a range and no interval") {
  const std::string text = page(bench::first_rounds(bench::example_run(), 3));
  CHECK(has(text, "oneTBB/furca (range of three rounds)"));
  CHECK(has(text, "0.420\u00A0(0.400\u00A0..\u00A00.800)"));
  CHECK_FALSE(has(text, "0.420\u00A0["));
  CHECK(has(text, "Fewer than six make no interval"));
  CHECK_FALSE(has(text, "[95\u00A0%]"));
  CHECK_FALSE(has(text, "[95 %]"));
  CHECK(has(text, "oneTBB/furca (range)</text>"));
  CHECK(has(chart(bench::first_rounds(bench::example_run(), 3)), "2 threads (in parentheses: range of three rounds)</text>"));
  CHECK(has(page(bench::example_run()), "oneTBB/furca [95 %]"));
  CHECK(has(chart(bench::example_run()), "2 threads (in brackets: 95 % interval)</text>"));
  CHECK_FALSE(has(page(bench::example_run()), "(range of"));
}

TEST_CASE("from 0.40 to 1.14 is not known") { CHECK(has(page(bench::example_run()), "<td class=\"words tie\">not known</td>")); }

TEST_CASE("means are by family, and none is over all") {
  const std::string text = page(bench::example_run());
  CHECK(has(text, "bare\u00A0forks\u00A020.0\u00A0[20.0\u00A0..\u00A020.0], loops\u00A00.800"));
  CHECK_FALSE(has(text, "6.84"));  // of all rows
}

TEST_CASE("rows are explained where they stand, in the table and in the chart") {
  const std::string text = page(bench::example_run());
  CHECK(has(text, "<div class=\"stay soft\">fib: what it does: why it is there</div>"));
  CHECK(has(text, "bare forks: <span class=\"soft\">recursions with next to no work in them"));
  CHECK(has(chart(bench::example_run()), ">fib: what it does: why it is there</text>"));
}

TEST_CASE("what others are compared with is the serial code where there is no other library") {
  Results run = bench::example_run();
  for (bench::Row& row : run.rows) std::erase_if(row.series, [](const bench::Series& one) { return one.family == "oneTBB"; });
  CHECK(has(page(run), "times as fast as the serial code, as geometric means: bare\u00A0forks\u00A02.00"));
  run.setting.others_percent = 94;
  CHECK(has(page(run), "as geometric means (not a quiet machine)"));
}
