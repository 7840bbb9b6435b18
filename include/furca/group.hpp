// Grouping: histograms, and what elements with equal keys come to.
#pragma once

#include <furca/detail/config.hpp>  // first: reports compilation as C++17

#include <furca/chunks.hpp>
#include <furca/collect.hpp>
#include <furca/detail/fork_both.hpp>
#include <furca/detail/grouping.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/sentences.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/views.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

FURCA_DECLARES(group);

namespace furca {

/// A key to group by: a value that can be compared by == and <, which agree. std::hash is used where the key has it; it should spread the keys, or else look-ups
/// take as long as there are keys.
/// Floating-point numbers that are NaN count as one key, behind all others. Keys that have a part that may be NaN are none: these do not equal themselves.
/// @snippet group.cpp GroupKey
template <class K>
concept GroupKey = std::totally_ordered<K> && std::copy_constructible<K> && std::movable<K>;

/// A function that gives the key, or the value, of an element: a lambda, a pointer to a member, or std::identity.
/// @snippet group.cpp GroupFunction
template <class F, class R>
concept GroupFunction = std::invocable<F&, std::ranges::range_reference_t<R>> &&
                        !std::is_void_v<std::invoke_result_t<F&, std::ranges::range_reference_t<R>>> && std::move_constructible<F>;

/// What group_by returns: keys, and a row of values for each.
///     for (const auto& [customer, orders] : group_by(all, &Order::customer)) ...   // orders: a std::span
/// @snippet group.cpp Groups
template <class Key, class Value>
struct Groups {
  std::vector<Key> keys;  ///< in their order, each once
  Rows<Value> rows;       ///< row i: the values of the elements that have keys[i]

  std::size_t size() const noexcept { return keys.size(); }    ///< how many keys
  bool empty() const noexcept { return keys.empty(); }         ///< there are none
  /// A key and its values, which are this object's; the number is less than size().
  std::pair<typename std::vector<Key>::const_reference, std::span<const Value>> operator[](std::size_t i) const { return {keys[i], rows[i]}; }
  /// In the order of keys; iterators refer to this object.
  /// @{
  auto begin() const {
    return furca::lazy(size(), [this](std::size_t i) { return (*this)[i]; }).begin();
  }
  auto end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  /// @}
};

}  // namespace furca

namespace furca::found_by_name {

/// How many elements have proj(element) = 0, 1, ... number_of_bins - 1.
///
/// Each thread that takes part counts for itself, and the counts are added up: worth it where there are many more elements than bins.
/// Exceptions: std::out_of_range if an index is below 0, or not below number_of_bins, and what proj throws, as the serial loop would. Throws std::bad_alloc if there is no
/// memory for the counts.
/// Complexity: n calls of proj, and an addition for each bin and thread; span as parallel_for. Allocates the result, and as much, or some 8 KiB for up to 256 bins, for
/// each part of the range that a thread takes over.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile. Several threads call proj at once.
/// @snippet group.cpp histogram
template <LoopRange R, std::integral Bins, GroupFunction<R> Proj = std::identity>
requires std::integral<detail::FunctionValueOf<R, Proj>>
[[nodiscard("the result of histogram is what it returns")]] std::vector<std::size_t> histogram(R&& range, Bins number_of_bins, Proj proj = {},
                                                                                               const SourceLocation where = SourceLocation::current()) {
  const std::size_t bins = detail::length(number_of_bins);
  constexpr std::size_t kFew = 4'096;
  const detail::FunctionOfElement<std::remove_reference_t<R>, Proj> position_of(range, proj);
  const std::size_t n = detail::size_of(range);
  std::vector<std::size_t> none(bins);
  if (n <= kFew) {
    detail::count_into<1>(none.data(), bins, 0, n, position_of);
    return none;
  }
  const auto add = [](std::vector<std::size_t>&& left, const std::vector<std::size_t>& right) -> std::vector<std::size_t>&& {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
    return std::move(left);
  };
  if (bins > detail::kFewBins) {
    const auto count = [bins, position_of](std::vector<std::size_t>& counts, std::size_t lo, std::size_t hi) {
      detail::count_into<1>(counts.data(), bins, lo, hi, position_of);
    };
    return furca::parallel_reduce_chunks(std::size_t{0}, n, none, count, add, {.grain = 256 + bins / 4}, where);
  }
  const auto count = [bins, position_of](std::vector<std::size_t>& counts, std::size_t lo, std::size_t hi) {
    detail::count_into<detail::kWays>(counts.data(), bins, lo, hi, position_of);
  };
  const std::vector<std::size_t> none_in_ways(detail::kWays * detail::kWayLength);
  const std::vector<std::size_t> counts = furca::parallel_reduce_chunks(std::size_t{0}, n, none_in_ways, count, add, {.grain = 512}, where);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i % detail::kWayLength < bins) none[i % detail::kWayLength] += counts[i];
  }
  return none;
}

