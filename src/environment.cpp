#include "environment.hpp"

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace furca::detail {

void warn(const char* message) noexcept { std::fprintf(stderr, "furca: %s\n", message); }

void warn(const char* message, const char* reason) noexcept { std::fprintf(stderr, "furca: %s: %s\n", message, reason); }

void warn(const char* reason, const char* what, std::size_t a, const char* more, std::size_t b) noexcept {
  std::fprintf(stderr, "furca: %s %zu %s %zu: %s\n", what, a, more, b, reason);
}

void fail(const char* message) noexcept {
  warn(message);
  std::abort();
}

FenceChoice fence_from_environment() noexcept {
  const char* const text = std::getenv("FURCA_FENCE");
  if (text == nullptr || *text == '\0') return FenceChoice::unset;
  if (std::strcmp(text, "classic") == 0) return FenceChoice::classic;
  if (std::strcmp(text, "adaptive") == 0) return FenceChoice::adaptive;
  std::fprintf(stderr, "furca: FURCA_FENCE=%s ignored: it can be classic or adaptive\n", text);
  return FenceChoice::unset;
}

std::optional<std::size_t> parse_thread_count(const char* text, std::size_t most) noexcept {
  const char* const end = text + std::strlen(text);
  std::size_t count = 0;
  const auto [stopped, error] = std::from_chars(text, end, count);
  if (error != std::errc() || stopped != end || count < 1 || count > most) return std::nullopt;
  return count;
}

/// Checked by: tests/startup_test.cpp ("is reported once and ignored")
std::optional<std::size_t> threads_from_environment(std::size_t most) noexcept {
  const char* const text = std::getenv("FURCA_NUM_THREADS");
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::optional<std::size_t> count = parse_thread_count(text, most);
  static std::atomic<bool> reported{false};
  if (!count && !reported.exchange(true))  // [N1] pairs with [N1]: one of those who come is the first
    std::fprintf(stderr, "furca: FURCA_NUM_THREADS=%s ignored: it must be a whole number from 1 to %zu\n", text, most);
  return count;
}

}  // namespace furca::detail
