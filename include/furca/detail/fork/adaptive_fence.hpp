// The fence of a worker's deque: what its owner's pop pays. How thieves arm it, and why that is
// right: fence_arming.hpp.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <cstdint>

namespace furca::detail {

/// The owner fences only while a thief steals.
/// Checked by: tests/model/programs/fence_programs.hpp ("fence: arming while the owner pops",
/// "fence: the owner answers", "fence: going quiet while a thief comes", "fence: a thief is kept
/// off while it arms", "fence: one thief arms late")
template <class A, std::uint32_t FixedPatience = 0>
class FURCA_API BasicAdaptiveFence {
 public:
  using Atomics = A;

  /// Where the system has no asymmetric fence it is armed for good, and so the classic fence.
  BasicAdaptiveFence() noexcept : adaptive_(A::asymmetric()), mode_(adaptive_ ? kQuiet : kArmed) {}

  // --- the owner ---------------------------------------------------------------------------------

  bool before_look() noexcept {
    // [fence.P2] pairs with A2
    A::light_fence();
    if (mode_.load(std::memory_order_relaxed) == kQuiet) [[likely]]
      return false;
    look_while_armed();
    return true;
  }

  /// Armed from here on, for a few pops at least.
  void expect() noexcept;

  // --- any thread --------------------------------------------------------------------------------

  bool enter() noexcept;
  void leave() noexcept;

  /// Estimates: thieves between enter() and leave(); heavy fences that thieves of this deque have
  /// issued so far; how often one has asked its owner to arm it, and then perhaps issued one.
  std::uint32_t thieves() const noexcept { return thieves_.load(std::memory_order_relaxed); }
  std::uint64_t heavy_fences() const noexcept {
    return heavy_fences_.load(std::memory_order_relaxed);
  }
  std::uint64_t asked() const noexcept { return asked_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kQuiet = 0;
  static constexpr std::uint32_t kArming = 1;
  static constexpr std::uint32_t kArmed = 2;

  FURCA_COLD std::uint32_t arm(std::uint32_t mode) noexcept;
  std::uint32_t arm_quiet() noexcept;
  std::uint32_t arm_instead() noexcept;
  std::uint32_t arm_heavily() noexcept;
  FURCA_COLD void look_while_armed() noexcept;
  std::uint32_t next_patience() noexcept;
  void go_quiet() noexcept;

  // Owner's own.
  bool adaptive_;
  // fenced pops until it tries to go quiet; 0: it is quiet as far as it knows
  std::uint32_t left_ = 0;
  std::uint32_t patience_ = 0;
  bool expecting_ = false;  // armed by expect(), as far as it knows
  std::uint64_t quiet_since_ = 0;
  std::uint64_t known_heavy_ = 0;  // of heavy_fences_

  // Shared.
  typename A::template Atomic<std::uint32_t> mode_;
  typename A::template Atomic<std::uint32_t> thieves_{0};
  typename A::template Atomic<std::uint64_t> asked_{0};
  typename A::template Atomic<std::uint64_t> heavy_fences_{0};
  // or since when another thief arms in the place of the first; a hint
  typename A::template Atomic<std::uint64_t> arming_since_{0};
};

}  // namespace furca::detail
