// Each way to lose time, alone, in results that are made up; and all of them together.
#include "bounds.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

using bench::Breakdown;
using bench::Loss;
using bench::Row;
using bench::Series;
using bench::Setting;

namespace {

constexpr double kSerial = 64e6;  // ns

/// Of one thread and of 64, three rounds each; between the rounds the machine is once twice as slow.
struct Made {
  double on_one = kSerial;       // ns
  double on_all = kSerial / 64;  // ns
  double busy_threads = 64;
  double processor_threads = 64;  // processor time / time
  double span = 0;                // ns
};

Row row_of(const Made& made) {
  Row row{"made-up", "", bench::Group::loops, 0, 0, {}, made.span};
  Series serial{"serial", "serial", 1, false, {}};
  Series one{"furca", "furca", 1, false, {}};
  Series all{"furca", "furca", 64, false, {}};
  for (const double slow : {1.0, 2.0, 1.0}) {
    serial.samples.push_back({slow * kSerial, slow * kSerial, 1, 0, 0, 1});
    one.samples.push_back({slow * made.on_one, slow * made.on_one, 1, 0, 0, 1, 1, 0});
    all.samples.push_back({slow * made.on_all, slow * made.on_all * made.processor_threads, 1, 0, 0, 1, made.busy_threads, 5});
  }
  row.series = {serial, one, all};
  return row;
}

Setting machine(unsigned processors = 64) {
  Setting setting;
  setting.affinity = processors;
  return setting;
}

Breakdown parts_of(const Made& made, unsigned processors = 64) {
  const auto parts = bench::breakdown(machine(processors), row_of(made), 64);
  REQUIRE(parts.has_value());
  CHECK(parts->useful + std::accumulate(parts->lost.begin(), parts->lost.end(), 0.0) == doctest::Approx(1));
  for (const Loss loss : bench::kLosses) CHECK(parts->of(loss) >= 0);
  return *parts;
}

std::string bound(const Made& made, unsigned processors = 64) { return bench::bound_word(machine(processors), row_of(made), 64); }

}  // namespace

TEST_CASE("nothing is lost") {
  CHECK(parts_of({}).useful == doctest::Approx(1));
  CHECK(bound({}) == "-");
  CHECK(bound({.on_all = kSerial / 60, .busy_threads = 60, .processor_threads = 60}) == "-");
}

TEST_CASE("work: one thread takes twice as long as the serial code, and 64 share it well") {
  const Made made{.on_one = 2 * kSerial, .on_all = 2 * kSerial / 64};
  CHECK(parts_of(made).of(Loss::work) == doctest::Approx(0.5));
  CHECK(parts_of(made).useful == doctest::Approx(0.5));
  CHECK(bound(made) == "work");
}

TEST_CASE("memory: all are busy for four times as long as one thread would be") {
  const Made made{.on_all = 4 * kSerial / 64};
  CHECK(parts_of(made).of(Loss::memory) == doctest::Approx(0.75));
  CHECK(bound(made) == "memory");
}

TEST_CASE("span: most are idle because one chain is half as long as the whole call") {
  const Made made{.on_all = kSerial / 16, .busy_threads = 16, .processor_threads = 16, .span = kSerial / 16};
  CHECK(parts_of(made).of(Loss::span) == doctest::Approx(0.75));
  CHECK(bound(made) == "span");
}

TEST_CASE("scheduler: they are as idle, and the longest chain is short") {
  const Made made{.on_all = kSerial / 16, .busy_threads = 16, .processor_threads = 16, .span = kSerial / 1600};
  CHECK(parts_of(made).of(Loss::span) == doctest::Approx(0.01 * 63 / 64));
  CHECK(parts_of(made).of(Loss::scheduler) == doctest::Approx(0.75 - 0.01 * 63 / 64));
  CHECK(bound(made) == "scheduler");
}

