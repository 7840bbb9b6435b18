// The user's environment (FURCA_* variables), and furca's messages to the user: one line on stderr.
#pragma once

#include <cstddef>
#include <optional>

namespace furca::detail {

/// Prints "furca: <message>" to stderr. Allocates nothing, takes no lock of furca's.
void warn(const char* message) noexcept;

/// Prints "furca: <message>: <reason>".
void warn(const char* message, const char* reason) noexcept;

/// Prints "furca: <what> <a> <more> <b>: <reason>".
void warn(const char* reason, const char* what, std::size_t a, const char* more,
          std::size_t b) noexcept;

/// The same as warn(message) for an error that makes going on wrong, then aborts.
[[noreturn]] void fail(const char* message) noexcept;

enum class FenceChoice { unset, classic, adaptive };

/// FURCA_FENCE=classic|adaptive. Any other value is reported, once per process, and ignored.
FenceChoice fence_from_environment() noexcept;

/// FURCA_NUM_THREADS, from 1 to `most`. Any other value is reported, once per process, and ignored.
std::optional<std::size_t> threads_from_environment(std::size_t most) noexcept;

/// FURCA_DISPLAY=1: every pool tells on stderr that it starts, and at its end what things cost. 0
/// and unset: it does not. Any other value is reported and ignored.
bool display_from_environment() noexcept;

/// FURCA_BIND=1: the global pool's started threads are bound (Config::bind). 0 and unset: they are
/// not. Any other value is reported and ignored.
bool bind_from_environment() noexcept;

enum class StatsChoice { none, counts, span };

/// FURCA_STATS=1|span. Any other value but 0 is reported and ignored.
StatsChoice stats_from_environment() noexcept;

/// FURCA_TRACE=<file>; null: unset.
const char* trace_from_environment() noexcept;

/// The reading of FURCA_NUM_THREADS without the reporting: nullopt if `text` is not a whole number
/// from 1 to `most`.
std::optional<std::size_t> parse_thread_count(const char* text, std::size_t most) noexcept;

}  // namespace furca::detail
