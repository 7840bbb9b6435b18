// What the concurrent containers in order have in common.
#pragma once

#include "node_container.h"
#include "skip_list.h"

#include <initializer_list>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// The order of a map's elements: that of their keys.
template <class Key, class Value, class Less>
class ValueLess {
 public:
  bool operator()(const Value& a, const Value& b) const { return less_(a.first, b.first); }

 protected:
  template <class, class, class, class, bool>
  friend class Ordered;
  explicit ValueLess(const Less& less) : less_(less) {}

 private:
  Less less_;
};

/// A set or map in order. Which threads may do what: see NodeContainer.
template <class Key, class Value, class Less, class Allocator, bool several>
class Ordered : public NodeContainer<SkipList<Key, Value, Less, Allocator, several>> {
  using Structure = SkipList<Key, Value, Less, Allocator, several>;
  using Base = NodeContainer<Structure>;

 public:
  using key_compare = Less;
  using value_compare =
      std::conditional_t<std::is_same_v<Key, Value>, Less, ValueLess<Key, Value, Less>>;
  using typename Base::const_iterator;
  using typename Base::iterator;

  Ordered() : Ordered(Less()) {}
  explicit Ordered(const Less& less, const Allocator& allocator = Allocator())
      : Base(std::in_place, less, allocator) {}
  explicit Ordered(const Allocator& allocator) : Ordered(Less(), allocator) {}
  template <InputIterator I>
  Ordered(I first, I last, const Less& less = Less(), const Allocator& allocator = Allocator())
      : Ordered(less, allocator) {
    this->insert(first, last);
  }
  template <InputIterator I>
  Ordered(I first, I last, const Allocator& allocator) : Ordered(first, last, Less(), allocator) {}
  Ordered(std::initializer_list<Value> values, const Less& less = Less(),
          const Allocator& allocator = Allocator())
      : Ordered(values.begin(), values.end(), less, allocator) {}
  Ordered(std::initializer_list<Value> values, const Allocator& allocator)
      : Ordered(values, Less(), allocator) {}
  Ordered(const Ordered&) = default;
  Ordered(const Ordered& other, const Allocator& allocator) : Base(other, allocator) {}
  Ordered(Ordered&&) = default;
  Ordered(Ordered&& other, const Allocator& allocator) : Base(std::move(other), allocator) {}
  Ordered& operator=(const Ordered&) = default;
  Ordered& operator=(Ordered&&) = default;
  using Base::operator=;

  /// Any thread.
  /// @{
  iterator lower_bound(const Key& key) { return iterator(structure_.lower(key)); }
  const_iterator lower_bound(const Key& key) const { return const_iterator(structure_.lower(key)); }
  iterator upper_bound(const Key& key) { return iterator(structure_.upper(key)); }
  const_iterator upper_bound(const Key& key) const { return const_iterator(structure_.upper(key)); }
  template <SoughtIn<Structure> K>
  iterator lower_bound(const K& key) {
    return iterator(structure_.lower(key));
  }
  template <SoughtIn<Structure> K>
  const_iterator lower_bound(const K& key) const {
    return const_iterator(structure_.lower(key));
  }
  template <SoughtIn<Structure> K>
  iterator upper_bound(const K& key) {
    return iterator(structure_.upper(key));
  }
  template <SoughtIn<Structure> K>
  const_iterator upper_bound(const K& key) const {
    return const_iterator(structure_.upper(key));
  }
  /// @}

  key_compare key_comp() const { return structure_.less; }
  value_compare value_comp() const { return value_compare(structure_.less); }

  friend bool operator==(const Ordered& a, const Ordered& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }
  friend auto operator<=>(const Ordered& a, const Ordered& b) { return compare(a, b); }

 private:
  using Base::structure_;
};

}  // namespace tbb::detail
