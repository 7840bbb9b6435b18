#include "harness.hpp"

#include "busy_work.hpp"
#include "child.hpp"
#include "process.hpp"
#include "progress.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

namespace bench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Sample kFailed{kNone, kNone, kNone, kNone, kNone, kNone};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// How many spins take a millisecond: found once, in the parent, so that all children do the same
/// work.
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

/// A row of the results, and whom to run for each of its series.
struct Lineup {
  const PlannedRow* planned;
  Row row;
  std::vector<const Contender*> contenders;  // of row.series, one for one

  void add(const Contender& contender, unsigned threads, bool control = false) {
    row.series.push_back({contender.family, contender.name, threads, control, {}});
    contenders.push_back(&contender);
  }
};

class Runner {
 public:
  explicit Runner(const Plan& plan)
      : plan_(plan),
        planned_(select_rows(plan)),
        probes_(select_probes(plan)),
        random_(plan.seed),
        spins_per_ms_(calibrate_spins()),
        progress_(planned_.size() + probes_.size()) {}

  Results run() {
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      progress_.begin(i, "choosing: " + planned_[i].label(),
                      std::vector<unsigned>(planned_.size(), plan_.rounds));
      lineups_.push_back(choose(planned_[i]));
      progress_.end();
    }
    for (const Probe* probe : probes_)
      results_.figures.push_back({probe->name,
                                  probe->summary,
                                  probe->group,
                                  probe->family,
                                  probe->variant,
                                  probe->unit,
                                  {}});
    unsigned round = 0;
    for (; round < plan_.rounds && (round < kLeastRounds || within_budget(round)); ++round)
      run_round(round);
    for (Lineup& lineup : lineups_) results_.rows.push_back(std::move(lineup.row));
    results_.setting.rounds = round;
    return std::move(results_);
  }

 private:
  static constexpr unsigned kLeastRounds = 3;
  static constexpr std::size_t kLeastForCurves = 3;  // numbers of threads; see report/summary.py

  bool within_budget(unsigned round) const {
    std::vector<unsigned> once(planned_.size() + probes_.size());
    for (std::size_t task = 0; task < once.size(); ++task) once[task] = is_due(task, round) ? 1 : 0;
    return plan_.budget_seconds == 0 ||
           seconds_since(start_) + progress_.seconds(once) <= plan_.budget_seconds;
  }

  /// What takes long is done in the first rounds only: a probe that takes a second, and where time
  /// is limited a row that takes much of a minute. A task is a row or, above those, a probe.
  bool is_due(std::size_t task, unsigned round) const {
    constexpr double kLongRowSeconds = 20;
    if (task < planned_.size())
      return plan_.budget_seconds == 0 || round < kLeastRounds ||
             progress_.seconds_of(task) < kLongRowSeconds;
    const unsigned slow = plan_.effort == Effort::quick    ? 1
                          : plan_.effort == Effort::normal ? 3
                                                           : 5;
    return round < (probes_[task - planned_.size()]->slow ? slow : 2 * slow);
  }

  /// Finds for each family of contenders the one that does this row fastest, with all threads, in a
  /// run or two of each.
  Lineup choose(const PlannedRow& planned) {
    Lineup lineup{&planned,
                  {planned.workload->name,
                   planned.workload->summary,
                   planned.workload->group,
                   planned.size,
                   planned.workload->rest_ms,
                   {}},
                  {}};
    std::vector<std::string> families;
    for (const Workload::Entrant& entrant : planned.workload->entrants) {
      const std::string& family = entrant.contender->family;
      if (std::find(families.begin(), families.end(), family) == families.end())
        families.push_back(family);
    }
    for (const std::string& family : families) {
      const Contender& chosen = fastest(planned, family);
      if (chosen.serial) {
        lineup.add(chosen, 1);
        continue;
      }
      for (const unsigned threads : plan_.threads) lineup.add(chosen, threads);
      if (family != kOurs) continue;
      lineup.add(chosen, plan_.threads.back(), true);
      if (plan_.threads.size() >= kLeastForCurves) lineup.row.span_ns = span_of(planned, chosen);
    }
    return lineup;
  }

  /// In a process that observes itself, so that no run that is timed does. On half of the
  /// processors: a strand that waits for one is longer.
  double span_of(const PlannedRow& planned, const Contender& contender) {
    const unsigned threads = std::min(plan_.threads.back(), std::max(2U, plan_.processors / 2));
    const Input input{planned.size, spins_per_ms_, plan_.text_dir};
    std::string table;  // furca's own report, for people
    const auto output =
        run_process(own_path(), span_arguments(*planned.workload, contender, threads, input),
                    {"FURCA_STATS=span"}, planned.label() + ", its span", &table);
    if (!output) std::fputs(table.c_str(), stderr);
    if (!output) ++results_.failures;
    return output ? std::strtod(output->c_str(), nullptr) : kNone;
  }

  const Contender& fastest(const PlannedRow& planned, const std::string& family) {
    std::vector<const Contender*> members;
    for (const Workload::Entrant& entrant : planned.workload->entrants) {
      if (entrant.contender->family == family) members.push_back(entrant.contender);
    }
    if (members.size() == 1) return *members.front();
    const int times = plan_.effort == Effort::quick ? 1 : 2;
    std::vector<double> least(members.size(), std::numeric_limits<double>::infinity());
    for (int i = 0; i < times; ++i) {
      for (std::size_t member = 0; member < members.size(); ++member) {
        const auto found =
            run_contender(planned, *members[member], plan_.threads.back(), Effort::quick);
        if (found) least[member] = std::min(least[member], found->sample.wall_ns);
      }
    }
    return *members[static_cast<std::size_t>(std::min_element(least.begin(), least.end()) -
                                             least.begin())];
  }

  std::optional<Measurement> run_contender(const PlannedRow& planned, const Contender& contender,
                                           unsigned threads, Effort effort) {
    const Input input{planned.size, spins_per_ms_, plan_.text_dir};
    const std::string what =
        planned.label() + ", " + contender.name + ", threads: " + std::to_string(threads);
    const auto output = run_process(
        own_path(), child_arguments(*planned.workload, contender, threads, input, effort), {},
        what);
    const auto found = output ? parse_measurement(*output) : std::nullopt;
    if (!found) ++results_.failures;
    return found;
  }

  /// Everything once, all in random order: rows and probes, and within a row its contenders.
  void run_round(unsigned round) {
    std::vector<std::size_t> order;
    std::vector<unsigned> left(planned_.size() + probes_.size(), 0);
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (unsigned later = round; later < plan_.rounds; ++later)
        left[i] += is_due(i, later) ? 1 : 0;
      if (is_due(i, round)) order.push_back(i);
    }
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::size_t task : order) {
      --left[task];
      const bool is_row = task < planned_.size();
      const std::string what =
          is_row ? planned_[task].label() : probes_[task - planned_.size()]->name;
      progress_.begin(task,
                      "round " + std::to_string(round + 1) + " of " + std::to_string(plan_.rounds) +
                          ": " + what,
                      left);
      is_row ? run_row(lineups_[task]) : run_probe(task - planned_.size());
      progress_.end();
    }
  }

  /// Every contender of a row once, in random order; what is not the serial run's result counts as
  /// failed.
  void run_row(Lineup& lineup) {
    std::vector<std::size_t> order(lineup.contenders.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<std::optional<Measurement>> found(order.size());
    std::optional<std::uint64_t> expected;
    for (const std::size_t i : order) {
      found[i] = run_contender(*lineup.planned, *lineup.contenders[i], lineup.row.series[i].threads,
                               plan_.effort);
      if (found[i] && lineup.contenders[i]->serial) expected = found[i]->answer;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      Series& series = lineup.row.series[i];
      const bool right = found[i] && expected && found[i]->answer == *expected;
      series.samples.push_back(right ? found[i]->sample : kFailed);
      if (!found[i] || right) continue;
      std::fprintf(stderr, "furca-bench: %s, %s, threads: %u: %s\n", lineup.row.label().c_str(),
                   series.contender.c_str(), series.threads,
                   expected ? "not the serial result" : "no serial result to compare with");
      ++results_.failures;
    }
  }

  void run_probe(std::size_t index) {
    const Probe& probe = *probes_[index];
    // Two at least: on one processor, too, there should be a thread that could misbehave.
    const unsigned threads = std::max(plan_.threads.back(), 2U);
    const auto output = run_process(own_path(), child_arguments(probe, threads), probe.environment,
                                    probe.name + ", " + probe.family);
    results_.figures[index].values.push_back(output ? std::strtod(output->c_str(), nullptr)
                                                    : kNone);
    if (!output) ++results_.failures;
  }

  const Plan& plan_;
  std::vector<PlannedRow> planned_;
  std::vector<const Probe*> probes_;
  std::mt19937_64 random_;
  std::uint64_t spins_per_ms_;
  Progress progress_;
  Clock::time_point start_ = Clock::now();
  std::vector<Lineup> lineups_;
  Results results_;
};

