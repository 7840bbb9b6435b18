// The elements of a concurrent_hash_map, and the locks on them.
// Checked by: tests/compat/containers_test.cpp ("hash map: threads count, erase and look"), by
// ThreadSanitizer
#pragma once

#include "common.h"
#include "hash_list.h"

#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>

namespace tbb::detail {

/// One writer or many readers, in one word. Who waits looks again and again, and lets others run.
class WordLock {
 public:
  bool try_lock(bool write) noexcept {
    int holders = holders_.load(std::memory_order_relaxed);
    // [hash.W1] pairs with W2
    return (write ? holders == 0 : holders >= 0) &&
           holders_.compare_exchange_strong(holders, write ? kWriter : holders + 1,
                                            std::memory_order_acquire, std::memory_order_relaxed);
  }
  void lock(bool write) {
    for (Patience patience; !try_lock(write);) patience.pause();
  }
  void unlock(bool write) noexcept {
    holders_.fetch_sub(write ? kWriter : 1, std::memory_order_release);  // [hash.W2]
  }

 private:
  static constexpr int kWriter = -1;
  std::atomic<int> holders_{0};
};

/// The locks of a list: each for the elements whose hashes end alike. There are none before the
/// first element is added.
class HashStripes {
 public:
  static constexpr std::size_t kNumber = 16;

  /// In `beginning`. Throws std::bad_alloc.
  void make() {
    // [hash.S1] pairs with S2: who finds the locks finds them open
    if (any() == nullptr) locks_.store(new Apart[kNumber], std::memory_order_release);
  }
  ~HashStripes() { delete[] any(); }

  /// Null: nothing was added yet.
  WordLock* of(std::size_t number) const noexcept {
    Apart* const locks = any();
    return locks != nullptr ? locks + number : nullptr;
  }
  void swap(HashStripes& other) noexcept { swap_alone(locks_, other.locks_); }

  WordLock beginning;

 private:
  struct alignas(furca::detail::kCacheLine) Apart : WordLock {};

  Apart* any() const noexcept { return locks_.load(std::memory_order_acquire); }  // [hash.S2]

  std::atomic<Apart*> locks_{nullptr};
};

/// What a concurrent_hash_map is made of. Any thread may add, look and erase; the rest is for a
/// thread that is alone.
template <class Key, class T, class HashCompare, class Allocator>
class LockedMap {
 public:
  using Value = std::pair<const Key, T>;
  using Node = HashNode<Value, WordLock>;
  using List = HashList<Node, Allocator, HashStripes>;

  /// An element that is locked for reading.
  class ConstAccessor {
   public:
    using value_type = const Value;

    ConstAccessor() = default;
    ConstAccessor(const ConstAccessor&) = delete;
    ConstAccessor& operator=(const ConstAccessor&) = delete;
    ~ConstAccessor() { release(); }

    bool empty() const { return node_ == nullptr; }
    void release() {
      if (Node* const node = std::exchange(node_, nullptr)) node->more.unlock(writes_);
    }
    const Value& operator*() const { return node_->value(); }
    const Value* operator->() const { return &node_->value(); }

   protected:
    Node* node_ = nullptr;

   private:
    friend class LockedMap;
    bool writes_ = false;
  };

  /// One that is locked for writing.
  class Accessor : public ConstAccessor {
   public:
    using value_type = Value;

    Value& operator*() const { return this->node_->value(); }
    Value* operator->() const { return &this->node_->value(); }
  };

  LockedMap(const HashCompare& with, const Allocator& allocator) : compare(with), list(allocator) {}

  template <class I, class K>
  std::pair<I, I> range_of(const K& key) const {
    const I first(find_node(key));
    return {first, first == I() ? first : std::next(first)};
  }

  /// An accessor, and how it is to lock its element; or none.
  struct Wanted {
    Wanted(std::nullptr_t) {}                             // NOLINT: as the arguments that it is for
    Wanted(ConstAccessor* to) : accessor(to) {}           // NOLINT
    Wanted(Accessor* to) : accessor(to), writes(true) {}  // NOLINT

    void release() const {
      if (accessor != nullptr) accessor->release();
    }
    /// Takes an element, unless that is held. In the stripe, so that it is there.
    bool takes(Node* node) const {
      if (accessor == nullptr) return true;
      if (!node->more.try_lock(writes)) return false;
      accessor->node_ = node;
      accessor->writes_ = writes;
      return true;
    }

