// What concurrent sets and maps have in common whose elements are in nodes.
#pragma once

#include "common.h"
#include "node_lookup.h"
#include "nodes.h"

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tbb::detail {

template <class K, class Structure>
concept ErasedFrom =
    Structure::kOthers &&
    !std::is_convertible_v<K, NodeIterator<typename Structure::Node, typename Structure::Value>>;
template <class V, class Structure>
concept MadeInto = !std::is_same_v<typename Structure::Key, typename Structure::Value> &&
                   std::is_constructible_v<typename Structure::Value, V&&>;

/// A set of keys, or a map: the structure's Value is the key or a pair. Adding, looking and going
/// from one element to the next are for any number of threads at once; elements stay where they
/// are. What is called unsafe, clear(), swap() and assignments are for a thread that is alone. An
/// exception while an element is added adds nothing.
template <class Structure>
class NodeContainer : public NodeLookup<Structure> {
  using Lookup = NodeLookup<Structure>;

 protected:
  using Lookup::kIsMap;
  using Lookup::structure_;
  using typename Lookup::Allocator;
  using typename Lookup::Key;
  using typename Lookup::Node;
  using typename Lookup::Traits;
  using typename Lookup::Value;

 public:
  using typename Lookup::const_iterator;
  using typename Lookup::iterator;
  using typename Lookup::node_type;
  using typename Lookup::size_type;

  void clear() noexcept { structure_.clear(); }

  void swap(NodeContainer& other) noexcept(
      kSwapsFreely<Allocator> &&
      noexcept(std::declval<Structure&>().swap_functions(std::declval<Structure&>()))) {
    if (this == &other) return;
    structure_.swap_functions(other.structure_);  // may throw
    swap_along(structure_.allocator(), other.structure_.allocator());
    structure_.swap_elements(other.structure_);
  }

  /// Any thread: where the element is, and whether it was added. What is there already stays.
  /// @{
  std::pair<iterator, bool> insert(const Value& value) { return insert_value(value); }
  std::pair<iterator, bool> insert(Value&& value) { return insert_value(std::move(value)); }
  template <MadeInto<Structure> V>
  std::pair<iterator, bool> insert(V&& value) {
    return emplace(std::forward<V>(value));
  }
  iterator insert(const_iterator, const Value& value) { return insert(value).first; }
  iterator insert(const_iterator, Value&& value) { return insert(std::move(value)).first; }
  template <MadeInto<Structure> V>
  iterator insert(const_iterator, V&& value) {
    return emplace(std::forward<V>(value)).first;
  }
  template <InputIterator I>
  void insert(I first, I last) {
    for (; first != last; ++first) insert(*first);
  }
  void insert(std::initializer_list<Value> values) { insert(values.begin(), values.end()); }
  std::pair<iterator, bool> insert(node_type&& node) {
    if (node.empty()) return {iterator(), false};
    const auto [at, added] = structure_.add(node.node());
    if (added) node.give();
    return {iterator(at), added};
  }
  iterator insert(const_iterator, node_type&& node) { return insert(std::move(node)).first; }
  template <class... Arguments>
  std::pair<iterator, bool> emplace(Arguments&&... arguments) {
    Owned node(structure_.allocator(), std::forward<Arguments>(arguments)...);
    const auto [at, added] = structure_.add(node.node);
    if (added) node.node = nullptr;
    return {iterator(at), added};
  }
  template <class... Arguments>
  iterator emplace_hint(const_iterator, Arguments&&... arguments) {
    return emplace(std::forward<Arguments>(arguments)...).first;
  }
  /// @}

  iterator unsafe_erase(const_iterator at) {
    const iterator next(at.node()->following());
    structure_.take_out(at.node());
    Node::destroy(structure_.allocator(), at.node());
    return next;
  }
  iterator unsafe_erase(iterator at) { return unsafe_erase(const_iterator(at)); }
  iterator unsafe_erase(const_iterator first, const_iterator last) {
    while (first != last) first = unsafe_erase(first);
    return iterator(last.node());
  }
  size_type unsafe_erase(const Key& key) { return erase_all(key); }
  template <ErasedFrom<Structure> K>
  size_type unsafe_erase(const K& key) {
    return erase_all(key);
  }
  node_type unsafe_extract(const_iterator at) {
    structure_.take_out(at.node());
    return {at.node(), structure_.allocator()};
  }
  node_type unsafe_extract(iterator at) { return unsafe_extract(const_iterator(at)); }
  node_type unsafe_extract(const Key& key) { return extract_first(key); }
  template <ErasedFrom<Structure> K>
  node_type unsafe_extract(const K& key) {
    return extract_first(key);
  }

  /// A thread that is alone: moves those elements here whose keys are new here, or may be several.
  template <class Other>
    requires std::is_same_v<typename std::remove_reference_t<Other>::node_type, node_type>
  void merge(Other&& other) {
    if (static_cast<const void*>(std::addressof(other)) == this) return;
    for (auto at = other.begin(); at != other.end();) {
      const auto next = std::next(at);
      const Key& key = key_of<Key>(*at);
      if (Structure::kSeveral || !this->contains(key)) {
        structure_.prepare(key);  // what throws comes before it is taken out
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

  /// Of a map with one element for a key; at() throws std::out_of_range.
  /// @{
  auto& operator[](const Key& key)
    requires(kIsMap && !Structure::kSeveral)
  {
    return at_or_new(key);
  }
  auto& operator[](Key&& key)
    requires(kIsMap && !Structure::kSeveral)
  {
    return at_or_new(std::move(key));
  }
  auto& at(const Key& key)
    requires(kIsMap && !Structure::kSeveral)
  {
    return there(key)->value().second;
  }
  const auto& at(const Key& key) const
    requires(kIsMap && !Structure::kSeveral)
  {
    return there(key)->value().second;
  }
  /// @}

 protected:
  template <class... Functions>
  explicit NodeContainer(std::in_place_t, const Functions&... functions)
      : Lookup(std::in_place, functions...) {}
  NodeContainer(const NodeContainer& other)
      : NodeContainer(other, Traits::select_on_container_copy_construction(other.get_allocator())) {
  }
  NodeContainer(const NodeContainer& other, const Allocator& allocator)
      : Lookup(std::in_place, other.structure_, allocator) {
    for (const Value& value : other) emplace(value);
  }
  NodeContainer(NodeContainer&& other)
      : Lookup(std::in_place, other.structure_, other.get_allocator()) {
    structure_.swap_elements(other.structure_);
  }
  NodeContainer(NodeContainer&& other, const Allocator& allocator)
      : Lookup(std::in_place, other.structure_, allocator) {
    take(other);
  }
  ~NodeContainer() = default;

  NodeContainer& operator=(const NodeContainer& other) {
    if (this == &other) return *this;
    clear();
    copy_along(structure_.allocator(), other.structure_.allocator());
    structure_.take_functions(other.structure_);
    for (const Value& value : other) emplace(value);
    return *this;
  }
  NodeContainer& operator=(NodeContainer&& other) noexcept(
      (kMovesAlong<Allocator> || kAlwaysEqual<Allocator>) &&
      noexcept(std::declval<Structure&>().take_functions(std::declval<const Structure&>()))) {
    if (this == &other) return *this;
    clear();
    const bool all =
        kMovesAlong<Allocator> || same(structure_.allocator(), other.structure_.allocator());
    move_along(structure_.allocator(), other.structure_.allocator());
    structure_.take_functions(other.structure_);
    if (all) {
      structure_.swap_elements(other.structure_);
    } else if constexpr (!kMovesAlong<Allocator> && !kAlwaysEqual<Allocator>) {
      for (Value& value : other) emplace(std::move(value));
    }
    return *this;
  }
  NodeContainer& operator=(std::initializer_list<Value> values) {
    clear();
    insert(values);
    return *this;
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

  template <class V>
  std::pair<iterator, bool> insert_value(V&& value) {
    if constexpr (!Structure::kSeveral)
      if (Node* const node = structure_.find(key_of<Key>(value))) return {iterator(node), false};
    return emplace(std::forward<V>(value));
  }
  template <class K>
  size_type erase_all(const K& key) {
    const size_type before = this->size();
    const auto [first, last] = structure_.equal_range(key);
    unsafe_erase(const_iterator(first), const_iterator(last));
    return before - this->size();
  }
  template <class K>
  node_type extract_first(const K& key) {
    Node* const node = structure_.find(key);
    return node != nullptr ? unsafe_extract(iterator(node)) : node_type();
  }
  template <class K>
  auto& at_or_new(K&& key) {
    Node* const node = structure_.find(key);
    if (node != nullptr) return node->value().second;
    return emplace(std::piecewise_construct, std::forward_as_tuple(std::forward<K>(key)),
                   std::tuple<>())
        .first->second;
  }
  Node* there(const Key& key) const {
    Node* const node = structure_.find(key);
    if (node == nullptr) throw std::out_of_range("furca: at(): no such key");
    return node;
  }
  void take(NodeContainer& other) {
    if (same(structure_.allocator(), other.structure_.allocator())) {
      structure_.swap_elements(other.structure_);
    } else {
      for (Value& value : other) emplace(std::move(value));
    }
  }
};

}  // namespace tbb::detail
