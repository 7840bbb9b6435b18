// Whether furca observes itself (FURCA_TRACE, FURCA_STATS=span): from before the first call until
// exit, or until a fork.
#pragma once

namespace furca::detail {

/// Before the first call of any thread: looks at the environment.
void observe_from_environment() noexcept;

/// At exit, or when the library is unloaded: writes the trace, and prints work and span.
void observe_end() noexcept;

/// In a forked child: what there is to say its parent says.
void observe_no_more() noexcept;

}  // namespace furca::detail
