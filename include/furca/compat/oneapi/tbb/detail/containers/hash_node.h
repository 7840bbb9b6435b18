// The elements of concurrent hash containers.
// Checked by: tests/compat/containers_test.cpp ("unordered: threads add, look and go through"), by
// ThreadSanitizer
#pragma once

#include "common.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace tbb::detail {

/// What the list is made of: an element, whose order is odd, or the beginning of a bucket.
struct HashLink {
  explicit HashLink(std::size_t at = 0) noexcept : order(at) {}
  bool has_value() const noexcept { return order % 2 != 0; }
  HashLink* after() const noexcept { return next.load(std::memory_order_acquire); }  // [hash.L2]

  std::atomic<HashLink*> next{nullptr};
  std::size_t order;
};

/// An element. More is what a container keeps beside it.
template <class Value, class More>
struct HashNode : HashLink {
  HashNode() noexcept {}
  ~HashNode() {}
  Value& value() noexcept { return storage; }
  HashNode* following() const noexcept { return from(after()); }
  /// The element there, or the first one behind it; or null.
  static HashNode* from(HashLink* at) noexcept {
    while (at != nullptr && !at->has_value()) at = at->after();
    return static_cast<HashNode*>(at);
  }

  template <class Allocator, class... Arguments>
  static HashNode* make(const Allocator& allocator, Arguments&&... arguments) {
    Rebound<Allocator, HashNode> nodes(allocator);
    using Traits = std::allocator_traits<decltype(nodes)>;
    HashNode* const node = Traits::allocate(nodes, 1);
    ::new (static_cast<void*>(node)) HashNode;
    try {
      Traits::construct(nodes, std::addressof(node->storage),
                        std::forward<Arguments>(arguments)...);
    } catch (...) {
      Traits::deallocate(nodes, node, 1);
      throw;
    }
    return node;
  }
  template <class Allocator>
  static void destroy(const Allocator& allocator, HashNode* node) noexcept {
    Rebound<Allocator, HashNode> nodes(allocator);
    using Traits = std::allocator_traits<decltype(nodes)>;
    Traits::destroy(nodes, std::addressof(node->storage));
    node->~HashNode();
    Traits::deallocate(nodes, node, 1);
  }

  union {
    Value storage;
  };
  FURCA_NO_UNIQUE_ADDRESS More more;
};

}  // namespace tbb::detail
