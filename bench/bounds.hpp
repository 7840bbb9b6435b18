// What keeps a curve from the ideal line: where the time of furca's threads goes.
//
// P threads that need T_P have P x T_P of time. A part of it does what the serial program does in T_S. The rest is lost, in the three ways of Olivier, de
// Supinski, Schulz and Prins (Characterizing and Mitigating Work Time Inflation in Task Parallel Programs, SC 2012): overhead, inflation, idleness; here
//   work         T_1 - T_S: what the parallel form takes more on one thread;
//   processors   threads without one: there are fewer of them, or other programs have them;
//   memory       busy for longer, together, than one thread was: memory, shared caches, two threads on a core, a lower clock, and in bare forks the fences;
//   span         idle, as long as any scheduler's threads may be: (P - 1) x the span (Graham 1969; Blumofe, Leiserson 1999, for greedy schedulers);
//   scheduler    idle for longer: waking, looking for work, parts too large or too small.
#pragma once

#include "results.hpp"

#include <array>
#include <optional>

namespace bench {

enum class Loss { work, processors, memory, span, scheduler };

/// All, in the order of the tables.
inline constexpr std::array kLosses{Loss::work, Loss::processors, Loss::memory, Loss::span, Loss::scheduler};

const char* name_of(Loss loss);
const char* explanation_of(Loss loss);  // "the parallel form takes longer on one thread, too"

/// Shares of P x T_P, each from 0 to 1, together 1.
struct Breakdown {
  double useful = 0;  // T_S of it: the efficiency, or less where more threads have more cache
  std::array<double, kLosses.size()> lost{};

  double of(Loss loss) const { return lost[static_cast<std::size_t>(loss)]; }
};

/// Of furca in one row. Nothing without a serial run, a run on one thread, or what furca tells of its threads; nor with a span that is longer than the call.
std::optional<Breakdown> breakdown(const Setting& setting, const Row& row, unsigned threads);

/// The largest loss; none of them if 90 % are useful.
std::optional<Loss> bound_of(const Breakdown& parts);

/// "memory"; "-" for none.
std::string bound_word(const Setting& setting, const Row& row, unsigned threads);

/// T_1 / span: so many times as fast as on one thread a call can be on any number of them. NaN if it is not known.
double parallelism(const Row& row);

}  // namespace bench