/// The different keys of a range, each with the number of elements that have it, sorted by key: count_by(words).
///
/// Of keys that are equal the result has the one that comes first. key is called once for each element, by several threads at a time.
/// Exceptions: the one of key, ==, < or the hash function that the serial loop would throw, or another one of <, == and the copy of a key. Throws std::bad_alloc if there is no
/// memory; std::length_error if there are 4,294,967,295 different keys.
/// Complexity: for n elements and k keys, n calls of key and of the hash function, and O(k log k) comparisons; n log k for keys without std::hash. Blocks of n / 64
/// elements (and 32,768 at least) are looked up in tables of keys, of which each thread keeps one while it has few keys. The tables are brought together by one
/// thread, or in 64 parts if they have many keys: span O(n / 64 + k). Memory: the keys of each table; group_by also a count for each key of each block.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile.
/// @snippet group.cpp count_by
template <LoopRange R, GroupFunction<R> Key = std::identity>
requires GroupKey<detail::FunctionValueOf<R, Key>>
[[nodiscard("the result of count_by is what it returns")]] std::vector<std::pair<detail::FunctionValueOf<R, Key>, std::size_t>> count_by(
    R&& range, Key key = {}, const SourceLocation where = SourceLocation::current()) {
  using K = detail::FunctionValueOf<R, Key>;
  const detail::FunctionOfElement<std::remove_reference_t<R>, Key> key_of(range, key);
  detail::KeyedBlocks<"count_by", K, std::vector<std::size_t>, detail::NoData> groups(detail::size_of(range));
  groups.number(
      key_of, [](std::vector<std::size_t>& counts, detail::NoData&, std::size_t keys) { return detail::Counting(counts, keys); }, where);
  std::vector<std::pair<K, std::size_t>> result;
  result.reserve(groups.keys().size());
  for (std::size_t i = 0; i < groups.keys().size(); ++i) result.emplace_back(std::move(groups.keys()[i]), 0);
  groups.each_table([&result](const auto& table) {
    for (std::size_t i = 0; i < table.data.size(); ++i) result[table.ranks[i]].second += table.data[i];
  });
  return result;
}

/// The different keys of a range, each with what the values of its elements come to, sorted by key: op(... op(value(first), value(second)) ...).
///
/// op(a, b) is associative, up to rounding, and need not commute; it gets rvalues and computes with the type that value returns. The result has the same bits for
/// any number of threads. key and value are called once for each element, op once less for each key.
/// Exceptions: also those of value and op. Everything else as count_by.
/// @snippet group.cpp reduce_by
template <LoopRange R, GroupFunction<R> Key, GroupFunction<R> Value, class Op = std::plus<>>
requires GroupKey<detail::FunctionValueOf<R, Key>> && std::movable<detail::FunctionValueOf<R, Value>> && detail::GivesValues<Value, R> &&
    CombineOp<Op, detail::FunctionValueOf<R, Value>>
