// The list behind the concurrent containers that are in order.
#pragma once

#include "common.h"
#include "nodes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// What skip lists are made of; the model checker has its own.
struct SkipMachine {
  template <class T>
  using Atomic = std::atomic<T>;

  static constexpr std::size_t kLevels = 32;

  /// One, and one more with a chance of a half each time.
  static std::size_t random_height() noexcept {
    static thread_local std::uint64_t numbers = 0;
    std::uint64_t bits = numbers += 0x9E3779B97F4A7C15U;
    bits = (bits ^ bits >> 30U) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ bits >> 27U) * 0x94D049BB133111EBU;
    return 1 + std::min<std::size_t>(static_cast<unsigned>(std::countl_zero(bits)), kLevels - 1);
  }
};

/// An element, with a link to a later one for each level that it is on. The links lie behind it.
template <class Value, class Machine>
struct SkipNode {
  using Link = typename Machine::template Atomic<SkipNode*>;

  explicit SkipNode(std::size_t levels) noexcept : height(levels) {
    for (std::size_t i = 0; i < height; ++i) ::new (static_cast<void*>(links() + i)) Link(nullptr);
  }
  ~SkipNode() { std::destroy_n(links(), height); }
  Value& value() noexcept { return storage; }
  Link* links() noexcept { return reinterpret_cast<Link*>(this + 1); }
  SkipNode* following() noexcept { return after(links(), 0); }
  /// It has none behind it on these levels and above, for who goes on from it.
  void leave_levels(std::size_t from) noexcept {
    for (std::size_t i = from; i < height; ++i)
      links()[i].store(nullptr, std::memory_order_relaxed);
  }
  static SkipNode* after(const Link* links, std::size_t level) noexcept {
    return links[level].load(std::memory_order_acquire);  // [skip.L2]
  }

  template <class Allocator, class... Arguments>
  static SkipNode* make(const Allocator& allocator, Arguments&&... arguments) {
    Rebound<Allocator, Unit> units(allocator);
    using Traits = std::allocator_traits<decltype(units)>;
    const std::size_t levels = Machine::random_height();
    Unit* const memory = Traits::allocate(units, units_for(levels));
    SkipNode* const node = ::new (static_cast<void*>(memory)) SkipNode(levels);
    try {
      Traits::construct(units, std::addressof(node->storage),
                        std::forward<Arguments>(arguments)...);
    } catch (...) {
      Traits::deallocate(units, memory, units_for(levels));
      throw;
    }
    return node;
  }
  template <class Allocator>
  static void destroy(const Allocator& allocator, SkipNode* node) noexcept {
    Rebound<Allocator, Unit> units(allocator);
    using Traits = std::allocator_traits<decltype(units)>;
    Traits::destroy(units, std::addressof(node->storage));
    const std::size_t number = units_for(node->height);
    node->~SkipNode();
    Traits::deallocate(units, reinterpret_cast<Unit*>(node), number);
  }

  static constexpr std::size_t kLevels = Machine::kLevels;

  const std::size_t height;
  union {
    Value storage;
  };

 private:
  struct Unit;
  static std::size_t units_for(std::size_t levels) noexcept {
    return (sizeof(SkipNode) + levels * sizeof(Link) + sizeof(Unit) - 1) / sizeof(Unit);
  }
};

template <class Value, class Machine>
struct alignas(SkipNode<Value, Machine>) SkipNode<Value, Machine>::Unit {
  std::byte bytes[alignof(SkipNode)];
};

/// A skip list (Pugh, CACM 1990): all elements are in order on level 0, half of them on each next
/// one. Adding is a compare-and-swap of the link before for each level, from the lowest up; looking
/// takes no lock. No element ever moves.
///
/// Checked by: tests/model/programs/skip_programs.hpp ("skip list: who finds an element finds what
/// is in it and behind it"), tests/compat/containers_test.cpp ("ordered: threads add, look and go
/// through")
///
/// Invariant: level 0 has all elements. The levels above are ways to get ahead: an element may be
/// missing there, and of equal ones the order is any.
template <class KeyType, class ValueType, class Less, class AllocatorType, bool several,
          class Machine = SkipMachine>
class SkipList {
 public:
  using Key = KeyType;
  using Value = ValueType;
  using Allocator = AllocatorType;
  using Node = SkipNode<Value, Machine>;
  template <class V>
  using Range = NodeRange<SkipList, V>;

  static constexpr bool kSeveral = several;
  static constexpr bool kOthers = requires { typename Less::is_transparent; };

  SkipList(const Less& order, const Allocator& allocator) : less(order), allocator_(allocator) {}
  /// With the functions of another one, whose elements stay there.
  SkipList(const SkipList& like, const Allocator& allocator) : SkipList(like.less, allocator) {}
  SkipList(const SkipList&) = delete;
  SkipList& operator=(const SkipList&) = delete;
  ~SkipList() { clear(); }

  void take_functions(const SkipList& like) noexcept(std::is_nothrow_copy_assignable_v<Less>) {
    less = like.less;
  }
  void swap_functions(SkipList& other) noexcept(std::is_nothrow_swappable_v<Less>) {
    using std::swap;
    swap(less, other.less);
  }
  void swap_elements(SkipList& other) noexcept {
    for (std::size_t i = 0; i < Node::kLevels; ++i) swap_alone(head_[i], other.head_[i]);
    swap_alone(height_, other.height_);
    swap_alone(size_, other.size_);
  }

