// What a run writes can be read again, and what is none is refused with a word on why.
#include "json.hpp"
#include "results_json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

using bench::from_json;
using bench::Json;
using bench::Results;

namespace {

const double kNone = std::numeric_limits<double>::quiet_NaN();

Results example() {
  Results results;
  results.setting.date = "2031-05-06T07:08:09Z";
  results.setting.processor = "A \"quoted\" \\ processor\n";
  results.setting.versions = {"furca 0.1.0", "oneTBB 2021.8"};
  results.setting.seed = 4711;
  results.setting.rounds = 2;
  results.setting.threads = {1, 2};
  results.setting.seconds = 12.25;
  results.rows.push_back({"fib",
                          "forks",
                          bench::Group::forks,
                          30,
                          0,
                          {{"serial", "serial", 1, false, {{1.5, 2, 3, 4, 5, 6}, {0.1, 2, 3, 4, 5, 6}}},
                           {"furca", "furca", 2, true, {{kNone, kNone, kNone, kNone, kNone, kNone}, {1e-9, 1e300, 0, -1, 7, 8}}}}});
  results.figures.push_back({"idle", "processor time", bench::Group::behaviour, "furca", "classic fence", "ms", {0.25, kNone}});
  results.failures = 1;
  return results;
}

std::string error_of(const std::string& text) {
  try {
    from_json(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("results come back as they were, to the last bit") {
  const Results before = example();
  const Results after = from_json(to_json(before));
  CHECK(after.setting.processor == before.setting.processor);
  CHECK(after.setting.versions == before.setting.versions);
  CHECK(after.setting.seed == 4711);
  CHECK(after.setting.threads == before.setting.threads);
  CHECK(after.setting.seconds == 12.25);
  REQUIRE(after.rows.size() == 1);
  CHECK(after.rows[0].label() == "fib 30");
  CHECK(after.rows[0].group == bench::Group::forks);
  REQUIRE(after.rows[0].series.size() == 2);
  CHECK(after.rows[0].series[0].samples[1].wall_ns == 0.1);
  CHECK(after.rows[0].series[1].control);
  CHECK(std::isnan(after.rows[0].series[1].samples[0].calls));
  CHECK(after.rows[0].series[1].samples[1].cpu_ns == 1e300);
  REQUIRE(after.figures.size() == 1);
  CHECK(after.figures[0].variant == "classic fence");
  CHECK(after.figures[0].values[0] == 0.25);
  CHECK(std::isnan(after.figures[0].values[1]));
  CHECK(after.failures == 1);
  CHECK(to_json(after) == to_json(before));
}

TEST_CASE("what furca tells of its threads, the span and the machine come back too") {
  Results before = example();
  before.setting.topology = {128, 64, 8, 4, 2, {{8, "the cores of one last-level cache"}, {64, "all cores"}}};
  before.rows[0].span_ns = 1250;
  before.rows[0].series[1].samples[1].busy_threads = 1.5;
  before.rows[0].series[1].samples[1].heavy_fences = 0.25;
  const Results after = from_json(to_json(before));
  CHECK(after.setting.topology.cores == 64);
  CHECK(after.setting.topology.sockets == 2);
  REQUIRE(after.setting.topology.borders.size() == 2);
  CHECK(after.setting.topology.borders[1].threads == 64);
  CHECK(after.setting.topology.borders[0].meaning == "the cores of one last-level cache");
  CHECK(after.rows[0].span_ns == 1250);
  CHECK(after.rows[0].series[1].samples[1].busy_threads == 1.5);
  CHECK(after.rows[0].series[1].samples[1].heavy_fences == 0.25);
  CHECK(std::isnan(after.rows[0].series[1].samples[0].busy_threads));
  CHECK(to_json(after) == to_json(before));
}

TEST_CASE("files of earlier versions, which have none of that, are read") {
  std::string text = to_json(example());
  CHECK_FALSE(text.find("busy_threads") != std::string::npos);
  const std::size_t from = text.find("    \"topology\": {");
  REQUIRE(from != std::string::npos);
  text.erase(from, text.find("    \"kernel\"") - from);
  text = replaced(text, "      \"span_ns\": null,\n", "");
  const Results old = from_json(text);
  CHECK(old.setting.processor == example().setting.processor);
  CHECK(old.setting.topology.processors == 0);
  CHECK(std::isnan(old.rows[0].span_ns));
  CHECK(std::isnan(old.rows[0].series[0].samples[0].busy_threads));
}

TEST_CASE("no path is written: folders may have names of people") {
  CHECK(bench::without_paths("workloads -std=c++20 -I/home/somebody/include -O2 -ffile-prefix-map=/home/x=. ../y -DNDEBUG, libfurca -O3") ==
        "workloads -std=c++20 -O2 -DNDEBUG, libfurca -O3");
  CHECK(bench::without_paths("").empty());
}

TEST_CASE("what a run comes to is there for other programs, by family of rows, and made anew when it is read") {
  Results results = example();
  results.rows[0].series.push_back({"oneTBB", "oneTBB task_group", 2, false, {{4, 0, 0, 0, 0, 0}, {8, 0, 0, 0, 0, 0}}});
  results.rows[0].series.push_back({"furca", "furca", 2, false, {{2, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0}}});
  const auto summary = [](const Results& of) { return Json::parse(to_json(of))["summary"]; };
  CHECK(summary(results)["quiet"].boolean());
  CHECK(summary(results)["bounds"].string() == "in parentheses: range of one to two rounds");
  REQUIRE(summary(results)["families"].array().size() == 1);
  const Json family = summary(results)["families"].array()[0];
  CHECK(family["rows"].string() == "bare forks");
  CHECK(family["rival"].string() == "oneTBB");
  CHECK(family["threads"].number() == 2);
  CHECK(family["mean"].number() == doctest::Approx(3));
  CHECK(family["range_of"].number() == 2);
  CHECK(family["verdicts"]["withheld"].number() == 0);
  results.setting.others_percent = 94;
  CHECK_FALSE(summary(results)["quiet"].boolean());
  CHECK(summary(results)["notice"].string().starts_with("Not a quiet machine: other programs used 94 %"));
  CHECK(summary(results)["families"].array()[0]["verdicts"]["withheld"].number() == 1);
  CHECK(summary(from_json(to_json(results)))["families"].array().size() == 1);
}

TEST_CASE("what is not a result is refused, and why is said") {
  const std::string good = to_json(example());
  CHECK(error_of("") == "not JSON: line 1: expected a value");
  CHECK(error_of("[1, 2") == "not JSON: line 1: expected ']'");
  CHECK(error_of("{}") == "no \"format\"");
  CHECK(error_of("[]") == "expected an object");
  CHECK(error_of(good.substr(0, good.size() / 2)).starts_with("not JSON: line "));
  CHECK(error_of(good + "x").ends_with("expected nothing more"));
  CHECK(error_of(replaced(good, "furca-bench 1", "other 2")) == "its format is \"other 2\", not \"furca-bench 1\"");
  CHECK(error_of(replaced(good, "\"rounds\": 2", "\"rounds\": -2")) == "expected a whole number");
  CHECK(error_of(replaced(good, "[1.5, 0.1]", "[1.5]")) == "columns of different lengths");
  CHECK(error_of(replaced(good, "\"forks\",\n      \"size", "\"knives\",\n      \"size")) == "no such group: knives");
}

TEST_CASE("a parser meets all that JSON has") {
  const Json json = Json::parse(" {\"a\" : [ true, false ,null, -1.5e3, \"\\u00e9\\u20AC\\n\\/\" ], \"b\":{} , \"c\":[]}\r\n");
  CHECK(json["a"].array()[0].boolean());
  CHECK_FALSE(json["a"].array()[1].boolean());
  CHECK(std::isnan(json["a"].array()[2].number()));
  CHECK(json["a"].array()[3].number() == -1500);
  CHECK(json["a"].array()[4].string() == "\u00e9\u20ac\n/");
  CHECK(json["b"].object().empty());
  CHECK(json["c"].array().empty());
}

TEST_CASE("a parser refuses what JSON has not") {
  for (const char* const text : {"nul", "{1:2}", "[1,]", "{\"a\":1,}", "\"\\x\"", "\"\\u12\"", "\"line\nbreak\"", "\"open", "inf", "nan", "1e999", "\"\\ud800\""})
    CHECK_THROWS_AS(Json::parse(text), std::runtime_error);
  CHECK_THROWS_AS(Json::parse(std::string(100'000, '[')), std::runtime_error);
}

TEST_CASE("numbers that JSON cannot hold are null") {
  CHECK(Json(kNone).dump() == "null\n");
  CHECK(Json(std::numeric_limits<double>::infinity()).dump() == "null\n");
}
