// Elements of a range in blocks, grouped by key.
//
// A block looks each element's key up in a table (key_numbers.hpp), from which the key gets a
// number; what its elements come to is kept by these numbers. Where nearly all keys are new to the
// table that gains nothing: a block's first meeting of a key costs as much as several look-ups, and
// again as much when what the blocks have is brought together. Then the rest of the block becomes a
// list; integers close to each other, few of each, are listed at once. The tables' keys and lists
// are scattered to parts (scattered.hpp), each of which fits into a cache. Where the first elements
// show nearly all keys to be new, parts are chosen before, and a list is scattered in a cache.
// A thread goes on with the table of its last block, unless somebody could tell which of equal keys
// is kept: that is the one met first. What the elements come to is the block's own: so sums have
// the same bits for any number of threads, and so does what is listed, which depends on the keys
// that the block has met, not on the table. Counts and sums of integers have no order, and go on
// with the table.
// A block whose sums, or table, are its own is some ten times as long as there are keys, which
// the first elements show. Few elements, or few of each key, are one block.
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/instructions.hpp>
#include <furca/detail/grouping/key_numbers.hpp>
#include <furca/detail/grouping/key_table.hpp>
#include <furca/detail/grouping/keyed_entries.hpp>
#include <furca/detail/grouping/scattered.hpp>

#include <optional>

namespace furca::detail {

/// The elements of a range in blocks. A Data has what the elements of each key come to in a block:
///   data.add() for each key, data(i, number) for each element, data.pass(i) for one in the list,
///   data.contribution(i) for the list. Data::kGoesOn: it does not matter in which block that is.
template <Literal name, class Key, class KeyOf, class Data>
class KeyedBlocks {
 protected:
  using Keys = ListedKeys<Key, KeyOf::kInElements>;
  using Entry = KeyedEntry<Keys, typename Data::Contribution>;
  using Numbers = KeyNumbers<Keys>;
  using Hashed = HashedKey<Keys>;
  static constexpr bool kHashed = std::is_default_constructible_v<std::hash<Key>>;
  static constexpr bool kInteger = std::is_integral_v<Key> && sizeof(Key) <= 8;

 public:
  using Table = KeyTable<Numbers>;
  using Block = KeyedBlock<Keys, Table, Data>;

  KeyedBlocks(std::size_t n, const KeyOf& key_of, const SourceLocation& where)
      : key_of_(key_of), where_(where), n_(n) {}

  /// Calls f(block, first element, end) for each block, in parallel.
  template <class F>
  void each_block(const F& f) {
    auto one = [this, &f](std::size_t lo, std::size_t hi) { f(blocks_[lo / length_], lo, hi); };
    detail::for_blocks<name>(0, n_, length_, one, where_);
  }

