// Elements of concurrent sets and maps in nodes, which pass from one to another.
#pragma once

#include "containers.h"

#include <memory>
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

/// A node that is in no container: it owns the element. Node has storage() and, static,
/// destroy(allocator, node).
template <class Key, class Value, class Node, class Allocator>
class NodeHandle : public NodeTypes<Key, Value> {
 public:
  using allocator_type = Allocator;

  NodeHandle() = default;
  NodeHandle(Node* node, const Allocator& allocator) : node_(node), allocator_(allocator) {}
  NodeHandle(NodeHandle&& other) noexcept
      : node_(std::exchange(other.node_, nullptr)), allocator_(other.allocator_) {}
  NodeHandle& operator=(NodeHandle&& other) noexcept {
    drop();
    node_ = std::exchange(other.node_, nullptr);
    move_along(allocator_, other.allocator_);
    return *this;
  }
  ~NodeHandle() { drop(); }

  [[nodiscard]] bool empty() const { return node_ == nullptr; }
  explicit operator bool() const { return node_ != nullptr; }
  allocator_type get_allocator() const { return allocator_; }

  void swap(NodeHandle& other) {
    std::swap(node_, other.node_);
    swap_along(allocator_, other.allocator_);
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
    if (node_ != nullptr) Node::destroy(allocator_, node_);
    node_ = nullptr;
  }

  Node* node_ = nullptr;
  [[no_unique_address]] Allocator allocator_;
};

}  // namespace tbb::detail
