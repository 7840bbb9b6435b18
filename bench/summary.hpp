// What results come to: ratios between contenders and the verdicts on them. Every report takes its ratios from here.
#pragma once

#include "results.hpp"
#include "row_families.hpp"
#include "statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bench {

/// Families other than furca and serial that have a time anywhere, oneTBB first: those to compare with.
std::vector<std::string> rivals(const Results& results);

/// The largest number of threads that furca was run with; 1 if it was not.
unsigned most_threads(const Results& results);

/// Numbers of threads that furca was run with, ascending.
std::vector<unsigned> thread_counts(const Results& results);

/// Fewer numbers of threads make no curve: the table of times has one and all.
inline constexpr std::size_t kLeastForCurve = 3;

/// One quantity of every sample in order; none if `series` is null.
std::vector<double> values(const Series* series, double Sample::*quantity = &Sample::wall_ns);

/// The median of one quantity; NaN if there is none.
double typical(const Series* series, double Sample::*quantity = &Sample::wall_ns);

/// a / b within each round; none if either is null.
std::vector<double> ratios(const Series* a, const Series* b, double Sample::*quantity = &Sample::wall_ns);

/// Serial time / the family's time: how many times faster than the plain code.
std::vector<double> speedups(const Row& row, const std::string& family, unsigned threads);

/// What of the processors' time neither this program nor its children had, in per cent.
double disturbance(const Setting& setting);

/// Whether the run had the machine to itself, but for 5 %. Otherwise ratios say more of the others than of furca, and verdicts are
/// withheld.
bool was_quiet(const Setting& setting);

/// Furca against a rival in one row.
struct Comparison {
  Interval ratio;  // rival's time / furca's; above 1: furca is faster
  double noise;    // see noise_factor(); infinite if there was no A/A series
  Verdict verdict;
};

Comparison compare(const Setting& setting, const Row& row, const std::string& rival, unsigned threads);

/// A/A: the ratio of furca to itself, which should be 1; with another number of threads if it was not measured with this one.
/// NaN if it was not measured at all.
Interval control_interval(const Row& row, unsigned threads);

/// Verdicts, counted, over the rows in which the rival ran with that many threads.
struct Tally {
  unsigned faster = 0;  // rows in which furca is
  unsigned slower = 0;
  unsigned tie = 0;
  unsigned not_known = 0;
  unsigned withheld = 0;
  unsigned no_result = 0;  // rows without a ratio, since one side failed

  unsigned rows() const { return faster + slower + tie + not_known + withheld + no_result; }
};

Tally tally(const Results& results, const std::string& rival, unsigned threads);

/// The rows of one family.
struct FamilyTally {
  RowFamily family;
  Tally tally;
  Interval mean;  // geometric, of the rows' ratios; NaN if there is none
};

/// Of each family in which the rival ran. There is no mean over several families: it would say how many rows of each there are.
std::vector<FamilyTally> tallies_by_family(const Results& results, const std::string& rival, unsigned threads);

/// How many times faster than the plain code, likewise.
struct FamilySpeedup {
  RowFamily family;
  Interval mean;
};

std::vector<FamilySpeedup> speedups_by_family(const Results& results, unsigned threads);

/// The noise of the row in the middle, as a factor: half of all rows have less. NaN if it is not known of any.
double typical_noise(const Results& results, unsigned threads);

/// The row whose A/A ratio needs the widest tie; null if none was measured.
const Row* noisiest_row(const Results& results, unsigned threads);

/// Of how many rounds the rows' ratios are.
struct RoundCounts {
  unsigned fewest = 0;  // of those that are too few for an interval; 0: there is none
  unsigned most = 0;
  bool intervals = false;  // whether some row has enough
};

RoundCounts round_counts(const Results& results);

}  // namespace bench