bool is_named(const Plan& plan, const std::string& name) {
  return plan.only.empty() ||
         std::find(plan.only.begin(), plan.only.end(), name) != plan.only.end();
}

}  // namespace

std::string PlannedRow::label() const { return Row{workload->name, {}, {}, size, 0, {}}.label(); }

bool is_selected(const Plan& plan, const std::string& name, Group group) {
  if (const auto wanted = group_called(plan.filter)) return group == *wanted;
  return name.find(plan.filter) != std::string::npos;
}

std::vector<PlannedRow> select_rows(const Plan& plan) {
  std::vector<PlannedRow> rows;
  for (const Workload& workload : workloads()) {
    if (workload.reads_text && plan.text_dir.empty()) continue;
    for (const std::size_t size : workload.sizes(plan.effort)) {
      const PlannedRow row{&workload, size};
      if (!is_named(plan, workload.name)) continue;
      if (is_selected(plan, row.label(), workload.group)) rows.push_back(row);
    }
  }
  return rows;
}

std::vector<const Probe*> select_probes(const Plan& plan) {
  std::vector<const Probe*> chosen;
  for (const Probe& probe : probes()) {
    const bool asked_for = !plan.only.empty() || !plan.filter.empty();
    if (probe.least > plan.effort && !asked_for) continue;
    if (!is_named(plan, probe.name)) continue;
    if (is_selected(plan, probe.name, probe.group)) chosen.push_back(&probe);
  }
  return chosen;
}

Results run(const Plan& plan) { return Runner(plan).run(); }

}  // namespace bench
