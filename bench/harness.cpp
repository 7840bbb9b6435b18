#include "harness.hpp"

#include "busy_work.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <random>
#include <stdexcept>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// How many spins take a millisecond: found once, in the parent, so that all children do the same work.
std::uint64_t calibrate_spins() {
  constexpr std::uint64_t kSpins = 1'000'000;
  double least = 1e9;
  std::uint64_t seed = 1;
  for (int i = 0; i < 20; ++i) {
    const auto start = Clock::now();
    seed = busy_work(seed, kSpins);
    least = std::min(least, seconds_since(start));
  }
  // Always true; it keeps the compiler from dropping the work.
  return seed != 0 ? static_cast<std::uint64_t>(static_cast<double>(kSpins) / (1e3 * least)) : 1;
}

// --- the child ------------------------------------------------------------------------------------------------------------

struct Sample {
  double ns;             // median time per call
  std::uint64_t answer;  // identifies the result
};

/// Warms up, then times calls for about `seconds`, in batches that are long for the clock.
Sample measure(Body& body, double seconds) {
  const std::uint64_t answer = body.call();
  std::uint64_t calls = 1;
  const auto time_batch = [&](std::uint64_t batch) {
    bool same = true;
    const auto start = Clock::now();
    for (std::uint64_t i = 0; i < batch; ++i) same &= body.call() == answer;
    const double took = seconds_since(start);
    if (!same) throw std::runtime_error("two calls gave two results");
    calls += batch;
    return took;
  };

  constexpr double kWarmUp = 0.01;
  constexpr double kBatch = 50e-6;
  std::uint64_t batch = 1;
  const auto warm_up = Clock::now();
  double took = time_batch(batch);
  std::vector<double> per_call;
  if (took >= kWarmUp) per_call.push_back(1e9 * took);  // the first call was warm-up enough
  while (seconds_since(warm_up) < kWarmUp) {
    if (took < kBatch) batch *= 2;
    took = time_batch(batch);
  }
  for (const auto start = Clock::now(); per_call.empty() || seconds_since(start) < seconds;)
    per_call.push_back(1e9 * time_batch(batch) / static_cast<double>(batch));
  return {median(per_call), mix(answer) ^ body.settle(calls)};
}

double seconds_per_child(Effort effort) { return effort == Effort::quick ? 0.02 : effort == Effort::normal ? 0.1 : 0.3; }

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

/// --child WORKLOAD CONTENDER THREADS SIZE SPINS TEXT EFFORT: prints the sample.
void run_contender(std::span<char* const> arguments) {
  const Input input{number(arguments[4]), number(arguments[5]), arguments[6]};
  const double seconds = seconds_per_child(static_cast<Effort>(number(arguments[7])));
  for (const Workload& workload : workloads()) {
    for (const Workload::Entrant& entrant : workload.entrants) {
      if (workload.name != arguments[1] || entrant.contender->name != arguments[2]) continue;
      const std::unique_ptr<Body> body = entrant.make(input);
      Sample sample{};
      entrant.contender->enter(static_cast<unsigned>(number(arguments[3])), [&] { sample = measure(*body, seconds); });
      std::printf("%.17g %" PRIu64 "\n", sample.ns, sample.answer);
      return;
    }
  }
  throw std::runtime_error("no such workload or contender");
}

/// --probe NAME FAMILY THREADS: prints the figure.
void run_probe(std::span<char* const> arguments) {
  for (const Probe& probe : probes()) {
    if (probe.name != arguments[1] || probe.family != arguments[2]) continue;
    std::printf("%.17g\n", probe.measure(static_cast<unsigned>(number(arguments[3]))));
    return;
  }
  throw std::runtime_error("no such probe");
}

// --- the parent -----------------------------------------------------------------------------------------------------------

