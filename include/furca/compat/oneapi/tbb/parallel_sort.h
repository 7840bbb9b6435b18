// tbb::parallel_sort by furca::sort.
#pragma once

#include "version.h"

#include <furca/sort.hpp>

#include <algorithm>
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

}  // namespace detail

/// As oneTBB's: sorts the elements from begin to end. They are sorted on one thread if the iterators or the comparison are not what std::ranges::sort would take.
/// Exceptions: those of the comparison; no element is lost. The order of equal elements depends on the range alone.
/// @{
template <class Iterator, class Compare>
void parallel_sort(Iterator begin, Iterator end, const Compare& comp, const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (std::sortable<Iterator, Compare>) {
    const detail::Between<Iterator> range{begin, end};
    furca::sort(range, comp, {}, where);
  } else {
    std::sort(begin, end, comp);
  }
}

template <class Iterator>
  requires std::random_access_iterator<Iterator>
void parallel_sort(Iterator begin, Iterator end, const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_sort(begin, end, std::less<typename std::iterator_traits<Iterator>::value_type>(), where);
}
/// @}

/// The same for a container or another range.
/// @{
template <class Range, class Compare>
  requires requires(Range& range) { std::begin(range); }
void parallel_sort(Range&& range, const Compare& comp, const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_sort(std::begin(range), std::end(range), comp, where);
}

template <class Range>
  requires requires(Range& range) { std::begin(range); }
void parallel_sort(Range&& range, const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_sort(std::begin(range), std::end(range), where);
}
/// @}

}  // namespace tbb