TEST_CASE("processors: 64 threads take turns on two, or other programs have half of 64") {
  const Made turns{.on_all = kSerial / 2, .busy_threads = 64, .processor_threads = 2};
  CHECK(parts_of(turns, 2).of(Loss::processors) == doctest::Approx(62.0 / 64));
  CHECK(parts_of(turns, 2).useful == doctest::Approx(2.0 / 64));
  CHECK(bound(turns, 2) == "processors");
  const Made asleep{.on_all = kSerial / 2, .busy_threads = 2, .processor_threads = 2};
  CHECK(parts_of(asleep, 2).of(Loss::processors) == doctest::Approx(62.0 / 64));
  CHECK(bound(asleep, 2) == "processors");
  const Made shared{.on_all = kSerial / 32, .busy_threads = 64, .processor_threads = 32};
  CHECK(parts_of(shared).of(Loss::processors) == doctest::Approx(0.5));
  CHECK(bound(shared) == "processors");
}

TEST_CASE("all of them: each has its part") {
  // 20 % useful, 10 % more work, 15 % waiting, 25 % inflation, 30 % idle of which the span explains 12.
  const double call = kSerial / 64 / 0.20;
  const double span = 0.12 * 64 / 63 * call;
  const Breakdown parts = parts_of({.on_one = 1.5 * kSerial, .on_all = call, .busy_threads = 0.70 * 64, .processor_threads = 0.55 * 64, .span = span});
  CHECK(parts.useful == doctest::Approx(0.20));
  CHECK(parts.of(Loss::work) == doctest::Approx(0.10));
  CHECK(parts.of(Loss::processors) == doctest::Approx(0.15));
  CHECK(parts.of(Loss::memory) == doctest::Approx(0.25));
  CHECK(parts.of(Loss::span) == doctest::Approx(0.12));
  CHECK(parts.of(Loss::scheduler) == doctest::Approx(0.18));
}

TEST_CASE("figures that contradict each other, as short runs' do, still come to 1") {
  CHECK(parts_of({.on_one = kSerial / 2, .on_all = kSerial / 128}).useful == 1);            // more threads have more cache
  CHECK(parts_of({.on_all = kSerial / 64, .busy_threads = 10}).useful == 1);                 // fewer busy than there was work for
  CHECK(parts_of({.on_one = 100 * kSerial, .on_all = kSerial}).of(Loss::work) > 0.9);        // less on 64 threads than on one
  CHECK(parts_of({.busy_threads = 90, .processor_threads = 90, .span = kSerial / 60}).useful == 1);
}

TEST_CASE("a span that is longer than the call was not measured well, and nothing is said") {
  CHECK(bench::breakdown(machine(), row_of({.span = 1.1 * kSerial / 64}), 64).has_value());
  CHECK_FALSE(bench::breakdown(machine(), row_of({.span = 2 * kSerial / 64}), 64).has_value());
}

TEST_CASE("of what earlier versions wrote, or without one thread, nothing is said") {
  const Row whole = row_of({});
  CHECK_FALSE(bench::breakdown(machine(), whole, 32).has_value());
  for (const std::size_t missing : {0U, 1U, 2U}) {
    Row part = whole;
    part.series.erase(part.series.begin() + static_cast<std::ptrdiff_t>(missing));
    CHECK_FALSE(bench::breakdown(machine(), part, 64).has_value());
  }
  Row old = whole;
  for (bench::Sample& sample : old.series[2].samples) sample.busy_threads = bench::kUnknown;
  CHECK_FALSE(bench::breakdown(machine(), old, 64).has_value());
  CHECK(bench::bound_word(machine(), old, 64) == "-");
  Row no_span = whole;
  no_span.span_ns = bench::kUnknown;
  CHECK_FALSE(bench::breakdown(machine(), no_span, 64).has_value());
}

TEST_CASE("parallelism is one thread's time over the span") { CHECK(bench::parallelism(row_of({.span = kSerial / 50})) == doctest::Approx(50)); }
