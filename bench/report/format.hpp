// Numbers as a reader wants them.
#pragma once

#include "../statistics.hpp"

#include <string>

namespace bench {

/// With that many decimals, whatever the locale.
std::string fixed(double value, int decimals);

/// Three significant digits and no exponent between 0.0001 and 1,000,000: "0.851", "2.10", "1530", "1.2e9"; "–" for a NaN.
std::string format_number(double value);

/// A round value, for an axis: "0.5", "1000".
std::string format_tick(double value);
std::string format_time_tick(double ns);    // "500 ns"
std::string format_size_tick(double size);  // "100k"; also where ratios may be huge

/// "2.10 [1.90 .. 2.30]", of a range "2.10 (1.90 .. 2.30)", in which no line ends.
std::string format_interval(const Interval& interval);

/// How far a noise factor strays from 1: "3 %".
std::string format_noise(double factor);

/// Nanoseconds in the unit that suits: "1.53 µs".
std::string format_time(double ns);

/// "4 threads", "1 thread"
std::string format_count(unsigned count, const std::string& noun);

}  // namespace bench
