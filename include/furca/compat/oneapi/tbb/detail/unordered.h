// What the concurrent_unordered containers have in common.
#pragma once

#include "containers.h"
#include "hash_list.h"
#include "nodes.h"

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

/// A set of keys, or a map: Value is the key or a pair. Adding, looking and going from one element
/// to the next are for any number of threads at once; elements stay where they are. What is called
/// unsafe, clear(), swap() and assignments are for a thread that is alone. An exception while an
/// element is added adds nothing.
template <class Key, class Value, class Hash, class Equal, class Allocator, bool several>
class Unordered {
 protected:
  using Node = HashNode<Value, Empty>;
  using List = HashList<Node, Allocator>;
  using Traits = std::allocator_traits<Allocator>;

  template <class, class, class, class, class, bool>
  friend class Unordered;

  static_assert(std::is_same_v<Value, typename Allocator::value_type>,
                "furca: a concurrent_unordered container: the allocator must be one of its values");

 public:
  using key_type = Key;
  using value_type = Value;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using hasher = Hash;
  using key_equal = typename EqualOf<Hash, Equal>::Type;
  using allocator_type = Allocator;
  using reference = Value&;
  using const_reference = const Value&;
  using pointer = typename Traits::pointer;
  using const_pointer = typename Traits::const_pointer;
  using iterator = typename List::template Iterator<Value>;
  using const_iterator = typename List::template Iterator<const Value>;
  using local_iterator = iterator;
  using const_local_iterator = const_iterator;
  using range_type = typename List::template Range<Value>;
  using const_range_type = typename List::template Range<const Value>;
  using node_type = NodeHandle<Key, Value, Node, Allocator>;

  Unordered() : Unordered(List::kLeast) {}
  explicit Unordered(size_type buckets, const Hash& hash = Hash(),
                     const key_equal& equal = key_equal(), const Allocator& allocator = Allocator())
      : hash_(hash), equal_(equal), list_(allocator) {
    list_.rehash(buckets);
  }
  Unordered(size_type buckets, const Allocator& allocator)
      : Unordered(buckets, Hash(), key_equal(), allocator) {}
  Unordered(size_type buckets, const Hash& hash, const Allocator& allocator)
      : Unordered(buckets, hash, key_equal(), allocator) {}
  explicit Unordered(const Allocator& allocator) : Unordered(List::kLeast, allocator) {}
  template <InputIterator I>
  Unordered(I first, I last, size_type buckets = List::kLeast, const Hash& hash = Hash(),
            const key_equal& equal = key_equal(), const Allocator& allocator = Allocator())
      : Unordered(buckets, hash, equal, allocator) {
    insert(first, last);
  }
  template <InputIterator I>
  Unordered(I first, I last, size_type buckets, const Allocator& allocator)
      : Unordered(first, last, buckets, Hash(), key_equal(), allocator) {}
  template <InputIterator I>
  Unordered(I first, I last, size_type buckets, const Hash& hash, const Allocator& allocator)
      : Unordered(first, last, buckets, hash, key_equal(), allocator) {}
  Unordered(std::initializer_list<Value> values, size_type buckets = List::kLeast,
            const Hash& hash = Hash(), const key_equal& equal = key_equal(),
            const Allocator& allocator = Allocator())
      : Unordered(values.begin(), values.end(), buckets, hash, equal, allocator) {}
  Unordered(std::initializer_list<Value> values, size_type buckets, const Allocator& allocator)
      : Unordered(values, buckets, Hash(), key_equal(), allocator) {}
  Unordered(std::initializer_list<Value> values, size_type buckets, const Hash& hash,
            const Allocator& allocator)
      : Unordered(values, buckets, hash, key_equal(), allocator) {}
  Unordered(const Unordered& other)
      : Unordered(other, Traits::select_on_container_copy_construction(other.get_allocator())) {}
  Unordered(const Unordered& other, const Allocator& allocator)
      : Unordered(other.list_.bucket_count(), other.hash_, other.equal_, allocator) {
    list_.max_load = other.list_.max_load;
    for (const Value& value : other) emplace(value);
  }
  Unordered(Unordered&& other)
      : Unordered(List::kLeast, other.hash_, other.equal_, std::move(other.list_.allocator())) {
    list_.swap(other.list_);
  }
  Unordered(Unordered&& other, const Allocator& allocator)
      : Unordered(List::kLeast, other.hash_, other.equal_, allocator) {
    if (same(allocator, other.list_.allocator())) {
      list_.swap(other.list_);
    } else {
      take_each(other);
    }
  }

