// What the concurrent_unordered containers have in common.
#pragma once

#include "common.h"
#include "hash_list.h"
#include "node_container.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// Which other type than the key's a hash and its own equality can look for.
template <class Hash, class Equal>
struct EqualOf {
  using Type = Equal;
  static constexpr bool kOthers = false;
};
template <class Hash, class Equal>
  requires requires { typename Hash::transparent_key_equal::is_transparent; }
struct EqualOf<Hash, Equal> {
  using Type = typename Hash::transparent_key_equal;
  static constexpr bool kOthers = true;
};

struct Empty {};

/// A hash list with its functions.
template <class KeyType, class ValueType, class Hash, class Equal, class AllocatorType,
          bool several>
class HashTable : public HashList<HashNode<ValueType, Empty>, AllocatorType> {
  using List = HashList<HashNode<ValueType, Empty>, AllocatorType>;

 public:
  using Key = KeyType;
  using Value = ValueType;
  using Allocator = AllocatorType;
  using typename List::Node;
  using KeyEqual = typename EqualOf<Hash, Equal>::Type;

  static constexpr bool kSeveral = several;
  static constexpr bool kOthers = EqualOf<Hash, Equal>::kOthers;

  HashTable(const Hash& h, const KeyEqual& e, const Allocator& allocator)
      : List(allocator), hash(h), equal(e) {}
  /// With the functions of another one, whose elements stay there.
  HashTable(const HashTable& like, const Allocator& allocator)
      : HashTable(like.hash, like.equal, allocator) {
    take_load(like);
  }

  void take_functions(const HashTable& like) noexcept(std::is_nothrow_copy_assignable_v<Hash> &&
                                                      std::is_nothrow_copy_assignable_v<KeyEqual>) {
    hash = like.hash;
    equal = like.equal;
    take_load(like);
  }
  void swap_functions(HashTable& other) noexcept(std::is_nothrow_swappable_v<Hash> &&
                                                 std::is_nothrow_swappable_v<KeyEqual>) {
    using std::swap;
    swap(hash, other.hash);
    swap(equal, other.equal);
  }
  void swap_elements(HashTable& other) noexcept { List::swap(other); }

  template <class K>
  std::size_t order_of(const K& key) const {
    return List::order_of(static_cast<std::size_t>(hash(key)));
  }
  template <class K>
  Node* find(const K& key) const {
    return List::find(order_of(key), is(key));
  }
  template <class K>
  std::pair<Node*, Node*> equal_range(const K& key) const {
    Node* const first = find(key);
    Node* last = first;
    while (last != nullptr && equal(key_of<Key>(last->value()), key)) {
      last = last->following();
      if (!several) break;
    }
    return {first, last};
  }
  std::pair<Node*, bool> add(Node* node) {
    const Key& key = key_of<Key>(node->value());
    Node* const at = List::template add<several>(node, order_of(key), is(key));
    return {at, at == node};
  }
  void prepare(const Key& key) { List::prepare(order_of(key)); }

  Hash hash;
  KeyEqual equal;

 private:
  void take_load(const HashTable& like) {
    this->max_load = like.max_load;
    this->rehash(like.bucket_count());
  }
  template <class K>
  auto is(const K& key) const {
    return [this, &key](const Value& value) -> bool { return equal(key_of<Key>(value), key); };
  }
};

/// A set or map by hashes. Which threads may do what: see NodeContainer.
template <class Key, class Value, class Hash, class Equal, class Allocator, bool several>
class Unordered : public NodeContainer<HashTable<Key, Value, Hash, Equal, Allocator, several>> {
  using Structure = HashTable<Key, Value, Hash, Equal, Allocator, several>;
  using Base = NodeContainer<Structure>;

 public:
  using hasher = Hash;
  using key_equal = typename Structure::KeyEqual;
  using typename Base::const_iterator;
  using typename Base::iterator;
  using typename Base::size_type;
  using local_iterator = iterator;
  using const_local_iterator = const_iterator;

