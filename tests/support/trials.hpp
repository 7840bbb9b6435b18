// How long a stress test goes on, with which random numbers, and on threads of its own.
#pragma once

#include "standard.hpp"

#include <barrier>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define FURCA_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define FURCA_TEST_SANITIZED 1
#endif
#endif

namespace furca::test {

#ifdef FURCA_TEST_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// How much longer than usual: FURCA_TEST_SCALE (0.1, 30).
inline double scale() {
  const char* const text = std::getenv("FURCA_TEST_SCALE");
  return text != nullptr ? std::atof(text) : 1.0;
}

/// `full` rounds, a twentieth of that under a sanitizer, times the scale; at least 1.
inline std::uint64_t rounds(std::uint64_t full) {
  const double wanted = static_cast<double>(full) * scale() * (kSanitized ? 0.05 : 1.0);
  return wanted < 1.0 ? 1 : static_cast<std::uint64_t>(wanted);
}

/// Few cases will do: where FURCA_TEST_SCALE asks for less than usual, and under a sanitizer unless
/// it asks for more, since that looks for races and bad memory and not for wrong results.
inline bool few_cases() { return scale() < 1.0 || (kSanitized && scale() <= 1.0); }

/// The seed of this run: another one each time, printed; FURCA_TEST_SEED repeats a run as far as
/// the scheduler allows.
inline std::uint64_t seed() {
  static const std::uint64_t chosen = [] {
    const char* const text = std::getenv("FURCA_TEST_SEED");
    const std::uint64_t value =
        text != nullptr ? std::strtoull(text, nullptr, 0) : std::random_device{}();
    std::printf("FURCA_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    std::fflush(stdout);
    return value;
  }();
  return chosen;
}

/// Steele, Lea, Flood: SplitMix64. Any state will do, neighbouring seeds included.
class Random {
 public:
  explicit Random(std::uint64_t state) noexcept : state_(state) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// From 0 to bound - 1.
  std::uint64_t below(std::uint64_t bound) noexcept { return next() % bound; }

 private:
  std::uint64_t state_;
};

/// Runs body(number) on so many threads of the test's own that begin together.
template <class Count, class Body>
void on_threads(Count count, Body body) {
  std::barrier<> start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::thread> threads;
  for (Count number = 0; number < count; ++number) {
    threads.emplace_back([&, number] {
      start.arrive_and_wait();
      body(number);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace furca::test
