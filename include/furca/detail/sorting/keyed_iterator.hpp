// Two ranges as one of keys with values, for sorts. A tuple of references, as furca::zip has for
// its elements, cannot be assigned to before C++23.
#pragma once

#include <furca/detail/sorting/ordering.hpp>

namespace furca::detail {

/// An element that is in neither range for a while.
template <class K, class V>
struct KeyedValue {
  std::iter_value_t<K> key;
  std::iter_value_t<V> value;

  std::iter_value_t<K>& its_key() noexcept { return key; }
};

/// An element that is in its place.
template <class K, class V>
struct KeyedReference {
  K key;
  V value;

  std::iter_reference_t<K> its_key() const { return *key; }

  const KeyedReference& operator=(KeyedValue<K, V>&& from) const {
    *key = std::move(from.key);
    *value = std::move(from.value);
    return *this;
  }
};

/// The part of an iterator that sorts ask for; it does not model std::random_access_iterator.
template <class K, class V>
class KeyedIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = KeyedValue<K, V>;

  KeyedIterator(K key, V value) : key_(std::move(key)), value_(std::move(value)) {}

  KeyedReference<K, V> operator*() const { return {key_, value_}; }
  KeyedReference<K, V> operator[](difference_type n) const { return *(*this + n); }

  KeyedIterator& operator++() { return *this += 1; }
  KeyedIterator& operator+=(difference_type n) {
    key_ += static_cast<std::iter_difference_t<K>>(n);
    value_ += static_cast<std::iter_difference_t<V>>(n);
    return *this;
  }
  friend KeyedIterator operator+(KeyedIterator i, difference_type n) { return i += n; }
  friend KeyedIterator operator-(KeyedIterator i, difference_type n) { return i += -n; }
  friend difference_type operator-(const KeyedIterator& a, const KeyedIterator& b) {
    return static_cast<difference_type>(a.key_ - b.key_);
  }
  friend bool operator==(const KeyedIterator& a, const KeyedIterator& b) {
    return a.key_ == b.key_;
  }

  friend KeyedValue<K, V> iter_move(const KeyedIterator& i) {
    return {std::ranges::iter_move(i.key_), std::ranges::iter_move(i.value_)};
  }
  friend void iter_swap(const KeyedIterator& a, const KeyedIterator& b) {
    std::ranges::iter_swap(a.key_, b.key_);
    std::ranges::iter_swap(a.value_, b.value_);
  }

 private:
  K key_;
  V value_;
};

/// Does the key of one element come before that of another?
template <class K, class Comp, class Proj>
struct KeyPrecedes {
  Precedes<K, Comp, Proj> less;

  template <class A, class B>
  bool operator()(A&& a, B&& b) const {
    return less(a.its_key(), b.its_key());
  }
};

}  // namespace furca::detail
