// Numbers as people read them.
#pragma once

#include "../statistics.hpp"

#include <string>

namespace bench::terminal {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

/// "3.10 ms"; "-" for NaN. Likewise below.
std::string format_time(double ns);

/// Three digits or so: "0.51", "23.3", "118".
std::string format_ratio(double ratio);

/// "[1.02 .. 1.10]", of a range "(1.02 .. 1.10)".
std::string format_bounds(const Interval& interval);

/// Lines of at most 100 characters, the first begun with `first`, the others with `indent`.
std::string wrap(const std::string& text, const std::string& first = "", const std::string& indent = "");

/// What a noise factor allows: "4 %"; "?" if it is infinite.
std::string format_noise(double factor);

}  // namespace bench::terminal
