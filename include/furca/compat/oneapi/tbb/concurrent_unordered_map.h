// tbb::concurrent_unordered_map and concurrent_unordered_multimap.
// Checked by: tests/compat/containers_test.cpp ("unordered: threads add, look and go through"), by
// ThreadSanitizer
#pragma once

#include "detail/containers/unordered.h"
#include "detail/split.h"
#include "tbb_allocator.h"

#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace tbb {

/// As oneTBB's: see detail::NodeContainer. Values are for the program to protect.
template <class Key, class T, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_unordered_map
    : public detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, false> {
  using Base = detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, false>;

 public:
  using Base::Base;
  concurrent_unordered_map& operator=(std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }
  friend void swap(concurrent_unordered_map& a, concurrent_unordered_map& b) { a.swap(b); }
};

template <class Key, class T, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_unordered_multimap
    : public detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, true> {
  using Base = detail::Unordered<Key, std::pair<const Key, T>, Hash, Equal, Allocator, true>;

 public:
  using Base::Base;
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
template <class K, class T, class H, class E, class A>
concurrent_unordered_map(concurrent_unordered_map<K, T, H, E, A>, A)
    -> concurrent_unordered_map<K, T, H, E, A>;

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
template <class K, class T, class H, class E, class A>
concurrent_unordered_multimap(concurrent_unordered_multimap<K, T, H, E, A>, A)
    -> concurrent_unordered_multimap<K, T, H, E, A>;

}  // namespace tbb
