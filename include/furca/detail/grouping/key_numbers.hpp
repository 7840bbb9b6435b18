// A table of keys, which numbers them in the order in which they come.
//
// Keys lie by their hash, or in a tree where they have no hash function. The sum of a key's
// elements is kept elsewhere, by the key's number.
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/base/refuse.hpp>
#include <furca/detail/grouping/keyed_entries.hpp>

#include <bit>
#include <map>
#include <string>

namespace furca::detail {

/// A key among those of a table; and, where tables were brought together, which table that was.
template <class Reference>
struct NumberedKey {
  FURCA_NO_UNIQUE_ADDRESS Reference key;
  std::uint32_t number;
  std::uint32_t table;
};

/// The order of keys.
struct KeyLess {
  template <class Key>
  bool operator()(const Key& a, const Key& b) const {
    return a < b || (detail::is_nan(b) && !detail::is_nan(a));
  }
};

/// Throws std::length_error: there are more keys than numbers.
inline std::uint32_t next_number(std::size_t keys) {
  if (keys >= 0xFFFF'FFFEU) detail::refuse_length("furca: more than 4,294,967,294 different keys");
  return static_cast<std::uint32_t>(keys);
}

/// Nobody can tell which of several equal ones is kept.
template <class Key>
inline constexpr bool kAlikeIfEqual =
    std::is_integral_v<Key> || std::is_pointer_v<Key> || std::is_same_v<Key, std::string>;

/// The number of a key that has none.
inline constexpr std::uint32_t kNoNumber = 0xFFFF'FFFFU;

/// Numbers keys in the order in which they come. A hash table of numbers with linear probing
/// (Knuth, The Art of Computer Programming 3, 6.4), at most half full.
template <class Keys>
class KeyNumbers {
  using Key = typename Keys::Key;
  using Kept = HashedKey<Keys>;

  /// Small keys are in the table too: a look-up then waits for memory once. Of others there are
  /// some bits of what they hash to: who has others is not compared.
  static constexpr bool kInTable = std::is_trivially_copyable_v<Key> &&
                                   std::is_default_constructible_v<Key> && sizeof(Key) <= 16;
  struct HashAndNumber {
    std::uint32_t hash;
    std::uint32_t number;
  };
  struct KeyAndNumber {
    Key key;
    std::uint32_t number;
  };
  using Entry =
      std::conditional_t<kInTable, KeyAndNumber, HashAndNumber>;  // numbers from 1 on; 0: nothing

 public:
  /// Finds numbers until a key is added. A variable of its own in a loop, so that the compiler sees
  /// that no store of the loop changes it.
  class Finder {
   public:
    /// kNoNumber if the key is not there; `at` is then where it would be.
    template <class K>
    std::uint32_t find(const K& key, std::uint64_t hash, std::size_t& at) const {
      for (at = static_cast<std::size_t>(hash >> shift_);; at = (at + 1) & mask_) {
        const Entry& entry = table_[at];
        if (entry.number == 0) [[unlikely]]
          return kNoNumber;
        if constexpr (kInTable) {
          if (entry.key == key || (detail::is_nan(key) && detail::is_nan(entry.key))) {
            return entry.number - 1;
          }
        } else {
          if (entry.hash == static_cast<std::uint32_t>(hash) &&
              Keys::view(keys_[entry.number - 1].key) == key)
            return entry.number - 1;
        }
      }
    }

   private:
    friend class KeyNumbers;
    explicit Finder(const KeyNumbers& numbers) noexcept
        : table_(numbers.table_.data()),
          keys_(numbers.keys_.data()),
          mask_(numbers.table_.size() - 1),
          shift_(numbers.shift_) {}

    const Entry* table_;
    const Kept* keys_;
    std::size_t mask_;
    int shift_;
  };

  /// Without a table: for one that is moved here.
  KeyNumbers() = default;
  /// With room for so many keys at first.
  explicit KeyNumbers(std::size_t keys)
      : table_(std::max<std::size_t>(64, std::bit_ceil(2 * keys))),
        shift_(64 - std::countr_zero(table_.size())) {
    keys_.reserve(keys);
  }

  /// Room for so many keys, but not in the table, which is cleared.
  void reserve(std::size_t keys) { keys_.reserve(keys); }

  Finder finder() const noexcept { return Finder(*this); }

  /// Adds a key that find() has not found; its number is size(), as it was.
  template <class One>
  FURCA_NOINLINE std::uint32_t add(const One& key, std::uint64_t hash, std::size_t at) {
    const std::uint32_t number = next_number(keys_.size());
    keys_.emplace_back(key, hash);
    table_[at] = entry_of(hash, number);
    if (2 * keys_.size() > table_.size()) grow();
    return number;
  }

  std::size_t size() const noexcept { return keys_.size(); }
  const Kept& operator[](std::size_t number) const noexcept { return keys_[number]; }

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
      const std::uint64_t hash = keys_[number].hash();
      auto at = static_cast<std::size_t>(hash >> shift_);
      while (larger[at].number != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = entry_of(hash, number);
    }
    table_.swap(larger);
  }

  std::vector<Kept> keys_;
  std::vector<Entry> table_;
  int shift_ = 64;  // leaves as many bits of 64 as the table has
};

/// The same for keys without a hash function.
template <class Keys>
  requires(!std::is_default_constructible_v<std::hash<typename Keys::Key>>)
class KeyNumbers<Keys> {
  using Key = typename Keys::Key;
  using Reference = typename Keys::Reference;
  struct Less {
    using is_transparent = void;
    static const Key& key(const Key& one) { return one; }
    static const Key& key(const Key* one) { return *one; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return key(a) < key(b);
    }
  };

