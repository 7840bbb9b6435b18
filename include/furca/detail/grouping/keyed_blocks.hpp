// Elements of a range in blocks, grouped by key.
//
// A block looks each element's key up in a table (key_numbers.hpp), from which the key gets a
// number; what its elements come to is kept by these numbers. Where nearly all keys are new to the
// table that gains nothing: a block's first meeting of a key costs as much as ten look-ups, and
// again as much when the tables are brought together. Then the rest of the block becomes a list.
// The tables' keys and the lists are scattered to parts (scattered.hpp), each of which fits into a
// cache.
// A block is some ten times as long as there are keys, which its first elements show: so a table
// meets each key some ten times. Few elements, or few of each key, are one block.
// Blocks have tables of their own: what becomes of the elements depends on them alone, so sums have
// the same bits for any number of threads. Counts and sums of integers have no order: a thread goes
// on in the table of its last block, which saves the meetings, unless somebody could tell which of
// equal keys is kept. That is the one met first.
// Rejected: a table that all threads share (each look-up costs an atomic operation, and the order
// of keys depends on the threads); sorting all elements by key (five times slower for 10,000 keys);
// tables without lists (ten times slower for 10^6 keys).
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/grouping/key_numbers.hpp>
#include <furca/detail/grouping/keyed_entries.hpp>
#include <furca/detail/grouping/scattered.hpp>
#include <furca/detail/loop/splitter.hpp>
#include <furca/per_worker.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace furca::detail {

/// The least elements that are worth a block.
inline constexpr std::size_t kLeastBlock = std::size_t{1} << 15U;

/// Up to 64 blocks.
inline std::size_t length_of_block(std::size_t n) noexcept {
  return std::max(kLeastBlock, (n + 63) / 64);
}

/// The elements of a range in blocks. A Data has what the elements of each key come to in a block:
///   data.add() for each key, data(i, number) for each element, data.pass(i) for one in the list,
///   data.contribution(i) for the list. Data::kGoesOn: it does not matter in which block that is.
template <CallName name, class Key, class KeyOf, class Data>
class KeyedBlocks {
 protected:
  using Keys = ListedKeys<Key, KeyOf::kInElements>;
  using Entry = KeyedEntry<Keys, typename Data::Contribution>;
  using Numbers = KeyNumbers<Keys>;
  using Hashed = HashedKey<Keys>;
  static constexpr bool kHashed = std::is_default_constructible_v<std::hash<Key>>;

 public:
  struct Block {
    Numbers keys;
    Data data;
    Keys kept;                           // which the list and the table refer to
    std::size_t number = 0;              // of the block
    std::size_t looked_up = 0;           // the end of the elements of which some are in the table
    std::vector<std::uint32_t> order;    // the table's numbers, part by part
    std::vector<std::uint32_t> ends;     // of each part's, behind a 0
    std::vector<std::uint32_t> numbers;  // that the keys have in their part
  };

  KeyedBlocks(std::size_t n, const KeyOf& key_of, const SourceLocation& where)
      : key_of_(key_of), where_(where), n_(n) {}

  /// Calls f(block, first element, end) for each block, in parallel.
  template <class F>
  void each_block(const F& f) {
    auto one = [this, &f](std::size_t lo, std::size_t hi) { f(blocks_[lo / length_], lo, hi); };
    detail::for_blocks<name>(0, n_, length_, one, where_);
  }

