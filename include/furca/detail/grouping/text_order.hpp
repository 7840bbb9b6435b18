// The order of texts, most of which differ in few bytes.
//
// Texts of a program often begin alike. The eight bytes behind what all have in common are a number
// each, and numbers are sorted without comparisons; a text far away is read twice, not log n times.
// Source: Bentley, Sedgewick: Fast Algorithms for Sorting and Searching Strings, SODA 1997, which
// has one byte at a time.
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/base/source_location.hpp>
#include <furca/stable_sort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace furca::detail {

/// The number of bytes that two texts begin with alike.
inline std::size_t alike(std::string_view a, std::string_view b) noexcept {
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return static_cast<std::size_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

/// Sorts what has different texts, as view(element) gives them. Texts with the same eight bytes are
/// sorted by the next ones, on so many levels.
template <class T, class View>
void sort_texts(std::span<T> all, const View& view, const SourceLocation& where, int levels = 64) {
  constexpr std::size_t kFew = 32;
  struct Number {
    std::uint64_t number;  // larger for a larger text, and 0 for the end of one
    std::size_t at;
  };
  if (all.size() <= kFew || levels == 0) {
    std::sort(all.begin(), all.end(), [&](const T& a, const T& b) { return view(a) < view(b); });
    return;
  }
  std::string_view common = view(all[0]);
  for (const T& one : all) common = common.substr(0, detail::alike(common, view(one)));
  std::vector<Number> numbers;
  numbers.reserve(all.size());
  for (const T& one : all) {
    const std::string_view text = view(one).substr(common.size(), sizeof(std::uint64_t));
    std::uint64_t number = 0;
    for (const char byte : text) number = number << 8U | static_cast<unsigned char>(byte);
    for (std::size_t i = text.size(); i < sizeof(std::uint64_t); ++i) number <<= 8U;
    numbers.push_back({number, numbers.size()});
  }
  furca::stable_sort(numbers, std::less<>(), &Number::number, where);
  const std::vector<T> from(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = from[numbers[i].at];
  for (std::size_t lo = 0, hi = 0; lo < all.size(); lo = hi) {
    while (hi < all.size() && numbers[hi].number == numbers[lo].number) ++hi;
    if (hi - lo > 1) detail::sort_texts(all.subspan(lo, hi - lo), view, where, levels - 1);
  }
}

}  // namespace furca::detail
