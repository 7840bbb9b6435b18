#include "row_families.hpp"

#include <algorithm>

namespace bench {
namespace {

/// Recursions whose calls do some nanoseconds of work each.
constexpr const char* kBareForks[] = {"fib", "fib-calls", "integrate", "knapsack", "skynet"};

/// Additions that take some ten microseconds together. A loop of as many gains little from a second thread, with anybody.
constexpr std::size_t kShort = 10'000;

}  // namespace

RowFamily family_of(const Row& row) {
  const std::string& name = row.workload;
  if (row.group == Group::reductions) return RowFamily::reductions;
  if (row.group == Group::forks) {
    const bool bare = std::find(std::begin(kBareForks), std::end(kBareForks), name) != std::end(kBareForks);
    return bare ? RowFamily::bare_forks : RowFamily::forks;
  }
  const bool empty = name.starts_with("empty");
  if ((empty || name.starts_with("axpy")) && row.size <= kShort) return RowFamily::near_empty_loops;
  if (row.rest_ms > 0) return RowFamily::rested_loops;
  if (empty) return RowFamily::near_empty_loops;
  return name.starts_with("cost-") ? RowFamily::cost_loops : RowFamily::loops;
}

const char* name_of(RowFamily family) {
  switch (family) {
    case RowFamily::bare_forks: return "bare forks";
    case RowFamily::forks: return "forks";
    case RowFamily::near_empty_loops: return "near-empty loops";
    case RowFamily::rested_loops: return "loops after a rest";
    case RowFamily::cost_loops: return "loops by cost";
    case RowFamily::loops: return "loops";
    case RowFamily::reductions: return "reductions";
  }
  return "";
}

const char* explanation_of(RowFamily family) {
  switch (family) {
    case RowFamily::bare_forks: return "recursions with next to no work in them: what a fork costs";
    case RowFamily::forks: return "recursions with work in them: sorting, matrices, searches";
    case RowFamily::near_empty_loops: return "nothing, or 10,000 additions at most: what a loop costs";
    case RowFamily::rested_loops: return "100,000 iterations or more after 2 ms without work: threads may have to be woken";
    case RowFamily::cost_loops: return "by what an iteration costs and where the cost lies; n is the cost in ns";
    case RowFamily::loops: return "loops with work in them";
    case RowFamily::reductions: return "loops that fold what they find into one result";
  }
  return "";
}

}  // namespace bench
