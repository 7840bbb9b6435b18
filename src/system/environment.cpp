#include "environment.hpp"

#include "process.hpp"

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace furca::detail {

void warn(const char* message) noexcept { std::fprintf(stderr, "furca: %s\n", message); }

void warn(const char* message, const char* reason) noexcept {
  std::fprintf(stderr, "furca: %s: %s\n", message, reason);
}

void warn(const char* reason, const char* what, std::size_t a, const char* more,
          std::size_t b) noexcept {
  std::fprintf(stderr, "furca: %s %zu %s %zu: %s\n", what, a, more, b, reason);
}

void fail(const char* message) noexcept {
  warn(message);
  std::abort();
}

namespace {

/// A variable's value; null: unset or empty.
const char* value_of(const char* variable) noexcept {
  const char* const text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

/// Reads a variable of few values once per process. `read` returns a choice, or -1 for a value that
/// makes no sense, which is reported with what there is to choose from.
template <class Read>
int read_once(std::atomic<int>& known, const char* variable, const char* choices,
              Read read) noexcept {
  int choice = known.load(std::memory_order_relaxed);
  if (choice >= 0) return choice;
  const char* const text = value_of(variable);
  choice = text != nullptr ? read(text) : 0;
  if (choice < 0) {
    choice = 0;
    if (known.exchange(choice, std::memory_order_relaxed) < 0)
      std::fprintf(stderr, "furca: %s=%s ignored: it can be %s\n", variable, text, choices);
  }
  known.store(choice, std::memory_order_relaxed);
  return choice;
}

bool read_switch(std::atomic<int>& known, const char* variable) noexcept {
  return read_once(known, variable, "0 or 1", [](const char* text) {
           return std::strcmp(text, "0") == 0 ? 0 : std::strcmp(text, "1") == 0 ? 1 : -1;
         }) == 1;
}

}  // namespace

FenceChoice fence_from_environment() noexcept {
  constinit static std::atomic<int> known{-1};
  return static_cast<FenceChoice>(
      read_once(known, "FURCA_FENCE", "classic or adaptive", [](const char* text) {
        if (std::strcmp(text, "classic") == 0) return static_cast<int>(FenceChoice::classic);
        return std::strcmp(text, "adaptive") == 0 ? static_cast<int>(FenceChoice::adaptive) : -1;
      }));
}

bool display_from_environment() noexcept {
  constinit static std::atomic<int> known{-1};
  return read_switch(known, "FURCA_DISPLAY");
}

bool bind_from_environment() noexcept {
  constinit static std::atomic<int> known{-1};
  return read_switch(known, "FURCA_BIND");
}

StatsChoice stats_from_environment() noexcept {
  constinit static std::atomic<int> known{-1};
  return static_cast<StatsChoice>(
      read_once(known, "FURCA_STATS", "0, 1 or span", [](const char* text) {
        if (std::strcmp(text, "0") == 0) return static_cast<int>(StatsChoice::none);
        if (std::strcmp(text, "1") == 0) return static_cast<int>(StatsChoice::counts);
        return std::strcmp(text, "span") == 0 ? static_cast<int>(StatsChoice::span) : -1;
      }));
}

/// Not in a program that runs with more rights than its user has (setuid): he could have it
/// overwrite files that are not his.
const char* trace_from_environment() noexcept {
  const char* const text = trusted_variable("FURCA_TRACE");
  return text != nullptr && *text != '\0' ? text : nullptr;
}

std::optional<std::size_t> parse_thread_count(const char* text, std::size_t most) noexcept {
  const char* const end = text + std::strlen(text);
  std::size_t count = 0;
  const auto [stopped, error] = std::from_chars(text, end, count);
  if (error != std::errc() || stopped != end || count < 1 || count > most) return std::nullopt;
  return count;
}

/// Checked by: tests/pool/startup_test.cpp ("is reported once and ignored")
std::optional<std::size_t> threads_from_environment(std::size_t most) noexcept {
  const char* const text = std::getenv("FURCA_NUM_THREADS");
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::optional<std::size_t> count = parse_thread_count(text, most);
  static std::atomic<bool> reported{false};
  // [environment.N9] pairs with N9: exactly one thread is the first
  if (!count && !reported.exchange(true))
    std::fprintf(stderr,
                 "furca: FURCA_NUM_THREADS=%s ignored: it must be a whole number from 1 to %zu\n",
                 text, most);
  return count;
}

}  // namespace furca::detail
