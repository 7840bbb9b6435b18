// Grouping by key: blocks number the keys that they meet, and the numbers are then brought into one order.
//
// Blocks depend on the size alone, and are taken from left to right wherever an order matters: groups have the range's order, and sums of floating-point numbers
// the same bits, for any number of threads. A key is looked up once for each element, in a table of its block's own keys, which are few as a rule.
// Rejected: a table that all threads share (each look-up costs an atomic operation, and the order of keys depends on the threads); sorting all elements by key (five
// times slower for 10,000 keys).
// Checked by: tests/group_test.cpp
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/collecting.hpp>
#include <furca/detail/elements.hpp>
#include <furca/detail/memory.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/detail/strips.hpp>
#include <furca/stable_sort.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace furca::detail {

template <class Key>
struct NumberedKey {
  Key key;
  std::uint32_t number;
};

/// NaN does not equal itself; as keys all of them are one, behind the others.
template <class Key>
bool is_nan(const Key& key) {
  if constexpr (std::is_floating_point_v<Key>) {
    return key != key;
  } else {
    return false;
  }
}

/// The order of keys.
struct KeyLess {
  template <class Key>
  bool operator()(const Key& a, const Key& b) const {
    return a < b || (detail::is_nan(b) && !detail::is_nan(a));
  }
};

/// Throws std::length_error: there are more keys than numbers.
inline std::uint32_t next_number(std::size_t keys) {
  if (keys >= 0xFFFF'FFFEU) throw std::length_error("furca: more than 4,294,967,294 different keys");
  return static_cast<std::uint32_t>(keys);
}

/// Numbers keys in the order in which they come. A hash table of numbers with linear probing (Knuth, The Art of Computer Programming 3, 6.4), at most half full.
template <class Key>
class KeyNumbers {
 public:
  /// The number of a key; that of a new one is size(), as it was.
  template <class K>
  std::uint32_t number_of(K&& key) {
    for (std::size_t at = place_of(key);; at = (at + 1) & (table_.size() - 1)) {
      const Entry& entry = table_[at];
      if (entry.number == 0) [[unlikely]] return add(std::forward<K>(key), at);
      if (key_of(entry) == key || (detail::is_nan<Key>(key) && detail::is_nan(key_of(entry)))) return entry.number - 1;
    }
  }

  std::size_t size() const noexcept { return keys_.size(); }
  Key& operator[](std::size_t number) noexcept { return keys_[number].key; }

  /// All keys with their numbers.
  std::vector<NumberedKey<Key>> numbered() && { return std::move(keys_); }

 private:
  /// Small keys are in the table too: a look-up then waits for memory once.
  static constexpr bool kInTable = std::is_trivially_copyable_v<Key> && std::is_default_constructible_v<Key> && sizeof(Key) <= 16;
  struct NumberAlone {
    std::uint32_t number;
  };
  using Entry = std::conditional_t<kInTable, NumberedKey<Key>, NumberAlone>;  // numbers from 1 on; 0: nothing

  const Key& key_of(const Entry& entry) const noexcept {
    if constexpr (kInTable) {
      return entry.key;
    } else {
      return keys_[entry.number - 1].key;
    }
  }

  Entry entry_of(std::uint32_t number) const {
    if constexpr (kInTable) {
      return {keys_[number].key, number + 1};
    } else {
      return {number + 1};
    }
  }

  std::size_t place_of(const Key& key) const {
    if (detail::is_nan(key)) return 0;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(std::hash<Key>()(key)) * 0x9E3779B97F4A7C15U) >> shift_);
  }

  template <class K>
  [[gnu::noinline]] std::uint32_t add(K&& key, std::size_t at) {
    const std::uint32_t number = next_number(keys_.size());
    keys_.push_back(NumberedKey<Key>{std::forward<K>(key), number});
    table_[at] = entry_of(number);
    if (2 * keys_.size() > table_.size()) grow();
    return number;
  }

  void grow() {
    std::vector<Entry> larger(2 * table_.size());
    --shift_;
    for (std::uint32_t number = 0; number < keys_.size(); ++number) {
      std::size_t at = place_of(keys_[number].key);
      while (larger[at].number != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = entry_of(number);
    }
    table_.swap(larger);
  }

  std::vector<NumberedKey<Key>> keys_;
  std::vector<Entry> table_ = std::vector<Entry>(64);
  int shift_ = 58;  // leaves as many bits of 64 as the table has
};

