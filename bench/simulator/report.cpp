#include "report.hpp"

#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace simulator {
namespace {

double us(Time time) { return static_cast<double>(time) / 1e3; }
double per(std::uint64_t count, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

std::string started(const Outcome& outcome) {
  const std::size_t half = outcome.spent.size() / 2;  // of the P - 1 threads, rounded up
  return half == 0 || outcome.first_job.size() < half
             ? "never"
             : format("%.0f", us(outcome.first_job[half - 1]));
}

const char* name(const Run& run) {
  return run.workers == 1           ? "-"
         : run.wait == Wait::greedy ? "greedy"
         : run.wait == Wait::resume ? "resume"
                                    : "own";
}

const Run* find(const Row& row, std::size_t workers, Wait wait) {
  const auto found = std::find_if(row.runs.begin(), row.runs.end(), [&](const Run& run) {
    return run.workers == workers && run.wait == wait;
  });
  return found == row.runs.end() ? nullptr : &*found;
}

}  // namespace

double Row::speed_up(const Run& run) const { return per(totals.work, run.outcome.time); }

double Row::bound(const Run& run) const {
  const auto work = static_cast<double>(totals.work);
  return work / (work / static_cast<double>(run.workers) + static_cast<double>(totals.span));
}

std::string table(const Row& row) {
  std::string text = format("\n%s: %s\nT1 %.1f us, T_inf %.1f us, forks of joins %llu\n",
                            row.name.c_str(), row.summary.c_str(), us(row.totals.work),
                            us(row.totals.span), static_cast<unsigned long long>(row.totals.forks));
  text +=
      "  P  wait   speed-up   bound ratio  steals failed/steal  backs idle %  half us  wakes  "
      "heavy";
  text += " heavy/s queue us where\n";
  for (const Run& run : row.runs) {
    const Outcome& outcome = run.outcome;
    const auto longest =
        std::max_element(outcome.traffic.begin(), outcome.traffic.end(),
                         [](const Traffic& a, const Traffic& b) { return a.longest < b.longest; });
    text +=
        format("%3zu  %-6s %8.2f %7.2f %5.2f %7llu %12.1f %6llu", run.workers, name(run),
               row.speed_up(run), row.bound(run), row.speed_up(run) / row.bound(run),
               static_cast<unsigned long long>(outcome.steals), per(outcome.failed, outcome.steals),
               static_cast<unsigned long long>(outcome.steal_backs));
    text += format(" %6.1f %8s %6llu %6llu %7.0f %8.1f %s\n", 100 * outcome.idle(),
                   started(outcome).c_str(), static_cast<unsigned long long>(outcome.wakes),
                   static_cast<unsigned long long>(outcome.membarriers),
                   1e9 * per(outcome.membarriers, outcome.time), us(longest->longest),
                   longest->longest == 0
                       ? "-"
                       : kWordNames[static_cast<std::size_t>(longest - outcome.traffic.begin())]);
  }
  return text;
}

std::string detail(const Row& row) {
  std::string text =
      "  P  wait   share of all workers' time in %; heavy fences for arming and for sleeping; ";
  text += "bells told of sleepers; forks that asked who looks\n            ";
  for (const char* const activity : kActivityNames) text += format(" %9s", activity);
  text += "   arming sleeping     told    asked\n";
  for (const Run& run : row.runs) {
    text += format("%3zu  %-6s ", run.workers, name(run));
    for (std::size_t i = 0; i < kActivities; ++i)
      text += format(" %9.2f", 100 * per(run.outcome.total(static_cast<Activity>(i)),
                                         run.outcome.time * run.workers));
    for (const std::uint64_t count : {run.outcome.arming_fences, run.outcome.sleeping_fences,
                                      run.outcome.told, run.outcome.asked})
      text += format(" %8llu", static_cast<unsigned long long>(count));
    text += '\n';
  }
  text +=
      "  P  wait   transfers of a line for each steal, and how long one waits for its turn on "
      "average in ns\n            ";
  for (const char* const word : kWordNames) text += format(" %13s", word);
  text += '\n';
  for (const Run& run : row.runs) {
    text += format("%3zu  %-6s ", run.workers, name(run));
    for (const Traffic& traffic : run.outcome.traffic)
      text += format(" %6.2f %6.0f", per(traffic.transfers, run.outcome.steals),
                     per(traffic.waited, traffic.transfers));
    text += '\n';
  }
  return text;
}

std::string price(const std::vector<Row>& rows) {
  std::vector<std::size_t> workers;
  for (const Run& run : rows.front().runs)
    if (run.workers > 1 && run.wait == Wait::greedy &&
        find(rows.front(), run.workers, Wait::own_subtree) != nullptr)
      workers.push_back(run.workers);
  if (workers.empty()) return "";
  std::string text =
      "\nspeed-up under own_subtree / speed-up under greedy; below 1 the promise costs time\n";
  text += format("%-14s", "");
  for (const std::size_t count : workers) text += format("  P = %-4zu", count);
  text += '\n';
  std::vector<double> product(workers.size(), 0);
  std::vector<double> worst(workers.size(), 1e9);
  for (const Row& row : rows) {
    text += format("%-14s", row.name.c_str());
    for (std::size_t i = 0; i < workers.size(); ++i) {
      const double ratio = row.speed_up(*find(row, workers[i], Wait::own_subtree)) /
                           row.speed_up(*find(row, workers[i], Wait::greedy));
      product[i] += std::log(ratio);
      worst[i] = std::min(worst[i], ratio);
      text += format("  %8.3f", ratio);
    }
    text += '\n';
  }
  text += format("%-14s", "geometric mean");
  for (const double log : product)
    text += format("  %8.3f", std::exp(log / static_cast<double>(rows.size())));
  text += format("\n%-14s", "worst");
  for (const double ratio : worst) text += format("  %8.3f", ratio);
  return text + '\n';
}

}  // namespace simulator
