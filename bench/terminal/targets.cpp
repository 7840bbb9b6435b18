#include "text.hpp"
#include "../summary.hpp"
#include "terminal.hpp"

#include <cmath>
#include <optional>

namespace bench::terminal {
namespace {

class Targets {
 public:
  Targets(std::ostream& out, const Results& results) : out_(out), results_(results), most_(most_threads(results)) {}

  void print() {
    for (const Row& row : results_.rows) print_row(row);
    print_axpy_excess();
    for (const Figure& figure : results_.figures) print_figure(figure);
    if (judged_ > 0) out_ << format("%u of %u targets reached\n", reached_, judged_);
  }

 private:
  enum class Bound { at_most, below, at_least };

  void judge(const std::string& what, double value, Bound bound, double limit) {
    const bool ok = bound == Bound::at_most ? value <= limit
                    : bound == Bound::below ? value < limit
                                            : value >= limit;  // NaN: missed
    const char* const words = bound == Bound::at_most ? "at most" : bound == Bound::below ? "below" : "at least";
    if (judged_ == 0) out_ << "\nthe project's own targets (medians over the rounds)\n";
    out_ << format("  %-58s %9s  %8s %6.2f  %s\n", what.c_str(), format_value(value).c_str(), words, limit, ok ? "ok" : "MISSED");
    ++judged_;
    if (ok) ++reached_;
  }

  static std::string format_value(double value) {
    if (std::isnan(value)) return "no result";
    return format(value > 0 && value < 0.01 ? "%.1e" : "%.2f", value);  // a small excess over 0 must not look like 0
  }

  void judge_baseline(const Row& row, unsigned threads, double least) {
    if (row.find(kBaseline, threads) == nullptr) return;
    judge(row.label() + ": oneTBB/furca, threads: " + std::to_string(threads),
          median(ratios(row.find(kBaseline, threads), row.find(kOurs, threads))), Bound::at_least, least);
  }

  void print_row(const Row& row) {
    const std::string& name = row.workload;
    const Series* const serial = row.find("serial", 1);
    const Series* const alone = row.find(kOurs, 1);
    const Series* const together = row.find(kOurs, most_);
    if ((name == "fib" || name == "fib-calls") && alone != nullptr)
      judge(row.label() + ": furca/serial, threads: 1", median(ratios(alone, serial)), Bound::at_most, 3.0);
    if (name == "fib") {
      judge_baseline(row, 1, 15);
      if (most_ > 1) judge_baseline(row, most_, 15);
    } else if (name == "axpy" && (row.size == 100'000 || row.size == 10'000'000)) {
      judge_baseline(row, most_, 1);
    } else if (name == "unbalanced" && most_ > 1 && alone != nullptr) {
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
      if (row.workload != "axpy") continue;
      for (const unsigned threads : thread_counts(results_)) {
        const double excess = typical(row.find(kOurs, threads)) - 1.5 * typical(row.find("serial", 1)) - 100;
        const bool failed = std::isnan(excess);  // the worst there is
        if (worst && !failed && !(excess > *worst)) continue;
        worst = excess;
        where = "n " + std::to_string(row.size) + ", threads: " + std::to_string(threads);
      }
    }
    if (worst) judge("axpy: ns above 1.5 serial + 100; most: " + where, *worst, Bound::at_most, 0);
  }

  void print_figure(const Figure& figure) {
    if (figure.family != kOurs) return;
    if (figure.name == "idle") judge("idle: ms of processor time per second", median(figure.values), Bound::below, 1);
    if (figure.unit == "allocations") judge(figure.name, median(figure.values), Bound::at_most, 0);
  }

  std::ostream& out_;
  const Results& results_;
  const unsigned most_;
  unsigned judged_ = 0;
  unsigned reached_ = 0;
};

}  // namespace

void print_targets(std::ostream& out, const Results& results) { Targets(out, results).print(); }

}  // namespace bench::terminal