  Unordered() : Unordered(Structure::kLeast) {}
  explicit Unordered(size_type buckets, const Hash& hash = Hash(),
                     const key_equal& equal = key_equal(), const Allocator& allocator = Allocator())
      : Base(std::in_place, hash, equal, allocator) {
    structure_.rehash(buckets);
  }
  Unordered(size_type buckets, const Allocator& allocator)
      : Unordered(buckets, Hash(), key_equal(), allocator) {}
  Unordered(size_type buckets, const Hash& hash, const Allocator& allocator)
      : Unordered(buckets, hash, key_equal(), allocator) {}
  explicit Unordered(const Allocator& allocator) : Unordered(Structure::kLeast, allocator) {}
  template <InputIterator I>
  Unordered(I first, I last, size_type buckets = Structure::kLeast, const Hash& hash = Hash(),
            const key_equal& equal = key_equal(), const Allocator& allocator = Allocator())
      : Unordered(buckets, hash, equal, allocator) {
    this->insert(first, last);
  }
  template <InputIterator I>
  Unordered(I first, I last, size_type buckets, const Allocator& allocator)
      : Unordered(first, last, buckets, Hash(), key_equal(), allocator) {}
  template <InputIterator I>
  Unordered(I first, I last, size_type buckets, const Hash& hash, const Allocator& allocator)
      : Unordered(first, last, buckets, hash, key_equal(), allocator) {}
  Unordered(std::initializer_list<Value> values, size_type buckets = Structure::kLeast,
            const Hash& hash = Hash(), const key_equal& equal = key_equal(),
            const Allocator& allocator = Allocator())
      : Unordered(values.begin(), values.end(), buckets, hash, equal, allocator) {}
  Unordered(std::initializer_list<Value> values, size_type buckets, const Allocator& allocator)
      : Unordered(values, buckets, Hash(), key_equal(), allocator) {}
  Unordered(std::initializer_list<Value> values, size_type buckets, const Hash& hash,
            const Allocator& allocator)
      : Unordered(values, buckets, hash, key_equal(), allocator) {}
  Unordered(const Unordered&) = default;
  Unordered(const Unordered& other, const Allocator& allocator) : Base(other, allocator) {}
  Unordered(Unordered&&) = default;
  Unordered(Unordered&& other, const Allocator& allocator) : Base(std::move(other), allocator) {}
  Unordered& operator=(const Unordered&) = default;
  Unordered& operator=(Unordered&&) = default;
  using Base::operator=;

  local_iterator unsafe_begin(size_type n) { return iterator(structure_.first(n)); }
  const_local_iterator unsafe_begin(size_type n) const {
    return const_iterator(structure_.first(n));
  }
  const_local_iterator unsafe_cbegin(size_type n) const { return unsafe_begin(n); }
  local_iterator unsafe_end(size_type n) {
    const size_type next = structure_.next_bucket(n);
    return next == unsafe_bucket_count() ? this->end() : unsafe_begin(next);
  }
  const_local_iterator unsafe_end(size_type n) const {
    const size_type next = structure_.next_bucket(n);
    return next == unsafe_bucket_count() ? this->end() : unsafe_begin(next);
  }
  const_local_iterator unsafe_cend(size_type n) const { return unsafe_end(n); }
  size_type unsafe_bucket_count() const { return structure_.bucket_count(); }
  size_type unsafe_max_bucket_count() const { return this->max_size(); }
  size_type unsafe_bucket_size(size_type n) const {
    return static_cast<size_type>(std::distance(unsafe_begin(n), unsafe_end(n)));
  }
  size_type unsafe_bucket(const Key& key) const {
    return structure_.bucket_of(structure_.order_of(key));
  }

  float load_factor() const {
    return static_cast<float>(this->size()) / static_cast<float>(unsafe_bucket_count());
  }
  float max_load_factor() const { return structure_.max_load; }
  /// Throws std::out_of_range.
  void max_load_factor(float most) {
    if (!(most >= 0))
      throw std::out_of_range("furca: max_load_factor: at least 0 elements are in a bucket");
    structure_.max_load = most;
  }
  void rehash(size_type buckets) { structure_.rehash(buckets); }
  void reserve(size_type elements) {
    const float buckets = static_cast<float>(elements) / structure_.allowed_load();
    const bool fits = buckets < static_cast<float>(~size_type{0} / 8);
    structure_.rehash(fits ? static_cast<size_type>(buckets) + 1 : ~size_type{0});
  }

  hasher hash_function() const { return structure_.hash; }
  key_equal key_eq() const { return structure_.equal; }

  friend bool operator==(const Unordered& a, const Unordered& b) {
    if (a.size() != b.size()) return false;
    for (auto at = a.begin(); at != a.end();) {
      const auto mine = a.equal_range(key_of<Key>(*at));
      const auto others = b.equal_range(key_of<Key>(*at));
      if (!std::is_permutation(mine.first, mine.second, others.first, others.second)) return false;
      at = mine.second;
    }
    return true;
  }

 private:
  using Base::structure_;
};

}  // namespace tbb::detail
