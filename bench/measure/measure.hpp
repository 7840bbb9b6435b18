// One measurement: a body, called again and again inside a contender's runtime, in a process that
// does nothing else.
#pragma once

#include "output/results.hpp"

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

/// What a runtime tells of all its threads together, since it was started.
struct ThreadCounts {
  double busy_seconds;  // the caller's time outside of the runtime counts as busy
  double heavy_fences;
};

/// Warms up, then times calls: at least one, in batches that are long for the clock; with rest_ms
/// at least twenty, one at a time after so much sleep. `counts`: null for a runtime that tells
/// nothing. Throws std::runtime_error if two calls give two results.
Measurement measure(Body& body, double rest_ms, const Durations& durations,
                    ThreadCounts (*counts)() = nullptr);

}  // namespace bench
