// Elements of concurrent sets and maps in nodes, which pass from one to another.
#pragma once

#include "../split.h"
#include "common.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// What a container keeps of a value: the value itself, or the first of a pair.
template <class Key, class Value>
const Key& key_of(const Value& value) noexcept {
  if constexpr (std::is_same_v<Key, Value>) {
    return value;
  } else {
    return value.first;
  }
}

/// The types that a node of a set, or of a map, has.
/// @{
template <class Key, class Value>
struct NodeTypes {
  using key_type = Key;
  using mapped_type = typename Value::second_type;
};
template <class Key>
struct NodeTypes<Key, Key> {
  using value_type = Key;
};
/// @}

/// A node that is in no container: it owns the element, and keeps the allocator that has made it.
/// Node has value() and, static, destroy(allocator, node).
template <class Key, class Value, class Node, class Allocator>
class NodeHandle : public NodeTypes<Key, Value> {
 public:
  using allocator_type = Allocator;

  NodeHandle() = default;
  NodeHandle(Node* node, const Allocator& allocator) : node_(node), allocator_(allocator) {}
  NodeHandle(NodeHandle&& other) noexcept
      : node_(std::exchange(other.node_, nullptr)), allocator_(other.allocator_) {}
  NodeHandle& operator=(NodeHandle&& other) noexcept {
    if (this == &other) return *this;
    drop();
    allocator_.reset();
    if (other.allocator_) allocator_.emplace(*other.allocator_);
    node_ = std::exchange(other.node_, nullptr);
    return *this;
  }
  ~NodeHandle() { drop(); }

  [[nodiscard]] bool empty() const { return node_ == nullptr; }
  explicit operator bool() const { return node_ != nullptr; }
  /// Of an empty one a new allocator, where there is such a thing.
  allocator_type get_allocator() const {
    if constexpr (std::is_default_constructible_v<Allocator>)
      if (!allocator_) return Allocator();
    return *allocator_;
  }

  void swap(NodeHandle& other) {
    NodeHandle mine(std::move(*this));
    *this = std::move(other);
    other = std::move(mine);
  }
  friend void swap(NodeHandle& a, NodeHandle& b) { a.swap(b); }

  Key& key() const
    requires(!std::is_same_v<Key, Value>)
  {
    return const_cast<Key&>(node_->value().first);
  }
  auto& mapped() const
    requires(!std::is_same_v<Key, Value>)
  {
    return node_->value().second;
  }
  Key& value() const
    requires std::is_same_v<Key, Value>
  {
    return node_->value();
  }

  /// Not oneTBB's: for containers.
  /// @{
  Node* node() const noexcept { return node_; }
  void give() noexcept { node_ = nullptr; }
  /// @}

 private:
  void drop() noexcept {
    if (node_ != nullptr) Node::destroy(*allocator_, node_);
    node_ = nullptr;
  }

  Node* node_ = nullptr;
  std::optional<Allocator> allocator_;  // none: it has had no node yet
};

/// Goes from one node to the next, node->following(), to null.
template <class Node, class V>
class NodeIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = V;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  using pointer = V*;
  using reference = V&;

  NodeIterator() = default;
  explicit NodeIterator(Node* at) : at_(at) {}
  template <class Other>
    requires std::is_same_v<const Other, V>
  NodeIterator(const NodeIterator<Node, Other>& other)  // NOLINT: as any const_iterator
      : at_(other.node()) {}

  reference operator*() const { return at_->value(); }
  pointer operator->() const { return &**this; }
  NodeIterator& operator++() {
    at_ = at_->following();
    return *this;
  }
  NodeIterator operator++(int) { return NodeIterator(std::exchange(at_, at_->following())); }
  template <class Other>
  bool operator==(const NodeIterator<Node, Other>& other) const {
    return at_ == other.node();
  }

  /// Not oneTBB's: null at the end.
  Node* node() const noexcept { return at_; }

 private:
  Node* at_ = nullptr;
};

/// The nodes of a list for a parallel loop. list.middle(begin, end) is where it is divided; or end,
/// it is not.
template <class List, class V>
class NodeRange {
 public:
  using size_type = std::size_t;
  using value_type = V;
  using reference = V&;
  using difference_type = std::ptrdiff_t;
  using iterator = NodeIterator<typename List::Node, V>;

  NodeRange(const List& list, size_type grainsize = 1)  // NOLINT: as oneTBB's
      : list_(&list), begin_(list.first()), grainsize_(grainsize) {
    find_middle();
  }
  template <class Other>
    requires std::is_same_v<const Other, V>
  NodeRange(const NodeRange<List, Other>& other)  // NOLINT: of const elements from one of others
      : list_(other.list_),
        begin_(other.begin_),
        end_(other.end_),
        middle_(other.middle_),
        grainsize_(other.grainsize_) {}
  NodeRange(NodeRange& other, split)
      : list_(other.list_), begin_(other.middle_), end_(other.end_), grainsize_(other.grainsize_) {
    other.end_ = begin_;
    other.find_middle();
    find_middle();
  }

  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return middle_ != end_; }
  size_type size() const { return static_cast<size_type>(std::distance(begin(), end())); }
  size_type grainsize() const { return grainsize_; }
  iterator begin() const { return iterator(begin_); }
  iterator end() const { return iterator(end_); }

 private:
  template <class, class>
  friend class NodeRange;

  void find_middle() { middle_ = empty() ? end_ : list_->middle(begin_, end_); }

  const List* list_;
  typename List::Node* begin_ = nullptr;
  typename List::Node* end_ = nullptr;
  typename List::Node* middle_ = nullptr;
  size_type grainsize_ = 1;
};

}  // namespace tbb::detail
