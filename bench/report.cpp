#include "report.hpp"

#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace bench {
namespace {

std::string format(const char* pattern, ...) {
  char text[160];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

std::string format_time(double ns) {
  if (std::isnan(ns)) return "-";
  const char* const units[] = {"ns", "us", "ms", "s"};
  std::size_t unit = 0;
  for (; unit < 3 && ns >= 999.5; ++unit) ns /= 1000;
  return format(ns < 9.995 ? "%.2f %s" : ns < 99.95 ? "%.1f %s" : "%.0f %s", ns, units[unit]);
}

std::string format_ratio(double ratio) {
  if (std::isnan(ratio)) return "-";
  return format(ratio < 99.95 ? "%.2f" : "%.0f", ratio);
}

std::vector<double> ratios(const Series* a, const Series* b) {
  return a != nullptr && b != nullptr ? paired_ratios(a->ns, b->ns) : std::vector<double>{};
}

std::vector<unsigned> thread_counts(const Plan& plan) {
  return plan.threads > 1 ? std::vector<unsigned>{1, plan.threads} : std::vector<unsigned>{1};
}

bool has_family(const Results& results, const std::string& family) {
  return std::any_of(results.rows.begin(), results.rows.end(), [&](const Row& row) { return row.best(family, 1) != nullptr; });
}

/// Which contender stood for a family, where there was a choice.
void print_choices(const Results& results, const Plan& plan, const std::string& family) {
  for (const Row& row : results.rows) {
    const auto members = std::count_if(row.series.begin(), row.series.end(), [&](const Series& one) {
      return one.entrant->contender->family == family && one.threads == 1;
    });
    for (const unsigned threads : thread_counts(plan)) {
      if (members < 2) break;
      std::printf("%s at %u: the faster of %ld, %s\n", row.label().c_str(), threads, static_cast<long>(members),
                  row.best(family, threads)->entrant->contender->name.c_str());
    }
  }
}

}  // namespace

void print_table(const Results& results, const Plan& plan) {
  if (results.rows.empty()) return;
  const unsigned most = plan.threads;
  const std::vector<unsigned> counts = thread_counts(plan);
  const bool baseline = has_family(results, "oneTBB");

  std::string names = format("%-15s %9s", "", "serial");
  std::string threads = format("%-15s %9s", "time, ratios", "per call");
  for (const char* family : {"furca", "oneTBB"}) {
    if (family == std::string("oneTBB") && !baseline) continue;
    names += format("  %*s", static_cast<int>(8 * counts.size()), (std::string(family) + "/serial").c_str());
    for (const unsigned count : counts) threads += format("%s %5u th", count == counts.front() ? " " : "", count);
  }
  names +=
      format("  %*s", 22, baseline ? format("oneTBB/furca at %u", most).c_str() : format("furca/serial at %u", most).c_str());
  threads += format("  %7s %14s", "median", "quartiles");
  std::printf("\n%s\n%s\n", names.c_str(), threads.c_str());

  for (const Row& row : results.rows) {
    const Series* const serial = row.best("serial", 1);
    std::string line = format("%-15s %9s", row.label().c_str(), format_time(median(serial->ns)).c_str());
    for (const char* family : {"furca", "oneTBB"}) {
      if (family == std::string("oneTBB") && !baseline) continue;
      for (const unsigned count : counts)
        line += format("%s%8s", count == counts.front() ? "  " : "",
                       format_ratio(median(ratios(row.best(family, count), serial))).c_str());
    }
    const Series* const furca = row.best("furca", most);
    const Summary last = summarise(baseline ? ratios(row.best("oneTBB", most), furca) : ratios(furca, serial));
    const std::string spread = format_ratio(last.lower_quartile) + " .. " + format_ratio(last.upper_quartile);
    std::printf("%s  %7s %14s\n", line.c_str(), format_ratio(last.median).c_str(), spread.c_str());
  }
  if (baseline) {
    std::printf("oneTBB/furca above 1: furca is faster; below 1: oneTBB is.\n");
    print_choices(results, plan, "oneTBB");
  } else {
    std::printf("oneTBB was not there when this was built: no comparison.\n");
  }
}

namespace {

class Targets {
 public:
  Targets(const Results& results, const Plan& plan) : results_(results), most_(plan.threads) {}

