// Blocks of elements that number their keys: which block goes on with which table, and the one order that the tables' keys are brought into.
//
// Each element's key is looked up in a table (key_numbers.hpp), from which it gets a number. A thread keeps its table from block to block while that has few keys: a block's first
// meeting of a key costs as much as ten look-ups, so 10,000 keys in each of 64 blocks took longer than the elements. What the tables number differs with the threads;
// the keys are then brought into one order, which does not. Of equal keys the one that was met at the first element is kept.
// Rejected: a table that all threads share (each look-up costs an atomic operation, and the order of keys depends on the threads); sorting all elements by key (five
// times slower for 10,000 keys); a table for each block, as large as the last one (half of the page faults, and no time).
// Checked by: tests/group_test.cpp
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/key_numbers.hpp>
#include <furca/detail/memory.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/detail/strips.hpp>
#include <furca/per_worker.hpp>
#include <furca/stable_sort.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace furca::detail {

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

}  // namespace furca::detail
