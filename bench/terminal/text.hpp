// Numbers as people read them.
#pragma once

#include <string>

namespace bench::terminal {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

/// "3.10 ms"; "-" for NaN. Likewise below.
std::string format_time(double ns);

/// Three digits or so: "0.51", "23.3", "118".
std::string format_ratio(double ratio);

/// "1.02 .. 1.10"
std::string format_range(double low, double high);

/// What a noise factor allows: "4 %"; "?" if it is infinite.
std::string format_noise(double factor);

}  // namespace bench::terminal