  Allocator& allocator() noexcept { return allocator_; }
  const Allocator& allocator() const noexcept { return allocator_; }
  std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  Node* first() const noexcept { return Node::after(head_, 0); }

  void clear() noexcept {
    for (Node* at = first(); at != nullptr;)
      Node::destroy(allocator_, std::exchange(at, at->following()));
    for (Link& link : head_) link.store(nullptr, std::memory_order_relaxed);
    size_.store(0, std::memory_order_relaxed);
  }

  /// The first element that is not before a key, or null.
  template <class K>
  Node* lower(const K& key) const {
    return bound([&](Node* at) -> bool { return less(key_at(at), key); });
  }
  /// The first element that is behind a key, or null.
  template <class K>
  Node* upper(const K& key) const {
    return bound([&](Node* at) -> bool { return !less(key, key_at(at)); });
  }
  template <class K>
  Node* find(const K& key) const {
    Node* const at = lower(key);
    return at != nullptr && !less(key, key_at(at)) ? at : nullptr;
  }
  template <class K>
  std::pair<Node*, Node*> equal_range(const K& key) const {
    Node* const from = lower(key);
    Node* to = from;
    while (to != nullptr && !less(key, key_at(to))) to = to->following();
    return {from, to};
  }

  /// Adds a node, behind those with its key. If there is one, and not several may be, returns that
  /// and false. Throws what a comparison throws, and the node is not added.
  std::pair<Node*, bool> add(Node* node) {
    const Key& key = key_at(node);
    const auto is_before = [&](Node* at) -> bool {
      return several ? !less(key, key_at(at)) : less(key_at(at), key);
    };
    Link* before[Node::kLevels];
    std::fill_n(before, Node::kLevels, static_cast<Link*>(head_));
    bound(is_before, before);
    node->leave_levels(1);  // it may have been in another list
    for (;;) {
      Node* at = go_on(before[0], 0, is_before);
      if (!several && at != nullptr && !less(key, key_at(at))) return {at, false};
      if (link(node, before[0], 0, at)) break;
    }
    size_.fetch_add(1, std::memory_order_relaxed);
    std::size_t level = 1;
    try {
      for (; level < node->height; ++level)
        while (!link(node, before[level], level, go_on(before[level], level, is_before))) {
        }
    } catch (...) {  // it is in the list, but not on all of its levels
      node->leave_levels(level);
      return {node, true};
    }
    std::size_t height = height_.load(std::memory_order_relaxed);
    while (height < node->height &&
           !height_.compare_exchange_weak(height, node->height, std::memory_order_relaxed,
                                          std::memory_order_relaxed)) {
    }
    return {node, true};
  }

  /// For add(): nothing but the node needs memory.
  void prepare(const Key&) {}

  /// For a thread that is alone.
  void take_out(Node* node) {
    Link* before = head_;
    for (std::size_t level = Node::kLevels; level-- > 0;) {
      go_on(before, level, [&](Node* at) -> bool { return less(key_at(at), key_at(node)); });
      if (level >= node->height) continue;
      Link* links = before;
      Node* at = Node::after(links, level);
      for (; at != nullptr && at != node; at = Node::after(links, level)) links = at->links();
      if (at == node)
        links[level].store(Node::after(at->links(), level), std::memory_order_relaxed);
    }
    size_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// The first element in between on the highest level that has one whose key is behind begin's:
  /// of equal ones the order is another on each level.
  Node* middle(Node* begin, Node* end) const {
    const bool from_head = begin == first();
    const Link* const links = from_head ? head_ : begin->links();
    for (std::size_t level = from_head ? Node::kLevels : begin->height; level-- > 0;) {
      Node* at = Node::after(links, level);
      if (at == begin) at = Node::after(begin->links(), level);
      const bool behind = at != nullptr && (from_head || less(key_at(begin), key_at(at)));
      if (behind && at != end && (end == nullptr || less(key_at(at), key_at(end)))) return at;
    }
    return end;
  }

 private:
  using Link = typename Node::Link;
  using Count = typename Machine::template Atomic<std::size_t>;

  static const Key& key_at(Node* node) noexcept { return key_of<Key>(node->value()); }

  /// Moves `before` on to the last node on a level of which is_before is true, and returns the one
  /// behind it.
  template <class Links, class IsBefore>
  static Node* go_on(Links& before, std::size_t level, const IsBefore& is_before) {
    Node* at = Node::after(before, level);
    for (; at != nullptr && is_before(at); at = Node::after(before, level)) before = at->links();
    return at;
  }
  /// The first node of which is_before is false; and on each level the one before it.
  template <class IsBefore>
  Node* bound(const IsBefore& is_before, Link** before = nullptr) const {
    Link* links = const_cast<Link*>(head_);
    Node* at = nullptr;
    for (std::size_t level = height_.load(std::memory_order_relaxed); level-- > 0;) {
      at = go_on(links, level, is_before);
      if (before != nullptr) before[level] = links;
    }
    return at;
  }
  static bool link(Node* node, Link* before, std::size_t level, Node* at) noexcept {
    node->links()[level].store(at, std::memory_order_relaxed);
    // [skip.L1] pairs with L2: who finds the node finds what is in it, and its links below
    return before[level].compare_exchange_strong(at, node, std::memory_order_release,
                                                 std::memory_order_relaxed);
  }

 public:
  Less less;

 private:
  FURCA_NO_UNIQUE_ADDRESS Allocator allocator_;
  Link head_[Node::kLevels]{};
  Count height_{1};  // of the highest node: never too low for level 0
  Count size_{0};
};

}  // namespace tbb::detail
