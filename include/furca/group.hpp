// Grouping: histograms, and what elements with equal keys come to.
#pragma once

#include <furca/chunks.hpp>
#include <furca/collect.hpp>
#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/grouping/counting_bins.hpp>
#include <furca/detail/grouping/grouping.hpp>
#include <furca/detail/grouping/indexed_rows.hpp>
#include <furca/detail/grouping/keyed_parts.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/views.hpp>

FURCA_DECLARES(group);

namespace furca {

/// A key to group by: a value that can be compared by == and <, which agree; < is to be a strict
/// weak order. std::hash is used where the key has it; it should spread the keys, or else look-ups
/// take as long as there are keys.
/// Floating-point numbers that are NaN count as one key, behind all others. Keys that have a part
/// that may be NaN are none: these do not equal themselves.
template <class K>
concept GroupKey = std::totally_ordered<K> && std::copy_constructible<K> && std::movable<K>;

/// A function that gives the key, or the value, of an element: a lambda, a pointer to a member, or
/// std::identity.
template <class F, class R>
concept GroupFunction =
    std::invocable<F&, std::ranges::range_reference_t<R>> &&
    !std::is_void_v<std::invoke_result_t<F&, std::ranges::range_reference_t<R>>> &&
    std::move_constructible<F>;

/// What group_by returns: keys, and a row of values for each.
///     for (const auto& [customer, orders] : group_by(all, &Order::customer)) ...
/// where orders is a std::span.
template <class Key, class Value>
struct Groups {
  std::vector<Key> keys;  ///< in their order, each once
  Rows<Value> rows;       ///< row i: the values of the elements that have keys[i]

