#include "observe.hpp"

#include <furca/detail/observing/observe.hpp>

#include "../system/environment.hpp"
#include "decision.hpp"
#include "outermost.hpp"
#include "span.hpp"
#include "trace.hpp"

namespace furca::detail {

constinit bool observing = false;

void observe_from_environment() noexcept {
  const char* const pattern = trace_from_environment();
  const bool traced = pattern != nullptr && open_trace(pattern);
  observing = traced || stats_from_environment() == StatsChoice::span;
  if (observing) calibrate_strands();
}

void observe_end() noexcept {
  if (!observing) return;
  print_spans();
  if (display_from_environment()) print_decisions();
  close_trace();
}

void observe_no_more() noexcept {
  observing = false;
  abandon_trace();
}

}  // namespace furca::detail