  Unordered& operator=(const Unordered& other) {
    if (this == &other) return *this;
    clear();
    copy_along(list_.allocator(), other.list_.allocator());
    hash_ = other.hash_;
    equal_ = other.equal_;
    list_.max_load = other.list_.max_load;
    list_.rehash(other.list_.bucket_count());
    for (const Value& value : other) emplace(value);
    return *this;
  }
  Unordered& operator=(Unordered&& other) noexcept(kAlwaysEqual<Allocator>) {
    if (this == &other) return *this;
    clear();
    const bool all = kMovesAlong<Allocator> || same(list_.allocator(), other.list_.allocator());
    move_along(list_.allocator(), other.list_.allocator());
    hash_ = other.hash_;
    equal_ = other.equal_;
    if (all) {
      list_.swap(other.list_);
    } else if constexpr (!kMovesAlong<Allocator> && !kAlwaysEqual<Allocator>) {
      take_each(other);
    }
    return *this;
  }
  Unordered& operator=(std::initializer_list<Value> values) {
    clear();
    insert(values);
    return *this;
  }

  void swap(Unordered& other) noexcept(kAlwaysEqual<Allocator>) {
    if (this == &other) return;
    swap_along(list_.allocator(), other.list_.allocator());
    std::swap(hash_, other.hash_);
    std::swap(equal_, other.equal_);
    list_.swap(other.list_);
  }

