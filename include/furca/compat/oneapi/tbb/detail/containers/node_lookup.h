// What concurrent sets and maps have in common for those that look and go through.
#pragma once

#include "common.h"
#include "nodes.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// Structures that look for other types than the key's, too.
template <class K, class Structure>
concept SoughtIn = Structure::kOthers;

template <class Key, class Value>
struct Mapped {
  using mapped_type = typename Value::second_type;
};
template <class Key>
struct Mapped<Key, Key> {};

/// The elements of a set or map, whose structure has them. All of it is for any number of threads
/// at once, while others add.
template <class Structure>
class NodeLookup : public Mapped<typename Structure::Key, typename Structure::Value> {
 protected:
  using Key = typename Structure::Key;
  using Value = typename Structure::Value;
  using Allocator = typename Structure::Allocator;
  using Node = typename Structure::Node;
  using Traits = std::allocator_traits<Allocator>;
  static constexpr bool kIsMap = !std::is_same_v<Key, Value>;

  static_assert(std::is_same_v<Value, typename Allocator::value_type>,
                "furca: a concurrent set or map: the allocator must be one of its values");

 public:
  using key_type = Key;
  using value_type = Value;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using allocator_type = Allocator;
  using reference = Value&;
  using const_reference = const Value&;
  using pointer = typename Traits::pointer;
  using const_pointer = typename Traits::const_pointer;
  using iterator = NodeIterator<Node, Value>;
  using const_iterator = NodeIterator<Node, const Value>;
  using range_type = typename Structure::template Range<Value>;
  using const_range_type = typename Structure::template Range<const Value>;
  using node_type = NodeHandle<Key, Value, Node, Allocator>;

  allocator_type get_allocator() const noexcept { return structure_.allocator(); }
  iterator begin() noexcept { return iterator(structure_.first()); }
  const_iterator begin() const noexcept { return const_iterator(structure_.first()); }
  const_iterator cbegin() const noexcept { return begin(); }
  iterator end() noexcept { return {}; }
  const_iterator end() const noexcept { return {}; }
  const_iterator cend() const noexcept { return {}; }
  range_type range() { return range_type(structure_); }
  const_range_type range() const { return const_range_type(structure_); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  size_type size() const noexcept { return structure_.size(); }
  size_type max_size() const noexcept { return Traits::max_size(structure_.allocator()); }

  /// Any thread; also with another type than the key's, if the functions say that they take it.
  /// @{
  iterator find(const Key& key) { return iterator(structure_.find(key)); }
  const_iterator find(const Key& key) const { return const_iterator(structure_.find(key)); }
  std::pair<iterator, iterator> equal_range(const Key& key) { return range_of<iterator>(key); }
  std::pair<const_iterator, const_iterator> equal_range(const Key& key) const {
    return range_of<const_iterator>(key);
  }
  size_type count(const Key& key) const { return count_of(key); }
  bool contains(const Key& key) const { return structure_.find(key) != nullptr; }

  template <SoughtIn<Structure> K>
  iterator find(const K& key) {
    return iterator(structure_.find(key));
  }
  template <SoughtIn<Structure> K>
  const_iterator find(const K& key) const {
    return const_iterator(structure_.find(key));
  }
  template <SoughtIn<Structure> K>
  std::pair<iterator, iterator> equal_range(const K& key) {
    return range_of<iterator>(key);
  }
  template <SoughtIn<Structure> K>
  std::pair<const_iterator, const_iterator> equal_range(const K& key) const {
    return range_of<const_iterator>(key);
  }
  template <SoughtIn<Structure> K>
  size_type count(const K& key) const {
    return count_of(key);
  }
  template <SoughtIn<Structure> K>
  bool contains(const K& key) const {
    return structure_.find(key) != nullptr;
  }
  /// @}

 protected:
  template <class... Functions>
  explicit NodeLookup(std::in_place_t, const Functions&... functions) : structure_(functions...) {}
  ~NodeLookup() = default;

  template <class I, class K>
  std::pair<I, I> range_of(const K& key) const {
    const auto [first, last] = structure_.equal_range(key);
    return {I(first), I(last)};
  }
  template <class K>
  size_type count_of(const K& key) const {
    const auto [first, last] = range_of<const_iterator>(key);
    return static_cast<size_type>(std::distance(first, last));
  }

  Structure structure_;
};

}  // namespace tbb::detail
