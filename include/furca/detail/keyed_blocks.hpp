// Elements of a range grouped by key: in blocks first, and then in parts, each of which has all elements of its keys.
//
// A block looks each element's key up in a table of its own (key_numbers.hpp), from which the key gets a number; what its elements come to is kept by these numbers. Where
// nearly all keys are new to the table that gains nothing: a block's first meeting of a key costs as much as ten look-ups, and again as much when the tables are
// brought together. Then the rest of the block becomes a list. The tables' keys and the lists are scattered to parts (scattered.hpp), each of which fits into a cache, and
// each part brings together what it has of all blocks, from left to right.
// Integers whose values are spread evenly go to parts in their order, so a part's keys are sorted by themselves; else by what keys hash to, and all are sorted in the end.
// All of this depends on the elements alone, so sums have the same bits for any number of threads. Of equal keys the one that was met first is kept.
// Rejected: a table that all threads share (each look-up costs an atomic operation, and the order of keys depends on the threads); sorting all elements by key (five
// times slower for 10,000 keys); tables without lists (ten times slower for 10^6 keys).
// Checked by: tests/group_test.cpp
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/collecting.hpp>
#include <furca/detail/key_numbers.hpp>
#include <furca/detail/keyed_entries.hpp>
#include <furca/detail/memory.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/scattered.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/detail/strips.hpp>
#include <furca/per_worker.hpp>
#include <furca/stable_sort.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace furca::detail {

/// The least elements that are worth a block.
inline constexpr std::size_t kLeastBlock = std::size_t{1} << 15U;

/// Up to 64 blocks.
inline std::size_t length_of_block(std::size_t n) noexcept { return std::max(kLeastBlock, (n + 63) / 64); }

/// The elements of a range in blocks, and their keys in parts. A Data has what the elements of each key come to in a block or part:
///   data.add() for each key, data(i, number) for each element, data.pass(i) for one in the list;
///   data.contribution(i) for the list, and data.merge(number, contribution, where that is in the list) for the part;
///   data.merge(number, block's data, number there); Data::part_of(data) begins the part's with a block's, if there is one part.
template <CallName name, class Key, class KeyOf, class Data>
class KeyedBlocks {
  using Keys = ListedKeys<Key, KeyOf::kInElements>;
  using Entry = KeyedEntry<Key, typename Keys::Reference, typename Data::Contribution>;
  using Numbers = KeyNumbers<Key>;
  static constexpr bool kHashed = std::is_default_constructible_v<std::hash<Key>>;
  static constexpr bool kInteger = std::is_integral_v<Key> && sizeof(Key) <= 8;

 public:
  struct Block {
    Numbers keys;
    Data data;
    Keys kept;                          // which the list refers to
    std::size_t number = 0;             // of the block
    std::size_t looked_up = 0;          // the end of the elements of which some are in the table
    std::vector<std::uint32_t> order;   // the table's numbers, part by part
    std::vector<std::uint32_t> ends;    // of each part's, behind a 0
    std::vector<std::uint32_t> numbers;  // that the keys have in their part
  };
  struct Part {
    Data data;
    std::vector<NumberedKey<Key>> sorted;
    std::uint32_t numbers = 0;  // of integers that are numbers themselves, from `least` on
    std::uint64_t least = 0;
    std::size_t size = 0;  // different keys
    std::size_t rank = 0;  // of the first
  };

  KeyedBlocks(std::size_t n, const KeyOf& key_of, const SourceLocation& where)
      : key_of_(key_of), where_(where), n_(n), length_(length_of_block(n)), blocks_((n + length_ - 1) / length_), list_(kHashed && blocks_.size() > 1 ? n : 0, length_) {}

  /// Groups the elements. make_data(first element): for a block, or a part.
  template <class MakeData>
  void group(const MakeData& make_data) {
    each_block([&](Block& block, std::size_t lo, std::size_t hi) { take(block, make_data(lo), lo, hi); });
    std::size_t keys = 0;
    for (const Block& block : blocks_) keys += block.keys.size();
    const std::size_t listed = list_.size();
    parts_.resize(kHashed && blocks_.size() > 1 ? parts_for(keys + listed) : std::size_t{1});
    if (parts_.size() == 1) {
      bring_together([](const Key&, std::uint64_t) { return std::size_t{0}; }, make_data);
      return rank();
    }
    if constexpr (kInteger) {
      by_value_ = spread_evenly(listed);
    }
    if (by_value_) {
      const auto part_of = [least = least_, shift = shift_, last = parts_.size() - 1](const Key& key, std::uint64_t) {
        std::uint64_t number = 0;
        if constexpr (kInteger) number = detail::in_order(key);
        return number <= least ? std::size_t{0} : static_cast<std::size_t>(std::min<std::uint64_t>((number - least) >> shift, last));
      };
      bring_together(part_of, make_data);
    } else {  // by other bits of what they hash to than those that make a key's place
      const auto part_of = [last = parts_.size() - 1](const Key&, std::uint64_t hash) { return ((hash ^ (hash >> 32U)) >> 12U) & last; };
      bring_together(part_of, make_data);
    }
    rank();
  }