 public:
  class Finder {
   public:
    std::uint32_t find(const Key& key, std::uint64_t, std::size_t&) const {
      const auto at = numbers_->numbers_.lower_bound(key);
      if (at != numbers_->numbers_.end() && !Less()(key, at->first)) return at->second;
      numbers_->behind_ = at;
      return kNoNumber;
    }

   private:
    friend class KeyNumbers;
    explicit Finder(KeyNumbers& numbers) noexcept : numbers_(&numbers) {}

    KeyNumbers* numbers_;
  };

  KeyNumbers() = default;
  explicit KeyNumbers(std::size_t) {}
  void reserve(std::size_t keys) { keys_.reserve(keys); }

  Finder finder() noexcept { return Finder(*this); }

  /// Adds the key that was looked for last.
  std::uint32_t add(const Reference& key, std::uint64_t hash, std::size_t) {
    const std::uint32_t number = next_number(numbers_.size());
    keys_.emplace_back(key, hash);
    numbers_.emplace_hint(behind_, key, number);
    return number;
  }

  std::size_t size() const noexcept { return keys_.size(); }
  const HashedKey<Keys>& operator[](std::size_t number) const noexcept { return keys_[number]; }

 private:
  std::map<Reference, std::uint32_t, Less> numbers_;
  typename std::map<Reference, std::uint32_t, Less>::iterator behind_;
  std::vector<HashedKey<Keys>> keys_;
};

/// An integer's place in the order of all, and back.
template <class Key>
inline constexpr std::uint64_t kFlippedInOrder =
    std::is_signed_v<Key> ? std::uint64_t{1} << 63U : 0;
template <class Key>
std::uint64_t in_order(const Key& key) noexcept {
  return static_cast<std::uint64_t>(key) ^ kFlippedInOrder<Key>;
}

/// Parts to which integers go by their place in the order of all.
class FURCA_API ValueParts {
 public:
  /// Whether some integers are spread evenly; if so, part_of() spreads them to `parts`.
  bool spread_evenly(const std::vector<std::uint64_t>& some, std::size_t parts);

  /// The first and the last part have all that is less, or greater.
  std::size_t part_of(std::uint64_t place) const noexcept {
    if (place <= least_) return 0;
    return static_cast<std::size_t>(std::min<std::uint64_t>((place - least_) >> shift_, last_));
  }

  /// Of a part between these: the least and the greatest place.
  std::pair<std::uint64_t, std::uint64_t> limits(std::size_t part) const noexcept {
    const std::uint64_t least = least_ + (std::uint64_t{part} << shift_);
    return {least, least + ((std::uint64_t{1} << shift_) - 1)};
  }

 private:
  std::uint64_t least_ = 0;
  std::size_t last_ = 0;
  int shift_ = 0;
};

/// The part to which a key, or an entry with one, goes: of integers that are spread evenly by their
/// value.
template <class Hashed, bool kInteger>
struct PartOf {
  ValueParts values;
  bool by_value = false;
  std::size_t last = 0;  // of parts

  std::size_t operator()(const Hashed& one) const {
    if constexpr (kInteger) {
      if (by_value) return values.part_of(detail::in_order(one.key));
    }
    // by other bits than those that make a key's place in a table
    const std::uint64_t hash = one.hash();
    return ((hash ^ (hash >> 32U)) >> 12U) & last;
  }
  template <class Entry>
  std::size_t operator()(const Entry& entry) const {
    return (*this)(entry.key);
  }
};

}  // namespace furca::detail
