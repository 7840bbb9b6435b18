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
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace furca::detail {

/// N bytes as a number, larger for a larger text.
template <std::unsigned_integral N>
N number_of_bytes(const char* text) noexcept {
  std::array<unsigned char, sizeof(N)> bytes;
  std::memcpy(bytes.data(), text, sizeof(N));
  N number = 0;
  for (const unsigned char byte : bytes) number = static_cast<N>(number << 8U | byte);
  return number;
}

/// The first eight bytes as a number, larger for a larger text; 0 behind its end.
inline std::uint64_t number_of(std::string_view text) noexcept {
  const std::size_t n = text.size();
  if (n >= 8) return number_of_bytes<std::uint64_t>(text.data());
  std::uint64_t number = 0;
  if (n >= 4) {  // the first four, and the last, some of which are the same
    const std::uint64_t first = number_of_bytes<std::uint32_t>(text.data());
    const std::uint64_t last = number_of_bytes<std::uint32_t>(text.data() + n - 4);
    return first << 32U | last << 8 * (8 - n);
  }
  for (std::size_t i = 0; i < n; ++i)
    number |= std::uint64_t{static_cast<unsigned char>(text[i])} << 8 * (7 - i);
  return number;
}

/// How many bytes all texts begin with alike.
template <class T, class View>
std::size_t common_bytes(std::span<T> all, const View& view) {
  std::size_t shortest = view(all[0]).size();
  for (const T& one : all) shortest = std::min(shortest, view(one).size());
  for (std::size_t common = 0; common < shortest; common += 8) {
    const std::uint64_t first = number_of(view(all[0]).substr(common));
    std::uint64_t differs = 0;
    for (const T& one : all) differs |= first ^ number_of(view(one).substr(common));
    if (differs == 0) continue;
    return std::min(shortest, common + static_cast<std::size_t>(std::countl_zero(differs)) / 8);
  }
  return shortest;
}

/// Sorts what has different texts, as view(element) gives them. Texts with the same eight bytes are
/// sorted by the next ones, on so many levels.
template <class T, class View>
void sort_texts(std::span<T> all, const View& view, const SourceLocation& where, int levels = 64) {
  constexpr std::size_t kFew = 32;
  struct Number {
    std::uint64_t number;
    std::size_t at;
  };
  if (all.size() <= kFew || levels == 0) {
    std::sort(all.begin(), all.end(), [&](const T& a, const T& b) { return view(a) < view(b); });
    return;
  }
  const std::size_t common = detail::common_bytes(all, view);
  std::vector<Number> numbers;
  numbers.reserve(all.size());
  for (const T& one : all)
    numbers.push_back({detail::number_of(view(one).substr(common)), numbers.size()});
  furca::stable_sort(numbers, std::less<>(), &Number::number, where);
  const std::vector<T> from(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = from[numbers[i].at];
  for (std::size_t lo = 0, hi = 0; lo < all.size(); lo = hi) {
    while (hi < all.size() && numbers[hi].number == numbers[lo].number) ++hi;
    if (hi - lo > 1) detail::sort_texts(all.subspan(lo, hi - lo), view, where, levels - 1);
  }
}

}  // namespace furca::detail
