// tbb::concurrent_unordered_map and concurrent_unordered_multimap.
// Checked by: tests/compat/containers_test.cpp ("unordered: threads add, look and go through"), by
// ThreadSanitizer
#pragma once

#include "detail/split.h"
#include "detail/unordered.h"
#include "tbb_allocator.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tbb {

/// As oneTBB's: see detail::Unordered. Values are for the program to protect.
template <class Key, class T, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_unordered_map
    : public detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, false> {
  using Base = detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, false>;

 public:
  using mapped_type = T;
  using Base::Base;
  concurrent_unordered_map() = default;
  concurrent_unordered_map(const concurrent_unordered_map&) = default;
  concurrent_unordered_map(const concurrent_unordered_map& other, const Allocator& allocator)
      : Base(other, allocator) {}
  concurrent_unordered_map(concurrent_unordered_map&&) = default;
  concurrent_unordered_map(concurrent_unordered_map&& other, const Allocator& allocator)
      : Base(std::move(other), allocator) {}
  concurrent_unordered_map& operator=(const concurrent_unordered_map&) = default;
  concurrent_unordered_map& operator=(concurrent_unordered_map&&) = default;
  concurrent_unordered_map& operator=(std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }

  T& operator[](const Key& key) { return at_or_new(key); }
  T& operator[](Key&& key) { return at_or_new(std::move(key)); }
  /// Throws std::out_of_range.
  T& at(const Key& key) { return detail::mapped_at(*this, key); }
  const T& at(const Key& key) const { return detail::mapped_at(*this, key); }

  friend void swap(concurrent_unordered_map& a, concurrent_unordered_map& b) { a.swap(b); }

 private:
  template <class K>
  T& at_or_new(K&& key) {
    auto at = this->find(key);
    if (at == this->end())
      at = this->emplace(std::piecewise_construct, std::forward_as_tuple(std::forward<K>(key)),
                         std::tuple<>())
               .first;
    return at->second;
  }
};

template <class Key, class T, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_unordered_multimap
    : public detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, true> {
  using Base = detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, true>;

 public:
  using mapped_type = T;
  using Base::Base;
  concurrent_unordered_multimap() = default;
  concurrent_unordered_multimap(const concurrent_unordered_multimap&) = default;
  concurrent_unordered_multimap(const concurrent_unordered_multimap& other,
                                const Allocator& allocator)
      : Base(other, allocator) {}
  concurrent_unordered_multimap(concurrent_unordered_multimap&&) = default;
  concurrent_unordered_multimap(concurrent_unordered_multimap&& other, const Allocator& allocator)
      : Base(std::move(other), allocator) {}
  concurrent_unordered_multimap& operator=(const concurrent_unordered_multimap&) = default;
  concurrent_unordered_multimap& operator=(concurrent_unordered_multimap&&) = default;
  concurrent_unordered_multimap& operator=(
      std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }

  friend void swap(concurrent_unordered_multimap& a, concurrent_unordered_multimap& b) {
    a.swap(b);
  }
};

template <detail::InputIterator I, class... More>
concurrent_unordered_map(I, I, More...) -> concurrent_unordered_map<
    detail::KeyAt<I>, detail::MappedAt<I>,
    detail::FunctionIn<0, std::hash<detail::KeyAt<I>>, More...>,
    detail::FunctionIn<1, std::equal_to<detail::KeyAt<I>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const detail::KeyAt<I>, detail::MappedAt<I>>>,
                        More...>>;
template <class K, class T, class... More>
concurrent_unordered_map(std::initializer_list<std::pair<K, T>>, More...)
    -> concurrent_unordered_map<
        std::remove_const_t<K>, T,
        detail::FunctionIn<0, std::hash<std::remove_const_t<K>>, More...>,
        detail::FunctionIn<1, std::equal_to<std::remove_const_t<K>>, More...>,
        detail::AllocatorIn<tbb_allocator<std::pair<const std::remove_const_t<K>, T>>, More...>>;

template <detail::InputIterator I, class... More>
concurrent_unordered_multimap(I, I, More...) -> concurrent_unordered_multimap<
    detail::KeyAt<I>, detail::MappedAt<I>,
    detail::FunctionIn<0, std::hash<detail::KeyAt<I>>, More...>,
    detail::FunctionIn<1, std::equal_to<detail::KeyAt<I>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const detail::KeyAt<I>, detail::MappedAt<I>>>,
                        More...>>;
template <class K, class T, class... More>
concurrent_unordered_multimap(std::initializer_list<std::pair<K, T>>, More...)
    -> concurrent_unordered_multimap<
        std::remove_const_t<K>, T,
        detail::FunctionIn<0, std::hash<std::remove_const_t<K>>, More...>,
        detail::FunctionIn<1, std::equal_to<std::remove_const_t<K>>, More...>,
        detail::AllocatorIn<tbb_allocator<std::pair<const std::remove_const_t<K>, T>>, More...>>;

}  // namespace tbb