  /// The elements that a part has of each block, from left to right: of_table(block, where a
  /// key is in its table's order), of_list(first element of the block, entry, where it is).
  template <class OfTable, class OfList>
  void each_of_part(std::size_t p, const OfTable& of_table, const OfList& of_list) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Block& block = blocks_[b];
      if (const Table* const table = block.table; table != nullptr) {
        for (std::uint32_t i = table->ends[p]; i < table->ends[p + 1]; ++i) of_table(block, i);
      }
      if (b >= list_->blocks()) continue;
      std::size_t at = 0;
      const std::span<Entry> piece = list_->piece(b, p, at);
      std::size_t after = 0;
      const std::span<Entry> next = b + 1 < list_->blocks() ? list_->piece(b + 1, p, after) : piece;
      for (std::size_t i = 0; i < piece.size(); ++i) {
        if (i < next.size()) detail::prefetch(next.data() + i);
        of_list(b * length_, piece[i], at++);
      }
    }
  }

  std::size_t blocks() const noexcept { return blocks_.size(); }
  /// The most elements that there may be in the list.
  std::size_t room_in_list() const noexcept { return kHashed && n_ > kLeastBlock ? n_ : 0; }

 protected:
  /// In a stretch of so many elements at most it shows whether a table has many of the keys.
  static constexpr std::size_t kStretch = 4'096;
  /// A table of more keys is in no cache of a thread's own: a list takes less time then.
  static constexpr std::size_t kMostKeys = 65'536;
  /// So many bytes of a block's list are scattered at a time.
  static constexpr std::size_t kBuffer = std::size_t{1} << 20U;
  /// So many different keys of a block go to a table at least, which is in a cache then.
  static constexpr std::size_t kRoom = 16'384;
  /// A thread goes on with the table of its last block, whose numbers mean the same keys then.
  static constexpr bool kShared = kHashed && kAlikeIfEqual<Key> && Data::kMadeEmpty;
  /// And with its data.
  static constexpr bool kGoesOn = kShared && Data::kGoesOn;

  /// Blocks, the first of which may have begun: with `data`, which is its own.
  void make_blocks(Data data) {
    const std::size_t few = std::min<std::size_t>(n_, 1'024);
    Block first;
    first.data = std::move(data);
    first.data.reserve(few);
    first.table = std::addressof(first.own);
    first.own.keys = Numbers(few);
    if (n_ <= kLeastBlock) first.own.keys.reserve(n_);
    std::size_t length = n_;
    if (n_ > kLeastBlock) {
      length = length_of_block(n_);
      if (kHashed) length = length_for_keys(first, length);
    }
    if (n_ == 0) length = 1;
    const std::size_t blocks = (n_ + length - 1) / length;
    length_ = (n_ + blocks - 1) / std::max<std::size_t>(1, blocks);  // all alike
    blocks_ = std::vector<Block>(blocks);
    if (n_ > 0) {
      blocks_[0] = std::move(first);
      blocks_[0].table = std::addressof(blocks_[0].own);
    }
    list_.emplace(kHashed && blocks > 1 ? n_ : 0, length_);
  }

  /// A block's elements into its table, and, from where nearly all keys are new, into the list,
  /// which is scattered to parts if they are known.
  void take(Block& block, std::size_t lo, std::size_t hi) {
    const bool alone = !kHashed || blocks_.size() == 1;
    const std::size_t room = alone     ? kNoNumber
                             : kGoesOn ? room_
                                       : std::clamp<std::size_t>((hi - lo) / 8, 1, room_);
    typename Scattered<Entry>::Buffer buffer;
    if (parts_known_ > 0) buffer = list_->buffer();
    Entry* const first =
        buffer.get() != nullptr ? list_->elements(buffer) : list_->room(alone ? 0 : lo);
    Entry* out = first;
    block.number = lo / length_;
    Block* last = nullptr;
    // key_of may wait, and its thread take another block meanwhile
    if constexpr (kShared)
      last = alone ? nullptr : static_cast<Block*>(std::exchange(list_->kept(), nullptr));
    if (block.table == nullptr) {
      block.table = std::addressof(block.own);
      if (last != nullptr) {
        block.table = last->table;
        if constexpr (kGoesOn) {
          last->table = nullptr;
          block.data = std::exchange(last->data, Data());
        } else if constexpr (kShared) {
          block.data.make_empty(last->keys);
        }
      } else {
        block.table->keys = Numbers(0);
      }
    }
    bool many = dense_;
    for (std::size_t i = std::max(lo, block.looked_up); i < hi && !many;) {
      const std::size_t some = std::clamp<std::size_t>(length_ / 64, kStretch / 4, kStretch);
      const std::size_t stretch = alone ? hi - i : std::min(some, hi - i);
      const std::size_t before = Data::kOrdered ? block.met : block.table->keys.size();
      const std::size_t fresh = look_up(block, i, i + stretch, room, out);
      i = block.looked_up;
      many = !alone && stretch - fresh < least_known(stretch, before);
    }
    if (many) {
      const KeyOf key_at = key_of_;
      for (std::size_t i = std::max(lo, block.looked_up); i < hi; ++i) {
        auto&& key = key_at(i);
        const std::uint64_t hash = kHashedAtOnce<Key> ? 0 : Hashed::hash_of(key);
        list(block, block.data, std::forward<decltype(key)>(key), hash, i, out);
      }
    }
    block.keys = static_cast<std::uint32_t>(block.table->keys.size());
    const auto listed = static_cast<std::size_t>(out - first);
    if (buffer.get() != nullptr) {
      list_->scatter(block.number, std::move(buffer), listed, parts_known_, part_of_);
    } else if (!alone) {
      list_->filled(lo, listed);
    }
    if constexpr (kShared) {
      if (!alone && !many && goes_on(block, room)) list_->kept() = std::addressof(block);
    }
  }

  /// All are in one table already, and who does not place them needs nothing else.
  bool in_one_table() const noexcept { return !Data::kPlaces && blocks_.size() == 1; }

  /// Scatters the tables' keys and the list to parts.
  void scatter(std::size_t parts) {
    if (in_one_table()) return;
    each_block([&](Block& block, std::size_t, std::size_t) {
      block.own.scatter(parts, part_of_);
      if (list_->blocks() > 0 && parts_known_ == 0) list_->scatter(block.number, parts, part_of_);
    });
    each_block([parts](Block& block, std::size_t, std::size_t) {  // whose data are in no cache now
      const Table* const table = block.table;
      if (table != nullptr && (parts > 1 || block.keys < table->keys.size()))
        block.data.arrange(table->order);
    });
  }

  const KeyOf& key_of_;
  const SourceLocation& where_;
  const std::size_t n_;
  std::size_t length_ = 1;
  std::size_t room_ = kRoom;     // twice what there are if all come as often
  bool nearly_all_new_ = false;  // as the first elements show
  bool dense_ = false;           // few elements for each integer in a row, which needs no table
  std::size_t likely_keys_ = 0;
  std::size_t parts_known_ = 0;  // before the elements are gone over
  PartOf<Hashed, kInteger> part_of_;
  std::vector<Block> blocks_;
  std::optional<Scattered<Entry>> list_;

 private:
  /// So many elements have each key of theirs some ten times, as the first ones show, which are
  /// looked up. Sums must not depend on threads, and do not: this depends on keys.
  std::size_t length_for_keys(Block& first, std::size_t length) {
    Entry* out = nullptr;
    const std::size_t fresh = look_up(first, 0, kStretch, kNoNumber, out);
    const std::size_t known = kStretch - fresh;
    likely_keys_ = std::min(n_, kStretch * kStretch / (2 * std::max<std::size_t>(1, known)));
    if constexpr (kInteger && KeyOf::kInElements && Data::kMadeEmpty)
      dense_ = 16 * likely_keys_ >= n_ && first.table->spread() / 2 < likely_keys_;
    nearly_all_new_ = dense_ || known < least_known(kStretch, 0);
    if (nearly_all_new_)  // they go to the list, by way of a buffer
      return std::min(length, std::max(kLeastBlock, kBuffer / sizeof(Entry)));
    if (kShared) {
      const std::size_t least = kGoesOn ? 4 * kRoom : kRoom;
      room_ = std::clamp(fresh * kStretch / known, least, 8 * kRoom);
    }
    const std::size_t most = std::max(4 * kLeastBlock, n_ / 2);  // key_of may be dear
    const std::size_t worth = std::min(8 * fresh * kStretch / known, most);
    return worth >= n_ || !kGoesOn ? std::clamp(worth, length, n_) : length;
  }

  /// A table that has met so many keys is worth it where it knows those of so many of a stretch's
  /// elements: of kMostKeys that come equally often, or a quarter.
  static std::size_t least_known(std::size_t stretch, std::size_t keys) noexcept {
    return std::min(stretch / 4, stretch * (keys + stretch / 2) / kMostKeys);
  }

  /// The next block of the thread's is likely to meet most of the table's keys, too; else it would
  /// have room for the sums of others.
  static bool goes_on(const Block& block, std::size_t room) noexcept {
    if (block.keys / 2 >= room) return false;
    if constexpr (kGoesOn) return true;
    std::size_t met = 0;
    for (std::uint32_t i = 0; i < block.keys; ++i) met += block.data.has(i);
    return met >= block.keys / 2;
  }

  /// Looks elements up in the block's table; those that it has no room for go to the list. Returns
  /// the number of new keys.
  std::size_t look_up(Block& block, std::size_t lo, std::size_t hi, std::size_t room, Entry*& out) {
    const KeyOf key_at = key_of_;
    Numbers keys = std::move(block.table->keys);
    Data data = std::move(block.data);
    auto finder = keys.finder();
    std::size_t fresh = 0;
    for (std::size_t i = lo; i < hi; ++i) {
      auto&& key = key_at(i);
      const std::uint64_t hash = Hashed::hash_of(key);
      std::size_t at = 0;
      std::uint32_t number = finder.find(key, hash, at);
      bool met = number != kNoNumber;
      if constexpr (kShared && Data::kOrdered) met = met && data.has(number);
      if (!met) [[unlikely]] {
        ++fresh;
        if ((Data::kOrdered ? block.met : keys.size()) >= room) {
          list(block, data, std::forward<decltype(key)>(key), hash, i, out);
          data.pass(i);
          continue;
        }
        ++block.met;
        if (number == kNoNumber) {
          number = keys.add(block.kept.keep(std::forward<decltype(key)>(key)), hash, at);
          finder = keys.finder();
          data.add();
        }
        data.first(i, number);
        continue;
      }
      data(i, number);
    }
    block.looked_up = hi;
    block.table->keys = std::move(keys);
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