  /// Calls f(block, first element, end) for each block, in parallel.
  template <class F>
  void each_block(const F& f) {
    auto one = [this, &f](std::size_t lo, std::size_t hi) { f(blocks_[lo / length_], lo, hi); };
    detail::for_blocks<name>(0, n_, length_, one, where_);
  }

  /// The same for parts: f(part, its number).
  template <class F>
  void each_part(const F& f) {
    auto one = [this, &f](std::size_t p, std::size_t) { f(parts_[p], p); };
    detail::for_blocks<name>(0, parts_.size(), 1, one, where_);
  }

  /// What a part has of each block, from left to right: of(block, number in the block's table), in_list(first element of the block, entry, where it is).
  template <class OfTable, class OfList>
  void each_of_part(std::size_t p, const OfTable& of_table, const OfList& of_list) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Block& block = blocks_[b];
      for (std::size_t i = block.ends[p]; i < block.ends[p + 1]; ++i) of_table(block, block.order[i]);
      if (b >= list_.blocks()) continue;
      std::size_t at = 0;
      const std::span<Entry> piece = list_.piece(b, p, at);
      for (std::size_t i = 0; i < piece.size(); ++i) {
        of_list(b * length_, piece[i], at++);
      }
    }
  }

  std::size_t blocks() const noexcept { return blocks_.size(); }
  std::size_t parts() const noexcept { return parts_.size(); }
  /// How many different keys.
  std::size_t size() const noexcept { return size_; }
  /// How many elements there may be in the list.
  std::size_t room_in_list() const noexcept { return list_.blocks() == 0 ? 0 : n_; }

  /// In their order, element(key, part's data, number) of each. Keys are moved. kEmpty: elements may be made first, and assigned then.
  template <class T, bool kEmpty, class Element>
  std::vector<T> made(const Element& element) {
    if constexpr (kEmpty) {
      auto all = made_of_empty<std::vector<T>>(size_);
      each_key([&all, &element](std::size_t rank, auto&... key) { all[rank] = element(key...); });
      return all;
    } else {
      std::vector<T> all;
      all.reserve(size_);
      for (Part& part : parts_) each_key_of(part, 0, part.sorted.size(), [&all, &element](std::size_t, auto&... key) { all.push_back(element(key...)); });
      return all;
    }
  }

  /// Calls f(rank, key, part's data, number) for each key, in parallel.
  template <class F>
  void each_key(const F& f) {
    each_part([this, &f](Part& part, std::size_t) {
      if (part.numbers > 0) return each_key_of(part, 0, 0, f);
      auto some = [this, &part, &f](std::size_t lo, std::size_t hi) { each_key_of(part, lo, hi, f); };
      detail::for_blocks<name>(0, part.sorted.size(), kLeastBlock, some, where_);
    });
  }

 private:
  /// Of a part whose keys are not numbers themselves, those from lo to hi.
  template <class F>
  void each_key_of(Part& part, std::size_t lo, std::size_t hi, const F& f) {
    if constexpr (kInteger && Data::kMadeEmpty) {
      std::size_t rank = part.rank;
      for (std::uint32_t number = 0; number < part.numbers; ++number) {
        auto key = static_cast<Key>((part.least + number) ^ kFlippedInOrder<Key>);
        if (part.data.has(number)) f(rank++, key, part.data, number);
      }
    }
    for (std::size_t i = lo; i < hi; ++i) {
      NumberedKey<Key>& one = part.sorted[i];
      f(part.rank + i, one.key, parts_[one.table].data, one.number);
    }
  }

  /// In a stretch of so many elements it shows whether a table has many of the keys.
  static constexpr std::size_t kStretch = 4'096;

  static std::uint64_t hash_of(const Entry& entry) {
    if constexpr (kHashedAtOnce<Key>) {
      return Numbers::hash_of(entry.key);
    } else {
      return entry.hash;
    }
  }

  /// A block's elements into its table, and, from where nearly all keys are new, into the list.
  void take(Block& block, Data data, std::size_t lo, std::size_t hi) {
    const KeyOf key_at = key_of_;
    const bool alone = !kHashed || blocks_.size() == 1;
    constexpr bool kGoesOn = Data::kGoesOn && kAlikeIfEqual<Key>;
    constexpr std::size_t kRoom = 16'384;
    const bool large = kGoesOn && n_ / 32 >= 4 * kRoom;
    const std::size_t room = alone   ? kNoNumber
                             : large ? 4 * kRoom
                                     : std::clamp<std::size_t>((hi - lo) / 8, 1, kRoom);
    Entry* out = list_.room(alone ? 0 : lo);
    Entry* const first = out;
    const auto list = [&block, &data, &out](auto&& key, std::uint64_t hash, std::size_t i) {
      ::new (static_cast<void*>(out)) Entry{block.kept.keep(std::forward<decltype(key)>(key)), typename Entry::Hash(hash), data.contribution(i)};
      ++out;
    };
    Numbers keys;
    if constexpr (kGoesOn) {
      Block* const last = std::exchange(last_.local(), nullptr);  // key_of may wait, and its thread take another block meanwhile
      if (last != nullptr) {
        keys = std::exchange(last->keys, Numbers());
        data = std::exchange(last->data, Data());
      }
    }
    auto finder = keys.finder();
    std::size_t i = lo;
    bool many = false;
    while (i < hi && !many) {
      const std::size_t stretch = alone ? hi - i : std::min(kStretch, hi - i);
      const bool full = keys.size() >= room;
      std::size_t fresh = 0;
      for (const std::size_t end = i + stretch; i < end; ++i) {
        auto&& key = key_at(i);
        const std::uint64_t hash = Numbers::hash_of(key);
        std::size_t at = 0;
        std::uint32_t number = finder.find(key, hash, at);
        if (number == kNoNumber) [[unlikely]] {
          ++fresh;
          if (keys.size() >= room) {
            list(std::forward<decltype(key)>(key), hash, i);
            data.pass(i);
            continue;
          }
          number = keys.add(std::forward<decltype(key)>(key), hash, at);
          finder = keys.finder();
          data.add();
        }
        data(i, number);
      }
      many = !alone && fresh > stretch - stretch / (full ? 8 : large ? 32 : 16);
    }
    block.looked_up = i;
    for (; i < hi; ++i) {
      auto&& key = key_at(i);
      const std::uint64_t hash = kHashedAtOnce<Key> ? 0 : Numbers::hash_of(key);
      list(std::forward<decltype(key)>(key), hash, i);
    }
    block.number = lo / length_;
    if (!alone) list_.filled(lo, static_cast<std::size_t>(out - first));
    block.keys = std::move(keys);
    block.data = std::move(data);
    if (kGoesOn && !many) last_.local() = std::addressof(block);
  }

  /// Whether the list's keys are integers that are spread evenly, as some of them show, and if so, which values go to which part.
  bool spread_evenly(std::size_t listed) {
      constexpr std::size_t kSome = 1'024;
      std::vector<std::uint64_t> some;
      list_.each_nth(std::max<std::size_t>(1, listed / kSome), [&some](const Entry& entry) { some.push_back(detail::in_order(entry.key)); });
      if (some.size() < kSome / 2) return false;
      const auto [least, most] = std::minmax_element(some.begin(), some.end());
      least_ = *least;
      shift_ = std::max(0, static_cast<int>(std::bit_width(*most - *least)) - std::countr_zero(parts_.size()));
      std::vector<std::size_t> counts(parts_.size());
      for (const std::uint64_t one : some) ++counts[(one - least_) >> shift_];
    return *std::max_element(counts.begin(), counts.end()) <= 16 + 8 * some.size() / parts_.size();
  }

  /// Each part's keys and data.
  template <class PartOf, class MakeData>
  void bring_together(const PartOf& part_of, const MakeData& make_data) {
    const auto part_of_entry = [&part_of](const Entry& entry) { return part_of(Keys::get(entry.key), hash_of(entry)); };
    each_block([&](Block& block, std::size_t lo, std::size_t) {
      const std::size_t keys = block.keys.size();
      block.ends.assign(parts_.size() + 1, 0);
      block.order.resize(keys);
      block.numbers.resize(keys);
      std::vector<std::uint32_t> part_of_key(keys);
      for (std::uint32_t i = 0; i < keys; ++i) {
        part_of_key[i] = static_cast<std::uint32_t>(part_of(block.keys[i], Numbers::hash_of(block.keys[i])));
        ++block.ends[part_of_key[i] + std::size_t{1}];
      }
      std::exclusive_scan(block.ends.begin() + 1, block.ends.end(), block.ends.begin() + 1, std::uint32_t{0});
      for (std::uint32_t i = 0; i < keys; ++i) block.order[block.ends[part_of_key[i] + std::size_t{1}]++] = i;
      if (list_.blocks() > 0) list_.scatter(lo / length_, parts_.size(), part_of_entry);
    });
    each_part([&](Part& part, std::size_t p) { bring_together(part, p, make_data(0)); });
  }

  void bring_together(Part& part, std::size_t p, Data data) {
    if constexpr (kInteger && Data::kMadeEmpty) {
      if (by_value_ && bring_in_order(part, p, data)) return;
    }
    const Block* taken = nullptr;
    Numbers keys(list_.blocks() > 0 ? list_.size_of_part(p) / 4 : 0);
    if (parts_.size() == 1 && !blocks_.empty()) {  // the first block's numbers are those of all
      taken = blocks_.data();
      keys = std::move(blocks_[0].keys);
      data = Data::part_of(blocks_[0].data);
      std::iota(blocks_[0].numbers.begin(), blocks_[0].numbers.end(), std::uint32_t{0});
    }
    auto finder = keys.finder();
    const auto number_of = [&](const auto& view, std::uint64_t hash, auto&& key) {
      std::size_t at = 0;
      std::uint32_t number = finder.find(view, hash, at);
      if (number == kNoNumber) {
        number = keys.add(std::forward<decltype(key)>(key), hash, at);
        finder = keys.finder();
        data.add();
      }
      return number;
    };
    const auto of_table = [&](Block& block, std::uint32_t i) {
      if (std::addressof(block) == taken) return;
      block.numbers[i] = number_of(block.keys[i], Numbers::hash_of(block.keys[i]), std::move(block.keys[i]));
      data.merge(block.numbers[i], block.data, i);
    };
    const auto of_list = [&](std::size_t, Entry& entry, std::size_t at) {
      data.merge(number_of(Keys::view(entry.key), hash_of(entry), Keys::get(entry.key)), entry.contribution, at);
    };
    each_of_part(p, of_table, of_list);
    part.sorted.reserve(keys.size());
    keys.each([&part, p](auto& key, std::uint32_t number) { part.sorted.push_back({std::move(key), number, static_cast<std::uint32_t>(p)}); });
    part.size = part.sorted.size();
    part.data = std::move(data);
    if (by_value_) sort(part.sorted);
  }

  /// The same for integers, if they are close to each other: they are numbers themselves.
  bool bring_in_order(Part& part, std::size_t p, Data& data) {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    std::size_t n = 0;
    const auto meet = [&](const Key& key) {
      least = std::min(least, detail::in_order(key));
      most = std::max(most, detail::in_order(key));
      ++n;
    };
    each_of_part(p, [&](Block& block, std::uint32_t i) { meet(block.keys[i]); }, [&](std::size_t, Entry& entry, std::size_t) { meet(entry.key); });
    if (n == 0) return true;
    if (most - least >= 4 * n) return false;
    const auto number_of = [least](const Key& key) { return static_cast<std::uint32_t>(detail::in_order(key) - least); };
    data.make_empty(static_cast<std::size_t>(most - least) + 1);
    each_of_part(
        p,
        [&](Block& block, std::uint32_t i) {
          block.numbers[i] = number_of(block.keys[i]);
          data.merge(block.numbers[i], block.data, i);
        },
        [&](std::size_t, Entry& entry, std::size_t at) { data.merge(number_of(entry.key), entry.contribution, at); });
    part.least = least;
    part.numbers = static_cast<std::uint32_t>(most - least) + 1;
    for (std::uint32_t number = 0; number < part.numbers; ++number) part.size += data.has(number) ? 1U : 0U;
    part.data = std::move(data);
    return true;
  }

  void sort(std::vector<NumberedKey<Key>>& keys) const {
    furca::stable_sort(keys, std::conditional_t<kInteger, std::less<>, KeyLess>(), &NumberedKey<Key>::key, where_);
  }

  /// Sorts the keys, unless each part has sorted its own.
  void rank() {
    for (Part& part : parts_) {
      part.rank = size_;
      size_ += part.size;
    }
    if (by_value_) return;
    if (parts_.size() > 1) {
      std::vector<NumberedKey<Key>> all;
      all.reserve(size_);
      for (Part& part : parts_) {
        for (NumberedKey<Key>& one : part.sorted) all.push_back(std::move(one));
        part.sorted = std::vector<NumberedKey<Key>>();
      }
      parts_[0].sorted = std::move(all);
    }
    sort(parts_[0].sorted);
  }

  const KeyOf& key_of_;
  const SourceLocation& where_;
  const std::size_t n_;
  const std::size_t length_;
  std::vector<Block> blocks_;
  std::vector<Part> parts_;
  Scattered<Entry> list_;
  PerWorker<Block*> last_;  // that the thread has taken
  std::size_t size_ = 0;
  std::uint64_t least_ = 0;  // that goes to the first part, by its value
  int shift_ = 0;
  bool by_value_ = false;
};

}  // namespace furca::detail
