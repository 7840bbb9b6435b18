// printf into a string.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

namespace simulator {

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[400];
  const int length = std::snprintf(text, sizeof text, pattern, values...);
  return {text, static_cast<std::size_t>(std::min<int>(length, sizeof text - 1))};
}

}  // namespace simulator
