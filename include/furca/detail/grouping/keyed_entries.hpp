// Keys and values of elements, as lists and tables have them: small plain ones themselves, and of
// others where they are.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>

namespace furca::detail {

/// NaN does not equal itself; as keys all of them are one, behind the others.
template <class Key>
bool is_nan(const Key& key) {
  if constexpr (std::is_floating_point_v<Key>) {
    return key != key;
  } else {
    return false;
  }
}

/// It is kept in a list itself.
template <class T>
inline constexpr bool kSmallAndPlain = std::is_trivially_copy_constructible_v<T> &&
                                       std::is_trivially_destructible_v<T> && sizeof(T) <= 64;

/// Values that lists refer to.
template <class T>
class ListedValues {
 public:
  using Reference = std::conditional_t<kSmallAndPlain<T>, T, T*>;

  template <class U>
  Reference keep(U&& value) {
    if constexpr (kSmallAndPlain<T>) {
      return T(std::forward<U>(value));
    } else {
      return std::addressof(kept_.emplace_back(std::forward<U>(value)));
    }
  }
  static T&& get(Reference& reference) noexcept {
    if constexpr (kSmallAndPlain<T>) {
      return std::move(reference);
    } else {
      return std::move(*reference);
    }
  }

 private:
  struct None {};
  FURCA_NO_UNIQUE_ADDRESS std::conditional_t<kSmallAndPlain<T>, None, std::deque<T>> kept_;
};

/// A short text itself; of a longer one where the string is.
template <class Key>
struct TextInList {
  static constexpr std::size_t kShort = 23;

  const Key* key;      // of a longer one
  unsigned char size;  // of a short one
  char text[kShort];

  explicit TextInList(const Key& one)
      : key(std::addressof(one)),
        size(static_cast<unsigned char>(std::min(one.size(), kShort + 1))) {
    if (size <= kShort) std::memcpy(text, one.data(), size);
  }
  std::string_view view() const noexcept {
    return size <= kShort ? std::string_view(text, size) : std::string_view(*key);
  }
};

/// Keys of elements. kInElements: they are where the elements are, and stay; else they are copied.
/// A reference that the program's function returns may be to what its next call writes over.
template <class K, bool kInElements>
class ListedKeys {
 public:
  using Key = K;

 private:
  static constexpr bool kText = std::is_same_v<Key, std::string>;
  using Far = std::conditional_t<kText, TextInList<Key>, const Key*>;

 public:
  using Reference = std::conditional_t<kSmallAndPlain<Key>, Key, Far>;

  /// What a Reference is made of, in its place: what was just written, in smaller pieces, is read
  /// slowly.
  template <class U>
  decltype(auto) keep(U&& key) {
    if constexpr (kSmallAndPlain<Key>) {
      return Key(std::forward<U>(key));
    } else if constexpr (kText) {
      const Key& text = key;
      return text.size() <= Far::kShort ? text : *stays(std::forward<U>(key));
    } else {
      return stays(std::forward<U>(key));
    }
  }
  /// What a key is compared by, and copied from.
  static decltype(auto) view(const Reference& reference) noexcept {
    if constexpr (kSmallAndPlain<Key>) {
      return (reference);
    } else if constexpr (kText) {
      return reference.view();
    } else {
      return (*reference);
    }
  }

 private:
  template <class U>
  const Key* stays(U&& key) {
    if constexpr (kInElements) {
      return std::addressof(key);
    } else {
      return kept_.keep(std::forward<U>(key));
    }
  }

  ListedValues<Key> kept_;
};

/// The hash of such a key is computed anew whenever it is asked for.
template <class Key>
inline constexpr bool kHashedAtOnce =
    std::is_arithmetic_v<Key> || std::is_pointer_v<Key> || std::is_enum_v<Key>;

/// A key, and what it hashes to.
template <class Keys>
class HashedKey {
  using Key = typename Keys::Key;
  struct NoHash {
    explicit NoHash(std::uint64_t) noexcept {}
  };

 public:
  typename Keys::Reference key;

  /// `one`: a Reference, or what it is made of.
  template <class One>
  HashedKey(const One& one, std::uint64_t hash) : key(one), hash_(hash) {}

  static std::uint64_t hash_of(const Key& key) {
    if constexpr (!std::is_default_constructible_v<std::hash<Key>>) {
      return 0;
    } else {
      return detail::is_nan(key)
                 ? 0
                 : static_cast<std::uint64_t>(std::hash<Key>()(key)) * 0x9E3779B97F4A7C15U;
    }
  }
  std::uint64_t hash() const {
    if constexpr (kHashedAtOnce<Key>) {
      return hash_of(key);
    } else {
      return hash_;
    }
  }

 private:
  FURCA_NO_UNIQUE_ADDRESS std::conditional_t<kHashedAtOnce<Key>, NoHash, std::uint64_t> hash_;
};

/// A value behind four bytes of a list, without bytes between: 12 bytes for four and eight.
template <class T>
class Unpadded {
 public:
  Unpadded(const T& value) noexcept {
    std::memcpy(bytes_.data(), std::addressof(value), sizeof(T));
  }
  operator T() const noexcept { return std::bit_cast<T>(bytes_); }

 private:
  alignas(4) std::array<unsigned char, sizeof(T)> bytes_;
};
template <class T>
using InList =
    std::conditional_t<std::is_trivially_copyable_v<T> && (alignof(T) > 4), Unpadded<T>, T>;

/// An element in a list: its key, and what it contributes.
template <class Keys, class Contribution>
struct KeyedEntry {
  HashedKey<Keys> key;
  FURCA_NO_UNIQUE_ADDRESS InList<Contribution> contribution;
};

}  // namespace furca::detail
