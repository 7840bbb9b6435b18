// tbb::concurrent_map and concurrent_multimap.
// Checked by: tests/compat/containers_test.cpp ("ordered: threads add, look and go through"), by
// ThreadSanitizer
#pragma once

#include "detail/containers/ordered.h"
#include "detail/split.h"
#include "enumerable_thread_specific.h"
#include "tbb_allocator.h"

#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace tbb {

/// As oneTBB's: see detail::NodeContainer. Values are for the program to protect.
template <class Key, class T, class Less = std::less<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_map
    : public detail::Ordered<Key, std::pair<const Key, T>, Less, Allocator, false> {
  using Base = detail::Ordered<Key, std::pair<const Key, T>, Less, Allocator, false>;

 public:
  using Base::Base;
  concurrent_map& operator=(std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }
  friend void swap(concurrent_map& a, concurrent_map& b) { a.swap(b); }
};

template <class Key, class T, class Less = std::less<Key>,
          class Allocator = tbb_allocator<std::pair<const Key, T>>>
class concurrent_multimap
    : public detail::Ordered<Key, std::pair<const Key, T>, Less, Allocator, true> {
  using Base = detail::Ordered<Key, std::pair<const Key, T>, Less, Allocator, true>;

 public:
  using Base::Base;
  concurrent_multimap& operator=(std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }
  friend void swap(concurrent_multimap& a, concurrent_multimap& b) { a.swap(b); }
};

template <detail::InputIterator I, class... More>
concurrent_map(I, I, More...) -> concurrent_map<
    detail::KeyAt<I>, detail::MappedAt<I>,
    detail::FunctionIn<0, std::less<detail::KeyAt<I>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const detail::KeyAt<I>, detail::MappedAt<I>>>,
                        More...>>;
template <class K, class T, class... More>
concurrent_map(std::initializer_list<std::pair<K, T>>, More...) -> concurrent_map<
    std::remove_const_t<K>, T, detail::FunctionIn<0, std::less<std::remove_const_t<K>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const std::remove_const_t<K>, T>>, More...>>;
template <class K, class T, class L, class A>
concurrent_map(concurrent_map<K, T, L, A>, A) -> concurrent_map<K, T, L, A>;

template <detail::InputIterator I, class... More>
concurrent_multimap(I, I, More...) -> concurrent_multimap<
    detail::KeyAt<I>, detail::MappedAt<I>,
    detail::FunctionIn<0, std::less<detail::KeyAt<I>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const detail::KeyAt<I>, detail::MappedAt<I>>>,
                        More...>>;
template <class K, class T, class... More>
concurrent_multimap(std::initializer_list<std::pair<K, T>>, More...) -> concurrent_multimap<
    std::remove_const_t<K>, T, detail::FunctionIn<0, std::less<std::remove_const_t<K>>, More...>,
    detail::AllocatorIn<tbb_allocator<std::pair<const std::remove_const_t<K>, T>>, More...>>;
template <class K, class T, class L, class A>
concurrent_multimap(concurrent_multimap<K, T, L, A>, A) -> concurrent_multimap<K, T, L, A>;

}  // namespace tbb
