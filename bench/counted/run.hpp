// A row on the counted machine: how long it takes, and where the time goes.
#pragma once

#include "machine.hpp"
#include "rows.hpp"

#include <cstddef>

namespace counted {

enum class Start : bool { awake, rested };  // right after such a call, or 1 ms later

struct Result {
  Time time = 0;  // of a call, on average
  Spent spent{};  // by all threads in these calls
  Counts counts{};
  int calls = 1;
  std::size_t workers = 1;
};

/// In a process of its own, since the library learns, and keeps, what work costs: so each is as the
/// first. Throws std::runtime_error if that fails.
Result run(const Row& row, const Machine::Setting& setting, std::size_t workers, Start start);

/// Share of all threads' time.
double share(const Result& result, Time time) noexcept;

}  // namespace counted
