// The fence policies of Deque: how its owner and its thieves order "I lowered bottom" against "I
// read top".
//
// The owner's pop and a thief's steal each write one index and then read the other's. Both need a
// full fence between the two, or each can miss the other's write and both get the last item. A
// policy has five members:
//   before_look()   owner, in pop, between its store of bottom and its load of top; false: it was
//                   no fence, and none was needed
//   expect()        owner, before a push: thieves are likely to come for it
//   enter()         thief, before it reads top; false: not now, try again
//   leave()         thief, after its steal, if enter() was true
//   Atomics         the seam (detail/base/atomics.hpp)
// The thief's own fence stands in the deque's steal; a policy only decides what the owner pays.
// Checked by: tests/model/programs/deque_programs.hpp ("the last two items")
#pragma once

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/fork/fence_arming.hpp>
#include <furca/detail/mistakes/mistakes.hpp>

namespace furca {

namespace detail {

template <class A>
class BasicSeqCstFence {
 public:
  using Atomics = A;
  bool before_look() noexcept {
    A::fence();  // [deque.P2] pairs with T2
    return true;
  }
  void expect() noexcept {}
  bool enter() noexcept { return true; }
  void leave() noexcept {}
};

}  // namespace detail

/// The classic policy: a sequentially consistent fence in every pop. Needs only the headers.
using SeqCstFence = detail::BasicSeqCstFence<detail::Atomics>;

/// The pool's policy: pops have no fence until a thief comes. The thief then issues a process-wide
/// fence (Linux membarrier), and pops use an ordinary fence for a while. Without membarrier, or
/// with FURCA_FENCE=classic, it behaves as SeqCstFence.
/// Needs the compiled library.
using AdaptiveFence = detail::BasicAdaptiveFence<detail::Atomics>;

}  // namespace furca
