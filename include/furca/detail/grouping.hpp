// Grouping by key: blocks number the keys that they meet, and the numbers are then brought into one order.
//
// Each element's key is looked up in a table, from which it gets a number. A thread keeps its table from block to block while that has few keys: a block's first
// meeting of a key costs as much as ten look-ups, so 10,000 keys in each of 64 blocks took longer than the elements. What the tables number differs with the threads;
// the keys are then brought into one order, which does not. Of equal keys the one that was met at the first element is kept. Blocks depend on the size alone, and
// are taken from left to right wherever an order matters: groups have the range's order, and sums of floating-point numbers the same bits, for any number of threads.
// Rejected: a table that all threads share (each look-up costs an atomic operation, and the order of keys depends on the threads); sorting all elements by key (five
// times slower for 10,000 keys); a table for each block, as large as the last one (half of the page faults, and no time).
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
#include <furca/per_worker.hpp>
#include <furca/stable_sort.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
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

/// Nobody can tell which of several equal ones is kept.
template <class Key>
inline constexpr bool kAlikeIfEqual = std::is_integral_v<Key> || std::is_pointer_v<Key>;

/// The number of a key that has none.
inline constexpr std::uint32_t kNoNumber = 0xFFFF'FFFFU;

/// Numbers keys in the order in which they come. A hash table of numbers with linear probing (Knuth, The Art of Computer Programming 3, 6.4), at most half full.
template <class Key>
class KeyNumbers {
  /// Small keys are in the table too: a look-up then waits for memory once. Of others there are some bits of what they hash to: who has others is not compared.
  static constexpr bool kInTable = std::is_trivially_copyable_v<Key> && std::is_default_constructible_v<Key> && sizeof(Key) <= 16;
  struct HashAndNumber {
    std::uint32_t hash;
    std::uint32_t number;
  };
  using Entry = std::conditional_t<kInTable, NumberedKey<Key>, HashAndNumber>;  // numbers from 1 on; 0: nothing

 public:
  /// Finds numbers until a key is added. A variable of its own in a loop, so that the compiler sees that no store of the loop changes it.
  class Finder {
   public:
    /// kNoNumber if the key is not there; `at` is then where it would be.
    std::uint32_t find(const Key& key, std::uint64_t hash, std::size_t& at) const {
      for (at = static_cast<std::size_t>(hash >> shift_);; at = (at + 1) & mask_) {
        const Entry& entry = table_[at];
        if (entry.number == 0) [[unlikely]] return kNoNumber;
        if constexpr (kInTable) {
          if (entry.key == key || (detail::is_nan<Key>(key) && detail::is_nan(entry.key))) return entry.number - 1;
        } else {
          if (entry.hash == static_cast<std::uint32_t>(hash) && keys_[entry.number - 1].key == key) return entry.number - 1;
        }
      }
    }

   private:
    friend class KeyNumbers;
    explicit Finder(const KeyNumbers& numbers) noexcept
        : table_(numbers.table_.data()), keys_(numbers.keys_.data()), mask_(numbers.table_.size() - 1), shift_(numbers.shift_) {}

    const Entry* table_;
    const NumberedKey<Key>* keys_;
    std::size_t mask_;
    int shift_;
  };

  Finder finder() const noexcept { return Finder(*this); }

  static std::uint64_t hash_of(const Key& key) {
    if (detail::is_nan(key)) return 0;
    return static_cast<std::uint64_t>(std::hash<Key>()(key)) * 0x9E3779B97F4A7C15U;
  }

  /// Adds a key that find() has not found; its number is size(), as it was.
  template <class K>
  [[gnu::noinline]] std::uint32_t add(K&& key, std::uint64_t hash, std::size_t at) {
    const std::uint32_t number = next_number(keys_.size());
    keys_.push_back(NumberedKey<Key>{std::forward<K>(key), number});
    table_[at] = entry_of(hash, number);
    if (2 * keys_.size() > table_.size()) grow();
    return number;
  }

  std::size_t size() const noexcept { return keys_.size(); }
  Key& operator[](std::size_t number) noexcept { return keys_[number].key; }

  /// All keys with their numbers.
  std::vector<NumberedKey<Key>> numbered() && { return std::move(keys_); }

