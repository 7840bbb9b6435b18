// The library on the counted machine: FURCA_ATOMICS_HEADER of a build, in which pool, workers and
// algorithms are compiled as they ship.
#pragma once

#include "machine.hpp"

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/base/fence_tuning.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace furca::detail {
class Job;
class ForkedJob;
}  // namespace furca::detail

namespace counted {

/// A pointer to a job: who gets it reads what lies there, which the one wrote who offered it.
template <class T>
inline constexpr bool kHandsOver =
    std::is_same_v<T, furca::detail::Job*> || std::is_same_v<T, furca::detail::ForkedJob*>;

/// std::atomic, each access to which is a step.
template <class T>
class Atomic {
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr auto kAny = std::memory_order_seq_cst;
  using Access = Machine::Access;

 public:
  constexpr Atomic() noexcept : value_{} {}
  constexpr Atomic(T value) noexcept : value_(value) {}  // NOLINT: as std::atomic
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order = kAny) const noexcept {
    step(Access::read);
    const T value = value_.load(kRelaxed);
    if constexpr (kHandsOver<T>)
      if (machine != nullptr) machine->see_job(value);
    return value;
  }
  void store(T value, std::memory_order = kAny) noexcept {
    offer(value);
    step(Access::write);
    value_.store(value, kRelaxed);
  }
  T exchange(T value, std::memory_order = kAny) noexcept {
    offer(value);
    step(Access::exchange);
    return value_.exchange(value, kRelaxed);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order = kAny,
                               std::memory_order = kAny) noexcept {
    offer(desired);
    step(Access::exchange);
    const bool done = value_.compare_exchange_strong(expected, desired, kRelaxed, kRelaxed);
    if (machine != nullptr) done ? machine->get_job() : machine->see_job(nullptr);
    return done;
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order = kAny,
                             std::memory_order = kAny) noexcept {
    return compare_exchange_strong(expected, desired);
  }
  T fetch_add(T value, std::memory_order = kAny) noexcept {
    step(Access::exchange);
    return value_.fetch_add(value, kRelaxed);
  }
  T fetch_sub(T value, std::memory_order = kAny) noexcept {
    step(Access::exchange);
    return value_.fetch_sub(value, kRelaxed);
  }
  T fetch_and(T value, std::memory_order = kAny) noexcept {
    step(Access::exchange);
    return value_.fetch_and(value, kRelaxed);
  }
  T fetch_or(T value, std::memory_order = kAny) noexcept {
    step(Access::exchange);
    return value_.fetch_or(value, kRelaxed);
  }

  const std::atomic<T>& value() const noexcept { return value_; }

 private:
  void step(Access access) const noexcept {
    if (machine != nullptr) machine->access(&value_, access);
  }
  void offer(T value) const noexcept {
    if constexpr (kHandsOver<T>)
      if (machine != nullptr) machine->offer_job(value);
  }

  std::atomic<T> value_;
};

}  // namespace counted

namespace furca::detail {

struct Atomics {
  template <class T>
  using Atomic = counted::Atomic<T>;
  template <class T>
  using Hint = Atomic<T>;

  static void light_fence() noexcept {}
  static void fence() noexcept {
    if (counted::machine != nullptr) counted::machine->fence();
  }
  static bool asymmetric() noexcept { return StdAtomics::asymmetric(); }
  static void heavy_fence() noexcept { StdAtomics::heavy_fence(); }
  static void wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
    if (counted::machine != nullptr) counted::machine->sleep(word.value(), expected);
  }
  static void wake(Atomic<std::uint32_t>& word, int count) noexcept {
    if (counted::machine != nullptr) counted::machine->wake(word.value(), count);
  }
  static std::uint64_t nanoseconds() noexcept { return StdAtomics::nanoseconds(); }
  static FenceTuning fence_tuning() noexcept { return StdAtomics::fence_tuning(); }

  /// Of the names in mechanisms.txt, which tables.py compiles in.
  static bool without(std::string_view mechanism) noexcept {
    static const char* const name = std::getenv("FURCA_WITHOUT");
    return name != nullptr && mechanism == name;
  }

  static constexpr int kSpins = StdAtomics::kSpins;
  static constexpr int kYields = StdAtomics::kYields;
  static constexpr unsigned kPortionsForGroups = StdAtomics::kPortionsForGroups;

  static void relax() noexcept {
    if (counted::machine != nullptr) counted::machine->pause();
  }
  static void yield() noexcept {
    if (counted::machine != nullptr) counted::machine->yield();
  }
};

}  // namespace furca::detail

#include <furca/detail/base/seam_relaxed.hpp>
