// The trace that FURCA_TRACE asks for: events of each thread, written to a file at the end.
#pragma once

#include <furca/detail/observing/observe.hpp>

#include "../measuring/clock.hpp"
#include "decision.hpp"

namespace furca::detail {

struct Site;

/// Before the first call of any thread: opens the file; %p in its name becomes the number of the
/// process. False: that failed, and the user was told.
bool open_trace(const char* pattern) noexcept;

/// Writes the events and closes the file, if there is one.
void close_trace() noexcept;

/// In a forked child: the file is the parent's.
void abandon_trace() noexcept;

enum class TraceEvent : std::uint8_t { call, stolen, task, asleep };

/// Something that has happened on this thread between two readings of ticks(); does nothing unless
/// there is a trace. `site`: what a call is, or what a part is of. `decision`: a loop's.
void trace_event(TraceEvent event, std::uint64_t began, std::uint64_t ended,
                 const Site* site = nullptr, const Decision& decision = {}) noexcept;

/// This thread has stolen from the thread of that number.
void trace_steal(std::size_t victim) noexcept;

/// The calling thread's name in the trace.
void trace_thread_name(const char* name) noexcept;

/// This thread sleeps, to the end of the block.
class TracedNap {
 public:
  TracedNap() noexcept : began_(observing ? ticks() : 0) {}
  ~TracedNap() {
    if (began_ != 0) [[unlikely]]
      trace_event(TraceEvent::asleep, began_, ticks());
  }
  TracedNap(const TracedNap&) = delete;
  TracedNap& operator=(const TracedNap&) = delete;

 private:
  const std::uint64_t began_;
};

}  // namespace furca::detail
