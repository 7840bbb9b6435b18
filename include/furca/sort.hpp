// Sorting, and what needs less than that: the n-th element, the first ones in order.
#pragma once

#include <furca/detail/sorting/keyed_iterator.hpp>
#include <furca/detail/sorting/ordering.hpp>
#include <furca/detail/sorting/quicksort.hpp>
#include <furca/write.hpp>

FURCA_DECLARES(sort);

namespace furca::detail {

/// Calls f(quicksort, first) for a range.
template <Literal name, class R, class Comp, class Proj, class F>
void with_quicksort(R& range, Comp& comp, Proj& proj, const SourceLocation& where, F f) {
  const auto first = detail::first_of(range);
  using I = std::remove_const_t<decltype(first)>;
  const Precedes<I, Comp, Proj> less(comp, proj);
  f(Quicksort<name, I, Precedes<I, Comp, Proj>>(less, where), first);
}

}  // namespace furca::detail

namespace furca::found_by_name {

/// Sorts a range in place: afterwards no element's proj(element) comes before that of the one in
/// front of it, as comp tells. Returns its end.
///
/// By one member, in falling order, by several keys:
///     sort(records, {}, &Record::key)
///     sort(numbers, std::ranges::greater{})
///     sort(records, {}, [](const Record& r) { return std::tie(r.day, r.name); })
/// Elements that are equal to comp may change places, but how they do depends on the range alone:
/// the result is the same for any number of threads.
/// comp and proj are called by several threads at once, on elements and on copies of small ones
/// (trivially moved, of at most 32 bytes).
/// Exceptions: the one that a pool of one thread would throw, if comp depends on its arguments
/// alone. Then all elements are in the range, in some order, if moving and swapping them does not
/// throw. Throws std::bad_alloc at an outside thread's first call.
/// A comp that is no strict weak order, as <= or < on numbers that may be NaN, gives some order of
/// the same elements, and nothing else.
/// Complexity: O(n log n) calls, whatever the range; n if it is sorted already, or in strictly
/// falling order; O(n log k) for k different keys. proj is called twice for each call of comp. Span
/// O(n / p + log^2 n) on average, for p threads up to 128. Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting; nobody else may use the range meanwhile.
template <LoopRange R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj> && OutputRange<R>
detail::Borrowed<R> sort(R&& range, Comp comp = {}, Proj proj = {},
                         const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(range);
  detail::with_quicksort<"sort">(range, comp, proj, where, [n](const auto& quicksort, auto first) {
    quicksort.sort(first, n);
  });
  return detail::after(range, n);
}

/// Sorts a range of keys, and a range of values with it: values[i] goes where keys[i] goes. Returns
/// where it ended in both, `in1` and `in2`: at the end of the shorter one.
///
/// comp and proj are for keys. The ranges must not overlap. Everything else as sort: a key and its
/// value count as one element.
template <LoopRange Keys, LoopRange Values, class Comp = std::ranges::less,
          class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<Keys>, Comp, Proj> &&
           std::permutable<std::ranges::iterator_t<Values>> && OutputRange<Keys> &&
           OutputRange<Values>
std::ranges::in_in_result<detail::Borrowed<Keys>, detail::Borrowed<Values>> sort_by_key(
    Keys&& keys, Values&& values, Comp comp = {}, Proj proj = {},
    const SourceLocation where = SourceLocation::current()) {
  const auto key = detail::first_of(keys);
  const auto value = detail::first_of(values);
  using K = std::remove_const_t<decltype(key)>;
  using V = std::remove_const_t<decltype(value)>;
  using Less = detail::KeyPrecedes<K, Comp, Proj>;
  const std::size_t n = std::min(detail::size_of(keys), detail::size_of(values));
  const Less less{{comp, proj}};
  detail::Quicksort<"sort_by_key", detail::KeyedIterator<K, V>, Less>(less, where)
      .sort({key, value}, n);
  return {detail::after(keys, n), detail::after(values, n)};
}

/// Brings to `nth` the element that would be there if the range were sorted. Then none in front of
/// it comes after it, as comp tells, and none behind it before. Returns the range's end. If nth is
/// the end, it does nothing.
///
/// Complexity: O(n) calls of comp on average, O(n log n) at worst; span O(n / p + log^2 n).
/// Everything else as sort.
template <LoopRange R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj> && OutputRange<R>
detail::Borrowed<R> nth_element(R&& range, std::ranges::iterator_t<R> nth, Comp comp = {},
                                Proj proj = {},
                                const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(range);
  const auto place = static_cast<std::size_t>(nth - std::ranges::begin(range));
  detail::with_quicksort<"nth_element">(range, comp, proj, where,
                                        [n, place](const auto& quicksort, auto first) {
                                          if (place < n) quicksort.select(first, n, place);
                                        });
  return detail::after(range, n);
}

/// Brings those to [begin, middle) that would be there if the range were sorted, in order; the
/// others are behind them, in some order. Returns the range's end.
///
/// Complexity: O(n + m log m) calls of comp on average for the m first elements, O(n log n) at
/// worst. Everything else as sort.
template <LoopRange R, class Comp = std::ranges::less, class Proj = std::identity>
  requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj> && OutputRange<R>
detail::Borrowed<R> partial_sort(R&& range, std::ranges::iterator_t<R> middle, Comp comp = {},
                                 Proj proj = {},
                                 const SourceLocation where = SourceLocation::current()) {
  const std::size_t n = detail::size_of(range);
  const auto first_ones = static_cast<std::size_t>(middle - std::ranges::begin(range));
  detail::with_quicksort<"partial_sort">(range, comp, proj, where,
                                         [n, first_ones](const auto& quicksort, auto first) {
                                           if (0 < first_ones && first_ones < n)
                                             quicksort.select(first, n, first_ones - 1);
                                           quicksort.sort(first, first_ones);
                                         });
  return detail::after(range, n);
}

}  // namespace furca::found_by_name
