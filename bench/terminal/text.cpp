#include "text.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <sstream>

namespace bench::terminal {

std::string format(const char* pattern, ...) {
  char text[200];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

std::string format_time(double ns) {
  if (std::isnan(ns)) return "-";
  const char* const units[] = {"ns", "us", "ms", "s"};
  std::size_t unit = 0;
  for (; unit < 3 && ns >= 999.5; ++unit) ns /= 1000;
  return format(ns < 9.995 ? "%.2f %s" : ns < 99.95 ? "%.1f %s" : "%.0f %s", ns, units[unit]);
}

std::string format_ratio(double ratio) {
  if (std::isnan(ratio)) return "-";
  return format(ratio < 9.995 ? "%.2f" : ratio < 99.95 ? "%.1f" : "%.0f", ratio);
}

std::string format_bounds(const Interval& interval) {
  if (std::isnan(interval.low)) return "-";
  const std::string text = format_ratio(interval.low) + " .. " + format_ratio(interval.high);
  return interval.range_of > 0 ? "(" + text + ")" : "[" + text + "]";
}

std::string wrap(const std::string& text, const std::string& first, const std::string& indent) {
  constexpr std::size_t kColumns = 100;
  std::istringstream words(text);
  std::string lines;
  std::string line = first;
  bool begun = false;
  for (std::string word; words >> word;) {
    if (begun && line.size() + 1 + word.size() > kColumns) {
      lines += line + '\n';
      line = indent;
      begun = false;
    }
    line += (begun ? " " : "") + word;
    begun = true;
  }
  return lines + line + '\n';
}

std::string format_noise(double factor) {
  return std::isinf(factor) ? "?" : format("%.0f %%", 100 * (factor - 1));
}

}  // namespace bench::terminal
