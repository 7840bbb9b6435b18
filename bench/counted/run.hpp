// A row on the counted machine: how long it takes, and where the time goes.
#pragma once

#include "machine/machine.hpp"
#include "rows.hpp"

#include <cstddef>
#include <functional>

namespace counted {

enum class Start : bool { awake, rested };  // right after such a call, or 1 ms later

struct Result {
  Time time = 0;  // of a call, on average
  Spent spent{};  // by all threads in these calls
  Counts counts{};
  int calls = 1;
  std::size_t workers = 1;
};

/// run(result) in a process of its own, since the library learns, and keeps, what work costs: so
/// each is as the first. Throws std::runtime_error if that fails, or if run() is false.
Result run_apart(const std::function<bool(Result&)>& run);

/// A row, apart.
Result run(const Row& row, const Machine::Setting& setting, std::size_t workers, Start start);

/// The mean of runs with several seeds: what a single one reaches may be 20 % off, since who steals
/// whom is chance.
struct Mean {
  Result result{};  // of all calls of all runs
  double speed_up = 0;
  double error = 0;  // of that, standard, in percent; of one run: not known, 0
};

/// `alone` is the time of one thread. The seeds are setting.seed and those after.
Mean mean(const Row& row, Machine::Setting setting, std::size_t workers, Start start, Time alone,
          std::size_t seeds);

/// Share of all threads' time.
double share(const Result& result, Time time) noexcept;

}  // namespace counted