  allocator_type get_allocator() const noexcept { return list_.allocator(); }
  iterator begin() noexcept { return list_.template begin<Value>(); }
  const_iterator begin() const noexcept { return list_.template begin<const Value>(); }
  const_iterator cbegin() const noexcept { return begin(); }
  iterator end() noexcept { return {}; }
  const_iterator end() const noexcept { return {}; }
  const_iterator cend() const noexcept { return {}; }
  range_type range() { return range_type(list_); }
  const_range_type range() const { return const_range_type(list_); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  size_type size() const noexcept { return list_.size(); }
  size_type max_size() const noexcept { return Traits::max_size(list_.allocator()); }
  void clear() noexcept { list_.clear(); }

  /// Any thread: where the element is, and whether it was added. What is there already stays.
  /// @{
  std::pair<iterator, bool> insert(const Value& value) { return insert_value(value); }
  std::pair<iterator, bool> insert(Value&& value) { return insert_value(std::move(value)); }
  template <class V>
    requires(std::is_constructible_v<Value, V &&> && !std::is_same_v<Key, Value>)
  std::pair<iterator, bool> insert(V&& value) {
    return emplace(std::forward<V>(value));
  }
  iterator insert(const_iterator, const Value& value) { return insert(value).first; }
  iterator insert(const_iterator, Value&& value) { return insert(std::move(value)).first; }
  template <class V>
    requires(std::is_constructible_v<Value, V &&> && !std::is_same_v<Key, Value>)
  iterator insert(const_iterator, V&& value) {
    return emplace(std::forward<V>(value)).first;
  }
  template <InputIterator I>
  void insert(I first, I last) {
    for (; first != last; ++first) insert(*first);
  }
  void insert(std::initializer_list<Value> values) { insert(values.begin(), values.end()); }
  std::pair<iterator, bool> insert(node_type&& node) {
    if (node.empty()) return {end(), false};
    const auto [at, added] = add(node.node());
    if (added) node.give();
    return {at, added};
  }
  iterator insert(const_iterator, node_type&& node) { return insert(std::move(node)).first; }
  template <class... Arguments>
  std::pair<iterator, bool> emplace(Arguments&&... arguments) {
    Owned node(list_.allocator(), std::forward<Arguments>(arguments)...);
    const auto [at, added] = add(node.node);
    if (added) node.node = nullptr;
    return {at, added};
  }
  template <class... Arguments>
  iterator emplace_hint(const_iterator, Arguments&&... arguments) {
    return emplace(std::forward<Arguments>(arguments)...).first;
  }
  /// @}

  iterator unsafe_erase(const_iterator at) {
    const iterator next = after(at);
    list_.take_out(at.node());
    Node::destroy(list_.allocator(), at.node());
    return next;
  }
  iterator unsafe_erase(iterator at) { return unsafe_erase(const_iterator(at)); }
  iterator unsafe_erase(const_iterator first, const_iterator last) {
    while (first != last) first = unsafe_erase(first);
    return iterator(last.link());
  }
  size_type unsafe_erase(const Key& key) { return erase_all(key); }
  template <class K>
    requires(EqualOf<Hash, Equal>::kOthers && !std::is_convertible_v<K, const_iterator>)
  size_type unsafe_erase(const K& key) {
    return erase_all(key);
  }
  node_type unsafe_extract(const_iterator at) {
    list_.take_out(at.node());
    return {at.node(), list_.allocator()};
  }
  node_type unsafe_extract(iterator at) { return unsafe_extract(const_iterator(at)); }
  node_type unsafe_extract(const Key& key) { return extract_first(key); }
  template <class K>
    requires(EqualOf<Hash, Equal>::kOthers && !std::is_convertible_v<K, const_iterator>)
  node_type unsafe_extract(const K& key) {
    return extract_first(key);
  }

  /// A thread that is alone: moves those elements here whose keys are new here, or may be several.
  template <class H, class E, bool s>
  void merge(Unordered<Key, Value, H, E, Allocator, s>& other) {
    for (auto at = other.begin(); at != other.end();) {
      const auto next = std::next(at);
      const auto here = [&] { return find_node(key_of<Key>(*at)) != nullptr; };
      if (several || !here()) {
        list_.prepare(order_of(key_of<Key>(*at)));  // what throws comes before it is taken out
        node_type node = other.unsafe_extract(at);
        try {
          insert(std::move(node));
        } catch (...) {
          other.insert(std::move(node));
          throw;
        }
      }
      at = next;
    }
  }
  template <class H, class E, bool s>
  void merge(Unordered<Key, Value, H, E, Allocator, s>&& other) {
    merge(other);
  }

  /// Any thread; also with another type than the key's, if the hash has a transparent_key_equal.
  /// @{
  iterator find(const Key& key) { return iterator(find_node(key)); }
  const_iterator find(const Key& key) const { return const_iterator(find_node(key)); }
  std::pair<iterator, iterator> equal_range(const Key& key) { return range_of<iterator>(key); }
  std::pair<const_iterator, const_iterator> equal_range(const Key& key) const {
    return range_of<const_iterator>(key);
  }
  size_type count(const Key& key) const { return count_of(key); }
  bool contains(const Key& key) const { return find_node(key) != nullptr; }

  template <class K>
    requires EqualOf<Hash, Equal>::kOthers
  iterator find(const K& key) {
    return iterator(find_node(key));
  }
  template <class K>
    requires EqualOf<Hash, Equal>::kOthers
  const_iterator find(const K& key) const {
    return const_iterator(find_node(key));
  }
  template <class K>
    requires EqualOf<Hash, Equal>::kOthers
  std::pair<iterator, iterator> equal_range(const K& key) {
    return range_of<iterator>(key);
  }
  template <class K>
    requires EqualOf<Hash, Equal>::kOthers
  std::pair<const_iterator, const_iterator> equal_range(const K& key) const {
    return range_of<const_iterator>(key);
  }
  template <class K>
    requires EqualOf<Hash, Equal>::kOthers
  size_type count(const K& key) const {
    return count_of(key);
  }
  template <class K>
    requires EqualOf<Hash, Equal>::kOthers
  bool contains(const K& key) const {
    return find_node(key) != nullptr;
  }
  /// @}

  local_iterator unsafe_begin(size_type n) { return list_.template begin<Value>(n); }
  const_local_iterator unsafe_begin(size_type n) const {
    return list_.template begin<const Value>(n);
  }
  const_local_iterator unsafe_cbegin(size_type n) const { return unsafe_begin(n); }
  local_iterator unsafe_end(size_type n) {
    const size_type next = list_.next_bucket(n);
    return next == unsafe_bucket_count() ? end() : unsafe_begin(next);
  }
  const_local_iterator unsafe_end(size_type n) const {
    const size_type next = list_.next_bucket(n);
    return next == unsafe_bucket_count() ? end() : unsafe_begin(next);
  }
  const_local_iterator unsafe_cend(size_type n) const { return unsafe_end(n); }
  size_type unsafe_bucket_count() const { return list_.bucket_count(); }
  size_type unsafe_max_bucket_count() const { return max_size(); }
  size_type unsafe_bucket_size(size_type n) const {
    return static_cast<size_type>(std::distance(unsafe_begin(n), unsafe_end(n)));
  }
  size_type unsafe_bucket(const Key& key) const { return list_.bucket_of(order_of(key)); }

  float load_factor() const {
    return static_cast<float>(size()) / static_cast<float>(unsafe_bucket_count());
  }
  float max_load_factor() const { return list_.max_load; }
  /// Throws std::out_of_range.
  void max_load_factor(float most) {
    if (!(most >= 0))
      throw std::out_of_range("furca: max_load_factor: at least 0 elements are in a bucket");
    list_.max_load = most;
  }
  void rehash(size_type buckets) { list_.rehash(buckets); }
  void reserve(size_type elements) {
    const float buckets = static_cast<float>(elements) / list_.allowed_load();
    const bool fits = buckets < static_cast<float>(~size_type{0} / 8);
    list_.rehash(fits ? static_cast<size_type>(buckets) + 1 : ~size_type{0});
  }

  hasher hash_function() const { return hash_; }
  key_equal key_eq() const { return equal_; }

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
  /// A node, until it is added.
  struct Owned {
    template <class... Arguments>
    explicit Owned(const Allocator& memory, Arguments&&... arguments)
        : allocator(memory), node(Node::make(memory, std::forward<Arguments>(arguments)...)) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
      if (node != nullptr) Node::destroy(allocator, node);
    }
    const Allocator& allocator;
    Node* node;
  };

