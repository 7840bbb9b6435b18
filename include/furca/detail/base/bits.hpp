// The elements of a std::vector<bool>: bits of words that they share.
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/base/ranges.hpp>

#include <concepts>
#include <vector>

namespace furca::detail {

/// The bits of a std::vector<bool> that can be written, whatever its allocator.
template <class Iterator>
inline constexpr bool kSharesBytes = false;
template <class Iterator>
  requires std::same_as<std::iter_value_t<Iterator>, bool>
inline constexpr bool kSharesBytes<Iterator> =
    std::same_as<std::iter_reference_t<Iterator>, std::vector<bool>::reference>;

}  // namespace furca::detail