 private:
  Entry entry_of(std::uint64_t hash, std::uint32_t number) const {
    if constexpr (kInTable) {
      return {keys_[number].key, number + 1};
    } else {
      return {static_cast<std::uint32_t>(hash), number + 1};
    }
  }

  void grow() {
    std::vector<Entry> larger(2 * table_.size());
    --shift_;
    for (std::uint32_t number = 0; number < keys_.size(); ++number) {
      const std::uint64_t hash = hash_of(keys_[number].key);
      auto at = static_cast<std::size_t>(hash >> shift_);
      while (larger[at].number != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = entry_of(hash, number);
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
  class Finder {
   public:
    std::uint32_t find(const Key& key, std::uint64_t, std::size_t&) const {
      const auto at = numbers_->numbers_.lower_bound(key);
      if (at != numbers_->numbers_.end() && !(key < at->first)) return at->second;
      numbers_->behind_ = at;
      return kNoNumber;
    }

   private:
    friend class KeyNumbers;
    explicit Finder(KeyNumbers& numbers) noexcept : numbers_(&numbers) {}

    KeyNumbers* numbers_;
  };

  Finder finder() noexcept { return Finder(*this); }
  static std::uint64_t hash_of(const Key&) noexcept { return 0; }

  /// Adds the key that was looked for last.
  template <class K>
  std::uint32_t add(K&& key, std::uint64_t, std::size_t) {
    const std::uint32_t number = next_number(numbers_.size());
    keys_.push_back(std::addressof(numbers_.emplace_hint(behind_, Key(std::forward<K>(key)), number)->first));
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
  typename std::map<Key, std::uint32_t>::iterator behind_;
  std::vector<const Key*> keys_;
};

/// Of a table or a block that has no data.
struct NoData {};

/// Keys that one thread has met, and a T.
template <class Key, class T>
struct KeyTable {
  KeyNumbers<Key> numbers;
  T data;
  std::vector<std::size_t> met;      // the element at which each key was met, if that matters
  std::vector<std::uint32_t> ranks;  // of its keys among all
  std::size_t end = 0;               // of the last block that went into it
};

/// The elements of a range in up to 64 blocks, each with a Data; tables of keys, each with a TableData; and all keys in their order.
template <CallName name, class Key, class TableData, class Data>
class KeyedBlocks {
 public:
  using Table = KeyTable<Key, TableData>;
  struct Block {
    Data data;
    Table* table = nullptr;      // of its keys
    std::unique_ptr<Table> own;  // if it began one
  };

  explicit KeyedBlocks(std::size_t n) : n_(n), length_(length_of_block(n)), blocks_((n + length_ - 1) / length_) {}

  /// Numbers the keys, block by block in parallel: for each block a visit = visit_of(table's data, block's data, keys in the table), whose add() is called for each
  /// key that the table gets, visit(i, number) for each element, and then end().
  template <class KeyOf, class VisitOf>
  void number(const KeyOf& key_of, const VisitOf& visit_of, const SourceLocation& where) {
    if (blocks_.size() == 1) {
      blocks_[0].own = std::make_unique<Table>();
      number_block(key_of, visit_of, blocks_[0], *blocks_[0].own, 0, n_);
    } else {
      PerWorker<Table*> at_hand;  // which no block is using
      each_block([&](Block& block, std::size_t lo, std::size_t hi) {
        Table* table = std::exchange(at_hand.local(), nullptr);  // key_of may wait, and its thread take another block meanwhile
        if (table == nullptr || !suits(*table, lo)) {
          block.own = std::make_unique<Table>();
          table = block.own.get();
        }
        number_block(key_of, visit_of, block, *table, lo, hi);
        at_hand.local() = table;
      }, where);
    }
    rank(where);
  }

  /// Calls f(block, first element, end) for each block, in parallel.
  template <class F>
  void each_block(const F& f, const SourceLocation& where) {
    auto one = [this, &f](std::size_t lo, std::size_t hi) { f(blocks_[lo / length_], lo, hi); };
    detail::for_blocks<name>(0, n_, length_, one, where);
  }

  std::vector<Block>& blocks() noexcept { return blocks_; }

  /// Calls f(table) for each table.
  template <class F>
  void each_table(const F& f) {
    for (Block& block : blocks_) {
      if (block.own != nullptr) f(*block.own);
    }
  }

  /// In their order; those that are equal once, as it was first met.
  std::vector<Key>& keys() noexcept { return keys_; }

 private:
  static constexpr bool kHashed = std::is_default_constructible_v<std::hash<Key>>;
  static constexpr bool kNotesMeetings = kHashed && !kAlikeIfEqual<Key>;

  static std::size_t length_of_block(std::size_t n) noexcept {
    constexpr std::size_t kMost = 64;
    constexpr std::size_t kLeast = std::size_t{1} << 15U;  // elements, worth a table of keys
    return std::max(kLeast, (n + kMost - 1) / kMost);
  }

  /// Whether a block that begins at lo should go on with a table: if it has few keys, that is, most elements will find theirs; else a new one is faster, since it fits
  /// into the caches. And blocks go into it in their order if it matters which of equal keys is met first.
  bool suits(const Table& table, std::size_t lo) const noexcept {
    return kHashed && table.numbers.size() <= length_ / 2 && (kAlikeIfEqual<Key> || lo >= table.end);
  }

  template <class KeyOf, class VisitOf>
  static void number_block(const KeyOf& key_of, const VisitOf& visit_of, Block& block, Table& table, std::size_t lo, std::size_t hi) {
    const KeyOf key_at = key_of;
    auto visit = visit_of(table.data, block.data, table.numbers.size());
    auto finder = table.numbers.finder();
    for (std::size_t i = lo; i < hi; ++i) {
      auto&& key = key_at(i);
      const std::uint64_t hash = KeyNumbers<Key>::hash_of(key);
      std::size_t at = 0;
      std::uint32_t number = finder.find(key, hash, at);
      if (number == kNoNumber) [[unlikely]] {
        number = table.numbers.add(std::forward<decltype(key)>(key), hash, at);
        finder = table.numbers.finder();
        if constexpr (kNotesMeetings) table.met.push_back(i);
        visit.add();
      }
      visit(i, number);
    }
    visit.end();
    table.end = hi;
    block.table = &table;
  }

  void rank(const SourceLocation& where) {
    std::vector<Table*> tables;
    for (Block& block : blocks_) {
      if (block.own != nullptr) tables.push_back(block.own.get());
    }
    std::size_t all = 0;  // of all tables; a key may be in many
    for (Table* table : tables) {
      all += table->numbers.size();
      table->ranks.resize(table->numbers.size());
    }
    constexpr std::size_t kMany = std::size_t{1} << 16U;
    if (kHashed && tables.size() > 1 && all >= kMany && all < kNoNumber) {
      rank_in_parts(tables, all, where);
    } else {
      rank_in_turn(tables, all, where);
    }
  }

  void rank_in_turn(const std::vector<Table*>& tables, std::size_t numbers, const SourceLocation& where) {
    KeyNumbers<Key> all;
    std::vector<std::size_t> met;
    for (Table* table : tables) {
      const std::size_t n = table->numbers.size();
      if (all.size() == 0) {  // its numbers are those of all
        std::iota(table->ranks.begin(), table->ranks.end(), std::uint32_t{0});
        all = std::move(table->numbers);
        met = std::move(table->met);
      } else {
        for (std::size_t i = 0; i < n; ++i) table->ranks[i] = merge(all, met, table->numbers[i], met_at(*table, i));
      }
    }
    const std::vector<std::uint32_t> ranks = sort(std::move(all).numbered(), numbers, where);
    for (Table* table : tables) {
      for (std::uint32_t& one : table->ranks) one = ranks[one];
    }
  }

  /// The same for many keys: in parts, by other bits of what they hash to than those that make a key's place, and in parallel.
  void rank_in_parts(const std::vector<Table*>& tables, std::size_t numbers, const SourceLocation& where) {
    constexpr std::size_t kParts = 64;
    struct InParts {  // a table's keys, part by part, since each is met in the caches then
      std::vector<NumberedKey<Key>> keys;
      std::vector<std::uint32_t> numbers;           // that they had in the table
      std::array<std::size_t, kParts + 1> begin{};  // of each part
    };
    std::vector<InParts> lists(tables.size());
    auto list = [&tables, &lists](std::size_t k, std::size_t) {
      auto& keys = tables[k]->numbers;
      InParts in;
      std::vector<unsigned char> part_of(keys.size());
      for (std::size_t i = 0; i < part_of.size(); ++i) {
        const std::uint64_t hash = KeyNumbers<Key>::hash_of(keys[i]);
        part_of[i] = static_cast<unsigned char>((hash ^ (hash >> 32U)) >> 12U) % kParts;
        ++in.begin[part_of[i] + std::size_t{1}];
      }
      std::partial_sum(in.begin.begin(), in.begin.end(), in.begin.begin());
      std::array<std::size_t, kParts + 1> next = in.begin;
      in.numbers.resize(part_of.size());
      for (std::size_t i = 0; i < part_of.size(); ++i) in.numbers[next[part_of[i]]++] = static_cast<std::uint32_t>(i);
      in.keys.reserve(part_of.size());
      for (const std::uint32_t number : in.numbers) in.keys.push_back({std::move(keys[number]), number});
      tables[k]->numbers = KeyNumbers<Key>();
      lists[k] = std::move(in);
    };
    detail::for_blocks<name>(0, tables.size(), 1, list, where);
    std::vector<std::vector<NumberedKey<Key>>> parts(kParts);
    auto merge_part = [&tables, &lists, &parts](std::size_t part, std::size_t) {
      std::size_t first = 0;  // number: with room for all keys of the parts before
      for (const InParts& in : lists) first += in.begin[part];
      KeyNumbers<Key> all;
      std::vector<std::size_t> met;
      for (std::size_t k = 0; k < tables.size(); ++k) {
        for (std::size_t i = lists[k].begin[part]; i < lists[k].begin[part + 1]; ++i) {
          NumberedKey<Key>& one = lists[k].keys[i];
          one.number = static_cast<std::uint32_t>(first + merge(all, met, one.key, met_at(*tables[k], one.number)));
        }
      }
      parts[part] = std::move(all).numbered();
      for (NumberedKey<Key>& one : parts[part]) one.number += static_cast<std::uint32_t>(first);
    };
    detail::for_blocks<name>(0, kParts, 1, merge_part, where);
    std::size_t n = 0;
    for (const auto& part : parts) n += part.size();
    std::vector<NumberedKey<Key>> all;
    all.reserve(n);
    for (auto& part : parts) all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    const std::vector<std::uint32_t> ranks = sort(std::move(all), numbers, where);
    auto translate = [&tables, &lists, &ranks](std::size_t k, std::size_t) {
      for (std::size_t i = 0; i < lists[k].keys.size(); ++i) tables[k]->ranks[lists[k].numbers[i]] = ranks[lists[k].keys[i].number];
    };
    detail::for_blocks<name>(0, tables.size(), 1, translate, where);
  }

  /// Makes keys_ of all keys. Returns the rank of each number; they are below `numbers`.
  std::vector<std::uint32_t> sort(std::vector<NumberedKey<Key>> all, std::size_t numbers, const SourceLocation& where) {
    furca::stable_sort(all, KeyLess(), &NumberedKey<Key>::key, where);
    std::vector<std::uint32_t> ranks(numbers);
    keys_.reserve(all.size());
    for (NumberedKey<Key>& one : all) {
      ranks[one.number] = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(std::move(one.key));
    }
    return ranks;
  }

  static std::size_t met_at(const Table& table, std::size_t number) noexcept { return kNotesMeetings ? table.met[number] : 0; }

  /// The number among all of a key that was met at an element.
  template <class K>
  static std::uint32_t merge(KeyNumbers<Key>& all, std::vector<std::size_t>& met, K& key, std::size_t met_at) {
    const std::uint64_t hash = KeyNumbers<Key>::hash_of(key);
    std::size_t at = 0;
    const std::uint32_t number = all.finder().find(key, hash, at);
    if (number == kNoNumber) {
      if constexpr (kNotesMeetings) met.push_back(met_at);
      return all.add(std::move(key), hash, at);
    }
    if constexpr (kNotesMeetings) {
      if (met_at < met[number]) {
        met[number] = met_at;
        all[number] = std::move(key);
      }
    }
    return number;
  }

  const std::size_t n_;
  const std::size_t length_;
  std::vector<Block> blocks_;
  std::vector<Key> keys_;
};

/// Counts keys.
class Counting {
 public:
  /// `keys`: so many there are already.
  Counting(std::vector<std::size_t>& counts, std::size_t keys) : counts_(counts) {
    counts.resize(keys);
    to_ = counts.data();
  }

  void add() {
    counts_.push_back(0);
    to_ = counts_.data();
  }
  void operator()(std::size_t, std::uint32_t number) const noexcept { ++to_[number]; }
  void end() const noexcept {}

 private:
  std::vector<std::size_t>& counts_;
  std::size_t* to_;
};

/// Counts keys, and keeps each element's number.
class CountingNumbers : public Counting {
 public:
  CountingNumbers(std::vector<std::size_t>& counts, std::size_t keys, std::uint32_t* numbers) : Counting(counts, keys), numbers_(numbers) {}

  void operator()(std::size_t i, std::uint32_t number) const noexcept {
    numbers_[i] = number;
    Counting::operator()(i, number);
  }

 private:
  std::uint32_t* numbers_;
};

/// What a block's values come to, for each of its keys.
template <class V>
struct KeySums {
  struct Sum {
    V value;
  };
  std::vector<Sum> sums;
  std::vector<std::uint32_t> numbers;  // of their keys; none: 0, 1, ...
};

/// Sums up a block's values for each key. In a new table a key has its number's place among the sums. Else it has another one in each block: `places` says which,
/// from 1 on, and has a 0 for each key of the table before and after.
template <class V, class ValueOf, class Op>
class Summing {
 public:
  Summing(std::vector<std::uint32_t>& places, KeySums<V>& block, std::size_t keys, const ValueOf& value_of, Op& op)
      : block_(block), places_(places), new_table_(keys == 0), value_of_(value_of), op_(op) {
    if (!new_table_) places_.resize(keys);
    to_ = places_.data();
  }

  void add() {
    if (new_table_) return;
    places_.push_back(0);
    to_ = places_.data();
  }

  void operator()(std::size_t i, std::uint32_t number) {
    if (new_table_) {
      number == size_ ? begin(i) : combine(number, i);
    } else if (to_[number] == 0) [[unlikely]] {
      begin(i);
      block_.numbers.push_back(number);
      to_[number] = static_cast<std::uint32_t>(size_);
    } else {
      combine(to_[number] - 1, i);
    }
  }

  void end() {
    for (const std::uint32_t number : block_.numbers) to_[number] = 0;
  }

 private:
  void begin(std::size_t i) {
    block_.sums.push_back({V(value_of_(i))});
    sums_ = block_.sums.data();
    ++size_;
  }

  void combine(std::size_t place, std::size_t i) {
    V& sum = sums_[place].value;
    sum = static_cast<V>(std::invoke(op_, std::move(sum), V(value_of_(i))));
  }

  KeySums<V>& block_;
  std::vector<std::uint32_t>& places_;
  typename KeySums<V>::Sum* sums_ = nullptr;
  std::uint32_t* to_ = nullptr;
  std::size_t size_ = 0;
  const bool new_table_;
  const ValueOf& value_of_;
  Op& op_;
};

/// Where each group begins among the values, and the end of all. Each block's counts become where its values of a key begin.
/// The blocks are taken in up to 16 parts, whose sums are only as many as the counts there are.
template <class Numbered>
std::vector<std::size_t> group_offsets(Numbered& groups, const SourceLocation& where) {
  constexpr std::size_t kMostParts = 16;
  const std::size_t keys = groups.keys().size();
  auto& blocks = groups.blocks();
  std::size_t counts = 0;
  for (const auto& block : blocks) counts += block.data.size();
  const std::size_t parts = std::clamp<std::size_t>(keys == 0 ? 0 : counts / keys, 1, kMostParts);
  const std::size_t length = (blocks.size() + parts - 1) / parts;
  std::vector<std::vector<std::size_t>> sums(parts);
  const auto add_up = [&blocks, &sums, keys, length](std::size_t lo, std::size_t hi) {
    std::vector<std::size_t> sum(keys);
    for (std::size_t b = lo; b < hi; ++b) {
      const std::uint32_t* const ranks = blocks[b].table->ranks.data();
      for (std::size_t i = 0; i < blocks[b].data.size(); ++i) sum[ranks[i]] += blocks[b].data[i];
    }
    sums[lo / length] = std::move(sum);
  };
  detail::for_blocks<"group_by">(0, blocks.size(), length, add_up, where);
  std::vector<std::size_t> offsets(keys + 1);
  std::size_t next = 0;
  for (std::size_t rank = 0; rank < keys; ++rank) {
    for (std::vector<std::size_t>& sum : sums) {
      if (!sum.empty()) next += std::exchange(sum[rank], next);
    }
    offsets[rank + 1] = next;
  }
  const auto place = [&blocks, &sums, length](std::size_t lo, std::size_t hi) {
    std::vector<std::size_t>& sum = sums[lo / length];
    for (std::size_t b = lo; b < hi; ++b) {
      const std::uint32_t* const ranks = blocks[b].table->ranks.data();
      for (std::size_t i = 0; i < blocks[b].data.size(); ++i) {
        std::size_t& begin = sum[ranks[i]];
        begin += std::exchange(blocks[b].data[i], begin);
      }
    }
  };
  detail::for_blocks<"group_by">(0, blocks.size(), length, place, where);
  return offsets;
}

/// The values at their places: numbers[i] is that of element i's key in its block's table, and the block's data are the places. `empty`: n values, if they can be made so.
template <class V, class Numbered, class Numbers, class ValueOf>
std::vector<V> placed_values(std::vector<V> empty, std::size_t n, Numbered& groups, const Numbers& numbers, const ValueOf& value_of, const SourceLocation& where) {
  if constexpr (kMadeEmpty<V>) {
    groups.each_block([&numbers, &value_of, to = empty.data()](auto& block, std::size_t lo, std::size_t hi) {
      std::size_t* const places = block.data.data();
      constexpr std::size_t kAhead = 16;  // the lines of that many elements come while others are written
      std::size_t i = lo;
      for (; hi - i > kAhead; ++i) {
        __builtin_prefetch(to + places[numbers[i + kAhead]], 1);
        to[places[numbers[i]]++] = value_of(i);
      }
      for (; i < hi; ++i) to[places[numbers[i]]++] = value_of(i);
    }, where);
    return empty;
  } else {
    std::vector<std::size_t> from(n);  // which element comes there
    groups.each_block([&numbers, to = from.data()](auto& block, std::size_t lo, std::size_t hi) {
      std::size_t* const places = block.data.data();
      for (std::size_t i = lo; i < hi; ++i) to[places[numbers[i]]++] = i;
    }, where);
    empty.reserve(n);
    for (const std::size_t i : from) empty.emplace_back(value_of(i));
    return empty;
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

/// A histogram of so few bins has several tables for each thread: equal neighbours do not wait for each other's counts then. Whole cache lines apart, and not at
/// addresses that are alike in their last bits, which some processors take for equal at first.
inline constexpr std::size_t kFewBins = 256;
inline constexpr std::size_t kWays = 4;
inline constexpr std::size_t kWayLength = kFewBins + 8;

/// Says what is wrong.
[[noreturn]] FURCA_COLD inline void refuse_index() { throw std::out_of_range("furca: an index of a histogram is not below the number of bins"); }

/// Counts elements at positions, in `ways` tables.
template <std::size_t ways, class At>
void count_into(std::size_t* counts, std::size_t bins, std::size_t lo, std::size_t hi, const At& position_of) {
  using Index = std::decay_t<decltype(position_of(lo))>;
  const At position = position_of;
  const auto add = [counts, bins, &position](std::size_t way, std::size_t i) {
    const Index index = position(i);
    const auto at = static_cast<std::size_t>(index);  // a position may have more bits
    if (at >= bins || static_cast<Index>(at) != index) [[unlikely]] refuse_index();
    ++counts[way * kWayLength + at];
  };
  std::size_t i = lo;
  for (; hi - i >= 4; i += 4) {
    add(0, i);
    add(1 % ways, i + 1);
    add(2 % ways, i + 2);
    add(3 % ways, i + 3);
  }
  for (; i < hi; ++i) add(0, i);
}

}  // namespace furca::detail
