// The child's side of harness.cpp: one contender of one workload, or one probe, and what it found
// on stdout.
#include "child.hpp"

#include "measure.hpp"
#include "measuring/clock.hpp"
#include "observing/outermost.hpp"

#include <furca/stats.hpp>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include <unistd.h>

namespace bench {
namespace {

constexpr unsigned kPatienceSeconds = 300;  // a contender that hangs must not hang the benchmark

/// In their first milliseconds two new threads may share a processor, where both take twice as
/// long: a kernel moves one of them when it next weighs the processors' loads.
Durations durations(unsigned threads, Effort effort) {
  const double warm_up = threads > 1 ? 0.02 : 0.004;
  switch (effort) {
    case Effort::quick:
      return {warm_up, 0.012};
    case Effort::normal:
      return {warm_up, 0.04};
    case Effort::full:
      return {warm_up, 0.1};
  }
  return {};
}

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

const Workload::Entrant& find_entrant(const std::string& workload, const std::string& contender) {
  for (const Workload& one : workloads()) {
    for (const Workload::Entrant& entrant : one.entrants) {
      if (one.name == workload && entrant.contender->name == contender) return entrant;
    }
  }
  throw std::runtime_error("no such workload or contender");
}

/// What its pool says, for the thread that is inside.
ThreadCounts furca_counts() {
  const furca::WorkerStats all = furca::stats().total();
  return {all.seconds - all.idle_seconds, static_cast<double>(all.heavy_fences)};
}

void run_contender(std::span<char* const> arguments) {
  const Input input{number(arguments[4]), number(arguments[5]), arguments[6]};
  const Workload::Entrant& entrant = find_entrant(arguments[1], arguments[2]);
  const std::unique_ptr<Body> body = entrant.make(input);
  const auto counts = entrant.contender->family == kOurs ? &furca_counts : nullptr;
  Measurement found{};
  const auto threads = static_cast<unsigned>(number(arguments[3]));
  entrant.contender->enter(threads, [&] {
    found = measure(*body, std::strtod(arguments[7], nullptr),
                    durations(threads, static_cast<Effort>(number(arguments[8]))), counts);
  });
  const Sample& sample = found.sample;
  // Seven digits are more than any clock here is worth.
  std::printf("%.7g %.7g %.7g %.7g %.7g %.7g %.7g %.7g %" PRIu64 "\n", sample.wall_ns,
              sample.cpu_ns, sample.peak_kib, sample.voluntary, sample.involuntary, sample.calls,
              sample.busy_threads, sample.heavy_fences, found.answer);
}

/// Nanoseconds of the least span of a few calls: whatever else the machine does makes spans longer.
/// What the caller does between its calls of furca is on every path, and needs its time whether
/// furca observes itself or not.
double least_span(Body& body) {
  using Clock = std::chrono::steady_clock;
  constexpr int kCalls = 20;
  constexpr std::chrono::seconds kLongest{1};
  double least = std::numeric_limits<double>::infinity();
  const auto begin = Clock::now();
  for (int i = 0; i < kCalls && (i == 0 || Clock::now() - begin < kLongest); ++i) {
    const furca::detail::OutermostSums before = furca::detail::outermost_sums();
    const std::uint64_t start = furca::detail::ticks();
    body.call();
    const std::uint64_t elapsed = furca::detail::ticks() - start;
    const furca::detail::OutermostSums after = furca::detail::outermost_sums();
    const std::uint64_t in_furca = std::min(elapsed, after.elapsed - before.elapsed);
    least = std::min(least, static_cast<double>(elapsed - in_furca + (after.span - before.span)));
  }
  return 1e3 * least / static_cast<double>(furca::detail::ticks_per_microsecond());
}

void run_span(std::span<char* const> arguments) {
  const Workload::Entrant& entrant = find_entrant(arguments[1], arguments[2]);
  const std::unique_ptr<Body> body =
      entrant.make({number(arguments[4]), number(arguments[5]), arguments[6]});
  double span = 0;
  entrant.contender->enter(static_cast<unsigned>(number(arguments[3])),
                           [&] { span = least_span(*body); });
  std::printf("%.7g\n", span);
}

void run_probe(std::span<char* const> arguments) {
  for (const Probe& probe : probes()) {
    if (probe.name != arguments[1] || probe.family != arguments[2] || probe.variant != arguments[3])
      continue;
    std::printf("%.7g\n", probe.measure(static_cast<unsigned>(number(arguments[4]))));
    return;
  }
  throw std::runtime_error("no such probe");
}

}  // namespace

std::vector<std::string> child_arguments(const Workload& workload, const Contender& contender,
                                         unsigned threads, const Input& input, Effort effort) {
  return {"--child",
          workload.name,
          contender.name,
          std::to_string(threads),
          std::to_string(input.size),
          std::to_string(input.spins_per_ms),
          input.text_dir,
          std::to_string(workload.rest_ms),
          std::to_string(static_cast<int>(effort))};
}

std::vector<std::string> child_arguments(const Probe& probe, unsigned threads) {
  return {"--probe", probe.name, probe.family, probe.variant, std::to_string(threads)};
}

std::vector<std::string> span_arguments(const Workload& workload, const Contender& contender,
                                        unsigned threads, const Input& input) {
  std::vector<std::string> arguments =
      child_arguments(workload, contender, threads, input, Effort::quick);
  arguments.front() = "--span";
  return arguments;
}

std::optional<Measurement> parse_measurement(const std::string& output) {
  Measurement found{};
  Sample& sample = found.sample;
  if (std::sscanf(output.c_str(), "%lf %lf %lf %lf %lf %lf %lf %lf %" SCNu64, &sample.wall_ns,
                  &sample.cpu_ns, &sample.peak_kib, &sample.voluntary, &sample.involuntary,
                  &sample.calls, &sample.busy_threads, &sample.heavy_fences, &found.answer) != 9)
    return std::nullopt;
  return found;
}

std::optional<int> run_if_child(std::span<char* const> arguments) {
  const bool contender = arguments.size() == 9 && std::strcmp(arguments[0], "--child") == 0;
  const bool probe = arguments.size() == 5 && std::strcmp(arguments[0], "--probe") == 0;
  const bool span = arguments.size() == 9 && std::strcmp(arguments[0], "--span") == 0;
  if (!contender && !probe && !span) return std::nullopt;
  alarm(kPatienceSeconds);
  try {
    contender ? run_contender(arguments) : span ? run_span(arguments) : run_probe(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "furca-bench: %s\n", error.what());
    return 1;
  }
}

}  // namespace bench
