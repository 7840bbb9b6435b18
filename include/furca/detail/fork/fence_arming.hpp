// The arming of a deque's fence by thieves, and its way back to quiet.
// Checked by: tests/model/programs/fence_programs.hpp
#pragma once

#include <furca/detail/base/fence_tuning.hpp>
#include <furca/detail/base/processor.hpp>
#include <furca/detail/fork/adaptive_fence.hpp>

#include <algorithm>
#include <utility>

namespace furca::detail {

//   quiet   --thief: enter, CAS-->  arming
//   arming  --the owner, in its next pop: CAS-->  armed
//   arming  --the same thief, unless there was a pop soon: heavy fence-->  armed
//   arming  --another thief, if that one has not for long: heavy fence-->  armed
//   quiet, arming  --owner, which expects thieves: CAS-->  armed
//   armed  --owner, after `patience` fenced pops with no thief there-->  quiet
//
// owner, quiet pop                            thief that arms
//   [deque.P1] bottom = b             release   [fence.A1] mode: quiet -> arming   relaxed
//   [fence.P2] compiler barrier                 [fence.A2] heavy fence
//   [fence.P2] mode == quiet?         relaxed   [fence.A3] mode = armed            relaxed
//   [deque.P3] top                    relaxed        ... a classic steal: [deque.T1] to [deque.T4]
//
// A2 strikes the owner somewhere in its program order. After P1: the thief's T3 reads the lowered
// bottom. Before P1: the owner's look at the mode comes after A1 and finds arming, so it fences as
// in the classic deque.
//
// A thread that is kept off by the system between A1 and A3 would keep all others from what lies
// in this deque, unless its owner pops. So a thief that finds a deque that has been arming for
// several times as long as it should does A2 and A3 in its place, one thief in each such time, and
// one more for each that is kept off on its way to A1. It has read what A1 wrote, in V3 or in an
// A1 that failed, so what is said of A2 is true of its heavy fence, too. Whose turn it is, by the
// clock, is a hint: nothing is ordered by it.
// Rejected: to steal elsewhere until that thread goes on. Threads that wait then find the deque not
// empty, so they do not sleep, and go round; if they have the higher priority, for good ("portions:
// three, and a thread that does not come for its own"). It cost no time (bench/counted).
//
// owner that answers                                 thief that waits for an answer
//   [deque.P1] bottom = b, now and in the pops before  [fence.A1] mode: quiet -> arming   relaxed
//   [deque.P2] fence                                   [fence.O2] mode == armed?          relaxed
//   [fence.O1] mode: arming -> armed   relaxed         [deque.T2] fence   [deque.T3] bottom
// P2 and T2 make T3 see what this pop and those before it, which were not fenced, left of the
// deque; the pops that follow are fenced. So an owner that pops often, as who forks small tasks
// does, spares all others a heavy fence, and its thief most of the wait. A thief waits for as long
// as that would take, and then issues it.
//
// owner, going quiet                          thief that finds armed
//   [fence.Q1] mode: armed -> quiet   relaxed   [fence.V1] thieves + 1             relaxed
//   [fence.Q2] fence                            [fence.V2] fence
//   [fence.Q3] thieves == 0?          acquire   [fence.V3] mode == armed?          relaxed
// Q2 first: V3 does not read armed, so the thief arms anew. V2 first: Q3 sees the thief, and the
// owner is armed again before its next pop. The acquire of Q3 makes a departed thief's CAS of
// top visible to the unfenced pops that follow.
//
// owner that expects thieves                  thief that finds armed
//   [deque.P1] bottom = b, in the pops before   [fence.V3] mode == armed?          relaxed
//   [fence.E1] mode: to armed         release   [deque.T2] fence   [deque.T3] bottom
// The pops that follow are fenced, since the owner sees its own mode. Of those before, which were
// not, T3 sees what they left of the deque. So nobody waits for a heavy fence where the owner
// knows that it publishes seldom, as a loop does: its own fences cost it next to nothing. The same
// goes for a thief that waits for an answer: it reads E1 in O2.
//
// The fences order all this, so `mode` is relaxed but for E1. All its writes are
// read-modify-writes. Heavy fences are bounded by pops / patience, whatever the thieves do; and,
// but for those of owners who do not run, by the time between two pops that are further apart than
// such a fence takes.
// Nor are they more than one for each arming, and one for each time `soon` that the arming lasts
// because threads are kept off.
//
// A3 may come late, even after a Q1 that followed another's A3 or an O1:
//
// owner                                       thief that is kept off
//                                             V1 V2, V3: quiet   A1: arming
//   O1, or another thief's A3: armed
//   pops with fences, the last of them:
//   Q1: quiet   Q2
//   Q3: one is there: armed                   A2   A3: armed, here or later
//
// It has read in V3 or A1 what is older than Q1, so V2 comes before Q2, and Q3 finds it among the
// thieves; unless it has left, and then A3 happens before Q3 (by V4). Either way the next pop
// finds armed, or what is newer, and has a fence; what pops before have left is seen after that of
// Q1's. So "armed" is true for all who read it, even if A3 has written over the "arming" of a thief
// that came after Q1.
//
// FixedPatience 0: fenced pops that together take twice as long as a heavy fence does, as both were
// measured (src/measuring/costs.hpp), if there was one since the owner last became patient. A deque
// that is armed so again soon after it went quiet has not saved what that costs, and is twice as
// patient. So where a heavy fence costs more than it saves, fences are the classic ones but for a
// few. But an owner that has answered has cost its thief a line's way or two: it is patient for as
// many pops as a thief asks, a few hundred nanoseconds. If both happen, the heavy fence is counted
// when the next thief comes.

/// Armed from here on, for a few pops at least.
template <class A, std::uint32_t FixedPatience>
void BasicAdaptiveFence<A, FixedPatience>::expect() noexcept {
  // fenced pops: loops publish again before, and what else the owner forks between pays for few
  constexpr std::uint32_t kExpecting = FixedPatience != 0 ? FixedPatience : 8;
  std::uint32_t seen = mode_.load(std::memory_order_relaxed);
  if (seen == kArmed) {
    if (expecting_ && left_ != 0) left_ = kExpecting;
    return;
  }
  const bool awaited = seen == kArming;  // a thief waits for an answer
  // [fence.E1] pairs with [deque.T2], which comes after V3 and O2
  if (!mode_.compare_exchange_strong(seen, kArmed, std::memory_order_release,
                                     std::memory_order_relaxed) ||
      awaited)
    return;
  left_ = kExpecting;
  expecting_ = true;
}

template <class A, std::uint32_t FixedPatience>
bool BasicAdaptiveFence<A, FixedPatience>::enter() noexcept {
  if (!adaptive_) return true;
  // [fence.V1]
  thieves_.fetch_add(1, std::memory_order_relaxed);
  // [fence.V2] pairs with Q2
  A::fence();
  // [fence.V3] pairs with Q1 A1 A3 O1
  const std::uint32_t mode = mode_.load(std::memory_order_relaxed);
  if (mode == kArmed || arm(mode) == kArmed) return true;
  leave();
  return false;
}

template <class A, std::uint32_t FixedPatience>
void BasicAdaptiveFence<A, FixedPatience>::leave() noexcept {
  // [fence.V4] pairs with Q3
  if (adaptive_) thieves_.fetch_sub(1, std::memory_order_release);
}

/// Thief, since its V1, which has found this mode. What it is now, as far as it knows.
template <class A, std::uint32_t FixedPatience>
std::uint32_t BasicAdaptiveFence<A, FixedPatience>::arm(std::uint32_t mode) noexcept {
  if (mode == kQuiet) mode = arm_quiet();
  return mode == kArming ? arm_instead() : mode;
}

/// quiet -> armed by the owner, or else by way of the heavy fence. What the mode is now.
template <class A, std::uint32_t FixedPatience>
std::uint32_t BasicAdaptiveFence<A, FixedPatience>::arm_quiet() noexcept {
  // before others find it arming. Not a store: the model checker has none that compete
  arming_since_.exchange(A::nanoseconds(), std::memory_order_relaxed);
  std::uint32_t seen = kQuiet;
  // [fence.A1]
  if (!mode_.compare_exchange_strong(seen, kArming, std::memory_order_relaxed,
                                     std::memory_order_relaxed))
    return seen;
  asked_.fetch_add(1, std::memory_order_relaxed);
  for (std::uint32_t asks = A::fence_tuning().asks; asks > 0; --asks) {
    A::relax();
    // [fence.O2] pairs with O1
    if (mode_.load(std::memory_order_relaxed) == kArmed) return kArmed;
  }
  return arm_heavily();
}

/// Another one arms: if that one takes too long, does it in its place. What the mode is now, as
/// far as it knows.
template <class A, std::uint32_t FixedPatience>
std::uint32_t BasicAdaptiveFence<A, FixedPatience>::arm_instead() noexcept {
  std::uint64_t since = arming_since_.load(std::memory_order_relaxed);
  const std::uint64_t now = A::nanoseconds();
  // less than nothing, if this processor's clock is behind: it has just begun
  const auto passed = static_cast<std::int64_t>(now - since);
  if (passed <= static_cast<std::int64_t>(A::fence_tuning().soon)) return kArming;
  // One of all that come now; if that one is kept off too, another one, later.
  if (!arming_since_.compare_exchange_strong(since, now, std::memory_order_relaxed,
                                             std::memory_order_relaxed))
    return kArming;
  return arm_heavily();
}

template <class A, std::uint32_t FixedPatience>
std::uint32_t BasicAdaptiveFence<A, FixedPatience>::arm_heavily() noexcept {
  // [fence.A2] pairs with P2
  A::heavy_fence();
  heavy_fences_.fetch_add(1, std::memory_order_relaxed);
  mode_.exchange(kArmed, std::memory_order_relaxed);  // [fence.A3]
  return kArmed;
}

/// Owner, in pop: the classic fence; the answer to a thief that waits for it; and now and then
/// the way back to quiet.
/// It loads the mode anew: for an argument all pops would save a register more. Still not quiet,
/// which only the owner makes it.
template <class A, std::uint32_t FixedPatience>
void BasicAdaptiveFence<A, FixedPatience>::look_while_armed() noexcept {
  // [deque.P2] pairs with T2
  A::fence();
  if (!adaptive_) return;
  std::uint32_t seen = mode_.load(std::memory_order_relaxed);
  // [fence.O1] pairs with O2 V3
  if (seen == kArming)
    mode_.compare_exchange_strong(seen, kArmed, std::memory_order_relaxed,
                                  std::memory_order_relaxed);
  if (left_ == 0) {  // the first fenced pop since a thief came
    left_ = patience_ = next_patience();
    expecting_ = false;
  }
  if (--left_ == 0) go_quiet();
}

template <class A, std::uint32_t FixedPatience>
std::uint32_t BasicAdaptiveFence<A, FixedPatience>::next_patience() noexcept {
  constexpr std::uint32_t kMostDoubling = 64;
  const FenceTuning tuning = A::fence_tuning();
  if (FixedPatience == 0 && tuning.asks != 0) {
    const std::uint64_t heavy = heavy_fences();
    if (std::exchange(known_heavy_, heavy) == heavy) return tuning.asks;
  }
  const std::uint32_t least = FixedPatience != 0 ? FixedPatience : tuning.patience;
  const bool soon = A::nanoseconds() - quiet_since_ < tuning.soon;
  return soon ? std::clamp(2 * patience_, least, kMostDoubling * least) : least;
}

template <class A, std::uint32_t FixedPatience>
void BasicAdaptiveFence<A, FixedPatience>::go_quiet() noexcept {
  // [fence.Q1] armed since [fence.O1] at the latest
  mode_.exchange(kQuiet, std::memory_order_relaxed);
  // [fence.Q2] pairs with V2
  A::fence();
  // [fence.Q3] pairs with V4
  if (thieves_.load(std::memory_order_acquire) != 0) {
    std::uint32_t seen = kQuiet;  // if it fails a thief is arming, which is as good
    mode_.compare_exchange_strong(seen, kArmed, std::memory_order_relaxed,
                                  std::memory_order_relaxed);
    left_ = patience_;
    expecting_ = false;
    return;
  }
  if (!expecting_) quiet_since_ = A::nanoseconds();
}

}  // namespace furca::detail
