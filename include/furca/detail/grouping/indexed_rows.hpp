// Rows of the values of elements, by an index of theirs.
// Checked by: tests/algorithms/group_index_test.cpp
#pragma once

#include <furca/collect.hpp>
#include <furca/detail/algorithms/collecting.hpp>
#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/refuse.hpp>
#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/grouping/grouping.hpp>
#include <furca/detail/grouping/indexed_parts.hpp>
#include <furca/detail/grouping/keyed_blocks.hpp>

#include <exception>
#include <numeric>
#include <optional>

namespace furca::detail {

/// Where each row begins, and where they end; put(place, first element of a block, entry) puts each
/// element there.
template <class Parts, class Put>
std::vector<std::size_t> place_in_rows(Parts& parts, std::size_t n, std::size_t keys,
                                       const Put& put) {
  auto offsets = unwritten<std::vector<std::size_t>>(keys + 1);
  std::vector<Thrown> thrown(parts.parts());
  parts.each_part([&](const auto& part) {
    std::vector<std::size_t> next(part.end - part.first);
    parts.each_of_part(part.number, [&next, &part](std::size_t, const auto& entry) {
      ++next[entry.index - part.first];
    });
    std::size_t begin = part.elements;
    for (std::size_t k = 0; k < next.size(); ++k) {
      offsets[part.first + k] = begin;
      begin += std::exchange(next[k], begin);
    }
    std::size_t i = 0;
    try {
      parts.each_of_part(part.number, [&](std::size_t first, const auto& entry) {
        const std::size_t place = next[entry.index - part.first]++;
        if constexpr (std::is_same_v<decltype(entry.contribution), std::uint32_t>) {
          i = first + entry.contribution;
        }
        put(place, first, entry.contribution);
      });
    } catch (...) {
      thrown[part.number] = {i, std::current_exception()};
    }
  });
  detail::rethrow_first(thrown);
  offsets[keys] = n;
  return offsets;
}

/// So few elements are one thread's: it counts, and then puts each where the next one of its row
/// is.
template <class IndexOf>
bool worth_one_thread(std::size_t n) noexcept {
  // two passes over indices that lie in the elements are short
  return n <= (IndexOf::kInElements ? 4 : 1) * kLeastBlock;
}

/// The same for few elements. put(place, 0, element) puts each there.
template <class IndexOf, class Put>
std::vector<std::size_t> place_alone(std::size_t n, std::size_t keys, const IndexOf& index_of,
                                     const Put& put) {
  constexpr bool kAgain = IndexOf::kInElements;  // else nobody is asked twice
  std::vector<std::size_t> offsets(keys + 2);
  const RawMemory<std::uint32_t> rows(kAgain ? 0 : n);
  const IndexOf index_at = index_of;
  const Put put_at = put;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = detail::checked_index(index_at(i), keys);
    if constexpr (!kAgain) rows.data()[i] = static_cast<std::uint32_t>(row);
    ++offsets[row + 2];
  }
  std::size_t* const next = offsets.data() + 1;  // of each row its next place, and its end at last
  std::partial_sum(next, next + keys + 1, next);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t row = 0;
    if constexpr (kAgain) {
      row = static_cast<std::size_t>(index_at(i));
    } else {
      row = rows.data()[i];
    }
    put_at(next[row]++, 0, static_cast<std::uint32_t>(i));
  }
  offsets.pop_back();
  return offsets;
}

/// Up to so many rows each block of elements counts its own.
inline constexpr std::size_t kFewRows = 2'048;

