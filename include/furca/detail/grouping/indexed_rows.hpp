// Rows of the values of elements, by an index of theirs.
// Checked by: tests/algorithms/group_index_test.cpp
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/collect.hpp>
#include <furca/detail/algorithms/collecting.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/grouping/grouping.hpp>
#include <furca/detail/grouping/indexed_parts.hpp>
#include <furca/detail/sorting/sort_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace furca::detail {

/// Where each row begins, and where they end; put(place, first element of a block, entry) puts each
/// element there.
template <class Parts, class Put>
std::vector<std::size_t> place_in_rows(Parts& parts, std::size_t n, std::size_t keys,
                                       const Put& put) {
  auto offsets = made_of_empty<std::vector<std::size_t>>(keys + 1);
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

/// kUnnoticed: values may be copied when the indices are asked for.
template <class V, bool kUnnoticed, class IndexOf, class ValueOf>
Rows<V> rows_by_index(std::size_t n, std::size_t keys, const IndexOf& index_of,
                      const ValueOf& value_of, const SourceLocation& where) {
  if (keys > kMostIndices) throw std::length_error("furca: more than 2^32 keys");
  if constexpr (kUnnoticed && kSmallAndPlain<V> && kMadeEmpty<V> && sizeof(V) <= 16) {
    IndexedParts<"group_by_index", V> parts(n, keys, where);
    std::vector<V> values;
    const auto take = [&] {
      parts.take(index_of, [&value_of](std::size_t i, std::size_t) { return V(value_of(i)); });
    };
    detail::fork_both(take, [&values, n] { values = made_of_empty<std::vector<V>>(n); }, where);
    auto offsets = detail::place_in_rows(
        parts, n, keys,
        [to = values.data()](std::size_t at, std::size_t, const V& value) { to[at] = value; });
    return {std::move(offsets), std::move(values)};
  } else {
    IndexedParts<"group_by_index", std::uint32_t> parts(n, keys, where);
    parts.take(index_of, [](std::size_t i, std::size_t first) {
      return static_cast<std::uint32_t>(i - first);
    });
    if constexpr (kMadeEmpty<V>) {
      auto values = made_of_empty<std::vector<V>>(n);
      auto offsets = detail::place_in_rows(
          parts, n, keys,
          [&value_of, to = values.data()](std::size_t at, std::size_t first, std::uint32_t i) {
            to[at] = value_of(first + i);
          });
      return {std::move(offsets), std::move(values)};
    } else {
      const SortBuffer<std::size_t> from(n);  // which element comes there
      auto offsets = detail::place_in_rows(
          parts, n, keys, [to = from.data()](std::size_t at, std::size_t first, std::uint32_t i) {
            to[at] = first + i;
          });
      std::vector<V> values;
      values.reserve(n);
      for (std::size_t at = 0; at < n; ++at) values.emplace_back(value_of(from.data()[at]));
      return {std::move(offsets), std::move(values)};
    }
  }
}

}  // namespace furca::detail
