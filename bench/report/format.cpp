#include "format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace bench {
namespace {

std::string print(double value, std::chars_format format, int decimals) {
  std::array<char, 400> text;  // the largest double has 309 digits before the point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, decimals).ptr;
  return {text.data(), end};
}

/// The power of ten that three significant digits of the value begin with: 9.996 counts as 10.
int magnitude(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value) * 1.0005))); }

/// "1.2e+09" as "1.2e9", "1.0e-07" as "1.0e-7".
std::string short_exponent(std::string text) {
  const std::size_t e = text.find('e');
  std::string exponent = text.substr(e + 1);
  const std::string sign = exponent.front() == '-' ? "-" : "";
  exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
  return text.substr(0, e + 1) + sign + exponent;
}

/// Divides by 1000 as often as there is a larger unit; returns the unit.
template <std::size_t N>
const char* scale_down(double& value, const std::array<const char*, N>& units) {
  std::size_t unit = 0;
  for (; unit + 1 < N && value >= 999.5; ++unit) value /= 1000;
  return units[unit];
}

constexpr std::array kTimes{" ns", " µs", " ms", " s"};
constexpr std::array kThousands{"", "k", "M", "G"};

}  // namespace

std::string fixed(double value, int decimals) { return print(value, std::chars_format::fixed, decimals); }

std::string format_number(double value) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (value == 0) return "0";
  const int power = magnitude(value);
  if (power < -4 || power >= 6) return short_exponent(print(value, std::chars_format::scientific, 1));
  return fixed(value, std::max(0, 2 - power));
}

std::string format_tick(double value) {
  const std::string text = print(value, std::chars_format::general, 6);
  return text.find('e') == std::string::npos ? text : short_exponent(text);
}

std::string format_time_tick(double ns) {
  const char* const unit = scale_down(ns, kTimes);
  return format_tick(ns) + unit;
}

std::string format_size_tick(double size) {
  const char* const unit = scale_down(size, kThousands);
  return format_tick(size) + unit;
}

std::string format_interval(const Interval& interval) {
  if (std::isnan(interval.middle)) return "–";
  const bool range = interval.range_of > 0;
  return format_number(interval.middle) + (range ? "\u00A0(" : "\u00A0[") + format_number(interval.low) + "\u00A0..\u00A0" +
         format_number(interval.high) + (range ? ")" : "]");
}

std::string format_noise(double factor) { return std::isfinite(factor) ? fixed(100 * (factor - 1), 0) + "\u00A0%" : "–"; }

std::string format_time(double ns) {
  if (!std::isfinite(ns)) return format_number(ns);
  const char* const unit = scale_down(ns, kTimes);
  return format_number(ns) + unit;
}

std::string format_count(unsigned count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace bench
