// tbb::parallel_sort by furca::sort.
#pragma once

#include "detail/iterators.h"
#include "parallel_for.h"
#include "profiling.h"

#include <furca/detail/algorithms/lazy_iterator.hpp>
#include <furca/sort.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

namespace tbb {

namespace detail {

/// Two iterators as a range.
template <class Iterator>
struct Between {
  Iterator first;
  Iterator last;

  Iterator begin() const { return first; }
  Iterator end() const { return last; }
};

/// The element at a position, by *(first + n): an older iterator's first[n] may be a proxy of it.
template <class Iterator>
struct ElementAt {
  using HoldsIterators = void;

  Iterator first;

  decltype(auto) operator()(std::size_t n) const {
    return *(first + static_cast<typename std::iterator_traits<Iterator>::difference_type>(n));
  }
};
template <class Iterator>
using ByPosition = furca::detail::LazyIterator<ElementAt<Iterator>>;

/// Serial where the iterators or the comparison are not what std::ranges::sort would take.
template <class Iterator, class Compare>
void run_sort(Iterator begin, Iterator end, const Compare& comp,
              const furca::SourceLocation& where) {
  if constexpr (!std::random_access_iterator<Iterator> && kRandomAccess<Iterator> &&
                std::sortable<ByPosition<Iterator>, Compare>) {
    const ElementAt<Iterator> at{begin};
    const ByPosition<Iterator> first(at, 0);
    detail::run_sort(first, first + (end - begin), comp, where);
  } else if constexpr (std::sortable<Iterator, Compare>) {
    const Between<Iterator> range{begin, end};
    furca::sort(range, comp, {}, where);
  } else {
    std::sort(begin, end, comp);
  }
}

}  // namespace detail

/// As oneTBB's: sorts the elements from begin to end. They are sorted on one thread if the
/// comparison is not what std::ranges::sort would take.
/// Exceptions: those of the comparison; no element is lost. The order of equal elements depends on
/// the range alone.
/// @{
template <detail::Iterator Iterator, class Compare>
void parallel_sort(Iterator begin, Iterator end, const Compare& comp,
                   const furca::SourceLocation where = furca::SourceLocation::current()) {
  detail::run_sort(begin, end, comp, where);
}

template <detail::Iterator Iterator>
void parallel_sort(Iterator begin, Iterator end,
                   const furca::SourceLocation where = furca::SourceLocation::current()) {
  using Value = typename std::iterator_traits<Iterator>::value_type;
  tbb::parallel_sort(begin, end, std::less<Value>(), where);
}
/// @}

/// The same for a container or another range.
/// @{
template <class Range, class Compare>
  requires requires(Range& range) { std::begin(range); }
void parallel_sort(Range&& range, const Compare& comp,
                   const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_sort(std::begin(range), std::end(range), comp, where);
}

template <class Range>
  requires requires(Range& range) { std::begin(range); }
void parallel_sort(Range&& range,
                   const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_sort(std::begin(range), std::end(range), where);
}
/// @}

}  // namespace tbb
