// The processor on which a thread fell asleep, and how it wakes up on another one.
#pragma once

#include <furca/detail/atomics.hpp>

#include <cstdint>

namespace furca::detail {

/// Linux often wakes a thread on its waker's processor, or on the one where it fell asleep, though others are idle: always where processors share no cache, and in
/// virtual machines that tell the system when they are preempted, since an idle processor looks preempted there. On its waker's processor it waits until that one
/// sleeps, and a loop that it was woken for has long ended. So the waker first takes its own processor out of the sleeper's affinity mask, and the sleeper puts
/// it back once it is up.
///
/// its thread                                        a waker on processor p
///   [W1] word = asleep on q        release            [W2] word: asleep on q -> being sent       acquire
///   sleeps                                                 takes p out of the mask
///   [W4] word -> awake             acquire            [W3] word = sent away from p               release
///        and once it is sent, puts p back
/// It goes on only when nobody changes its mask any more: so the thread that is sent exists, and no two change a mask at the same time.
/// Checked by: tests/model/place_programs.hpp ("sent away while it wakes up")
template <class A>
class BasicSleepingPlace {
 public:
  /// Its thread, before it sleeps on `processor`.
  void fall_asleep(std::uint32_t processor) noexcept { word_.store(processor << kBits | kAsleep, std::memory_order_release); }  // [W1] pairs with [W2]

  /// Any thread that runs on `processor`, before it wakes somebody: `send()` has this one wake up elsewhere, if it can; only if it sleeps there, or `anywhere`.
  template <class Send>
  void keep_away_from(std::uint32_t processor, bool anywhere, Send send) noexcept {
    std::uint32_t word = word_.load(std::memory_order_relaxed);
    if ((word & kState) != kAsleep || (!anywhere && word >> kBits != processor)) return;
    const std::uint32_t asleep = word;
    if (!word_.compare_exchange_strong(word, kBeingSent, std::memory_order_acquire, std::memory_order_relaxed)) return;  // [W2] pairs with [W1]
    word_.store(send() ? processor << kBits | kSent : asleep, std::memory_order_release);                                  // [W3] pairs with [W4]
  }

  /// Its thread, once it is up. `let_back(processor)` undoes what `send` has done.
  template <class LetBack>
  void wake_up(LetBack let_back) noexcept {
    std::uint32_t word = word_.load(std::memory_order_acquire);  // [W4] pairs with [W3]
    for (;;) {
      if (word == kBeingSent) {
        A::yield();
        word = word_.load(std::memory_order_acquire);  // [W4] pairs with [W3]
      } else if (word_.compare_exchange_weak(word, kAwake, std::memory_order_acquire, std::memory_order_acquire)) {  // [W4] pairs with [W3]
        break;
      }
    }
    if ((word & kState) == kSent) let_back(word >> kBits);
  }

 private:
  static constexpr std::uint32_t kBits = 2;
  static constexpr std::uint32_t kState = 3;
  static constexpr std::uint32_t kAwake = 0;
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kBeingSent = 2;
  static constexpr std::uint32_t kSent = 3;

  typename A::template Atomic<std::uint32_t> word_{kAwake};
};

using SleepingPlace = BasicSleepingPlace<Atomics>;

}  // namespace furca::detail
