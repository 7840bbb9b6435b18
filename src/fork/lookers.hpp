// The number of a large pool's threads that may look for work at once: how fast a wake-up spreads.
#pragma once

#include <furca/detail/base/relaxed.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// One at a time starts n threads in n wake-ups, which is right for a few; n threads that each wake
/// some more start within log n. They must not be more than there is work for: so many may look
/// that as a rule those who were woken find some. One more for each that does, half as many for
/// each that does not, and never more than a quarter of the pool; but as many as a loop has
/// portions for. So in pools of less than eight threads one looks at a time. A hint: forks rely on
/// one that looks (sleep.md), not on several.
class Lookers {
 public:
  /// Before the pool's threads start.
  void set_threads(std::size_t threads, std::size_t processors) noexcept {
    most_ = quarter(threads);
    const std::size_t running = std::min(threads, processors);
    called_ = quarter(running) > 1 ? static_cast<std::uint32_t>(running) : 1;
  }

  /// No more than so many should look at once.
  std::uint32_t wanted() const noexcept { return wanted_.read(); }

  /// There are so many portions of a loop, each of which a thread that looks may have. True: more
  /// than one should be woken at once. Not more than the processors can run: those who
  /// run receive the others' portions.
  bool call(std::uint64_t portions) noexcept {
    const auto enough = static_cast<std::uint32_t>(std::min<std::uint64_t>(portions, called_));
    if (enough < 2) return false;
    if (wanted() < enough) wanted_.write(enough);
    return true;
  }

  /// A thread that was woken has found work.
  void woken_found_work() noexcept {
    const std::uint32_t wanted = this->wanted();
    if (wanted < most_) wanted_.write(wanted + 1);
  }

  /// A thread that was woken sleeps again.
  void woken_in_vain() noexcept {
    const std::uint32_t wanted = this->wanted();
    if (wanted > 1) wanted_.write(wanted / 2);
  }

 private:
  static std::uint32_t quarter(std::size_t threads) noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(threads / 4, 1, 1'024));
  }

  std::uint32_t most_ = 1;
  std::uint32_t called_ = 1;           // by a loop
  SeamHint<std::uint32_t> wanted_{1};  // some updates may be lost
};

}  // namespace furca::detail