  template <class K>
  std::size_t order_of(const K& key) const {
    return List::order_of(static_cast<std::size_t>(hash_(key)));
  }
  template <class K>
  auto is(const K& key) const {
    return [this, &key](const Value& value) -> bool { return equal_(key_of<Key>(value), key); };
  }
  template <class K>
  Node* find_node(const K& key) const {
    return list_.find(order_of(key), is(key));
  }

  template <class V>
  std::pair<iterator, bool> insert_value(V&& value) {
    if constexpr (!several)
      if (Node* const there = find_node(key_of<Key>(value))) return {iterator(there), false};
    return emplace(std::forward<V>(value));
  }
  std::pair<iterator, bool> add(Node* node) {
    const Key& key = key_of<Key>(node->value());
    Node* const at = list_.template add<several>(node, order_of(key), is(key));
    return {iterator(at), at == node};
  }

  static iterator after(const_iterator at) { return iterator((++at).link()); }
  template <class I, class K>
  std::pair<I, I> range_of(const K& key) const {
    const I first(find_node(key));
    I last = first;
    while (last.link() != nullptr && equal_(key_of<Key>(*last), key)) {
      ++last;
      if (!several) break;
    }
    return {first, last};
  }
  template <class K>
  size_type count_of(const K& key) const {
    const auto [first, last] = range_of<const_iterator>(key);
    return static_cast<size_type>(std::distance(first, last));
  }
  template <class K>
  size_type erase_all(const K& key) {
    const auto [first, last] = range_of<const_iterator>(key);
    const auto number = static_cast<size_type>(std::distance(first, last));
    unsafe_erase(first, last);
    return number;
  }
  template <class K>
  node_type extract_first(const K& key) {
    Node* const node = find_node(key);
    return node != nullptr ? unsafe_extract(iterator(node)) : node_type();
  }
  void take_each(Unordered& other) {
    list_.max_load = other.list_.max_load;
    list_.rehash(other.list_.bucket_count());
    for (Value& value : other) emplace(std::move(value));
  }

  Hash hash_;
  key_equal equal_;
  List list_;
};

/// A map of one element for a key.
template <class Map, class Key>
typename Map::mapped_type& mapped_at(Map& map, const Key& key) {
  const auto at = map.find(key);
  if (at == map.end()) throw std::out_of_range("furca: at(): no such key");
  return const_cast<typename Map::mapped_type&>(at->second);
}

}  // namespace tbb::detail
