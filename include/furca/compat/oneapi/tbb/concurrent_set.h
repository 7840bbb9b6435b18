// tbb::concurrent_set and concurrent_multiset.
// Checked by: tests/compat/containers_test.cpp ("ordered: threads add, look and go through"), by
// ThreadSanitizer
#pragma once

#include "detail/containers/ordered.h"
#include "detail/split.h"
#include "enumerable_thread_specific.h"
#include "tbb_allocator.h"

#include <functional>
#include <initializer_list>
#include <utility>

namespace tbb {

/// As oneTBB's: see detail::NodeContainer.
template <class Key, class Less = std::less<Key>, class Allocator = tbb_allocator<Key>>
class concurrent_set : public detail::Ordered<Key, Key, Less, Allocator, false> {
  using Base = detail::Ordered<Key, Key, Less, Allocator, false>;

 public:
  using Base::Base;
  concurrent_set& operator=(std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }
  friend void swap(concurrent_set& a, concurrent_set& b) { a.swap(b); }
};

template <class Key, class Less = std::less<Key>, class Allocator = tbb_allocator<Key>>
class concurrent_multiset : public detail::Ordered<Key, Key, Less, Allocator, true> {
  using Base = detail::Ordered<Key, Key, Less, Allocator, true>;

 public:
  using Base::Base;
  concurrent_multiset& operator=(std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }
  friend void swap(concurrent_multiset& a, concurrent_multiset& b) { a.swap(b); }
};

template <detail::InputIterator I, class... More>
concurrent_set(I, I, More...)
    -> concurrent_set<detail::ValueAt<I>,
                      detail::FunctionIn<0, std::less<detail::ValueAt<I>>, More...>,
                      detail::AllocatorIn<tbb_allocator<detail::ValueAt<I>>, More...>>;
template <class K, class... More>
concurrent_set(std::initializer_list<K>, More...)
    -> concurrent_set<K, detail::FunctionIn<0, std::less<K>, More...>,
                      detail::AllocatorIn<tbb_allocator<K>, More...>>;
template <class K, class L, class A>
concurrent_set(concurrent_set<K, L, A>, A) -> concurrent_set<K, L, A>;

template <detail::InputIterator I, class... More>
concurrent_multiset(I, I, More...)
    -> concurrent_multiset<detail::ValueAt<I>,
                           detail::FunctionIn<0, std::less<detail::ValueAt<I>>, More...>,
                           detail::AllocatorIn<tbb_allocator<detail::ValueAt<I>>, More...>>;
template <class K, class... More>
concurrent_multiset(std::initializer_list<K>, More...)
    -> concurrent_multiset<K, detail::FunctionIn<0, std::less<K>, More...>,
                           detail::AllocatorIn<tbb_allocator<K>, More...>>;
template <class K, class L, class A>
concurrent_multiset(concurrent_multiset<K, L, A>, A) -> concurrent_multiset<K, L, A>;

}  // namespace tbb
