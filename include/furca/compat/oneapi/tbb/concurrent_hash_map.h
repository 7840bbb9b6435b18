// tbb::concurrent_hash_map: a map whose elements are locked while a thread uses them.
#pragma once

#include "detail/containers/common.h"
#include "detail/containers/locked_map.h"
#include "detail/split.h"
#include "spin_rw_mutex.h"
#include "tbb_allocator.h"

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace tbb {

/// std::hash and `==`.
template <class Key>
class tbb_hash_compare {
 public:
  std::size_t hash(const Key& key) const { return std::hash<Key>()(key); }
  bool equal(const Key& a, const Key& b) const { return std::equal_to<Key>()(a, b); }
};

namespace detail {

template <class Compare>
concept ComparesOthers = requires { typename Compare::is_transparent; };

template <class A, class Map>
concept AccessorTo = std::derived_from<A, typename Map::const_accessor>;

}  // namespace detail

/// As oneTBB's. insert(), emplace(), find(), count() and erase() are for any number of threads at
/// once. An accessor holds its element until it is released: nobody else writes it meanwhile, and
/// nobody erases it. Who wants an element that is held waits. Everything else is for a thread that
/// is alone. An exception while an element is added adds nothing.
///
/// A thread may hold several accessors, but threads that take two elements in different orders may
/// wait for each other for ever.
template <class Key, class T, class HashCompare = tbb_hash_compare<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_hash_map {
  using Elements = detail::LockedMap<Key, T, HashCompare, Allocator>;
  using Node = typename Elements::Node;
  using List = typename Elements::List;
  using Traits = std::allocator_traits<Allocator>;
  using Map = concurrent_hash_map;

  static_assert(std::is_same_v<std::pair<const Key, T>, typename Allocator::value_type>,
                "furca: concurrent_hash_map: the allocator must be one of its values");

 public:
  using key_type = Key;
  using mapped_type = T;
  using value_type = std::pair<const Key, T>;
  using allocator_type = std::type_identity_t<Allocator>;
  using hash_compare_type = std::type_identity_t<HashCompare>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = typename Traits::pointer;
  using const_pointer = typename Traits::const_pointer;
  using reference = value_type&;
  using const_reference = const value_type&;
  using iterator = detail::NodeIterator<Node, value_type>;
  using const_iterator = detail::NodeIterator<Node, const value_type>;
  using range_type = typename List::template Range<value_type>;
  using const_range_type = typename List::template Range<const value_type>;
  using const_accessor = typename Elements::ConstAccessor;
  using accessor = typename Elements::Accessor;

  concurrent_hash_map() : Map(HashCompare()) {}
  explicit concurrent_hash_map(const hash_compare_type& compare,
                               const allocator_type& allocator = allocator_type())
      : elements_(compare, allocator) {}
  explicit concurrent_hash_map(const allocator_type& allocator) : Map(HashCompare(), allocator) {}
  concurrent_hash_map(size_type n,
                      const allocator_type& allocator = allocator_type())  // NOLINT: as oneTBB's
      : Map(n, HashCompare(), allocator) {}
  concurrent_hash_map(size_type n, const hash_compare_type& compare,
                      const allocator_type& allocator = allocator_type())
      : Map(compare, allocator) {
    elements_.list.rehash(n);
  }
  template <detail::InputIterator I>
  concurrent_hash_map(I first, I last, const allocator_type& allocator = allocator_type())
      : Map(first, last, HashCompare(), allocator) {}
  template <detail::InputIterator I>
  concurrent_hash_map(I first, I last, const hash_compare_type& compare,
                      const allocator_type& allocator = allocator_type())
      : Map(compare, allocator) {
    insert(first, last);
  }
  concurrent_hash_map(std::initializer_list<value_type> values,
                      const hash_compare_type& compare = hash_compare_type(),
                      const allocator_type& allocator = allocator_type())
      : Map(values.begin(), values.end(), compare, allocator) {}
  concurrent_hash_map(std::initializer_list<value_type> values, const allocator_type& allocator)
      : Map(values, HashCompare(), allocator) {}
  concurrent_hash_map(const Map& other)
      : Map(other, Traits::select_on_container_copy_construction(other.get_allocator())) {}
  concurrent_hash_map(const Map& other, const allocator_type& allocator)
      : Map(other.bucket_count(), other.elements_.compare, allocator) {
    insert(other.begin(), other.end());
  }
  concurrent_hash_map(Map&& other)
      : Map(other.elements_.compare, std::move(other.elements_.list.allocator())) {
    elements_.list.swap(other.elements_.list);
  }
  concurrent_hash_map(Map&& other, const allocator_type& allocator)
      : Map(other.elements_.compare, allocator) {
    elements_.take(other.elements_);
  }

  Map& operator=(const Map& other) {
    if (this == &other) return *this;
    clear();
    detail::copy_along(elements_.list.allocator(), other.elements_.list.allocator());
    elements_.compare = other.elements_.compare;
    insert(other.begin(), other.end());
    return *this;
  }
  Map& operator=(Map&& other) {
    if (this == &other) return *this;
    clear();
    detail::move_along(elements_.list.allocator(), other.elements_.list.allocator());
    elements_.compare = other.elements_.compare;
    if constexpr (detail::kMovesAlong<Allocator> || detail::kAlwaysEqual<Allocator>) {
      elements_.list.swap(other.elements_.list);
    } else {
      elements_.take(other.elements_);
    }
    return *this;
  }
  Map& operator=(std::initializer_list<value_type> values) {
    clear();
    insert(values);
    return *this;
  }
  void swap(Map& other) {
    detail::swap_along(elements_.list.allocator(), other.elements_.list.allocator());
    std::swap(elements_.compare, other.elements_.compare);
    elements_.list.swap(other.elements_.list);
  }
  friend void swap(Map& a, Map& b) { a.swap(b); }

  void rehash(size_type buckets = 0) { elements_.list.rehash(buckets); }
  void clear() { elements_.list.clear(); }
  range_type range(size_type grainsize = 1) { return {elements_.list, grainsize}; }
  const_range_type range(size_type grainsize = 1) const { return {elements_.list, grainsize}; }
  iterator begin() { return iterator(elements_.list.first()); }
  const_iterator begin() const { return const_iterator(elements_.list.first()); }
  const_iterator cbegin() const { return begin(); }
  iterator end() { return {}; }
  const_iterator end() const { return {}; }
  const_iterator cend() const { return {}; }
  size_type size() const { return elements_.list.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  size_type max_size() const { return Traits::max_size(elements_.list.allocator()); }
  size_type bucket_count() const { return elements_.list.bucket_count(); }
  allocator_type get_allocator() const { return elements_.list.allocator(); }

  /// For a thread that is alone.
  /// @{
  std::pair<iterator, iterator> equal_range(const Key& key) {
    return elements_.template range_of<iterator>(key);
  }
  std::pair<const_iterator, const_iterator> equal_range(const Key& key) const {
    return elements_.template range_of<const_iterator>(key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  std::pair<iterator, iterator> equal_range(const K& key) {
    return elements_.template range_of<iterator>(key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  std::pair<const_iterator, const_iterator> equal_range(const K& key) const {
    return elements_.template range_of<const_iterator>(key);
  }
  /// @}

  /// Any thread: true, it is there, and the accessor has it.
  /// @{
  size_type count(const Key& key) const { return elements_.look(nullptr, key); }
  bool find(const_accessor& result, const Key& key) const { return elements_.look(&result, key); }
  bool find(accessor& result, const Key& key) { return elements_.look(&result, key); }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  size_type count(const K& key) const {
    return elements_.look(nullptr, key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  bool find(const_accessor& result, const K& key) const {
    return elements_.look(&result, key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  bool find(accessor& result, const K& key) {
    return elements_.look(&result, key);
  }
  /// @}

  /// Any thread: true, it was added. The accessor has the element in either case.
  /// @{
  template <detail::AccessorTo<Map> A>
  bool insert(A& result, const Key& key) {
    return elements_.add_key(&result, key);
  }
  template <detail::AccessorTo<Map> A, class K>
    requires(detail::ComparesOthers<HashCompare> && std::is_constructible_v<Key, const K&>)
  bool insert(A& result, const K& key) {
    return elements_.add_key(&result, key);
  }
  template <detail::AccessorTo<Map> A>
  bool insert(A& result, const value_type& value) {
    return elements_.add(&result, value.first, value);
  }
  template <detail::AccessorTo<Map> A>
  bool insert(A& result, value_type&& value) {
    return elements_.add(&result, value.first, std::move(value));
  }
  bool insert(const value_type& value) { return elements_.add(nullptr, value.first, value); }
  bool insert(value_type&& value) { return elements_.add(nullptr, value.first, std::move(value)); }
  template <detail::AccessorTo<Map> A, class... Arguments>
  bool emplace(A& result, Arguments&&... arguments) {
    return elements_.add_new(&result, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  bool emplace(Arguments&&... arguments) {
    return elements_.add_new(nullptr, std::forward<Arguments>(arguments)...);
  }
  template <detail::InputIterator I>
  void insert(I first, I last) {
    for (; first != last; ++first) insert(*first);
  }
  void insert(std::initializer_list<value_type> values) { insert(values.begin(), values.end()); }
  /// @}

  /// Any thread: true, this call has erased it. Waits until nobody else has it; releases the
  /// accessor.
  /// @{
  bool erase(const Key& key) { return elements_.erase_key(key); }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  bool erase(const K& key) {
    return elements_.erase_key(key);
  }
  template <detail::AccessorTo<Map> A>
  bool erase(A& item) {
    return elements_.erase_held(item);
  }
  /// @}

  template <class Other>
  bool operator==(const concurrent_hash_map<Key, T, HashCompare, Other>& other) const {
    if (size() != other.size()) return false;
    for (const value_type& value : *this) {
      const auto at = other.equal_range(value.first).first;
      if (at == other.end() || !(at->second == value.second)) return false;
    }
    return true;
  }

 private:
  Elements elements_;
};

template <detail::InputIterator I, class... More>
concurrent_hash_map(I, I, More...) -> concurrent_hash_map<
    detail::KeyAt<I>, detail::MappedAt<I>,
    detail::FunctionIn<0, tbb_hash_compare<detail::KeyAt<I>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const detail::KeyAt<I>, detail::MappedAt<I>>>,
                        More...>>;
template <class K, class T, class... More>
concurrent_hash_map(std::initializer_list<std::pair<K, T>>, More...) -> concurrent_hash_map<
    std::remove_const_t<K>, T,
    detail::FunctionIn<0, tbb_hash_compare<std::remove_const_t<K>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const std::remove_const_t<K>, T>>, More...>>;

}  // namespace tbb
