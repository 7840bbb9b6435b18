// A machine that is slow at the worst moments: what a crowded one does to a protocol now and then,
// a thousand times as often.
//
// Includes nothing of furca's, because the seam itself may include it (chaos/chaos_atomics.hpp).
#pragma once

#include "trials.hpp"
#include "watched_atomic.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include <sched.h>
#include <stdlib.h>
#include <time.h>

namespace furca::test {

/// The seed of this process's delays: FURCA_CHAOS_SEED, or another one each time, printed. A
/// repeated run has the same delays in each thread, in the order in which the threads came; the
/// scheduler adds its own.
inline std::uint64_t chaos_seed() noexcept {
  static const std::uint64_t chosen = [] {
    const char* const text = std::getenv("FURCA_CHAOS_SEED");
    if (text != nullptr) return std::uint64_t{std::strtoull(text, nullptr, 0)};
    const std::uint64_t value = std::random_device{}();
    std::printf("FURCA_CHAOS_SEED=%llu\n", static_cast<unsigned long long>(value));
    std::fflush(stdout);
    // Programs that this one starts have the same, and say nothing: tests look at what they print.
#if defined(_WIN32)
    _putenv_s("FURCA_CHAOS_SEED", std::to_string(value).c_str());
#else
    setenv("FURCA_CHAOS_SEED", std::to_string(value).c_str(), 1);
#endif
    return value;
  }();
  return chosen;
}

/// Naps, yields and spins at random around every operation.
class ChaosWatch {
 public:
  static void before() noexcept { stumble(); }
  static void after() noexcept { stumble(); }
  static bool fails_spuriously() noexcept { return random().below(8) == 0; }

  static void stumble() noexcept {
    const std::uint64_t dice = random().below(4096);
    if (dice == 0) {
      const timespec nap{0, static_cast<long>(1000 + random().below(200'000))};
      nanosleep(&nap, nullptr);
    } else if (dice < 128) {
      sched_yield();
    } else if (dice < 256) {
      for (std::uint64_t left = random().below(1000); left > 0; --left)
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  }

 private:
  static Random& random() noexcept {
    static std::atomic<std::uint64_t> threads{0};
    thread_local Random mine(chaos_seed() +
                             threads.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b97f4a7c15U);
    return mine;
  }
};

template <class Base>
struct Chaos : Base {
  template <class T>
  using Atomic = WatchedAtomic<T, ChaosWatch>;

  /// Threads sleep sooner: it is there that wake-ups are lost.
  static constexpr int kSpins = 8;
  static constexpr int kYields = 2;

  static void fence() noexcept {
    ChaosWatch::stumble();
    Base::fence();
    ChaosWatch::stumble();
  }
  static void heavy_fence() noexcept {
    ChaosWatch::stumble();
    Base::heavy_fence();
    ChaosWatch::stumble();
  }
  static void wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
    ChaosWatch::stumble();
    if (ChaosWatch::fails_spuriously()) return;
    Base::wait(word.plain(), expected);
  }
  static void wake(Atomic<std::uint32_t>& word, int count) noexcept {
    ChaosWatch::stumble();
    Base::wake(word.plain(), count);
    ChaosWatch::stumble();
  }
};

}  // namespace furca::test