/// The same for keys without a hash function.
template <class Key>
requires(!std::is_default_constructible_v<std::hash<Key>>) class KeyNumbers<Key> {
 public:
  template <class K>
  std::uint32_t number_of(K&& key) {
    const auto at = numbers_.lower_bound(key);
    if (at != numbers_.end() && !(key < at->first)) return at->second;
    const std::uint32_t number = next_number(numbers_.size());
    keys_.push_back(std::addressof(numbers_.emplace_hint(at, Key(std::forward<K>(key)), number)->first));
    return number;
  }

  std::size_t size() const noexcept { return keys_.size(); }
  const Key& operator[](std::size_t number) const noexcept { return *keys_[number]; }

  std::vector<NumberedKey<Key>> numbered() && {
    std::vector<NumberedKey<Key>> all;
    for (const auto& [key, number] : numbers_) all.push_back({key, number});
    return all;
  }

 private:
  std::map<Key, std::uint32_t> numbers_;
  std::vector<const Key*> keys_;
};

/// The elements of a range in up to 64 blocks, each with its keys and a T, and all keys in their order.
template <CallName name, class Key, class T>
class KeyedBlocks {
 public:
  struct Block {
    KeyNumbers<Key> numbers;
    T data;
    std::vector<std::uint32_t> ranks;  // of its keys among all
  };

  explicit KeyedBlocks(std::size_t n) : n_(n), length_(length_of_block(n)), blocks_((n + length_ - 1) / length_) {}

  /// Numbers the keys: key_of(i) for each element, and then visit(block's data, i, number), block by block in parallel.
  template <class KeyOf, class Visit>
  void number(const KeyOf& key_of, const Visit& visit, const SourceLocation& where) {
    each_block([&](Block& block, std::size_t lo, std::size_t hi) {
      KeyNumbers<Key> numbers;  // of its own, so that the compiler sees that nobody else changes it
      T data;
      for (std::size_t i = lo; i < hi; ++i) visit(data, i, numbers.number_of(key_of(i)));
      block.numbers = std::move(numbers);
      block.data = std::move(data);
    }, where);
    rank(where);
  }

  /// Calls f(block, first element, end) for each block, in parallel.
  template <class F>
  void each_block(const F& f, const SourceLocation& where) {
    auto one = [this, &f](std::size_t lo, std::size_t hi) { f(blocks_[lo / length_], lo, hi); };
    detail::for_blocks<name>(0, n_, length_, one, where);
  }

  std::vector<Block>& blocks() noexcept { return blocks_; }

  /// In their order; those that are equal once, as it was first met.
  std::vector<Key>& keys() noexcept { return keys_; }

 private:
  static std::size_t length_of_block(std::size_t n) noexcept {
    constexpr std::size_t kMost = 64;
    constexpr std::size_t kLeast = std::size_t{1} << 15U;  // elements, worth a table of keys
    return std::max(kLeast, (n + kMost - 1) / kMost);
  }

  void rank(const SourceLocation& where) {
    KeyNumbers<Key> all;
    for (Block& block : blocks_) {
      const std::size_t n = block.numbers.size();
      block.ranks.reserve(n);
      if (blocks_.size() == 1) {  // its numbers are those of all
        for (std::uint32_t i = 0; i < n; ++i) block.ranks.push_back(i);
        all = std::move(block.numbers);
      } else {
        for (std::size_t i = 0; i < n; ++i) block.ranks.push_back(all.number_of(std::move(block.numbers[i])));
      }
    }
    std::vector<NumberedKey<Key>> sorted = std::move(all).numbered();
    furca::stable_sort(sorted, KeyLess(), &NumberedKey<Key>::key, where);
    std::vector<std::uint32_t> ranks(sorted.size());
    keys_.reserve(sorted.size());
    for (NumberedKey<Key>& one : sorted) {
      ranks[one.number] = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(std::move(one.key));
    }
    for (Block& block : blocks_) {
      for (std::uint32_t& one : block.ranks) one = ranks[one];
    }
  }

  const std::size_t n_;
  const std::size_t length_;
  std::vector<Block> blocks_;
  std::vector<Key> keys_;
};

