// Work and span of what is observed: how large a speed-up it allows, and which line of the source keeps it from more.
#pragma once

namespace furca::detail {

/// Once, before anything is observed: what a reading of the clock takes is no work.
void calibrate_strands() noexcept;

/// Prints on stderr, for every place in the source that calls furca from outside of its calls: work, span, and what bounds them.
void print_spans() noexcept;

}  // namespace furca::detail
