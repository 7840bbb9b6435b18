// Prefix sums: what the elements up to each one come to; and differences, which undo them.
#pragma once

#include <furca/detail/algorithms/scan_passes.hpp>
#include <furca/detail/base/refuse.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/write.hpp>

#include <optional>

FURCA_DECLARES(scan);

namespace furca {

namespace detail {

/// Has elements that sums of type T fit into, without losing a fraction or digits.
template <class Out, class T>
concept ScanOutput =
    OutputRange<Out> && std::indirectly_writable<std::ranges::iterator_t<Out>, const T&> &&
    kFitsInto<T, std::ranges::range_value_t<Out>>;

}  // namespace detail

/// What exclusive_scan returns: where it ended in the input and in the output, and what all
/// elements come to.
/// @snippet scan.cpp exclusive_scan
template <class In, class Out, class T>
struct ScanResult {
  In in;    ///< behind the last element that was read
  Out out;  ///< behind the last that was written
  T total;  ///< of what was read, with the initial value
};

}  // namespace furca

namespace furca::found_by_name {

/// out[i] = what the elements 0 to i of the range come to: op(... op(proj(r[0]), proj(r[1])) ...,
/// proj(r[i])).
///
/// It computes with the values that proj gives, so a sum of ints is an int: to count further,
/// project to a wider type.
/// op is associative, up to rounding, and need not commute; it gets rvalues, as in parallel_reduce.
/// The output may be the range itself, or must not overlap it.
/// It needs as many elements as the range has; a shorter one ends the scan, and the result tells
/// where.
/// Numbers have the same bits for any number of threads: blocks that depend on the size alone are
/// combined from left to right. The bits can differ from those of the serial scan. A block is added
/// up by itself first, so a sum of signed integers may overflow there although none from the front
/// on would:
/// project to a wider type.
/// proj is called once for each element, twice if the output has elements of another type than proj
/// gives; op at most twice. Several threads call them at once.
/// Exceptions: the one that the serial scan would throw, if it depends on the element. The output
/// up to that element is then as the serial scan leaves it, and what is behind it is not specified.
/// Those that depend on the sum so far may come from another sum, and all of the output from the
/// stretch on that throws is not specified (below). Throws std::bad_alloc if there is no memory for
/// the sums of blocks, before anything is written, or at an outside thread's first call.
/// Complexity: 2 n operations; span O(n / p), for p threads: stretches of a mebibyte a thread one
/// after the other, each within the caches, so memory is read once and written once. Allocates a
/// few kilobytes for each thread; nothing up to 4,096 numbers that are only added up or the like,
/// and on a pool of one thread, but for elements of more than a kilobyte.
/// Thread-safety: any thread, at any depth of nesting; nobody else may use range or out meanwhile.
template <LoopRange R, LoopRange Out, class Op = std::plus<>, class Proj = std::identity>
  requires Accumulator<detail::ProjectedValueOf<R, Proj>> &&
           CombineOp<Op, detail::ProjectedValueOf<R, Proj>> &&
           std::convertible_to<detail::ProjectedOf<R, Proj>, detail::ProjectedValueOf<R, Proj>> &&
           detail::ScanOutput<Out, detail::ProjectedValueOf<R, Proj>>
std::ranges::in_out_result<detail::Borrowed<R>, detail::Borrowed<Out>> inclusive_scan(
    R&& range, Out&& out, Op op = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  using T = detail::ProjectedValueOf<R, Proj>;
  detail::Scan<detail::ScanKind::inclusive, T, std::remove_reference_t<R>,
               std::remove_reference_t<Out>, Op, Proj>
      scan(range, out, op, proj, std::nullopt);
  scan.run(where);
  return {detail::after(range, scan.size()), detail::after(out, scan.size())};
}

/// out[i] = what init and the elements 0 to i - 1 of the range come to: op(... op(init, proj(r[0]))
/// ..., proj(r[i - 1])). The result's `total` has all elements.
///
/// It computes with the type of `init`, so write std::size_t{0} to add up sizes. proj's results
/// must convert to it without losing a fraction or digits.
/// Everything else as inclusive_scan.
template <LoopRange R, LoopRange Out, Accumulator T, CombineOp<T> Op = std::plus<>,
          class Proj = std::identity>
  requires Contribution<Proj, std::ranges::range_reference_t<R>, T> &&
           detail::MapsTo<Proj, std::ranges::range_reference_t<R>, T> && detail::ScanOutput<Out, T>
ScanResult<detail::Borrowed<R>, detail::Borrowed<Out>, T> exclusive_scan(
    R&& range, Out&& out, T init, Op op = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  detail::Scan<detail::ScanKind::exclusive, T, std::remove_reference_t<R>,
               std::remove_reference_t<Out>, Op, Proj>
      scan(range, out, op, proj, std::optional<T>(std::move(init)));
  scan.run(where);
  return {detail::after(range, scan.size()), detail::after(out, scan.size()),
          std::move(*scan.total())};
}

/// The same where elements do not fit into an int, and the output's do not need more: an `init` of
/// 0 is one of the output's type then.
///     exclusive_scan(counts, offsets, 0);   // 32-bit counts, 32-bit offsets
template <LoopRange R, LoopRange Out, class Op = std::plus<>, class Proj = std::identity,
          std::integral T = std::ranges::range_value_t<Out>>
  requires(!detail::MapsTo<Proj, std::ranges::range_reference_t<R>, int>) && CombineOp<Op, T> &&
          Accumulator<T> && Contribution<Proj, std::ranges::range_reference_t<R>, T> &&
          detail::MapsTo<Proj, std::ranges::range_reference_t<R>, T> && detail::ScanOutput<Out, T>
ScanResult<detail::Borrowed<R>, detail::Borrowed<Out>, T> exclusive_scan(
    R&& range, Out&& out, int init, Op op = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  return found_by_name::exclusive_scan(std::forward<R>(range), std::forward<Out>(out),
                                       static_cast<T>(init), std::move(op), std::move(proj), where);
}

/// out[i] = op(proj(r[i]), proj(r[i - 1])), and out[0] = proj(r[0]): what inclusive_scan undoes.
///
/// The output must not overlap the range, as with the standard's execution policies; throws
/// std::invalid_argument where it is the range itself. One that is shorter ends the algorithm, and
/// the result tells where. op and proj are called by several threads at once: op once for each
/// element but the first, proj for each of its arguments.
/// Exceptions: the one that the serial algorithm would throw. Everything before the throwing
/// element has been written, and some of what is behind it may have been.
/// Complexity: n calls of op; span as parallel_for. Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting; nobody else may write to the range, or use
/// out, meanwhile.
template <LoopRange R, OutputRange Out, class Op = std::minus<>, class Proj = std::identity>
  requires std::indirectly_writable<std::ranges::iterator_t<Out>,
                                    std::indirect_result_t<Proj&, std::ranges::iterator_t<R>>> &&
           std::indirectly_writable<
               std::ranges::iterator_t<Out>,
               std::indirect_result_t<Op&, std::projected<std::ranges::iterator_t<R>, Proj>,
                                      std::projected<std::ranges::iterator_t<R>, Proj>>>
std::ranges::in_out_result<detail::Borrowed<R>, detail::Borrowed<Out>> adjacent_difference(
    R&& range, Out&& out, Op op = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  using In = std::ranges::iterator_t<R>;
  const std::size_t n = std::min(detail::size_of(range), detail::size_of(out));
  if (n > 0) {
    const auto in = std::ranges::begin(range);
    const auto to = std::ranges::begin(out);
    if constexpr (std::equality_comparable_with<In, std::ranges::iterator_t<Out>>) {
      if (in == to) detail::refuse("furca: adjacent_difference cannot write over its input");
    }
    detail::assign(*to, detail::invoke(proj, *in));
    const detail::TransformBoth<In, In, std::ranges::iterator_t<Out>, Op, Proj, Proj> each{
        in + 1, in, to + 1, op, proj, proj};
    detail::for_positions<"adjacent_difference">(n - 1, each, where);
  }
  return {detail::after(range, n), detail::after(out, n)};
}

}  // namespace furca::found_by_name