    ConstAccessor* accessor = nullptr;
    bool writes = false;
  };

  template <class K>
  bool look(Wanted result, const K& key) const {
    result.release();
    const std::size_t order = order_of(key);
    for (Patience patience;; patience.pause()) {
      const InStripe in(list, order, false);
      Node* const node = in ? list.find(order, is(key)) : nullptr;
      if (node == nullptr) return false;
      if (result.takes(node)) return true;
    }
  }

  template <class K, class V>
  bool add(Wanted result, const K& key, V&& value) {
    return add_made(result, key,
                    [&] { return Node::make(list.allocator(), std::forward<V>(value)); });
  }
  template <class K>
  bool add_key(Wanted result, const K& key) {
    return add_made(result, key, [&] {
      return Node::make(list.allocator(), std::piecewise_construct, std::forward_as_tuple(key),
                        std::tuple<>());
    });
  }
  template <class... Arguments>
  bool add_new(Wanted result, Arguments&&... arguments) {
    Node* const node = Node::make(list.allocator(), std::forward<Arguments>(arguments)...);
    std::unique_ptr<Node, Drop> made(node, Drop{this});
    return add_made(result, node->value().first, [&] { return made.release(); });
  }

  template <class K>
  bool erase_key(const K& key) {
    const std::size_t order = order_of(key);
    Node* node = nullptr;
    {
      const InStripe in(list, order, true);
      if (in) node = list.find(order, is(key));
      if (node == nullptr) return false;
      list.take_out(node);
    }
    node->more.lock(true);  // those that have it let it go
    Drop{this}(node);
    return true;
  }

  bool erase_held(ConstAccessor& item) {
    Node* const node = item.node_;
    bool mine = false;
    {
      const InStripe in(list, node->order, true);
      mine = list.take_out(node);
    }
    item.release();
    if (!mine) return false;  // another thread has erased it, and waited for this one
    node->more.lock(true);
    Drop{this}(node);
    return true;
  }

  void take(LockedMap& other) {
    if (same(list.allocator(), other.list.allocator())) return list.swap(other.list);
    for (Node* node = other.list.first(); node != nullptr; node = node->following())
      add(nullptr, node->value().first, std::move(node->value()));
  }

  HashCompare compare;
  List list;

 private:
  template <class K>
  std::size_t order_of(const K& key) const {
    return List::order_of(compare.hash(key));
  }
  template <class K>
  auto is(const K& key) const {
    return [this, &key](const Value& value) { return compare.equal(key, value.first); };
  }
  template <class K>
  Node* find_node(const K& key) const {
    return list.find(order_of(key), is(key));
  }

  /// A stripe that is locked; or false, nothing was added yet.
  class InStripe {
   public:
    InStripe(const List& of, std::size_t order, bool write)
        : lock_(of.stripes.of(List::stripe_of(order))), write_(write) {
      if (lock_ != nullptr) lock_->lock(write);
    }
    ~InStripe() {
      if (lock_ != nullptr) lock_->unlock(write_);
    }
    InStripe(const InStripe&) = delete;
    InStripe& operator=(const InStripe&) = delete;
    explicit operator bool() const noexcept { return lock_ != nullptr; }

   private:
    WordLock* const lock_;
    const bool write_;
  };

  struct Drop {
    void operator()(Node* node) const noexcept { Node::destroy(elements->list.allocator(), node); }
    LockedMap* elements;
  };

  /// Adds the element that make() makes, unless it is there.
  template <class K, class Make>
  bool add_made(Wanted result, const K& key, Make make) {
    result.release();
    const std::size_t order = order_of(key);
    if (found(result, order, key)) return false;
    list.begin_stripes();
    std::unique_ptr<Node, Drop> made(make(), Drop{this});
    for (Patience patience;; patience.pause()) {
      const InStripe in(list, order, true);
      Node* const node = list.template add<false>(made.get(), order, is(made->value().first));
      if (node == made.get()) {
        result.takes(made.release());
        return true;
      }
      if (result.takes(node)) return false;
    }
  }
  template <class K>
  bool found(Wanted result, std::size_t order, const K& key) {
    const InStripe in(list, order, false);
    Node* const node = in ? list.find(order, is(key)) : nullptr;
    return node != nullptr && result.takes(node);
  }
};

}  // namespace tbb::detail
