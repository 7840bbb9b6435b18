#include "targets.hpp"

#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace bench {
namespace {

using Bound = Judgement::Bound;

// --- rows -----------------------------------------------------------------------------------------------------------------

/// Loops of every cost and distribution (workloads/costs.cpp), each of which may have its worst cost.
constexpr const char* kCosts[] = {"cost-uniform", "cost-pareto", "cost-ramp", "cost-first", "cost-middle", "cost-last"};
constexpr const char* kTrees[] = {"skynet", "nqueens", "uts-t1", "uts-t3", "matmul"};
constexpr const char* kReductions[] = {"sum", "dot", "sum-simd", "dot-simd"};
constexpr const char* kOthers[] = {"fib", "fib-calls", "axpy", "axpy-rested", "unbalanced", "chain"};

template <class List, class T>
bool has(const List& list, const T& wanted) {
  return std::find(std::begin(list), std::end(list), wanted) != std::end(list);
}

// --- figures --------------------------------------------------------------------------------------------------------------

struct FigureTarget {
  const char* name;
  const char* unit;
  double limit;
  const char* variant = "";
  const char* beside = nullptr;  // a family: the bound is on the ratio to its figure, that without a variant
  Bound bound = Bound::at_most;  // at_least: on the ratio of the family's figure to ours

