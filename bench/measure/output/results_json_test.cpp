// What stands in the JSON, character by character where JSON has its own ways to write something.
#include "results_json.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using bench::Results;

namespace {

const double kNone = std::numeric_limits<double>::quiet_NaN();

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Results example() {
  Results results;
  results.setting.seed = 4711;
  results.setting.threads = {1, 2};
  results.rows = {{"fib", "forks", bench::Group::forks, 30, 0, {}}};
  results.rows[0].series = {{"furca", "furca task", 2, true, {{1.5, 2, 3, 4, 5, 6}}}};
  return results;
}

}  // namespace

TEST_CASE("text: quotes, backslashes and control characters") {
  bench::Setting setting;
  setting.processor = "A \"quoted\" \\ processor\n";
  CHECK(has(to_json(setting), R"("processor":"A \"quoted\" \\ processor\u000a",)"));
}

TEST_CASE("numbers are as short as they can be, and null if JSON has none") {
  Results results = example();
  results.rows[0].series[0].samples = {
      {0.1, 100'000, 1e300, -1, 1e-9, 6},
      {kNone, 1.0 / 3, std::numeric_limits<double>::infinity(), 0, 196'130'100, 123'456'789'012.5}};
  CHECK(has(to_json(results),
            R"("wall_ns":[0.1,null],"cpu_ns":[100000,0.3333333333333333],)"
            R"("peak_kib":[1e+300,null],"voluntary_switches":[-1,0],)"
            R"("involuntary_switches":[1e-09,196130100],"calls":[6,123456789012.5]})"));
}

TEST_CASE("all that is known is there, each under its name") {
  Results results = example();
  results.setting.versions = {"furca 0.1.0", "oneTBB 2021.8"};
  results.setting.topology = {128, 64, 8, 4, 2, {{8, "the cores of one last-level cache"}}};
  results.figures = {{"idle",
                      "processor time",
                      bench::Group::behaviour,
                      "furca",
                      "classic fence",
                      "ms",
                      {0.25, kNone}}};
  results.failures = 1;
  const std::string text = to_json(results);
  CHECK(text.starts_with(R"({"format":"furca-bench 1","setting":{"date":"",)"));
  CHECK(has(text, R"("versions":["furca 0.1.0","oneTBB 2021.8"],"effort":"","seed":4711,)"));
  CHECK(has(text, R"("threads":[1,2],)"));
  CHECK(has(text, R"("topology":{"processors":128,"cores":64,"caches":8,"nodes":4,"sockets":2,)"
                  R"("borders":[{"threads":8,"meaning":"the cores of one last-level cache"}]},)"));
  CHECK(has(text, R"("rows":[{"workload":"fib","summary":"forks","group":"forks","size":30,)"
                  R"("rest_ms":0,"span_ns":null,"series":[{"family":"furca",)"
                  R"("contender":"furca task","threads":2,"control":true,"wall_ns":[1.5],)"));
  CHECK(has(text,
            R"({"name":"idle","summary":"processor time","group":"behaviour",)"
            R"("family":"furca","variant":"classic fence","unit":"ms","values":[0.25,null]})"));
  CHECK(text.ends_with(R"("failures":1})"));
}

TEST_CASE("what furca alone tells is there where it is known") {
  Results results = example();
  CHECK_FALSE(has(to_json(results), "busy_threads"));
  results.rows[0].series[0].samples.push_back({1, 1, 1, 1, 1, 1, 1.5, 0.25});
  CHECK(has(to_json(results), R"("busy_threads":[null,1.5],"heavy_fences":[null,0.25])"));
}

TEST_CASE("no path is written: folders may have names of people") {
  CHECK(bench::without_paths("workloads -std=c++20 -I/home/somebody/include -O2 "
                             "-ffile-prefix-map=/home/x=. ../y -DNDEBUG, libfurca -O3") ==
        "workloads -std=c++20 -O2 -DNDEBUG, libfurca -O3");
  CHECK(bench::without_paths("").empty());
}