  /// The elements that a part has of each block, from left to right: of_table(block, number in the
  /// block's table), of_list(first element of the block, entry, where it is).
  template <class OfTable, class OfList>
  void each_of_part(std::size_t p, const OfTable& of_table, const OfList& of_list) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Block& block = blocks_[b];
      for (std::size_t i = block.ends[p]; i < block.ends[p + 1]; ++i) {
        of_table(block, block.order[i]);
      }
      if (b >= list_->blocks()) continue;
      std::size_t at = 0;
      const std::span<Entry> piece = list_->piece(b, p, at);
      for (std::size_t i = 0; i < piece.size(); ++i) {
        of_list(b * length_, piece[i], at++);
      }
    }
  }

  std::size_t blocks() const noexcept { return blocks_.size(); }
  /// The most elements that there may be in the list.
  std::size_t room_in_list() const noexcept { return kHashed && n_ > kLeastBlock ? n_ : 0; }

 protected:
  /// In a stretch of so many elements it shows whether a table has many of the keys.
  static constexpr std::size_t kStretch = 4'096;
  /// It is all the same in which block's table an element is looked up.
  static constexpr bool kGoesOn = Data::kGoesOn && kAlikeIfEqual<Key>;

  /// Blocks, the first of which may have begun: with `data`, which is its own.
  void make_blocks(Data data) {
    Block first;
    first.data = std::move(data);
    first.keys = Numbers(std::min<std::size_t>(n_, 1'024));
    if (n_ <= kLeastBlock) first.keys.reserve(n_);
    std::size_t length = n_;
    if (n_ > kLeastBlock) {
      length = length_of_block(n_);
      if (kHashed) length = length_for_keys(first, length);
    }
    if (n_ == 0) length = 1;
    const std::size_t blocks = (n_ + length - 1) / length;
    length_ = (n_ + blocks - 1) / std::max<std::size_t>(1, blocks);  // all alike
    blocks_ = std::vector<Block>(blocks);
    if (n_ > 0) blocks_[0] = std::move(first);
    list_.emplace(kHashed && blocks > 1 ? n_ : 0, length_);
  }

  /// A block's elements into its table, and, from where nearly all keys are new, into the list.
  void take(Block& block, std::size_t lo, std::size_t hi) {
    const bool alone = !kHashed || blocks_.size() == 1;
    constexpr std::size_t kRoom = 16'384;  // for keys; for more where many blocks share them
    const bool large = kGoesOn && n_ / 16 >= 4 * kRoom;
    const std::size_t room = alone     ? kNoNumber
                             : large   ? 4 * kRoom
                             : kGoesOn ? kRoom
                                       : std::clamp<std::size_t>((hi - lo) / 8, 1, kRoom);
    Entry* const first = list_->room(alone ? 0 : lo);
    Entry* out = first;
    if constexpr (kGoesOn) {
      // key_of may wait, and its thread take another block meanwhile
      Block* const last = std::exchange(last_.local(), nullptr);
      if (last != nullptr && block.looked_up == 0) {
        block.keys = std::exchange(last->keys, Numbers());
        block.data = std::exchange(last->data, Data());
      }
    }
    bool many = false;
    for (std::size_t i = std::max(lo, block.looked_up); i < hi && !many;) {
      const std::size_t stretch = alone ? hi - i : std::min(kStretch, hi - i);
      const bool full = block.keys.size() >= room;
      const std::size_t fresh = look_up(block, i, i + stretch, room, out);
      i = block.looked_up;
      many = !alone && fresh > stretch - stretch / (full ? 8 : large ? 32 : 16);
    }
    if (many) {
      const KeyOf key_at = key_of_;
      for (std::size_t i = block.looked_up; i < hi; ++i) {
        auto&& key = key_at(i);
        const std::uint64_t hash = kHashedAtOnce<Key> ? 0 : Hashed::hash_of(key);
        list(block, block.data, std::forward<decltype(key)>(key), hash, i, out);
      }
    }
    block.number = lo / length_;
    if (!alone) list_->filled(lo, static_cast<std::size_t>(out - first));
    if (kGoesOn && !many) last_.local() = std::addressof(block);
  }

  /// Scatters the tables' keys and the list to parts: part_of(view of a key, what it hashes to).
  template <class PartOf>
  void scatter(std::size_t parts, const PartOf& part_of) {
    const auto part_of_key = [&part_of](const Hashed& one) {
      return part_of(Keys::view(one.key), one.hash());
    };
    each_block([&](Block& block, std::size_t lo, std::size_t) {
      const std::size_t keys = block.keys.size();
      block.ends.assign(parts + 1, 0);
      block.order.resize(keys);
      block.numbers.resize(keys);
      if (parts == 1) {
        block.ends[1] = static_cast<std::uint32_t>(keys);
        std::iota(block.order.begin(), block.order.end(), std::uint32_t{0});
      } else {
        std::vector<std::uint32_t> parts_of(keys);
        for (std::uint32_t i = 0; i < keys; ++i) {
          parts_of[i] = static_cast<std::uint32_t>(part_of_key(block.keys[i]));
          ++block.ends[parts_of[i] + std::size_t{1}];
        }
        const auto ends = block.ends.begin() + 1;
        std::exclusive_scan(ends, block.ends.end(), ends, std::uint32_t{0});
        for (std::uint32_t i = 0; i < keys; ++i) block.order[ends[parts_of[i]]++] = i;
      }
      if (list_->blocks() == 0) return;
      list_->scatter(lo / length_, parts,
                     [&part_of_key](const Entry& entry) { return part_of_key(entry.key); });
    });
  }

  const KeyOf& key_of_;
  const SourceLocation& where_;
  const std::size_t n_;
  std::size_t length_ = 1;
  std::vector<Block> blocks_;
  std::optional<Scattered<Entry>> list_;
  PerWorker<Block*> last_;  // whose table the thread may go on with

 private:
  /// So many elements have each key of theirs some ten times, as the first ones show, which are
  /// looked up. Sums must not depend on threads, and do not: this depends on keys.
  std::size_t length_for_keys(Block& first, std::size_t length) {
    Entry* out = nullptr;
    const std::size_t fresh = look_up(first, 0, kStretch, kNoNumber, out);
    const std::size_t known = kStretch - fresh;
    if (fresh > kStretch - kStretch / 16) return length;  // they go to the list
    const std::size_t most =
        std::max(4 * kLeastBlock, n_ / 2);  // else a dear key_of is one thread's
    const std::size_t worth = std::min(8 * fresh * kStretch / known, most);
    if (worth >= n_) return n_;
    return kGoesOn ? length : std::max(length, worth);
  }

  /// Looks elements up in the block's table; those that it has no room for go to the list. Returns
  /// the number of new keys.
  std::size_t look_up(Block& block, std::size_t lo, std::size_t hi, std::size_t room, Entry*& out) {
    const KeyOf key_at = key_of_;
    Numbers keys = std::move(block.keys);
    Data data = std::move(block.data);
    auto finder = keys.finder();
    std::size_t fresh = 0;
    for (std::size_t i = lo; i < hi; ++i) {
      auto&& key = key_at(i);
      const std::uint64_t hash = Hashed::hash_of(key);
      std::size_t at = 0;
      std::uint32_t number = finder.find(key, hash, at);
      if (number == kNoNumber) [[unlikely]] {
        ++fresh;
        if (keys.size() >= room) {
          list(block, data, std::forward<decltype(key)>(key), hash, i, out);
          data.pass(i);
          continue;
        }
        number = keys.add(block.kept.keep(std::forward<decltype(key)>(key)), hash, at);
        finder = keys.finder();
        data.add();
      }
      data(i, number);
    }
    block.looked_up = hi;
    block.keys = std::move(keys);
    block.data = std::move(data);
    return fresh;
  }

  template <class K>
  static void list(Block& block, Data& data, K&& key, std::uint64_t hash, std::size_t i,
                   Entry*& out) {
    ::new (static_cast<void*>(out++))
        Entry{Hashed(block.kept.keep(std::forward<K>(key)), hash), data.contribution(i)};
  }
};

}  // namespace furca::detail
