// The parts of <ranges> and <iterator> that furca needs: concepts, and types of ranges. Not views,
// nor iterators over streams: with g++ 12 these take as long to compile as all of furca's loops.
// With libstdc++, where this was seen to be so, <algorithm> has the parts.
#pragma once

#include <furca/detail/base/refuse.hpp>

#include <concepts>
#include <limits>
#include <vector>

#if defined(__GLIBCXX__)
#include <algorithm>
#else
#include <iterator>
#include <ranges>
#endif

namespace furca::detail {

/// The number of elements that a loop over a range has. Throws std::length_error where a
/// std::size_t cannot count them, as those of a std::views::iota of 64 bits on a system of 32.
template <class Range>
constexpr std::size_t size_of(Range& range) {
  const auto size = std::ranges::size(range);
  if constexpr (sizeof(size) > sizeof(std::size_t)) {
    if (size > std::numeric_limits<std::size_t>::max()) [[unlikely]]
      detail::refuse_length("furca: this range has more elements than a std::size_t can count");
  }
  return static_cast<std::size_t>(size);
}

/// The bits of a std::vector<bool> that can be written, whatever its allocator.
template <class Iterator>
inline constexpr bool kSharesBytes = false;
template <class Iterator>
  requires std::same_as<std::iter_value_t<Iterator>, bool>
inline constexpr bool kSharesBytes<Iterator> =
    std::same_as<std::iter_reference_t<Iterator>, std::vector<bool>::reference>;

}  // namespace furca::detail
