// Programs for the counted machine, whose bodies say what they cost.
#pragma once

#include <span>

namespace counted {

/// Speed-ups over one thread that are wanted on an EPYC 7742; 0: none is.
struct Wanted {
  double awake_at_64 = 0;
  double rested_at_64 = 0;
  double awake_at_128 = 0;
};

struct Row {
  const char* name;
  void (*call)();
  int calls;  // that are counted, one after another
  Wanted wanted;
  bool by_name_only;  // takes long
};

std::span<const Row> rows() noexcept;

}  // namespace counted
