// tbb::concurrent_unordered_set and concurrent_unordered_multiset.
// Checked by: tests/compat/containers_test.cpp ("unordered: threads add, look and go through"), by
// ThreadSanitizer
#pragma once

#include "detail/containers/unordered.h"
#include "detail/split.h"
#include "tbb_allocator.h"

#include <functional>
#include <initializer_list>
#include <utility>

namespace tbb {

/// As oneTBB's: see detail::NodeContainer.
template <class Key, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>,
          class Allocator = tbb_allocator<Key>>
class concurrent_unordered_set : public detail::Unordered<Key, Key, Hash, Equal, Allocator, false> {
  using Base = detail::Unordered<Key, Key, Hash, Equal, Allocator, false>;

 public:
  using Base::Base;
  concurrent_unordered_set& operator=(std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }
  friend void swap(concurrent_unordered_set& a, concurrent_unordered_set& b) { a.swap(b); }
};

template <class Key, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>,
          class Allocator = tbb_allocator<Key>>
class concurrent_unordered_multiset
    : public detail::Unordered<Key, Key, Hash, Equal, Allocator, true> {
  using Base = detail::Unordered<Key, Key, Hash, Equal, Allocator, true>;

 public:
  using Base::Base;
  concurrent_unordered_multiset& operator=(
      std::initializer_list<typename Base::value_type> values) {
    Base::operator=(values);
    return *this;
  }
  friend void swap(concurrent_unordered_multiset& a, concurrent_unordered_multiset& b) {
    a.swap(b);
  }
};

template <detail::InputIterator I, class... More>
concurrent_unordered_set(I, I, More...)
    -> concurrent_unordered_set<detail::ValueAt<I>,
                                detail::FunctionIn<0, std::hash<detail::ValueAt<I>>, More...>,
                                detail::FunctionIn<1, std::equal_to<detail::ValueAt<I>>, More...>,
                                detail::AllocatorIn<tbb_allocator<detail::ValueAt<I>>, More...>>;
template <class K, class... More>
concurrent_unordered_set(std::initializer_list<K>, More...)
    -> concurrent_unordered_set<K, detail::FunctionIn<0, std::hash<K>, More...>,
                                detail::FunctionIn<1, std::equal_to<K>, More...>,
                                detail::AllocatorIn<tbb_allocator<K>, More...>>;
template <class K, class H, class E, class A>
concurrent_unordered_set(concurrent_unordered_set<K, H, E, A>, A)
    -> concurrent_unordered_set<K, H, E, A>;

template <detail::InputIterator I, class... More>
concurrent_unordered_multiset(I, I, More...) -> concurrent_unordered_multiset<
    detail::ValueAt<I>, detail::FunctionIn<0, std::hash<detail::ValueAt<I>>, More...>,
    detail::FunctionIn<1, std::equal_to<detail::ValueAt<I>>, More...>,
    detail::AllocatorIn<tbb_allocator<detail::ValueAt<I>>, More...>>;
template <class K, class... More>
concurrent_unordered_multiset(std::initializer_list<K>, More...)
    -> concurrent_unordered_multiset<K, detail::FunctionIn<0, std::hash<K>, More...>,
                                     detail::FunctionIn<1, std::equal_to<K>, More...>,
                                     detail::AllocatorIn<tbb_allocator<K>, More...>>;
template <class K, class H, class E, class A>
concurrent_unordered_multiset(concurrent_unordered_multiset<K, H, E, A>, A)
    -> concurrent_unordered_multiset<K, H, E, A>;

}  // namespace tbb