  bool is_about(const std::string& figure, const std::string& of_unit) const { return figure == name && of_unit == unit; }
};

// Of the two fences, the one that a pool has unless told otherwise.
constexpr const char* kUsual = "adaptive fence";

constexpr FigureTarget kFigures[] = {
    {"nested loops, 1,000 x 1,000", "x", 1.05},
    {"nested loops, 1,000,000 x 1", "x", 1.05},
    {"nested loops, 1 x 1,000,000", "x", 1.05},
    {"wake from sleep", "ns", 0.5, kUsual, kBaseline},
    {"join of a stolen arm", "ns", 1'000, kUsual},
    {"first use", "us", 100},
    {"burnt after work", "us", 100},
    {"idle", "ms", 0.1},
    {"mostly idle", "ms", 1.2, "", "serial"},
    {"64 threads, loops", "x", 1.3},
    {"64 threads, forks", "x", 1.3},
    {"busy neighbour, loops", "x", 1.02, "", kBaseline},
    {"busy neighbour, forks", "x", 1.02, "", kBaseline},
    {"push and pop", "ns", 3, kUsual},
    {"steal", "ns", 50, kUsual},
    {"operation beside a thief", "ns", 10, kUsual},
    {"spawn and run", "ns", 3, kUsual, kBaseline, Bound::at_least},
    {"spawn detached and run", "ns", 3, kUsual, kBaseline, Bound::at_least},
    {"stack of a nested join", "bytes", 384},
    {"memory of a thread", "KiB", 64},
    {"allocations per join", "allocations", 0},
    {"allocations per loop", "allocations", 0},
    {"allocations per reduce", "allocations", 0},
};

// --- judging --------------------------------------------------------------------------------------------------------------

std::string with_threads(unsigned threads) { return ", threads: " + std::to_string(threads); }

/// Of several values under one bound, the one that is furthest on the wrong side.
class Worst {
 public:
  explicit Worst(Bound bound) : bound_(bound) {}

  void offer(double value, const std::string& where) {
    const bool failed = std::isnan(value);  // the worst there is
    const bool worse = bound_ == Bound::at_most ? value > value_ : value < value_;
    if (!where_.empty() && (std::isnan(value_) || !(failed || worse))) return;
    value_ = value;
    where_ = where;
  }

  /// Nothing if nothing was offered.
  std::optional<Judgement> judge(const std::string& what, double limit) const {
    if (where_.empty()) return std::nullopt;
    return Judgement{what + ", at " + where_, value_, bound_, limit};
  }

 private:
  Bound bound_;
  double value_ = 0;
  std::string where_;
};

/// Round by round, the least of what the rivals took; NaN where none has a time.
std::vector<double> best_rival(const Row& row, unsigned threads) {
  std::vector<double> best = values(row.find(kBaseline, threads));
  const std::vector<double> other = values(row.find("OpenMP", threads));
  if (best.empty()) return other;
  for (std::size_t i = 0; i < best.size() && i < other.size(); ++i) best[i] = std::fmin(best[i], other[i]);
  return best;
}

class Judge {
 public:
  explicit Judge(const Results& results) : results_(results), counts_(thread_counts(results)), most_(most_threads(results)) {}

  std::vector<Judgement> all() {
    for (const Row& row : results_.rows) row_alone(row);
    short_loops();
    rested_loops();
    for (const char* const name : kCosts) costs(name);
    for (const Figure& figure : results_.figures) figure_alone(figure);
    return std::move(all_);
  }

 private:
  void add(const std::string& what, double value, Bound bound, double limit) { all_.push_back({what, value, bound, limit}); }
  void add(std::optional<Judgement> judgement) {
    if (judgement) all_.push_back(*std::move(judgement));
  }

  void against_serial(const Row& row, unsigned threads, double most) {
    if (row.find(kOurs, threads) == nullptr) return;
    add(row.label() + ": furca/serial" + with_threads(threads), median(ratios(row.find(kOurs, threads), row.find("serial", 1))),
        Bound::at_most, most);
  }

  /// Where the rival did not run there is nothing to judge.
  void against(const Row& row, const char* rival, unsigned threads, double least) {
    if (row.find(rival, threads) == nullptr) return;
    add(row.label() + ": " + rival + "/furca" + with_threads(threads),
        median(ratios(row.find(rival, threads), row.find(kOurs, threads))), Bound::at_least, least);
  }

  void row_alone(const Row& row) {
    const std::string& name = row.workload;
    if (name == "fib" || name == "fib-calls") {
      against_serial(row, 1, 1.8);
      if (most_ > 1) against_serial(row, two(), 1.0);
    }
    if (name == "fib") {
      against(row, kBaseline, 1, 30);
      if (most_ > 1) against(row, kBaseline, most_, 30);
    } else if (has(kTrees, name)) {
      against(row, kBaseline, most_, 0.95);
    } else if (name == "axpy" && (row.size == 100'000 || row.size == 10'000'000)) {
      against(row, kBaseline, most_, 1);
    } else if (has(kReductions, name)) {
      against_serial(row, 1, 1.03);
      // Whoever splits the range statically and has no more to do is at the memory's limit.
      if (most_ > 1) against(row, "OpenMP", most_, 0.97);
    } else if (name == "unbalanced" && most_ > 1 && row.find(kOurs, 1) != nullptr) {
      add(row.label() + ": furca, 1 thread/" + std::to_string(most_) + " threads",
          median(ratios(row.find(kOurs, 1), row.find(kOurs, most_))), Bound::at_least, 1.9);
    } else if (name == "chain" && most_ > 1) {
      against_serial(row, most_, 0.55);
    }
  }

  /// No loop, however short, may cost much more than the plain one, nor more than the best of the others.
  void short_loops() {
    Worst excess(Bound::at_most);
    Worst ratio(Bound::at_most);
    for (const Row& row : results_.rows) {
      if (row.workload != "axpy") continue;
      for (const unsigned threads : counts_) {
        excess.offer(typical(row.find(kOurs, threads)) - 1.15 * typical(row.find("serial", 1)) - 40,
                     std::to_string(row.size) + with_threads(threads));
      }
      const std::vector<double> rival = best_rival(row, most_);
      if (!rival.empty())
        ratio.offer(median(paired_ratios(values(row.find(kOurs, most_)), rival)), std::to_string(row.size) + with_threads(most_));
    }
    add(excess.judge("axpy: ns above 1.15 serial + 40", 0));
    add(ratio.judge("axpy: furca/the best other", 1.05));
  }

  void rested_loops() {
    Worst excess(Bound::at_most);
    for (const Row& row : results_.rows) {
      if (row.workload != "axpy-rested" || row.size >= 10'000) continue;
      for (const unsigned threads : counts_) {
        excess.offer(typical(row.find(kOurs, threads)) - typical(row.find("serial", 1)),
                     std::to_string(row.size) + with_threads(threads));
      }
    }
    add(excess.judge("axpy-rested, n < 10,000: ns above serial", 3'000));
  }

  void costs(const std::string& name) {
    Worst ratio(Bound::at_most);
    for (const Row& row : results_.rows) {
      if (row.workload != name || row.find(kBaseline, most_) == nullptr) continue;
      ratio.offer(median(ratios(row.find(kOurs, most_), row.find(kBaseline, most_))),
                  std::to_string(row.size) + " ns" + with_threads(most_));
    }
    add(ratio.judge(name + ": furca/oneTBB", 1.05));
  }

  void figure_alone(const Figure& figure) {
    if (figure.family != kOurs) return;
    for (const FigureTarget& target : kFigures) {
      if (!target.is_about(figure.name, figure.unit) || figure.variant != target.variant) continue;
      if (target.beside == nullptr) {
        add(figure.name + ": " + figure.unit, median(figure.values), target.bound, target.limit);
      } else if (const Figure* const other = find_figure(figure, target.beside)) {
        if (target.bound == Bound::at_most) {
          add(figure.name + ": furca/" + target.beside, median(paired_ratios(figure.values, other->values)), Bound::at_most,
              target.limit);
        } else {
          add(figure.name + ": " + target.beside + "/furca", median(paired_ratios(other->values, figure.values)), Bound::at_least,
              target.limit);
        }
      }
    }
  }

  const Figure* find_figure(const Figure& like, const std::string& family) const {
    for (const Figure& one : results_.figures) {
      if (one.family == family && one.variant.empty() && one.name == like.name && one.unit == like.unit) return &one;
    }
    return nullptr;
  }

  unsigned two() const { return has(counts_, 2U) ? 2 : most_; }

  const Results& results_;
  const std::vector<unsigned> counts_;
  const unsigned most_;
  std::vector<Judgement> all_;
};

}  // namespace

std::vector<Judgement> judge_targets(const Results& results) { return Judge(results).all(); }

bool row_has_target(const std::string& workload) {
  return has(kCosts, workload) || has(kTrees, workload) || has(kReductions, workload) || has(kOthers, workload);
}

bool figure_has_target(const std::string& name, const std::string& unit) {
  return std::any_of(std::begin(kFigures), std::end(kFigures), [&](const FigureTarget& one) { return one.is_about(name, unit); });
}

}  // namespace bench
