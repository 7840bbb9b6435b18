// What a loop's body cost in the calls before.
#pragma once

#include <furca/detail/config.hpp>

#include <atomic>

namespace furca::detail {

/// What a step of one loop body costs, in ticks. One for each body type: so one for each lambda in the source, but one for all
/// function pointers of a kind. A hint, and one that errs on the expensive side: taken for cheap, an expensive loop of few
/// steps runs on one thread; taken for expensive, a cheap one costs a microsecond too much.
class BodyCost {
 public:
  float get() const noexcept { return ticks_.load(std::memory_order_relaxed); }

  /// Up at once (but for a step that the system interrupted, at most 64-fold), down by an eighth a call. Written only when it
  /// changes by that much, so that loops side by side do not fight for the line.
  void learn(float seen) noexcept {
    const float known = get();
    if (known <= 0) {
      ticks_.store(seen, std::memory_order_relaxed);
    } else if (seen > known * 1.125F) {
      ticks_.store(seen < known * 64 ? seen : known * 64, std::memory_order_relaxed);
    } else if (seen < known * 0.875F) {
      ticks_.store(known * 0.875F, std::memory_order_relaxed);
    }
  }

 private:
  std::atomic<float> ticks_{0};  // 0: never run
};

}  // namespace furca::detail
