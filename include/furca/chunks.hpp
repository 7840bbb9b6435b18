// parallel_for_chunks, parallel_reduce_chunks: loops and reductions whose functions get a stretch
// at a time instead of one index or element.
#pragma once

#include <furca/detail/base/contribution.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/chunks.hpp>
#include <furca/detail/loop/loop.hpp>
#include <furca/detail/loop/reduction.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/detail/mistakes/silent_mistakes.hpp>
#include <furca/options.hpp>
#include <furca/parallel_reduce.hpp>

#include <concepts>
#include <span>

FURCA_DECLARES(chunks);

namespace furca::found_by_name {
FURCA_SAYS_OF_OPTIONS(void, parallel_for_chunks,
                      "write parallel_for_chunks(first, last, "
                      "[&](int lo, int hi) { ... }) for integers, or parallel_for_chunks(v, "
                      "[&](std::span<float> part) { ... }) for elements side by side, as in a "
                      "std::vector" FURCA_LOOP_OPTIONS)
FURCA_SAYS_OF_OPTIONS(
    auto, parallel_reduce_chunks,
    "write parallel_reduce_chunks(first, "
    "last, 0.0, [&](double& sum, int lo, int hi) { ... }, std::plus<>{}) for integers, or "
    "parallel_reduce_chunks(v, 0.0, [&](double& sum, std::span<const double> part) { ... "
    "}, std::plus<>{}) for elements side by side, as in a std::vector; the operation is "
    "given two values as 0.0, and returns one" FURCA_REDUCE_OPTIONS)
}  // namespace furca::found_by_name

