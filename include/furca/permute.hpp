// Other orders of a range: reversed, rotated, shuffled.
#pragma once

#include <furca/detail/algorithms/subrange.hpp>
#include <furca/detail/sorting/merging.hpp>
#include <furca/detail/sorting/permuting.hpp>
#include <furca/detail/sorting/shuffling.hpp>
#include <furca/write.hpp>

FURCA_DECLARES(permute);

namespace furca::found_by_name {

/// Brings a range into the opposite order. Returns its end.
///
/// Exceptions: what swapping two elements throws; then some are swapped and some are not. Throws
/// std::bad_alloc at an outside thread's first call.
/// Complexity: n / 2 swaps; span as parallel_for. Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting; nobody else may use the range meanwhile.
template <LoopRange R>
  requires std::permutable<std::ranges::iterator_t<R>> && OutputRange<R>
detail::Borrowed<R> reverse(R&& range, const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(range);
  detail::reverse_all<"reverse">(detail::first_of(range), n, where);
  return detail::after(range, n);
}

/// Exchanges two parts of a range, [begin, middle) and [middle, end): the element at `middle`
/// becomes the first one. Returns where the elements are that were in front of it.
///
/// Complexity: at most n swaps, in two loops. Everything else as reverse.
template <LoopRange R>
  requires std::permutable<std::ranges::iterator_t<R>> && OutputRange<R>
detail::BorrowedSubrange<R> rotate(R&& range, std::ranges::iterator_t<R> middle,
                                   const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(range);
  const auto left = static_cast<std::size_t>(middle - std::ranges::begin(range));
  detail::rotate_all<"rotate">(detail::first_of(range), left, n, where);
  return detail::tail_of<R>(range, n - left);
}

/// Brings a range into a random order. Returns its end.
///
/// The order depends on the seed and on the number of elements alone: it is the same for any number
/// of threads, and on every machine. Other versions of furca may have another one.
/// Each order is as probable as any other if seeds are drawn from all numbers of 64 bits, as far as
/// SplitMix64 is random, which is not for secrets: who has seen some elements may find the others.
/// More than 20 elements have more orders than there are seeds.
/// Exceptions: what moving or swapping an element throws; then elements may be lost. Throws
/// std::bad_alloc if there is no memory, before anything has moved, or at an outside thread's first
/// call.
/// Complexity: up to 16,384 elements n swaps on one thread, which allocate nothing. More elements:
/// 2 n moves and n swaps, in up to 256 parts, which are a power of two; span O(n / parts +
/// parts^2).
/// Memory: as much as the range, and 8 bytes for each two parts.
/// Thread-safety: any thread, at any depth of nesting; nobody else may use the range meanwhile.
/// Source: Rao, 1961, and Sandelius, 1962: elements are dealt to parts at random, and each part is
/// shuffled as by Fisher and Yates; numbers by Steele, Lea, Flood (SplitMix64, 2014).
template <LoopRange R, std::integral Seed>
  requires std::permutable<std::ranges::iterator_t<R>> && OutputRange<R>
detail::Borrowed<R> shuffle(R&& range, Seed seed,
                            const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(range);
  detail::Shuffle(detail::first_of(range), n, static_cast<std::uint64_t>(seed), where).run();
  return detail::after(range, n);
}

}  // namespace furca::found_by_name
