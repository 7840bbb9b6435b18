// Goes from one element of a concurrent_vector to the next.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// An element's number, and its address if that is known already.
template <class Vector, class Value>
class VectorIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  using pointer = Value*;
  using reference = Value&;

  VectorIterator() = default;
  VectorIterator(const Vector& vector, std::size_t index, Value* item = nullptr)
      : vector_(&vector), index_(index), item_(item) {}
  template <class Other>
    requires std::is_same_v<const Other, Value>
  VectorIterator(const VectorIterator<Vector, Other>& other)  // NOLINT: as any const_iterator
      : vector_(other.vector_), index_(other.index_), item_(other.item_) {}

  reference operator*() const { return item_ != nullptr ? *item_ : *vector_->element(index_); }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type by) const { return *(*this + by); }

  VectorIterator& operator++() {
    ++index_;
    item_ = item_ != nullptr && !Vector::begins_segment(index_) ? item_ + 1 : nullptr;
    return *this;
  }
  VectorIterator& operator--() {
    item_ = item_ != nullptr && !Vector::begins_segment(index_) ? item_ - 1 : nullptr;
    --index_;
    return *this;
  }
  VectorIterator operator++(int) {
    const VectorIterator before = *this;
    ++*this;
    return before;
  }
  VectorIterator operator--(int) {
    const VectorIterator before = *this;
    --*this;
    return before;
  }
  VectorIterator& operator+=(difference_type by) {
    index_ += static_cast<std::size_t>(by);
    item_ = nullptr;
    return *this;
  }
  VectorIterator& operator-=(difference_type by) { return *this += -by; }
  VectorIterator operator+(difference_type by) const { return VectorIterator(*this) += by; }
  VectorIterator operator-(difference_type by) const { return VectorIterator(*this) -= by; }
  friend VectorIterator operator+(difference_type by, const VectorIterator& at) { return at + by; }

  template <class Other>
  difference_type operator-(const VectorIterator<Vector, Other>& other) const {
    return static_cast<difference_type>(index_ - other.index_);
  }
  template <class Other>
  bool operator==(const VectorIterator<Vector, Other>& other) const {
    return vector_ == other.vector_ && index_ == other.index_;
  }
  template <class Other>
  auto operator<=>(const VectorIterator<Vector, Other>& other) const {
    return index_ <=> other.index_;
  }

 private:
  template <class, class>
  friend class VectorIterator;

  const Vector* vector_ = nullptr;
  std::size_t index_ = ~std::size_t{0};
  Value* item_ = nullptr;
};

}  // namespace tbb::detail