namespace furca {

using found_by_name::parallel_for_chunks;
using found_by_name::parallel_reduce_chunks;

/// A range that can be cut into chunks: its elements lie side by side, as in a std::vector, and it
/// has a known size. For other ranges there are the functions with two indices.
template <class Range>
concept ChunkRange = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range>;

/// A part of such a range: a std::span of its elements, of const ones where they are const.
template <ChunkRange Range>
using Chunk = std::span<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

/// The body of a loop over chunks of indices: called with the first index of a chunk and with the
/// one behind its last, by several threads at a time.
template <class F, class Index>
concept ChunkBody = std::invocable<F&, Index, Index>;

/// The body of a loop over chunks of a range: called with a Chunk, by several threads at a time.
template <class F, class Range>
concept RangeChunkBody = std::invocable<F&, Chunk<Range>>;

/// Adds a chunk of indices to an accumulator in place: takes the accumulator by lvalue reference,
/// the first index and the one behind the last, and returns nothing.
template <class F, class Index, class T>
concept ChunkFold = detail::NotOptions<F> && detail::Folds<F, T, Index, Index>;

/// The same for a Chunk of a range.
template <class F, class Range, class T>
concept RangeChunkFold = detail::NotOptions<F> && detail::Folds<F, T, Chunk<Range>>;

/// Calls body(lo, hi) for stretches that make up [first, last), in parallel where threads are free,
/// and returns when all calls have returned.
///
/// For bodies that have a kernel of their own (SIMD, a BLAS call), or something to do once for many
/// indices: to get scratch memory, to ask a PerWorker for the thread's value. For other bodies
/// parallel_for is as fast, and simpler.
/// Chunks: every index of [first, last) is in exactly one, and lo < hi. Where they begin and end,
/// and which thread runs them, depends on the schedule, but with `.grain = g` every chunk begins at
/// first plus a multiple of g, and its length is a multiple of g, except that the chunk at the end
/// of the range has what is left over as well. So no chunk is shorter than g, unless the whole
/// range is: then it is one chunk. That suits SIMD, and neighbours whose results must not share a
/// cache line, or a word of a std::vector<bool> (g = 64). Without a grain g is 1.
/// There is no greatest length: a loop that is short, or on one thread, may be few chunks, and one
/// chunk may be all of it. A body with scratch memory of limited size walks through its chunk in
/// tiles of that size.
/// lo and hi have the common type of first and last. A range whose end is not above its beginning
/// is empty, and body is not called.
/// The length of chunks is measured, as for parallel_for: the first ones have an index (or
/// `.grain`) if the cost of body is not known, and later ones grow until one takes some
/// microseconds. furca takes it that a chunk costs in proportion to its length. A body that takes
/// some microseconds before its first index, as one that allocates a large buffer does, gets chunks
/// too short for that, of one index in the worst case: give such a body a `.grain` that is worth
/// the effort, or keep what it needs in a PerWorker.
/// Exceptions: if several chunks throw, the one thrown is of the chunk that comes first in order.
/// Every chunk before that one has run, those after it may be skipped, and none is running any
/// more. So if body works through its chunk in order, the exception is the one that the serial loop
/// would throw. Throws std::invalid_argument if options.grain is 0, and std::bad_alloc at an
/// outside thread's first call.
/// options.stop: after a request no new chunk begins. options.progress counts the indices of all
/// chunks whose call has returned.
/// Complexity: every index is in one chunk; span as parallel_for, or the longest chunk. Allocates
/// nothing.
/// Thread-safety: any thread, at any depth of nesting. Several threads call body at once. It may
/// call furca.
template <std::integral First, std::integral Last, class Body>
  requires detail::LoopIndex<std::common_type_t<First, Last>> &&
           ChunkBody<Body, std::common_type_t<First, Last>>
void parallel_for_chunks(First first, Last last, Body&& body, const LoopOptions& options = {},
                         const SourceLocation where = SourceLocation::current()) {
  const auto& [grain, stop, progress] = options;  // all: see may_fork_each()
  detail::check_grain(grain);
  using Index = std::common_type_t<First, Last>;
  const detail::IndexRange<Index> range(static_cast<Index>(first), static_cast<Index>(last));
  const auto blocks = detail::Blocks::last_longer(range.size(), detail::unit_of_chunks(grain));
  detail::run_chunks<"loop">(range, blocks, body, stop, progress, where);
}

/// Calls body(chunk) for parts that make up a range, each a std::span of its elements. Everything
/// else as above: chunks begin at multiples of `.grain` from the beginning of the range.
/// @snippet chunks.cpp range
template <ChunkRange Range, RangeChunkBody<Range> Body>
void parallel_for_chunks(Range&& range, Body&& body, const LoopOptions& options = {},
                         const SourceLocation where = SourceLocation::current()) {
  const Chunk<Range> all(range);
  furca::parallel_for_chunks(
      std::size_t{0}, all.size(),
      [&body, all](std::size_t lo, std::size_t hi) {
        detail::invoke(body, all.subspan(lo, hi - lo));
      },
      options, where);
}

/// Combines what stretches of [first, last) add to accumulators, and returns the result.
///
/// fold(accumulator, lo, hi) adds what the indices [lo, hi) contribute: it takes the accumulator by
/// lvalue reference and returns nothing, so no large accumulator is copied for a chunk. op(a, b)
/// combines two accumulators, as in parallel_reduce: it gets rvalues, must be associative up to
/// rounding, and need not commute. The accumulators have the type of `identity` and begin as copies
/// of it.
/// Order: an accumulator always stands for one stretch without gaps, [a, b), in order. A fold gets
/// an accumulator that stands for [a, lo), and makes it stand for [a, hi): it goes on where the one
/// before it ended, on whatever thread that was. op gets an accumulator for [a, m) and one for [m,
/// b), in this order. So a fold may append to a list, or compare its first element with the last
/// one of the chunk before. (After a stop there may be gaps.) Chunks are as in parallel_for_chunks,
/// whose `.grain` holds here too. Which ones there are depends on options.tree:
/// - with ReduceTree::by_schedule, the default for accumulators that own memory, as a std::vector
///   does, and for integers: on the schedule. There is an accumulator for the caller and one more
///   for each part of the loop that a thread takes over.
/// - with ReduceTree::aligned, the default for others where enable_same_bits is true
///   (floating-point numbers, small structs): only on the number n of indices and the grain. Each
///   chunk is a block with an accumulator of its own, and op combines these along a tree that
///   depends only on n and the grain:
///   the result has the same bits for any number of threads if fold computes the same from the same
///   chunk. A block has `.grain` indices; by default n / 64, rounded up to a power of two, and no
///   more than 2,048. If that were more than 4,096 blocks, a multiple of it; the limit is 2^20 for
///   trivially copyable accumulators of up to 32 bytes, and 256 for those of more than 64.
/// Integers, and pairs, tuples and arrays of them, need no tree for the same bits if it does not
/// matter to fold where chunks begin, as when it counts or adds integers. For a fold that rounds
/// once a chunk, as one that adds std::lround of a chunk's sum, ask for ReduceTree::aligned.
/// Memory: as parallel_reduce. With by_schedule an accumulator as large as a histogram of 100,000
/// bins costs a copy of the identity and a call of op whenever a thread takes over a part, which
/// happens a few times for each thread: worth it if the loop takes much longer than that. A
/// PerWorker has one for each thread.
/// An empty or reversed range gives the identity.
/// Exceptions: those of fold as for parallel_for_chunks. If op throws, one such exception is
/// thrown, and the schedule may decide which one.
/// Throws std::invalid_argument for ReduceTree::aligned with an accumulator of more than 4,096
/// bytes, and if options.grain is 0.
/// Throws std::bad_alloc if there is no memory for an accumulator on the heap, or at an outside
/// thread's first call.
/// options.progress counts the indices of all chunks whose fold has returned.
/// Complexity: as parallel_for_chunks. Thread-safety: likewise; several threads call fold and op at
/// once.
template <std::integral First, std::integral Last, Accumulator T, class Fold, CombineOp<T> Op>
  requires detail::LoopIndex<std::common_type_t<First, Last>> &&
           ChunkFold<Fold, std::common_type_t<First, Last>, T>
[[nodiscard]] T parallel_reduce_chunks(First first, Last last, const T& identity, Fold&& fold,
                                       Op&& op, const ReduceOptions& options = {},
                                       const SourceLocation where = SourceLocation::current()) {
  using Index = std::common_type_t<First, Last>;
  const detail::ChunkReduction<Index, T, std::remove_reference_t<Fold>, std::remove_reference_t<Op>>
      shared{{static_cast<Index>(first), static_cast<Index>(last)},
             identity,
             fold,
             op,
             options.progress};
  return detail::reduce<enable_same_bits<T>>(shared, options, where);
}

/// The same over a range: fold(accumulator, chunk) gets a std::span of its elements.
/// @snippet chunks.cpp fold
template <ChunkRange Range, Accumulator T, class Fold, CombineOp<T> Op>
  requires RangeChunkFold<Fold, Range, T>
[[nodiscard]] T parallel_reduce_chunks(Range&& range, const T& identity, Fold&& fold, Op&& op,
                                       const ReduceOptions& options = {},
                                       const SourceLocation where = SourceLocation::current()) {
  const Chunk<Range> all(range);
  return furca::parallel_reduce_chunks(
      std::size_t{0}, all.size(), identity,
      [&fold, all](T& accumulator, std::size_t lo, std::size_t hi) {
        detail::invoke(fold, accumulator, all.subspan(lo, hi - lo));
      },
      op, options, where);
}

}  // namespace furca
