// What the page says in words, computed from the results.
#pragma once

#include "../results.hpp"
#include "../statistics.hpp"

#include <cstddef>

#include <string>
#include <vector>

namespace bench {

/// The machine, the day and the versions, in a line.
std::string caption(const Setting& setting);

/// "At 4 threads, furca is faster than oneTBB on 31 of 40 rows, ..." Only of a quiet machine.
std::string verdict_sentence(const Results& results, const std::string& rival, unsigned threads);

/// "Geometric means of oneTBB time / furca time: forks 1.03 [1.02 .. 1.04], loops ..."
std::string means_sentence(const Results& results, const std::string& rival, unsigned threads);

/// furca and the serial code, where there is nobody else to compare with.
std::string serial_sentence(const Results& results, unsigned threads);

/// The rows with that verdict, the furthest from parity first: "chain 200 (0.852), ...". At most `limit`, and how many more.
std::string list_rows(const Results& results, const std::string& rival, Verdict verdict, std::size_t limit);

/// A reason to believe the figures, or not to.
struct Check {
  bool passed;
  std::string finding;
};

std::vector<Check> checks(const Results& results);

}  // namespace bench
