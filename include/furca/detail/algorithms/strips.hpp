// Two passes over a range, the second of which finds the data in the caches.
//
// The value of an element of a scan or of a packed sequence depends on all elements before it. The
// usual way out reads the range twice: a pass for what each block comes to, a serial prefix over
// the blocks, and a pass that writes. So the range is cut into stretches that fit into the caches
// of the threads that work on them, and both passes go over one stretch before the next one begins:
// memory is read once.
// Rejected: decoupled look-back (Merrill and Garland: Single-pass Parallel Prefix Scan with
// Decoupled Look-back, NVR-2016-002): it is one pass too, but blocks wait for a thread that the
// system may have taken away, and the bits of a sum depend on who looked where.
// Rejected: stores past the caches (movnti, movntpd), for output of many times their size. Two
// threads took 1.4 times as long for 10^7 doubles with stores into four streams, and from a buffer
// of a thread's own, line by line, 0.92 to 0.99 of the time: what they save in reads of lines that
// are overwritten is lost again.
// Rejected: one piece for each thread (Blelloch: Prefix Sums and Their Applications,
// CMU-CS-90-190): it reads memory twice.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/threads.hpp>

namespace furca::detail {

/// Calls what comes behind an algorithm's allocations: exceptions pass, or, as the standard's
/// parallel algorithms have it, end the program.
template <bool kEndsProgram>
struct Calls {
  template <class F>
  decltype(auto) operator()(F f) const noexcept(kEndsProgram) {
    return f();
  }
};
using ThrowingCalls = Calls<false>;
using EndingCalls = Calls<true>;

/// Elements in a stretch: `bytes` of each thread's cache, in whole blocks.
inline std::size_t stretch_length(std::size_t block, std::size_t bytes_each, std::size_t bytes) {
  const std::size_t blocks = std::max(std::size_t{1}, bytes / bytes_each / block);
  return blocks * block * num_threads();
}

/// A loop over the blocks of [lo, hi), which calls a function by a pointer: the loop is in the
/// library.
struct BlocksPart {
  void (*call)(void* f, std::size_t from, std::size_t to);
  void* f;
  std::size_t lo;
  std::size_t hi;
  std::size_t block;
};
FURCA_API void run_blocks(void* part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end);
FURCA_API void loop_over_blocks(BlocksPart part, const PartFunctions& functions, const void* where);

/// One function for a block alone and for one of several.
template <class F>
FURCA_UNROLLED_LOOP void call_block(void* f, std::size_t from, std::size_t to) {
  (*static_cast<F*>(f))(from, to);
}

/// What blocks cost is known for each F.
template <class F, Literal name, class Location = SourceLocation>
inline constexpr PartFunctions kFunctionsOfBlocks{&run_blocks, nullptr, nullptr, nullptr,
                                                  &site_of<name, Location>};

/// Calls f(from, to) for the blocks of [lo, hi), which begins at a block, in parallel. One alone is
/// no loop.
template <Literal name, class F>
void for_blocks(std::size_t lo, std::size_t hi, std::size_t block, F& f,
                const SourceLocation& where) {
  void* const called = const_cast<void*>(static_cast<const void*>(std::addressof(f)));
  if (hi - lo > block) {
    detail::loop_over_blocks({&call_block<F>, called, lo, hi, block}, kFunctionsOfBlocks<F, name>,
                             &where);
  } else if (hi > lo) {
    detail::call_block<F>(called, lo, hi);
  }
}

/// The passes over [0, n), stretch by stretch: first(lo, hi, thrown) for a stretch, which goes over
/// it in parallel; between(lo, hi) on the caller; then second(from, to) for each block, in
/// parallel. If `first` throws, it has lowered `thrown` to the lowest element at which it did; the
/// elements before that go through `between` and `second`, and may throw something there that comes
/// before it in serial execution. `between` returns where to end, at most hi.
template <Literal name, class First, class Between, class Second>
void in_strips(std::size_t n, std::size_t block, std::size_t stretch, First first, Between between,
               Second second, const SourceLocation& where) {
  for (std::size_t lo = 0; lo < n; lo += stretch) {
    const std::size_t hi = stretch < n - lo ? lo + stretch : n;
    LoopEnd thrown(hi);
    try {
      first(lo, hi, thrown);
    } catch (...) {
      if (thrown.get() < hi) {
        const std::size_t end = between(lo, static_cast<std::size_t>(thrown.get()));
        detail::for_blocks<name>(lo, end, block, second, where);
        if (end < thrown.get()) return;  // serial execution would not have come to it
      }
      throw;
    }
    const std::size_t end = between(lo, hi);
    detail::for_blocks<name>(lo, end, block, second, where);
    if (end < hi) return;
  }
}

}  // namespace furca::detail