/// Where each group begins among the values, and the end of all. Each block's counts become where its values of a key begin.
template <class Numbered>
std::vector<std::size_t> group_offsets(Numbered& groups) {
  std::vector<std::size_t> offsets(groups.keys().size() + 1);
  for (const auto& block : groups.blocks()) {
    for (std::size_t i = 0; i < block.data.size(); ++i) offsets[block.ranks[i] + 1] += block.data[i];
  }
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  std::vector<std::size_t> next = offsets;
  for (auto& block : groups.blocks()) {
    for (std::size_t i = 0; i < block.data.size(); ++i) {
      std::size_t& begin = next[block.ranks[i]];
      begin += std::exchange(block.data[i], begin);
    }
  }
  return offsets;
}

/// The values at their places: numbers[i] is that of element i's key in its block, whose data are the places.
template <class V, class Numbered, class Numbers, class ValueOf>
std::vector<V> placed_values(std::size_t n, Numbered& groups, const Numbers& numbers, const ValueOf& value_of, const SourceLocation& where) {
  if constexpr (kMadeEmpty<V>) {
    std::vector<V> values = detail::made_of_empty<std::vector<V>>(n);
    groups.each_block([&numbers, &value_of, to = values.data()](auto& block, std::size_t lo, std::size_t hi) {
      std::size_t* const places = block.data.data();
      for (std::size_t i = lo; i < hi; ++i) to[places[numbers[i]]++] = value_of(i);
    }, where);
    return values;
  } else {
    std::vector<std::size_t> from(n);  // which element comes there
    groups.each_block([&numbers, to = from.data()](auto& block, std::size_t lo, std::size_t hi) {
      std::size_t* const places = block.data.data();
      for (std::size_t i = lo; i < hi; ++i) to[places[numbers[i]]++] = i;
    }, where);
    std::vector<V> values;
    values.reserve(n);
    for (const std::size_t i : from) values.emplace_back(value_of(i));
    return values;
  }
}

template <class R, class F>
using FunctionResult = std::invoke_result_t<F&, std::ranges::range_reference_t<R>>;

/// What a key or value function gives for an element, as map stores it.
template <class R, class F>
using FunctionValueOf = typename Stored<std::decay_t<FunctionResult<R, F>>, std::ranges::range_reference_t<R>>::type;

/// It is in an element that stays.
template <class R, class F>
inline constexpr bool kStays = std::is_lvalue_reference_v<FunctionResult<R, F>> && std::is_lvalue_reference_v<std::ranges::range_reference_t<R>> &&
                               std::is_same_v<std::decay_t<FunctionResult<R, F>>, FunctionValueOf<R, F>>;

/// Values can be made of what a function gives: those that stay are copied.
template <class F, class R>
concept GivesValues = std::move_constructible<FunctionValueOf<R, F>> && std::convertible_to<FunctionResult<R, F>, FunctionValueOf<R, F>>;

/// Or, where group_by makes places first, assigned.
template <class F, class R>
concept GivesToPlaces = GivesValues<F, R> && (!kMadeEmpty<FunctionValueOf<R, F>> || !kStays<R, F> ||
                                              std::is_assignable_v<FunctionValueOf<R, F>&, FunctionResult<R, F>>);

/// f(element i).
template <LoopRange R, class F>
struct FunctionOfElement {
  ProjectedElements<R, F> all;

  FunctionOfElement(R& range, F& f) : all{Elements<R>(range), f} {}
  std::conditional_t<kStays<R, F>, FunctionResult<R, F>, FunctionValueOf<R, F>> operator()(std::size_t i) const {
    return std::invoke(all.proj, all.elements[i]);
  }
};

/// Counts elements at positions; `bins` of them. A position may have more bits than std::size_t.
template <class At>
void count_into(std::vector<std::size_t>& counts, std::size_t bins, std::size_t lo, std::size_t hi, const At& position_of) {
  using Index = std::decay_t<decltype(position_of(lo))>;
  std::size_t* const to = counts.data();
  for (std::size_t i = lo; i < hi; ++i) {
    const Index index = position_of(i);
    const auto at = static_cast<std::size_t>(index);
    if (at >= bins || static_cast<Index>(at) != index) [[unlikely]] throw std::out_of_range("furca: an index of a histogram is not below the number of bins");
    ++to[at];
  }
}

}  // namespace furca::detail
