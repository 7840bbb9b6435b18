// The order of keys: integers, which the library sorts; and texts, most of which differ in few
// bytes.
//
// Texts of a program often begin alike. The eight bytes behind what all have in common are a number
// each, and numbers are sorted without comparisons; a text far away is read twice, not log n times.
// Source: Bentley, Sedgewick: Fast Algorithms for Sorting and Searching Strings, SODA 1997, which
// has one byte at a time.
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/algorithms/collecting.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/instructions.hpp>
#include <furca/detail/grouping/key_numbers.hpp>
#include <furca/stable_sort.hpp>

#include <bit>
#include <cstring>
#include <numeric>
#include <string_view>

namespace furca::detail {

/// Eight or four bytes as a number, larger for a larger text. In a loop over bytes g++ does not see
/// that the processor has an instruction for it.
template <std::unsigned_integral N>
N number_of_bytes(const char* text) noexcept {
  N number = 0;
  std::memcpy(&number, text, sizeof(N));
  if constexpr (std::endian::native == std::endian::big) return number;
  return detail::swap_bytes(number);
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

/// Sorts what has different texts, as view(element) gives them. Texts with the same eight bytes are
/// sorted by the next ones, on so many levels.
template <Literal name, class T, class View>
void sort_texts(std::span<T> all, const View& view, const SourceLocation& where, int levels = 64) {
  constexpr std::size_t kFew = 32;
  constexpr std::size_t kBlock = 16'384;
  struct Number {
    std::uint64_t number;
    T what;
  };
  if (all.size() <= kFew || levels == 0) {
    std::sort(all.begin(), all.end(), [&](const T& a, const T& b) { return view(a) < view(b); });
    return;
  }
  auto numbers = unwritten<std::vector<Number>>(all.size());
  std::vector<std::uint64_t> differences((all.size() + kBlock - 1) / kBlock);
  std::vector<std::size_t> lengths(differences.size());
  // of their eight bytes from `common` on: in which bits they differ
  const auto differ = [&](std::size_t common) {
    const std::uint64_t first = detail::number_of(view(all[0]).substr(common));
    auto some = [&](std::size_t lo, std::size_t hi) {
      std::uint64_t bits = 0;
      std::size_t shortest = view(all[lo]).size();
      for (std::size_t i = lo; i < hi; ++i) {
        const std::string_view text = view(all[i]);
        shortest = std::min(shortest, text.size());
        numbers[i] = {detail::number_of(text.substr(common)), all[i]};
        bits |= numbers[i].number ^ first;
      }
      differences[lo / kBlock] = bits;
      lengths[lo / kBlock] = shortest;
    };
    detail::for_blocks<name>(0, all.size(), kBlock, some, where);
    return std::accumulate(differences.begin(), differences.end(), std::uint64_t{0},
                           std::bit_or<>());
  };
  std::size_t common = 0;
  std::uint64_t bits = differ(common);
  const std::size_t shortest = *std::min_element(lengths.begin(), lengths.end());
  while (bits == 0 && common + 8 <= shortest) bits = differ(common += 8);
  const std::size_t more = static_cast<std::size_t>(std::countl_zero(bits)) / 8;
  if (more > 0) differ(std::min(shortest, common + more));
  furca::stable_sort(numbers, std::less<>(), &Number::number, where);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = numbers[i].what;
  for (std::size_t lo = 0, hi = 1; hi <= all.size(); ++hi) {
    if (hi < all.size() && numbers[hi].number == numbers[hi - 1].number) continue;
    if (hi - lo > 1) detail::sort_texts<name>(all.subspan(lo, hi - lo), view, where, levels - 1);
    lo = hi;
  }
}

/// Sorts what has different integers, by their place in the order of all. In the library: a program
/// that groups by integers took a third of its time to compile for this. `where`: the caller's
/// SourceLocation. `is_std`: it is a std::source_location.
FURCA_API void sort_integers(std::span<NumberedKey<std::uint64_t>> all, const void* where,
                             bool is_std);

/// Sorts what has different keys, as view(element) gives them, or integers as its member `key`.
template <Literal name, class Key, class T, class View>
void sort_keys(std::vector<T>& all, const View& view, const SourceLocation& where) {
  if constexpr (std::is_integral_v<Key> && sizeof(Key) <= 8) {
    detail::sort_integers(all, &where, kHasStdLocation);
  } else if constexpr (std::is_same_v<Key, std::string> || std::is_same_v<Key, std::string_view>) {
    detail::sort_texts<name>(std::span(all), view, where);
  } else {
    furca::stable_sort(all, KeyLess(), view, where);
  }
}

}  // namespace furca::detail
