// One measurement: a body, called again and again inside a contender's runtime, in a process that does nothing else.
#pragma once

#include "results.hpp"

#include <cstdint>

namespace bench {

struct Measurement {
  Sample sample;
  std::uint64_t answer;  // identifies the result
};

/// How long a process measures, after its warm-up.
struct Durations {
  double warm_up_seconds;
  double seconds;
};

/// Warms up, then times calls, at least one; with rest_ms, one at a time after so much sleep, otherwise in batches that are long
/// for the clock. Throws std::runtime_error if two calls give two results.
Measurement measure(Body& body, double rest_ms, const Durations& durations);

}  // namespace bench