  std::size_t size() const noexcept { return keys.size(); }  ///< how many keys
  bool empty() const noexcept { return keys.empty(); }       ///< there are none
  /// A key and its values, which are this object's; the number is less than size().
  std::pair<typename std::vector<Key>::const_reference, std::span<const Value>> operator[](
      std::size_t i) const {
    return {keys[i], rows[i]};
  }
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

/// How many elements have proj(element) = 0, 1, ... number_of_bins - 1: histogram(pixels, 256),
/// histogram<std::uint32_t>(pixels, 256).
///
/// Count is the type of the counts, std::size_t if none is given, and should hold the number of
/// elements.
/// Exceptions: std::out_of_range if an index is below 0, or not below number_of_bins, and what proj
/// throws, as the serial loop would. Throws std::bad_alloc if there is no memory for the counts.
/// Complexity: n calls of proj; span as parallel_for. Up to 4,096 elements, or no more than bins (a
/// quarter of them, beyond 2^18), are counted by the caller. Else, up to 2^18 bins, each thread
/// that takes part counts for itself, and the counts are added up: an addition for each bin and
/// thread. It allocates the result, and as much, or some 8 KiB for up to 256 bins, for each part of
/// the range that a thread takes over. If there are more bins, elements are brought together first
/// by the part of the bins that they belong to: it allocates the result, and 4 bytes for each
/// element.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile. Several
/// threads call proj at once.
template <std::integral Count = std::size_t, LoopRange R, std::integral Bins,
          GroupFunction<R> Proj = std::identity>
  requires std::integral<detail::FunctionValueOf<R, Proj>>
[[nodiscard]] std::vector<Count> histogram(R&& range, Bins number_of_bins, Proj proj = {},
                                           const SourceLocation where = SourceLocation::current()) {
  const std::size_t bins = detail::length(number_of_bins);
  const detail::FunctionOfElement<std::remove_reference_t<R>, Proj> position_of(range, proj);
  const std::size_t n = detail::size_of(range);
  // of so many all is through in ten microseconds, if nothing is to be called for them; and the
  // bins of another thread cost as much as so many elements
  const std::size_t least = decltype(position_of)::kInElements ? detail::kLeastBlock : 4'096;
  const std::size_t few = std::max(least, bins > detail::kManyBins ? bins / 4 : bins);
  std::vector<Count> none;
  if (bins > detail::kManyBins && bins <= detail::kMostIndices && n > few) {
    detail::count_in_parts(none, bins, n, position_of, where);
    return none;
  }
  none.resize(bins);
  if (n <= few && (n <= 4'096 || bins > detail::kFewBins)) {
    detail::count_into<1>(none.data(), bins, 0, n, position_of);
    return none;
  }
  const auto add = [](std::vector<Count>&& left,
                      const std::vector<Count>& right) -> std::vector<Count>&& {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<Count>(left[i] + right[i]);
    return std::move(left);
  };
  if (bins > detail::kFewBins) {
    const auto count = [bins, position_of](std::vector<Count>& counts, std::size_t lo,
                                           std::size_t hi) {
      detail::count_into<1>(counts.data(), bins, lo, hi, position_of);
    };
    return furca::parallel_reduce_chunks(std::size_t{0}, n, none, count, add, {.grain = 256 + bins},
                                         where);
  }
  const auto count = [bins, position_of](std::vector<Count>& counts, std::size_t lo,
                                         std::size_t hi) {
    detail::count_into<detail::kWays>(counts.data(), bins, lo, hi, position_of);
  };
  std::vector<Count> counts(detail::kWays * detail::kWayLength);
  if (n <= few) {
    count(counts, 0, n);
  } else {
    counts = furca::parallel_reduce_chunks(std::size_t{0}, n, std::as_const(counts), count, add,
                                           {.grain = 512}, where);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    Count& bin = none[i % detail::kWayLength < bins ? i % detail::kWayLength : 0];
    if (i % detail::kWayLength < bins) bin = static_cast<Count>(bin + counts[i]);
  }
  return none;
}

/// The different keys of a range, each with the number of elements that have it, sorted by key:
/// count_by(words).
///
/// Of keys that are equal the result has the one that comes first. key is called once for each
/// element, by several threads at a time.
/// Exceptions: the one of key, ==, < or the hash function that the serial loop would throw, or
/// another one of <, == and the copy of a key. Throws std::bad_alloc if there is no memory;
/// std::length_error if there are 4,294,967,295 different keys in a table.
/// Complexity: for n elements and k keys, n calls of key and of the hash function, and O(k log k)
/// comparisons; n log k for keys without std::hash. Blocks of n / 64 elements (16,384 at least), or
/// of some 10 k where that is more, unless they are counted or integers added up, are looked up in
/// tables, and listed where nearly all keys are new, as integers close to each other that have 16
/// elements each or less are. Tables of integers, pointers and strings are each thread's, others
/// each block's. Up to 32,768 elements or a block are the caller's. What the blocks have and their
/// lists are brought together in up to 512 parts: span O(n / 64 + k), and a key's share of the
/// lists. Memory: up to 131,072 keys of each block, and three times as many of each thread's table;
/// where there are many keys, the list, which has small plain keys and values themselves, 40 bytes
/// for a string, and 16 for other keys. Where nearly all keys are new, a block is 1 MB of the list,
/// and each thread has as much for a while.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile.
template <LoopRange R, GroupFunction<R> Key = std::identity>
  requires GroupKey<detail::FunctionValueOf<R, Key>>
[[nodiscard]] std::vector<std::pair<detail::FunctionValueOf<R, Key>, std::size_t>> count_by(
    R&& range, Key key = {}, const SourceLocation where = SourceLocation::current()) {
  using K = detail::FunctionValueOf<R, Key>;
  const detail::FunctionOfElement<std::remove_reference_t<R>, Key> key_of(range, key);
  using Counts = detail::Counting;
  detail::KeyedParts<"count_by", K, decltype(key_of), Counts> groups(detail::size_of(range), key_of,
                                                                     where);
  groups.group([](std::size_t) { return Counts(); });
  return groups.template made<std::pair<K, std::size_t>, detail::kMadeEmpty<K>>(
      [](const Counts& counts, std::uint32_t number) { return counts[number]; });
}

/// The different keys of a range, each with what the values of its elements come to, sorted by key:
/// op(... op(value(first), value(second)) ...).
///
/// op(a, b) is associative, up to rounding, and need not commute; it gets rvalues and computes with
/// the type that value returns. The result has the same bits for any number of threads. key and
/// value are called once for each element, op once less for each key.
/// Exceptions: also those of value and op. Everything else as count_by.
template <LoopRange R, GroupFunction<R> Key, GroupFunction<R> Value, class Op = std::plus<>>
  requires GroupKey<detail::FunctionValueOf<R, Key>> &&
           std::movable<detail::FunctionValueOf<R, Value>> && detail::GivesValues<Value, R> &&
           CombineOp<Op, detail::FunctionValueOf<R, Value>>
[[nodiscard]] std::vector<
    std::pair<detail::FunctionValueOf<R, Key>, detail::FunctionValueOf<R, Value>>>
reduce_by(R&& range, Key key, Value value, Op op = {},
          const SourceLocation where = SourceLocation::current()) {
  using K = detail::FunctionValueOf<R, Key>;
  using V = detail::FunctionValueOf<R, Value>;
  using Range = std::remove_reference_t<R>;
  const detail::FunctionOfElement<Range, Key> key_of(range, key);
  const detail::FunctionOfElement<Range, Value> value_of(range, value);
  using Sums = detail::Summing<V, decltype(value_of), Op>;
  detail::KeyedParts<"reduce_by", K, decltype(key_of), Sums> groups(detail::size_of(range), key_of,
                                                                    where);
  groups.group([&value_of, &op](std::size_t) { return Sums(value_of, op); });
  constexpr bool kEmpty = detail::kMadeEmpty<K> && detail::kMadeEmpty<V>;
  return groups.template made<std::pair<K, V>, kEmpty>(
      [](const Sums& sums, std::uint32_t number) -> V&& { return std::move(sums[number]); });
}

/// The values of elements with equal keys side by side, in the range's order; groups sorted by key.
///
/// key and value are called once for each element, value after all calls of key, unless it is
/// std::identity or a pointer to a member. Where values cannot be made without arguments, or that
/// might throw, the caller's thread makes them, group by group. What value throws for the first
/// element in that order is thrown then.
/// Exceptions: also those of value. Memory: also the values, and four bytes for each element,
/// twelve where the caller's thread makes values. Everything else as count_by.
template <LoopRange R, GroupFunction<R> Key, GroupFunction<R> Value = std::identity>
  requires GroupKey<detail::FunctionValueOf<R, Key>> && detail::GivesToPlaces<Value, R> &&
           (!std::same_as<detail::FunctionValueOf<R, Value>, bool>)
[[nodiscard]] Groups<detail::FunctionValueOf<R, Key>, detail::FunctionValueOf<R, Value>> group_by(
    R&& range, Key key, Value value = {}, const SourceLocation where = SourceLocation::current()) {
  using V = detail::FunctionValueOf<R, Value>;
  using Range = std::remove_reference_t<R>;
  using K = detail::FunctionValueOf<R, Key>;
  const std::size_t n = detail::size_of(range);
  const detail::FunctionOfElement<Range, Key> key_of(range, key);
  const detail::FunctionOfElement<Range, Value> value_of(range, value);
  constexpr bool kListed =
      detail::kUnnoticed<R, Value> && detail::kSmallAndPlain<V> && detail::kMadeEmpty<V>;
  using Places = detail::Placing<V, decltype(value_of), kListed>;
  detail::KeyedParts<"group_by", K, decltype(key_of), Places> groups(n, key_of, where);
  const detail::RawMemory<std::uint32_t> numbers(n);
  const detail::RawMemory<std::uint32_t> listed(groups.room_in_list());
  std::vector<V> values;
  const auto group = [&] {
    groups.group(
        [&](std::size_t first) { return Places(value_of, first, numbers.data(), listed.data()); });
  };
  const auto place = [&](const auto& put, const auto& put_value) {
    detail::place_elements(groups, numbers.data(), listed.data(), put, put_value);
  };
  std::vector<std::size_t> offsets;
  if constexpr (detail::kMadeEmpty<V>) {
    if (n <= detail::kLeastBlock) {
      group();
      values = detail::unwritten<std::vector<V>>(n);
    } else {  // if they are written, it takes one thread as long as a pass over the elements
      const auto make = [&values, n] { values = detail::unwritten<std::vector<V>>(n); };
      detail::fork_both(group, make, where);
    }
    offsets = detail::group_offsets(groups);
    const auto put = [&value_of, to = values.data()](std::size_t at, std::size_t i) {
      to[at] = value_of(i);
    };
    if constexpr (kListed) {
      place(put, [to = values.data()](std::size_t at, const V& one) { to[at] = one; });
    } else {
      place(put, 0);
    }
  } else {
    group();
    offsets = detail::group_offsets(groups);
    const detail::RawMemory<std::size_t> from(n);  // which element comes there
    place([to = from.data()](std::size_t at, std::size_t i) { to[at] = i; }, 0);
    values.reserve(n);
    for (std::size_t i = 0; i < n; ++i) values.emplace_back(value_of(from.data()[i]));
  }
  auto keys = groups.template made<K, detail::kMadeEmpty<K>>();
  return {std::move(keys), Rows<V>{std::move(offsets), std::move(values)}};
}

/// The values of elements by an index from 0 to number_of_keys - 1, side by side and in the range's
/// order: row k has those of index k, and is empty if there are none.
///
/// What graphs, sparse matrices (CSR) and grids of neighbours are kept in: rows.offsets has where
/// each row begins, number_of_keys + 1 numbers. For the positions of elements in place of their
/// values, group_by_index(enumerate(v), keys, index of a pair, &Pair::first), or any range of
/// positions. index and value are called once for each element, value after all calls of index.
/// Where values cannot be made without arguments, or that might throw, the caller's thread makes
/// them, row by row.
/// Exceptions: std::out_of_range if an index is below 0, or not below number_of_keys; what index
/// and value throw, as the serial loop would; std::length_error if number_of_keys is above 2^32.
/// Throws std::bad_alloc if there is no memory.
/// Complexity: n calls of index and value; O(n + number_of_keys) work, and span as long as it takes
/// for the elements of one key. Memory: the result, and for each element 8 bytes, or 4 and a value;
/// for up to 2,048 keys 2 bytes, and up to 512 for each key.
/// Thread-safety: any thread, at any depth of nesting; the range must not change meanwhile. Several
/// threads call index and value at once.
template <LoopRange R, std::integral Keys, GroupFunction<R> Index = std::identity,
          GroupFunction<R> Value = std::identity>
  requires std::integral<detail::FunctionValueOf<R, Index>> && detail::GivesToPlaces<Value, R> &&
           (!std::same_as<detail::FunctionValueOf<R, Value>, bool>)
[[nodiscard]]
Rows<detail::FunctionValueOf<R, Value>> group_by_index(
    R&& range, Keys number_of_keys, Index index = {}, Value value = {},
    const SourceLocation where = SourceLocation::current()) {
  using V = detail::FunctionValueOf<R, Value>;
  using Range = std::remove_reference_t<R>;
  const detail::FunctionOfElement<Range, Index> index_of(range, index);
  const detail::FunctionOfElement<Range, Value> value_of(range, value);
  return detail::rows_by_index<V, detail::kUnnoticed<R, Value>>(
      detail::size_of(range), detail::length(number_of_keys), index_of, value_of, where);
}

}  // namespace furca::found_by_name
