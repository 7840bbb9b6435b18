// tbb::concurrent_hash_map: a map whose elements are locked while a thread uses them.
// Checked by: tests/compat/containers_test.cpp ("hash map: threads count, erase and look"), by
// ThreadSanitizer
#pragma once

#include "detail/containers.h"
#include "detail/hash_list.h"
#include "detail/split.h"
#include "spin_rw_mutex.h"
#include "tbb_allocator.h"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <tuple>
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

/// The locks of a list: each for the elements whose hashes end alike.
struct HashStripes {
  static constexpr std::size_t kNumber = 16;

  WordLock beginning;
  WordLock locks[kNumber];
};

template <class Compare>
concept ComparesOthers = requires { typename Compare::is_transparent; };

}  // namespace detail

/// As oneTBB's. insert(), emplace(), find(), count() and erase() are for any number of threads at
/// once. An accessor holds its element until it is released: nobody else writes it meanwhile, and
/// nobody erases it. Who wants an element that is held waits. Everything else is for a thread that
/// is alone. An exception while an element is added adds nothing.
///
/// Checked by: see above. A thread may hold several accessors, but threads that take two elements
/// in different orders may wait for each other for ever.
template <class Key, class T, class HashCompare = tbb_hash_compare<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_hash_map {
  using Node = detail::HashNode<std::pair<const Key, T>, detail::WordLock>;
  using List = detail::HashList<Node, Allocator, detail::HashStripes>;
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

  /// An element that is locked for reading.
  class const_accessor {
   public:
    using value_type = const typename Map::value_type;

    const_accessor() = default;
    const_accessor(const const_accessor&) = delete;
    const_accessor& operator=(const const_accessor&) = delete;
    ~const_accessor() { release(); }

    bool empty() const { return node_ == nullptr; }
    void release() {
      if (Node* const node = std::exchange(node_, nullptr)) node->more.unlock(writes_);
    }
    const_reference operator*() const { return node_->value(); }
    const value_type* operator->() const { return &node_->value(); }

   protected:
    Node* node_ = nullptr;

   private:
    friend class concurrent_hash_map;
    bool writes_ = false;
  };

  /// One that is locked for writing.
  class accessor : public const_accessor {
   public:
    using value_type = typename Map::value_type;

    reference operator*() const { return this->node_->value(); }
    value_type* operator->() const { return &this->node_->value(); }
  };

  concurrent_hash_map() : Map(HashCompare()) {}
  explicit concurrent_hash_map(const hash_compare_type& compare,
                               const allocator_type& allocator = allocator_type())
      : compare_(compare), list_(allocator) {}
  explicit concurrent_hash_map(const allocator_type& allocator) : Map(HashCompare(), allocator) {}
  concurrent_hash_map(size_type n,
                      const allocator_type& allocator = allocator_type())  // NOLINT: as oneTBB's
      : Map(n, HashCompare(), allocator) {}
  concurrent_hash_map(size_type n, const hash_compare_type& compare,
                      const allocator_type& allocator = allocator_type())
      : Map(compare, allocator) {
    list_.rehash(n);
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
      : Map(other.bucket_count(), other.compare_, allocator) {
    insert(other.begin(), other.end());
  }
  concurrent_hash_map(Map&& other) : Map(other.compare_, std::move(other.list_.allocator())) {
    list_.swap(other.list_);
  }
  concurrent_hash_map(Map&& other, const allocator_type& allocator)
      : Map(other.compare_, allocator) {
    take(other);
  }

  Map& operator=(const Map& other) {
    if (this == &other) return *this;
    clear();
    detail::copy_along(list_.allocator(), other.list_.allocator());
    compare_ = other.compare_;
    insert(other.begin(), other.end());
    return *this;
  }
  Map& operator=(Map&& other) {
    if (this == &other) return *this;
    clear();
    detail::move_along(list_.allocator(), other.list_.allocator());
    compare_ = other.compare_;
    if constexpr (detail::kMovesAlong<Allocator> || detail::kAlwaysEqual<Allocator>) {
      list_.swap(other.list_);
    } else {
      take(other);
    }
    return *this;
  }
  Map& operator=(std::initializer_list<value_type> values) {
    clear();
    insert(values);
    return *this;
  }
  void swap(Map& other) {
    detail::swap_along(list_.allocator(), other.list_.allocator());
    std::swap(compare_, other.compare_);
    list_.swap(other.list_);
  }
  friend void swap(Map& a, Map& b) { a.swap(b); }

  void rehash(size_type buckets = 0) { list_.rehash(buckets); }
  void clear() { list_.clear(); }
  range_type range(size_type grainsize = 1) { return {list_, grainsize}; }
  const_range_type range(size_type grainsize = 1) const { return {list_, grainsize}; }
  iterator begin() { return iterator(list_.first()); }
  const_iterator begin() const { return const_iterator(list_.first()); }
  const_iterator cbegin() const { return begin(); }
  iterator end() { return {}; }
  const_iterator end() const { return {}; }
  const_iterator cend() const { return {}; }
  size_type size() const { return list_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  size_type max_size() const { return Traits::max_size(list_.allocator()); }
  size_type bucket_count() const { return list_.bucket_count(); }
  allocator_type get_allocator() const { return list_.allocator(); }

  /// For a thread that is alone.
  /// @{
  std::pair<iterator, iterator> equal_range(const Key& key) { return range_of<iterator>(key); }
  std::pair<const_iterator, const_iterator> equal_range(const Key& key) const {
    return range_of<const_iterator>(key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  std::pair<iterator, iterator> equal_range(const K& key) {
    return range_of<iterator>(key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  std::pair<const_iterator, const_iterator> equal_range(const K& key) const {
    return range_of<const_iterator>(key);
  }
  /// @}

  /// Any thread: true, it is there, and the accessor has it.
  /// @{
  size_type count(const Key& key) const { return look(nullptr, key); }
  bool find(const_accessor& result, const Key& key) const { return look(&result, key); }
  bool find(accessor& result, const Key& key) { return look(&result, key); }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  size_type count(const K& key) const {
    return look(nullptr, key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  bool find(const_accessor& result, const K& key) const {
    return look(&result, key);
  }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  bool find(accessor& result, const K& key) {
    return look(&result, key);
  }
  /// @}

  /// Any thread: true, it was added. The accessor has the element in either case.
  /// @{
  bool insert(const_accessor& result, const Key& key) { return add_key(&result, key); }
  bool insert(accessor& result, const Key& key) { return add_key(&result, key); }
  template <class K>
    requires(detail::ComparesOthers<HashCompare> && std::is_constructible_v<Key, const K&>)
  bool insert(const_accessor& result, const K& key) {
    return add_key(&result, key);
  }
  template <class K>
    requires(detail::ComparesOthers<HashCompare> && std::is_constructible_v<Key, const K&>)
  bool insert(accessor& result, const K& key) {
    return add_key(&result, key);
  }
  bool insert(const_accessor& result, const value_type& value) {
    return add(&result, value.first, value);
  }
  bool insert(accessor& result, const value_type& value) {
    return add(&result, value.first, value);
  }
  bool insert(const value_type& value) { return add(nullptr, value.first, value); }
  bool insert(const_accessor& result, value_type&& value) {
    return add(&result, value.first, std::move(value));
  }
  bool insert(accessor& result, value_type&& value) {
    return add(&result, value.first, std::move(value));
  }
  bool insert(value_type&& value) { return add(nullptr, value.first, std::move(value)); }
  template <class... Arguments>
  bool emplace(const_accessor& result, Arguments&&... arguments) {
    return add_new(&result, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  bool emplace(accessor& result, Arguments&&... arguments) {
    return add_new(&result, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  bool emplace(Arguments&&... arguments) {
    return add_new(nullptr, std::forward<Arguments>(arguments)...);
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
  bool erase(const Key& key) { return erase_key(key); }
  template <class K>
    requires detail::ComparesOthers<HashCompare>
  bool erase(const K& key) {
    return erase_key(key);
  }
  bool erase(const_accessor& item) { return erase_held(item); }
  bool erase(accessor& item) { return erase_held(item); }
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
  template <class K>
  std::size_t order_of(const K& key) const {
    return List::order_of(compare_.hash(key));
  }
  template <class K>
  auto is(const K& key) const {
    return [this, &key](const value_type& value) { return compare_.equal(key, value.first); };
  }
  template <class K>
  Node* find_node(const K& key) const {
    return list_.find(order_of(key), is(key));
  }
  template <class I, class K>
  std::pair<I, I> range_of(const K& key) const {
    const I first(find_node(key));
    return {first, first == I() ? first : std::next(first)};
  }

  /// A stripe that is locked.
  class InStripe {
   public:
    InStripe(const List& list, std::size_t order, bool write)
        : lock_(list.stripes.locks[List::stripe_of(order)]), write_(write) {
      lock_.lock(write);
    }
    ~InStripe() { lock_.unlock(write_); }
    InStripe(const InStripe&) = delete;
    InStripe& operator=(const InStripe&) = delete;

   private:
    detail::WordLock& lock_;
    const bool write_;
  };

  /// An accessor, and how it is to lock its element; or none.
  struct Wanted {
    Wanted(std::nullptr_t) {}                     // NOLINT: as the arguments that it is for
    Wanted(const_accessor* to) : accessor(to) {}  // NOLINT
    Wanted(Map::accessor* to) : accessor(to), writes(true) {}  // NOLINT

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

    const_accessor* accessor = nullptr;
    bool writes = false;
  };

  template <class K>
  bool look(Wanted result, const K& key) const {
    result.release();
    const std::size_t order = order_of(key);
    for (detail::Patience patience;; patience.pause()) {
      const InStripe in(list_, order, false);
      Node* const node = list_.find(order, is(key));
      if (node == nullptr) return false;
      if (result.takes(node)) return true;
    }
  }

  /// Adds the element that make() makes, unless it is there.
  template <class K, class Make>
  bool add_made(Wanted result, const K& key, Make make) {
    result.release();
    const std::size_t order = order_of(key);
    if (found(result, order, key)) return false;
    list_.begin_stripes();
    std::unique_ptr<Node, Drop> made(make(), Drop{this});
    for (detail::Patience patience;; patience.pause()) {
      const InStripe in(list_, order, true);
      Node* const node = list_.template add<false>(made.get(), order, is(made->value().first));
      if (node == made.get()) {
        result.takes(made.release());
        return true;
      }
      if (result.takes(node)) return false;
    }
  }
  template <class K>
  bool found(Wanted result, std::size_t order, const K& key) {
    const InStripe in(list_, order, false);
    Node* const node = list_.find(order, is(key));
    return node != nullptr && result.takes(node);
  }
  template <class K, class V>
  bool add(Wanted result, const K& key, V&& value) {
    return add_made(result, key,
                    [&] { return Node::make(list_.allocator(), std::forward<V>(value)); });
  }
  template <class K>
  bool add_key(Wanted result, const K& key) {
    return add_made(result, key, [&] {
      return Node::make(list_.allocator(), std::piecewise_construct, std::forward_as_tuple(key),
                        std::tuple<>());
    });
  }
  template <class... Arguments>
  bool add_new(Wanted result, Arguments&&... arguments) {
    Node* const node = Node::make(list_.allocator(), std::forward<Arguments>(arguments)...);
    std::unique_ptr<Node, Drop> made(node, Drop{this});
    return add_made(result, node->value().first, [&] { return made.release(); });
  }

  template <class K>
  bool erase_key(const K& key) {
    const std::size_t order = order_of(key);
    Node* node = nullptr;
    {
      const InStripe in(list_, order, true);
      node = list_.find(order, is(key));
      if (node == nullptr) return false;
      list_.take_out(node);
    }
    node->more.lock(true);  // those that have it let it go
    Drop{this}(node);
    return true;
  }

  bool erase_held(const_accessor& item) {
    Node* const node = item.node_;
    bool mine = false;
    {
      const InStripe in(list_, node->order, true);
      mine = list_.take_out(node);
    }
    item.release();
    if (!mine) return false;  // another thread has erased it, and waited for this one
    node->more.lock(true);
    Drop{this}(node);
    return true;
  }

  struct Drop {
    void operator()(Node* node) const noexcept { Node::destroy(map->list_.allocator(), node); }
    Map* map;
  };

  void take(Map& other) {
    if (detail::same(list_.allocator(), other.list_.allocator())) return list_.swap(other.list_);
    for (value_type& value : other) insert(std::move(value));
  }

  HashCompare compare_;
  List list_;
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