/// Runs this program with other arguments. Returns what it printed, or nothing if it failed, which `what` says on stderr.
std::optional<std::string> run_child(const std::string& program, std::vector<std::string> arguments, const std::string& what) {
  const auto failed = [&what](const char* why, int code) {
    std::fprintf(stderr, "furca-bench: %s: %s %d\n", what.c_str(), why, code);
    return std::nullopt;
  };
  int ends[2];
  if (pipe(ends) != 0) return failed("no pipe: errno", errno);
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  if (error == 0) {
    char buffer[256];
    for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) != 0;) {
      if (count > 0) output.append(buffer, static_cast<std::size_t>(count));
      if (count < 0 && errno != EINTR) break;
    }
  }
  close(ends[0]);
  if (error != 0) return failed("cannot be started: errno", error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return failed(WTERMSIG(status) == SIGALRM ? "hangs; ended by signal" : "died of signal", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return failed("exit code", WEXITSTATUS(status));
  return output;
}

std::string describe(const Row& row, const Series& series) {
  return row.label() + ", " + series.entrant->contender->name + ", threads: " + std::to_string(series.threads);
}

/// One line on a terminal, overwritten by the next.
void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

/// Every contender of a row once, in random order.
void run_round(Row& row, const Plan& plan, const std::string& program, std::uint64_t spins, std::mt19937_64& random,
               Results& results) {
  std::vector<Series*> order;
  for (Series& series : row.series) order.push_back(&series);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::optional<std::uint64_t>> answers(order.size());
  std::optional<std::uint64_t> expected;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Series& series = *order[i];
    series.ns.push_back(std::numeric_limits<double>::quiet_NaN());
    const Contender& contender = *series.entrant->contender;
    const auto output =
        run_child(program,
                  {"--child", row.workload->name, contender.name, std::to_string(series.threads), std::to_string(row.size),
                   std::to_string(spins), plan.text_dir, std::to_string(static_cast<int>(plan.effort))},
                  describe(row, series));
    Sample sample{};
    if (!output || std::sscanf(output->c_str(), "%lf %" SCNu64, &sample.ns, &sample.answer) != 2) {
      ++results.failures;
      continue;
    }
    series.ns.back() = sample.ns;
    answers[i] = sample.answer;
    if (contender.serial) expected = sample.answer;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!answers[i] || !expected || *answers[i] == *expected) continue;
    std::fprintf(stderr, "furca-bench: %s: not the serial result\n", describe(row, *order[i]).c_str());
    order[i]->ns.back() = std::numeric_limits<double>::quiet_NaN();
    ++results.failures;
  }
}

bool selected(const Plan& plan, const std::string& label) { return label.find(plan.filter) != std::string::npos; }

}  // namespace

std::string Row::label() const { return size == 0 ? workload->name : workload->name + " " + std::to_string(size); }

const Series* Row::best(const std::string& family, unsigned threads) const {
  const Series* best = nullptr;
  for (const Series& one : series) {
    if (one.entrant->contender->family != family || one.threads != threads) continue;
    if (best == nullptr || std::isnan(median(best->ns)) || median(one.ns) < median(best->ns)) best = &one;
  }
  return best;
}

std::vector<Row> select_rows(const Plan& plan) {
  std::vector<Row> rows;
  for (const Workload& workload : workloads()) {
    if (workload.reads_text && plan.text_dir.empty()) continue;
    for (const std::size_t size : workload.sizes(plan.effort)) {
      Row row{&workload, size, {}};
      if (!selected(plan, row.label())) continue;
      for (const Workload::Entrant& entrant : workload.entrants) {
        row.series.push_back({&entrant, 1, {}});
        if (!entrant.contender->serial && plan.threads > 1) row.series.push_back({&entrant, plan.threads, {}});
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<const Probe*> select_probes(const Plan& plan) {
  std::vector<const Probe*> chosen;
  for (const Probe& probe : probes()) {
    if (selected(plan, probe.name)) chosen.push_back(&probe);
  }
  return chosen;
}

Results run(const Plan& plan, const std::string& program) {
  Results results;
  results.rows = select_rows(plan);
  const std::uint64_t spins = calibrate_spins();
  std::mt19937_64 random(plan.seed);
  for (unsigned round = 1; round <= plan.rounds; ++round) {
    for (Row& row : results.rows) {
      show_progress("round " + std::to_string(round) + " of " + std::to_string(plan.rounds) + ": " + row.label());
      run_round(row, plan, program, spins, random, results);
    }
  }
  for (const Probe* probe : select_probes(plan)) {
    show_progress(probe->name);
    // Two at least: on one processor, too, there should be a thread that could misbehave.
    const std::string threads = std::to_string(std::max(plan.threads, 2U));
    const auto output = run_child(program, {"--probe", probe->name, probe->family, threads}, probe->name + ", " + probe->family);
    results.probes.push_back({probe, output ? std::strtod(output->c_str(), nullptr) : std::numeric_limits<double>::quiet_NaN()});
    if (!output) ++results.failures;
  }
  show_progress("");
  return results;
}

std::optional<int> run_if_child(std::span<char* const> arguments) {
  const bool contender = arguments.size() == 8 && std::strcmp(arguments[0], "--child") == 0;
  const bool probe = arguments.size() == 4 && std::strcmp(arguments[0], "--probe") == 0;
  if (!contender && !probe) return std::nullopt;
  alarm(300);  // a contender that hangs must not hang the benchmark
  try {
    contender ? run_contender(arguments) : run_probe(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "furca-bench: %s\n", error.what());
    return 1;
  }
}

}  // namespace bench
