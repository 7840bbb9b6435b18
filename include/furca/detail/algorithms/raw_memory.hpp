// Memory for elements: those of a range that need a second place for a while, or new ones.
#pragma once

#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/large_memory.hpp>
#include <furca/threads.hpp>

namespace furca::detail {

/// Memory for n elements, in large pages if it is large. Plain ones may be assigned there at once;
/// others are made by move_in(), or made and destroyed by whoever uses it.
template <class T>
class RawMemory {
 public:
  /// Throws std::bad_alloc.
  explicit RawMemory(std::size_t n)
      : data_(n > 0 ? std::allocator<T>().allocate(n) : nullptr), size_(n) {
    if (n >= kLargeMemory / sizeof(T)) prepare_large_memory(data_, n * sizeof(T));
  }
  RawMemory(const RawMemory&) = delete;
  RawMemory& operator=(const RawMemory&) = delete;
  ~RawMemory() {
    std::destroy_n(data_, made_);
    if (size_ > 0) std::allocator<T>().deallocate(data_, size_);
  }

  T* data() const noexcept { return data_; }

  /// Makes all n of those of a range. In parallel, unless a move may throw. An outside thread's
  /// first call may throw std::bad_alloc, before an element moves: not the merge that follows.
  template <Literal name, class I>
  void move_in(I from, const SourceLocation& where) {
    const auto make = [from, to = data_](std::size_t lo, std::size_t hi) {
      for (std::size_t i = lo; i < hi; ++i)
        std::construct_at(to + i, std::ranges::iter_move(detail::plus(from, i)));
    };
    if constexpr (std::is_nothrow_constructible_v<T, std::iter_rvalue_reference_t<I>>) {
      detail::for_blocks<name>(0, size_, 2'048, make, where);
      made_ = size_;
    } else {
      (void)thread_index();
      for (; made_ < size_; ++made_) make(made_, made_ + 1);
    }
  }

 private:
  T* const data_;
  const std::size_t size_;
  std::size_t made_ = 0;
};

}  // namespace furca::detail
