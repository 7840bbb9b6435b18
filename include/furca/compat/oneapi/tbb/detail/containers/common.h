// What the concurrent containers share.
#pragma once

#include "../../version.h"

#include <furca/detail/base/processor.hpp>

#include <algorithm>
#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

namespace tbb {

class split;

namespace detail {

/// For a thing that another thread is about to do: looks for some microseconds, then lets other
/// threads run between two looks.
class Patience {
 public:
  void pause() {
    if (looks_ >= kLooks) return std::this_thread::yield();
    for (int pauses = 1 << looks_++; pauses > 0; --pauses) furca::detail::StdAtomics::relax();
  }

 private:
  static constexpr int kLooks = 6;
  int looks_ = 0;
};

template <class I>
concept InputIterator = requires { typename std::iterator_traits<I>::iterator_category; };

template <class A>
concept AllocatorLike = requires(A& allocator) {
  typename A::value_type;
  allocator.allocate(std::size_t{1});
};

template <class I>
using ValueAt = typename std::iterator_traits<I>::value_type;
template <class I>
using KeyAt = std::remove_const_t<typename ValueAt<I>::first_type>;
template <class I>
using MappedAt = typename ValueAt<I>::second_type;

/// What a deduction guide makes of the arguments behind the elements: the first or second (n = 0 or
/// 1) of the function objects among them, and the allocator; else the default.
/// @{
template <unsigned n, class Default, class... More>
struct FunctionAmong {
  using Type = Default;
};
template <unsigned n, class Default, class First, class... More>
struct FunctionAmong<n, Default, First, More...> : FunctionAmong<n, Default, More...> {};
template <unsigned n, class Default, class First, class... More>
  requires(!std::is_integral_v<First> && !AllocatorLike<First>)
struct FunctionAmong<n, Default, First, More...> : FunctionAmong<n - 1, Default, More...> {};
template <class Default, class First, class... More>
  requires(!std::is_integral_v<First> && !AllocatorLike<First>)
struct FunctionAmong<0, Default, First, More...> {
  using Type = First;
};
template <unsigned n, class Default, class... More>
using FunctionIn = typename FunctionAmong<n, Default, More...>::Type;

template <class Default, class... More>
struct AllocatorAmong {
  using Type = Default;
};
template <class Default, class First, class... More>
struct AllocatorAmong<Default, First, More...> : AllocatorAmong<Default, More...> {};
template <class Default, AllocatorLike First, class... More>
struct AllocatorAmong<Default, First, More...> {
  using Type = First;
};
template <class Default, class... More>
using AllocatorIn = typename AllocatorAmong<Default, More...>::Type;
/// @}

template <class Allocator, class T>
using Rebound = typename std::allocator_traits<Allocator>::template rebind_alloc<T>;

/// The allocators are those of containers that are swapped or assigned: they go along if their
/// traits say so.
/// @{
template <class Allocator>
inline constexpr bool kMovesAlong =
    std::allocator_traits<Allocator>::propagate_on_container_move_assignment::value;
template <class Allocator>
inline constexpr bool kAlwaysEqual = std::allocator_traits<Allocator>::is_always_equal::value;
template <class Allocator>
inline constexpr bool kSwapsFreely =
    std::allocator_traits<Allocator>::propagate_on_container_swap::value || kAlwaysEqual<Allocator>;

template <class Allocator>
bool same([[maybe_unused]] const Allocator& a, [[maybe_unused]] const Allocator& b) {
  if constexpr (kAlwaysEqual<Allocator>) {
    return true;
  } else {
    return a == b;
  }
}

template <class Allocator>
void copy_along(Allocator& to, const Allocator& from) {
  if constexpr (std::allocator_traits<Allocator>::propagate_on_container_copy_assignment::value)
    to = from;
}
template <class Allocator>
void move_along(Allocator& to, Allocator& from) {
  if constexpr (kMovesAlong<Allocator>) to = std::move(from);
}
template <class Allocator>
void swap_along(Allocator& one, Allocator& other) {
  using std::swap;
  if constexpr (std::allocator_traits<Allocator>::propagate_on_container_swap::value)
    swap(one, other);
}
/// @}

/// Swaps two atomics' values, for a thread that is alone.
template <class T>
void swap_alone(std::atomic<T>& a, std::atomic<T>& b) noexcept {
  a.store(b.exchange(a.load(std::memory_order_relaxed), std::memory_order_relaxed),
          std::memory_order_relaxed);
}

/// The order of two values, by `<` where they have no `<=>`.
struct SomeOrder {
  template <class T>
  auto operator()(const T& a, const T& b) const {
    if constexpr (std::three_way_comparable<T>) {
      return a <=> b;
    } else {
      return a < b   ? std::weak_ordering::less
             : b < a ? std::weak_ordering::greater
                     : std::weak_ordering::equivalent;
    }
  }
};

template <class Container>
auto compare(const Container& a, const Container& b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end(),
                                                SomeOrder());
}

}  // namespace detail

}  // namespace tbb