  void print() {
    for (const Row& row : results_.rows) print_row(row);
    print_axpy_excess();
    for (const ProbeResult& result : results_.probes) {
      if (result.probe->family != "furca") continue;
      const bool idle = result.probe->name == "idle";
      judge(idle ? "idle: ms of processor time per second" : "heap " + result.probe->name, result.value,
            idle ? Bound::below : Bound::at_most, idle ? 1 : 0);
    }
    for (const ProbeResult& result : results_.probes) {
      if (result.probe->family != "furca") note(result.probe->name + ": the same of " + result.probe->family, result.value);
    }
    std::printf("%u of %u targets reached\n", reached_, judged_);
  }

 private:
  enum class Bound { at_most, below, at_least };

  void judge(const std::string& what, double value, Bound bound, double limit) {
    const bool ok = bound == Bound::at_most ? value <= limit
                    : bound == Bound::below ? value < limit
                                            : value >= limit;  // NaN: missed
    const char* const words = bound == Bound::at_most ? "at most" : bound == Bound::below ? "below" : "at least";
    std::printf("  %-58s %9s  %8s %6.2f  %s\n", what.c_str(), format_value(value).c_str(), words, limit, ok ? "ok" : "MISSED");
    ++judged_;
    if (ok) ++reached_;
  }

  static void note(const std::string& what, double value) {
    std::printf("  %-58s %9s\n", what.c_str(), format_value(value).c_str());
  }

  static std::string format_value(double value) {
    if (std::isnan(value)) return "no result";
    return format(value > 0 && value < 0.01 ? "%.1e" : "%.2f", value);  // a small excess over 0 must not look like 0
  }

  void judge_baseline(const Row& row, unsigned threads, double least) {
    const Series* const baseline = row.best("oneTBB", threads);
    if (baseline == nullptr) return;
    judge(row.label() + ": oneTBB/furca, threads: " + std::to_string(threads),
          median(ratios(baseline, row.best("furca", threads))), Bound::at_least, least);
  }

  void print_row(const Row& row) {
    const std::string& name = row.workload->name;
    const Series* const serial = row.best("serial", 1);
    const Series* const alone = row.best("furca", 1);
    const Series* const together = row.best("furca", most_);
    if (name == "fib" || name == "fib-calls") judge(row.label() + ": furca/serial, threads: 1", median(ratios(alone, serial)), Bound::at_most, 3.0);
    if (name == "fib") {
      judge_baseline(row, 1, 15);
      if (most_ > 1) judge_baseline(row, most_, 15);
    } else if (name == "axpy" && (row.size == 100'000 || row.size == 10'000'000)) {
      judge_baseline(row, most_, 1);
    } else if (name == "unbalanced" && most_ > 1) {
      judge(row.label() + ": furca, 1 thread/" + std::to_string(most_) + " threads", median(ratios(alone, together)),
            Bound::at_least, 1.9);
    } else if (name == "chain" && most_ > 1) {
      judge(row.label() + ": furca/serial, threads: " + std::to_string(most_), median(ratios(together, serial)), Bound::at_most,
            0.55);
    }
  }

  /// No loop, however short, may cost much more than the plain one: 1.5 times that and 100 ns.
  void print_axpy_excess() {
    std::optional<double> worst;
    std::string where;
    for (const Row& row : results_.rows) {
      if (row.workload->name != "axpy") continue;
      for (const unsigned threads : {1U, most_}) {
        const double excess = median(row.best("furca", threads)->ns) - 1.5 * median(row.best("serial", 1)->ns) - 100;
        const bool failed = std::isnan(excess);  // the worst there is
        if (worst && !failed && !(excess > *worst)) continue;
        worst = excess;
        where = "n " + std::to_string(row.size) + ", threads: " + std::to_string(threads);
      }
    }
    if (worst) judge("axpy: ns above 1.5 serial + 100; most: " + where, *worst, Bound::at_most, 0);
  }

  const Results& results_;
  const unsigned most_;
  unsigned judged_ = 0;
  unsigned reached_ = 0;
};

}  // namespace

void print_targets(const Results& results, const Plan& plan) {
  std::printf("\ntargets (medians over the rounds)\n");
  if (plan.threads < 2) std::printf("  one thread: nothing is judged that takes two\n");
  Targets(results, plan).print();
}

}  // namespace bench
