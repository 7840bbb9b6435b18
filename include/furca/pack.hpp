// Packing and partitioning: the elements that satisfy a predicate, side by side.
#pragma once

#include <furca/detail/algorithms/pack_passes.hpp>
#include <furca/detail/algorithms/partition_passes.hpp>
#include <furca/detail/algorithms/subrange.hpp>
#include <furca/detail/algorithms/unwritten.hpp>
#include <furca/detail/base/large_memory.hpp>
#include <furca/write.hpp>

#include <limits>

FURCA_DECLARES(pack);

namespace furca::found_by_name {

/// Copies the elements that satisfy pred(proj(element)) to `out`, in their order. The result tells
/// where it ended in both.
///
/// The output must not overlap the range. One that is too short ends the algorithm: the result's
/// `in` is then the first element that satisfies pred and had no place; pred may have been called
/// for some behind it.
/// pred and proj are called by several threads at once, once for each element.
/// Exceptions: the one that the serial algorithm would throw; what that would have copied before is
/// copied. Throws std::bad_alloc if there is no memory for a stretch's answers, before anything is
/// copied, or at an outside thread's first call.
/// Complexity: n calls, m copies, for m elements copied; span O(n / p), for p threads: stretches of
/// 512 KB a thread one after the other, each within the caches. Allocates a byte for each element
/// of a stretch; nothing up to 2,048 elements, and on a pool of one thread.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile, and
/// nobody else may use out.
template <LoopRange R, OutputRange Out, class Proj = std::identity,
          detail::PredicateOf<R, Proj> Pred>
  requires std::indirectly_copyable<std::ranges::iterator_t<R>, std::ranges::iterator_t<Out>>
std::ranges::copy_if_result<detail::Borrowed<R>, detail::Borrowed<Out>> copy_if(
    R&& range, Out&& out, Pred pred, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const detail::PackEnd end =
      detail::pack_into<"copy_if">(range, out, detail::size_of(out), pred, proj, where);
  return {detail::after(range, end.in), detail::after(out, end.out)};
}

/// The elements that satisfy pred(proj(element)), copied into a vector in their order.
///
/// pred and proj are called by several threads at once, once for each element. Copies are made by
/// several threads where elements can be made without arguments, else by the caller.
/// Exceptions: the one that the serial algorithm would throw. Throws std::bad_alloc if there is no
/// memory.
/// Complexity: n calls, m copies, for m elements kept; span O(n / p), for p threads, since memory
/// is gone through in stretches of 512 KB a thread.
/// Allocates what it returns, a few bytes for each element of a stretch, and, if the share that is
/// kept rises, what it has had before.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
  requires std::constructible_from<std::ranges::range_value_t<R>, std::ranges::range_reference_t<R>>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> filter(
    R&& range, Pred pred, Proj proj = {}, const SourceLocation where = SourceLocation::current()) {
  using T = std::ranges::range_value_t<R>;
  using Range = std::remove_reference_t<R>;
  constexpr bool kAtOnce = std::is_nothrow_default_constructible_v<T> &&
                           std::assignable_from<T&, std::ranges::range_reference_t<R>> &&
                           !std::is_same_v<T, bool> && !detail::kStandsForBit<T>;
  const detail::Elements<Range> elements(range);
  const detail::Satisfies<Range, Pred, Proj> test(range, pred, proj);
  const std::size_t n = detail::size_of(range);
  std::vector<T> kept;
  detail::pack<"filter", Proj, kAtOnce>(
      range, std::numeric_limits<std::size_t>::max(), test,
      [&](std::size_t count, std::size_t done) {
        const std::size_t size = kept.size() + count;
        if (size > kept.capacity()) {
          // As much as if the rest were like what has been seen, and an eighth more.
          const double likely = static_cast<double>(size) *
                                (static_cast<double>(n) / static_cast<double>(done)) * 1.125;
          kept.reserve(
              std::max(size, done == n ? size : std::min(n, static_cast<std::size_t>(likely))));
          // Rejected: to have several threads ask for the pages (MADV_POPULATE_WRITE), before the
          // first element is copied: 12.3 ms where it took 10.9 (10^7 doubles, half of them kept,
          // two threads), since what a page is cleared with has left the cache by the time that it
          // is written to.
          detail::prepare_capacity(kept);
        }
        if constexpr (kAtOnce) detail::lengthen<std::ranges::range_reference_t<R>>(kept, size);
      },
      [&]([[maybe_unused]] std::size_t to, std::size_t count, const unsigned char* answers,
          std::size_t from, std::size_t length) {
        if constexpr (kAtOnce) {
          detail::copy_kept(elements, from, answers, length, detail::Elements<std::vector<T>>(kept),
                            to, count);
        } else {
          detail::Positions positions;
          (void)positions.find(answers, 0, length, 0);
          for (std::size_t i = 0; i < count; ++i) kept.emplace_back(elements[from + positions[i]]);
        }
      },
      where);
  return kept;
}

/// Moves the elements that do not satisfy pred(proj(element)) to the front, in their order, and
/// returns the rest of the range, whose elements are valid but not specified: erase them.
///
/// pred and proj are called by several threads at once, once for each element.
/// Exceptions: the one that the serial algorithm would throw. Then, as there, every element that
/// pred does not hold for is somewhere in the range, and every one that was not asked about, if
/// moving one does not throw. Throws std::bad_alloc as copy_if, before anything has moved.
/// Complexity: n calls, at most 2 n moves; the moves are made by one thread as long as fewer
/// elements have gone than a stretch has. Memory, thread-safety:
/// as copy_if.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
  requires std::permutable<std::ranges::iterator_t<R>> && OutputRange<R>
[[nodiscard(
    "remove_if leaves the rest behind: write v.erase(r.begin(), r.end()) with the range r that it "
    "returns")]] detail::BorrowedSubrange<R>
remove_if(R&& range, Pred pred, Proj proj = {},
          const SourceLocation where = SourceLocation::current()) {
  using Range = std::remove_reference_t<R>;
  const detail::Satisfies<Range, Pred, Proj> satisfies(range, pred, proj);
  auto stays = [satisfies](std::size_t i) { return !satisfies(i); };
  return detail::tail_of<R>(
      range, detail::pack_in_place<"remove_if", detail::MarkedBy<Range, Proj>, false, 0>(
                 range, stays, where));
}

/// Moves the first of each group of neighbours that equal(proj(element), proj(the next one)) holds
/// for to the front, in their order, and returns the rest of the range, whose elements are valid
/// but not specified: erase them.
///
/// Each element is compared with the one before it, as it was. proj is called twice for most
/// elements. Everything else as remove_if: the first of each group is somewhere in the range,
/// whatever throws.
template <LoopRange R, class Proj = std::identity,
          std::indirect_equivalence_relation<std::projected<std::ranges::iterator_t<R>, Proj>>
              Equal = std::ranges::equal_to>
  requires std::permutable<std::ranges::iterator_t<R>> && OutputRange<R>
[[nodiscard(
    "unique leaves the rest behind: write v.erase(r.begin(), r.end()) with the range r that it "
    "returns")]] detail::BorrowedSubrange<R>
unique(R&& range, Equal equal = {}, Proj proj = {},
       const SourceLocation where = SourceLocation::current()) {
  using Range = std::remove_reference_t<R>;
  using X = detail::ProjectedOf<Range, Proj>;
  struct Differs {
    detail::ProjectedElements<Range, Proj> all;
    detail::Held<Equal, X, X> equal;
    bool operator()(std::size_t i) const { return !all.hold(equal, i, i + 1); }
  } differs{{detail::Elements<Range>(range), proj}, equal};
  return detail::tail_of<R>(
      range, detail::pack_in_place<"unique", detail::MarkedBy<Range, Proj>, true,
                                   detail::kEqualBytes<Range, Equal, Proj>>(range, differs, where));
}

/// Moves the elements that satisfy pred(proj(element)) in front of those that do not, and returns
/// the latter.
///
/// The order on both sides depends on the range alone: it is the same for any number of threads.
/// stable_partition keeps the order of the range.
/// pred and proj are called by several threads at once, once for each element.
/// Exceptions: the one that the serial algorithm would throw. Then all elements are in the range,
/// in another order, if swapping two does not throw.
/// Throws std::bad_alloc if there is no memory, before anything has moved, or at an outside
/// thread's first call.
/// Complexity: n calls, at most n swaps; span O(n / p), for p threads. Allocates as copy_if, and 32
/// bytes for every 2,048 elements.
/// Thread-safety: any thread, at any depth of nesting; nobody else may use the range meanwhile.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
  requires std::permutable<std::ranges::iterator_t<R>> && OutputRange<R>
detail::BorrowedSubrange<R> partition(R&& range, Pred pred, Proj proj = {},
                                      const SourceLocation where = SourceLocation::current()) {
  using Range = std::remove_reference_t<R>;
  const detail::Satisfies<Range, Pred, Proj> test(range, pred, proj);
  return detail::tail_of<R>(
      range,
      detail::partition_in_place<"partition", detail::MarkedBy<Range, Proj>>(range, test, where));
}

/// The same, and keeps the order of the range on both sides.
///
/// Exceptions: the one that the serial algorithm would throw, or std::bad_alloc; then nothing has
/// moved. If moving an element throws, elements may be lost.
/// Complexity: n calls, 2 n moves; span O(log n), but n if moves may throw: these are the caller's
/// then. Allocates a copy of the range, and a byte for each element.
/// Thread-safety: as partition.
template <LoopRange R, class Proj = std::identity, detail::PredicateOf<R, Proj> Pred>
  requires std::permutable<std::ranges::iterator_t<R>> && OutputRange<R>
detail::BorrowedSubrange<R> stable_partition(
    R&& range, Pred pred, Proj proj = {}, const SourceLocation where = SourceLocation::current()) {
  using Range = std::remove_reference_t<R>;
  const detail::Satisfies<Range, Pred, Proj> test(range, pred, proj);
  return detail::tail_of<R>(
      range, detail::partition_stably<"stable_partition", detail::MarkedBy<Range, Proj>>(
                 range, test, where));
}

}  // namespace furca::found_by_name
