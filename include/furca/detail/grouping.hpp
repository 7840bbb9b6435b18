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
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/detail/strips.hpp>
#include <furca/stable_sort.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace furca::detail {

/// In a struct, since elements of a std::vector<bool> are no objects.
template <class Key>
struct NumberedKey {
  Key key;
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
  /// The number of a key; it is size() - 1 behind the call if the key is new.
  template <class K>
  std::uint32_t number_of(K&& key) {
    for (std::size_t at = place_of(key);; at = (at + 1) & (table_.size() - 1)) {
      const std::uint32_t entry = table_[at];
      if (entry == 0) [[unlikely]] return add(std::forward<K>(key), at);
      if (keys_[entry - 1].key == key) return entry - 1;
    }
  }

  std::size_t size() const noexcept { return keys_.size(); }
  Key& operator[](std::size_t number) noexcept { return keys_[number].key; }

 private:
  std::size_t place_of(const Key& key) const {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(std::hash<Key>()(key)) * 0x9E3779B97F4A7C15U) >> shift_);
  }

  template <class K>
  [[gnu::noinline]] std::uint32_t add(K&& key, std::size_t at) {
    const std::uint32_t number = next_number(keys_.size());
    keys_.push_back(NumberedKey<Key>{std::forward<K>(key)});
    table_[at] = number + 1;
    if (2 * keys_.size() > table_.size()) grow();
    return number;
  }

  void grow() {
    std::vector<std::uint32_t> larger(4 * table_.size());
    shift_ -= 2;
    for (std::uint32_t number = 0; number < keys_.size(); ++number) {
      std::size_t at = place_of(keys_[number].key);
      while (larger[at] != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = number + 1;
    }
    table_.swap(larger);
  }

  std::vector<NumberedKey<Key>> keys_;
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(64);  // numbers, from 1 on; 0: nothing
  int shift_ = 58;                                                     // leaves as many bits of 64 as the table has
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
    keys_.push_back(&numbers_.emplace_hint(at, Key(std::forward<K>(key)), number)->first);
    return number;
  }

  std::size_t size() const noexcept { return keys_.size(); }
  const Key& operator[](std::size_t number) const noexcept { return *keys_[number]; }

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

  /// Numbers the keys: key(i) for each element, and then visit(block's data, i, number, whether it is new), block by block in parallel.
  template <class KeyOf, class Visit>
  void number(const KeyOf& key_of, const Visit& visit, const SourceLocation& where) {
    each_block([&](Block& block, std::size_t lo, std::size_t hi) {
      Block& mine = block;
      for (std::size_t i = lo; i < hi; ++i) {
        const std::size_t before = mine.numbers.size();
        const std::uint32_t number = mine.numbers.number_of(key_of(i));
        visit(mine.data, i, number, mine.numbers.size() != before);
      }
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
      block.ranks.reserve(block.numbers.size());
      for (std::size_t i = 0; i < block.numbers.size(); ++i) block.ranks.push_back(all.number_of(std::move(block.numbers[i])));
    }
    std::vector<std::uint32_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    furca::stable_sort(order, std::ranges::less{}, [&all](std::uint32_t i) -> const Key& { return all[i]; }, where);
    std::vector<std::uint32_t> ranks(order.size());
    keys_.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      ranks[order[i]] = static_cast<std::uint32_t>(i);
      keys_.push_back(std::move(all[order[i]]));
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

template <class T>
using NotBit = std::conditional_t<std::is_same_v<T, std::vector<bool>::reference>, bool, T>;

/// What a key or value function gives for an element.
template <class R, class F>
using FunctionValueOf = NotBit<std::decay_t<std::invoke_result_t<F&, std::ranges::range_reference_t<R>>>>;

/// f(element i): a value, unless it is in an element that stays.
template <LoopRange R, class F>
struct FunctionOfElement {
  using Result = std::invoke_result_t<F&, std::ranges::range_reference_t<R>>;
  static constexpr bool kStays = std::is_lvalue_reference_v<Result> && std::is_lvalue_reference_v<std::ranges::range_reference_t<R>>;

  ProjectedElements<R, F> all;

  FunctionOfElement(R& range, F& f) : all{Elements<R>(range), f} {}
  std::conditional_t<kStays, Result, FunctionValueOf<R, F>> operator()(std::size_t i) const { return std::invoke(all.proj, all.elements[i]); }
};

/// Counts elements at positions; `bins` of them.
template <class At>
void count_into(std::vector<std::size_t>& counts, std::size_t bins, std::size_t lo, std::size_t hi, const At& position_of) {
  std::size_t* const to = counts.data();
  for (std::size_t i = lo; i < hi; ++i) {
    const auto at = static_cast<std::size_t>(position_of(i));
    if (at >= bins) [[unlikely]] throw std::out_of_range("furca: an index of a histogram is not below the number of bins");
    ++to[at];
  }
}

}  // namespace furca::detail