/// The same for few rows of many elements. Counts by block and row become where a block puts its
/// next element of that row. make_put() makes room for values, which may take as long as counting,
/// and gives what puts them there.
template <class IndexOf, class MakePut>
std::vector<std::size_t> place_in_few_rows(std::size_t n, std::size_t keys, const IndexOf& index_of,
                                           const MakePut& make_put, const SourceLocation& where) {
  const std::size_t length = length_of_block(n);
  std::vector<Thrown> thrown((n + length - 1) / length);
  const std::size_t stride =
      keys + kCacheLine / sizeof(std::size_t);  // no cache line has counts of two blocks
  std::vector<std::size_t> next(thrown.size() * stride);
  const RawMemory<std::uint16_t> rows(n);
  auto count = [&](std::size_t lo, std::size_t hi) {
    const IndexOf index_at = index_of;
    std::size_t* const counts = next.data() + lo / length * stride;
    for (std::size_t i = lo; i < hi; ++i) {
      const std::size_t row = detail::checked_index(index_at(i), keys);
      rows.data()[i] = static_cast<std::uint16_t>(row);
      ++counts[row];
    }
  };
  std::optional<decltype(make_put())> made;
  const auto make = [&] { made.emplace(make_put()); };
  const auto count_all = [&] { for_blocks<"group_by_index">(0, n, length, count, where); };
  detail::fork_both(count_all, make, where);
  std::vector<std::size_t> offsets(keys + 1);
  std::size_t begin = 0;
  for (std::size_t k = 0; k < keys; ++k) {
    offsets[k] = begin;
    for (std::size_t at = k; at < next.size(); at += stride)
      begin += std::exchange(next[at], begin);
  }
  offsets[keys] = n;
  auto place = [&](std::size_t lo, std::size_t hi) {
    const auto put = *made;
    std::size_t* const places = next.data() + lo / length * stride;
    std::size_t i = lo;
    try {
      for (; i < hi; ++i) put(places[rows.data()[i]]++, lo, static_cast<std::uint32_t>(i - lo));
    } catch (...) {
      thrown[lo / length] = {i, std::current_exception()};
    }
  };
  detail::for_blocks<"group_by_index">(0, n, length, place, where);
  detail::rethrow_first(thrown);
  return offsets;
}

/// kUnnoticed: values may be copied when the indices are asked for.
template <class V, bool kUnnoticed, class IndexOf, class ValueOf>
Rows<V> rows_by_index(std::size_t n, std::size_t keys, const IndexOf& index_of,
                      const ValueOf& value_of, const SourceLocation& where) {
  if (std::uint64_t{keys} > kMostIndices) detail::refuse_length("furca: more than 2^32 keys");
  std::vector<V> values;
  if constexpr (kUnnoticed && kSmallAndPlain<V> && kMadeEmpty<V> && sizeof(V) <= 16) {
    if (keys > kFewRows && !worth_one_thread<IndexOf>(n)) {
      IndexedParts<"group_by_index", V> parts(n, keys, where);
      parts.take(index_of, [&value_of](std::size_t i, std::size_t) { return V(value_of(i)); });
      values = unwritten<std::vector<V>>(n);
      auto offsets = detail::place_in_rows(
          parts, n, keys,
          [to = values.data()](std::size_t at, std::size_t, const V& value) { to[at] = value; });
      return {std::move(offsets), std::move(values)};
    }
  }
  const auto place = [&](const auto& make_put) {
    if (worth_one_thread<IndexOf>(n)) {
      return detail::place_alone(n, keys, index_of, make_put());
    }
    if (keys <= kFewRows) return detail::place_in_few_rows(n, keys, index_of, make_put, where);
    IndexedParts<"group_by_index", std::uint32_t> parts(n, keys, where);
    parts.take(index_of, [](std::size_t i, std::size_t first) {
      return static_cast<std::uint32_t>(i - first);
    });
    return detail::place_in_rows(parts, n, keys, make_put());
  };
  if constexpr (kMadeEmpty<V>) {
    auto offsets = place([&] {
      values = unwritten<std::vector<V>>(n);
      return [value_of, to = values.data()](std::size_t at, std::size_t first, std::uint32_t i) {
        to[at] = value_of(first + i);
      };
    });
    return {std::move(offsets), std::move(values)};
  } else {
    const RawMemory<std::size_t> from(n);  // which element comes there
    auto offsets = place([to = from.data()] {
      return [to](std::size_t at, std::size_t first, std::uint32_t i) { to[at] = first + i; };
    });
    values.reserve(n);
    for (std::size_t at = 0; at < n; ++at) values.emplace_back(value_of(from.data()[at]));
    return {std::move(offsets), std::move(values)};
  }
}

}  // namespace furca::detail
