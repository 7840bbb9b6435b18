// What an example expects of itself: says what did not come out, and becomes the exit code.
#pragma once

#include <cstdio>

namespace examples {

inline int unexpected = 0;

inline void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "error: not as expected: %s\n", what);
  unexpected = 1;
}

}  // namespace examples