[[nodiscard("the result of reduce_by is what it returns")]] std::vector<std::pair<detail::FunctionValueOf<R, Key>, detail::FunctionValueOf<R, Value>>> reduce_by(
    R&& range, Key key, Value value, Op op = {}, const SourceLocation where = SourceLocation::current()) {
  using K = detail::FunctionValueOf<R, Key>;
  using V = detail::FunctionValueOf<R, Value>;
  using Range = std::remove_reference_t<R>;
  const detail::FunctionOfElement<Range, Key> key_of(range, key);
  const detail::FunctionOfElement<Range, Value> value_of(range, value);
  using Sums = detail::KeySums<V>;
  detail::KeyedBlocks<"reduce_by", K, std::vector<std::uint32_t>, Sums> groups(detail::size_of(range));
  groups.number(
      key_of,
      [&value_of, &op](std::vector<std::uint32_t>& places, Sums& block, std::size_t keys) {
        return detail::Summing<V, decltype(value_of), Op>(places, block, keys, value_of, op);
      },
      where);
  std::vector<typename Sums::Sum*> sums(groups.keys().size());
  for (auto& block : groups.blocks()) {
    const auto& numbers = block.data.numbers;
    for (std::size_t i = 0; i < block.data.sums.size(); ++i) {
      auto& one = block.data.sums[i];
      auto*& sum = sums[block.table->ranks[numbers.empty() ? i : numbers[i]]];
      if (sum == nullptr) {
        sum = &one;
      } else {
        sum->value = static_cast<V>(detail::invoke(op, std::move(sum->value), std::move(one.value)));
      }
    }
  }
  std::vector<std::pair<K, V>> result;
  result.reserve(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) result.emplace_back(std::move(groups.keys()[i]), std::move(sums[i]->value));
  return result;
}

/// The values of elements with equal keys side by side, in the range's order; groups sorted by key.
///
/// key and value are called once for each element, value after all calls of key. Where values cannot be made without arguments, or that might throw, the caller's
/// thread makes them, group by group. What value throws for the first element in that order is thrown then.
/// Exceptions: also those of value. Memory: also the values, and four bytes for each element, twelve where the caller's thread makes values. Everything else
/// as count_by.
/// @snippet group.cpp group_by
template <LoopRange R, GroupFunction<R> Key, GroupFunction<R> Value = std::identity>
requires GroupKey<detail::FunctionValueOf<R, Key>> && detail::GivesToPlaces<Value, R> &&
    (!std::same_as<detail::FunctionValueOf<R, Value>, bool>)
[[nodiscard("the result of group_by is what it returns")]] Groups<detail::FunctionValueOf<R, Key>, detail::FunctionValueOf<R, Value>> group_by(
    R&& range, Key key, Value value = {}, const SourceLocation where = SourceLocation::current()) {
  using V = detail::FunctionValueOf<R, Value>;
  using Range = std::remove_reference_t<R>;
  const std::size_t n = detail::size_of(range);
  const detail::FunctionOfElement<Range, Key> key_of(range, key);
  const detail::FunctionOfElement<Range, Value> value_of(range, value);
  Vector<std::uint32_t> numbers(n);
  detail::KeyedBlocks<"group_by", detail::FunctionValueOf<R, Key>, detail::NoData, std::vector<std::size_t>> groups(n);
  std::vector<V> empty;
  const auto number = [&] {
    groups.number(
        key_of,
        [to = numbers.data()](detail::NoData&, std::vector<std::size_t>& counts, std::size_t keys) { return detail::CountingNumbers(counts, keys, to); },
        where);
  };
  if constexpr (detail::kMadeEmpty<V>) {
    if (groups.blocks().size() <= 1) {
      number();
      empty = detail::made_of_empty<std::vector<V>>(n);
    } else {  // it takes as long as a pass over the elements, and one thread does it
      detail::fork_both(number, [&empty, n] { empty = detail::made_of_empty<std::vector<V>>(n); }, where);
    }
  } else {
    number();
  }
  std::vector<std::size_t> offsets = detail::group_offsets(groups, where);
  std::vector<V> values = detail::placed_values<V>(std::move(empty), n, groups, numbers, value_of, where);
  return {std::move(groups.keys()), Rows<V>{std::move(offsets), std::move(values)}};
}

}  // namespace furca::found_by_name
