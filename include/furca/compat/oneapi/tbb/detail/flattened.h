// tbb::flatten2d: the elements of a container's containers, one after the other.
#pragma once

#include "../version.h"

#include <cstddef>
#include <iterator>

namespace tbb {

/// As oneTBB's: for an enumerable_thread_specific whose values are containers. It refers to the
/// container, which must stay as it is.
template <class Container>
class flattened2d {
  using Inner = typename Container::value_type;
  using Outer = typename Container::const_iterator;

  /// Where in which inner container. Inner containers are not changed by a const outer one, but
  /// their elements may be.
  template <class Value>
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    Iterator() = default;
    Iterator(Outer at, Outer end) : outer_(at), end_(end) { find(); }
    /// Either from the other, as in oneTBB.
    template <class Other>
    Iterator(const Iterator<Other>& other)  // NOLINT: implicit, as between a container's iterators
        : outer_(other.outer_), end_(other.end_), inner_(other.inner_) {}

    reference operator*() const { return *inner_; }
    pointer operator->() const { return &*inner_; }
    Iterator& operator++() {
      ++inner_;
      if (inner_ == here().end()) {
        ++outer_;
        find();
      }
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    template <class Other>
    bool operator==(const Iterator<Other>& other) const {
      return outer_ == other.outer_ && (outer_ == end_ || inner_ == other.inner_);
    }

   private:
    template <class>
    friend class Iterator;

    Inner& here() const { return const_cast<Inner&>(*outer_); }
    void find() {
      while (outer_ != end_ && here().begin() == here().end()) ++outer_;
      if (outer_ != end_) inner_ = here().begin();
    }

    Outer outer_{};
    Outer end_{};
    typename Inner::iterator inner_{};
  };

 public:
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using allocator_type = typename Inner::allocator_type;
  using value_type = typename Inner::value_type;
  using reference = value_type&;
  using const_reference = const value_type&;
  using pointer = value_type*;
  using const_pointer = const value_type*;
  using iterator = Iterator<value_type>;
  using const_iterator = Iterator<const value_type>;

  explicit flattened2d(const Container& container)
      : flattened2d(container, container.begin(), container.end()) {}
  flattened2d(const Container&, Outer begin, Outer end) : begin_(begin), end_(end) {}

  iterator begin() { return {begin_, end_}; }
  iterator end() { return {end_, end_}; }
  const_iterator begin() const { return {begin_, end_}; }
  const_iterator end() const { return {end_, end_}; }

  /// Adds up the sizes of the inner containers.
  size_type size() const {
    size_type all = 0;
    for (Outer at = begin_; at != end_; ++at) all += at->size();
    return all;
  }

 private:
  Outer begin_;
  Outer end_;
};

/// All of a container, or from one of its containers to another.
/// @{
template <class Container>
flattened2d<Container> flatten2d(const Container& container) {
  return flattened2d<Container>(container);
}

template <class Container>
flattened2d<Container> flatten2d(const Container& container,
                                 const typename Container::const_iterator begin,
                                 const typename Container::const_iterator end) {
  return {container, begin, end};
}
/// @}

}  // namespace tbb
