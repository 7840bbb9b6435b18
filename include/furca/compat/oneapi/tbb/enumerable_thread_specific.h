// tbb::enumerable_thread_specific: one value for each thread, and a container of all of them.
#pragma once

#include "blocked_range.h"
#include "cache_aligned_allocator.h"
#include "concurrent_vector.h"
#include "detail/flattened.h"
#include "detail/thread_values.h"
#include "profiling.h"
#include "task.h"
#include "tbb_allocator.h"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tbb {

/// Accepted; all are the same here.
enum ets_key_usage_type { ets_key_per_instance, ets_no_key, ets_suspend_aware };

template <class T, class Allocator = cache_aligned_allocator<T>,
          ets_key_usage_type key = ets_no_key>
class enumerable_thread_specific;

namespace detail {

template <class T, class Other>
inline constexpr bool kTableOf = false;
template <class T, class Allocator, ets_key_usage_type key>
inline constexpr bool kTableOf<T, enumerable_thread_specific<T, Allocator, key>> = true;

/// Not a function that makes values, nor a value, nor another table of values: what a value is made
/// from.
template <class P, class T>
concept ValueArgument = !std::invocable<P&> && !std::same_as<P, T> && !kTableOf<T, P>;

}  // namespace detail

/// As oneTBB's. A value belongs to its thread, and stays when a pool ends, or the thread.
///
/// Cost of local(): some nanoseconds for the tables that the thread has used last, otherwise a lock
/// and a search among the threads.
/// Thread-safety: local() from any number of threads at once; all other members while no thread is
/// in local().
template <class T, class Allocator, ets_key_usage_type key>
class enumerable_thread_specific {
  using Table = detail::ThreadValues<T, Allocator>;

  /// Iterators as a range for loops.
  template <class I>
  class Values : public blocked_range<I> {
   public:
    using value_type = T;
    using reference = typename I::reference;
    using const_reference = const T&;
    using iterator = I;
    using difference_type = std::ptrdiff_t;

    Values(I begin, I end, std::size_t grain = 1) : blocked_range<I>(begin, end, grain) {}
    template <class Other>
    // NOLINT: as between iterators
    Values(const Values<Other>& other)
        : blocked_range<I>(other.begin(), other.end(), other.grainsize()) {}
    Values(Values& r, split tag) : blocked_range<I>(r, tag) {}
  };

 public:
  using value_type = T;
  using allocator_type = Allocator;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using iterator = detail::ThreadValueIterator<Table, T>;
  using const_iterator = detail::ThreadValueIterator<Table, const T>;
  using range_type = Values<iterator>;
  using const_range_type = Values<const_iterator>;

  /// Values begin as T(), as make() returns them, as copies of `exemplar`, or as T(arguments...).
  /// @{
  enumerable_thread_specific()
      : table_(detail::make_by<T>([](void* where) { ::new (where) T(); })) {}
  template <class Make>
    requires std::invocable<std::decay_t<Make>&>
  explicit enumerable_thread_specific(Make make)
      : table_(detail::make_by<T>(
            [f = std::move(make)](void* where) mutable { ::new (where) T(f()); })) {}
  explicit enumerable_thread_specific(const T& exemplar)
      : table_(detail::make_by<T>([exemplar](void* where) { ::new (where) T(exemplar); })) {}
  explicit enumerable_thread_specific(T&& exemplar)
      : table_(detail::make_by<T>(
            [from = std::move(exemplar)](void* where) { ::new (where) T(from); })) {}
  template <class P, class... Arguments>
    requires detail::ValueArgument<std::decay_t<P>, T>
  enumerable_thread_specific(P&& first, Arguments&&... others)  // NOLINT: implicit, as oneTBB's
      : table_(detail::make_by<T>(
            [all = std::tuple<std::decay_t<P>, std::decay_t<Arguments>...>(
                 std::forward<P>(first), std::forward<Arguments>(others)...)](void* where) {
              std::apply([where](const auto&... a) { ::new (where) T(a...); }, all);
            })) {}
  /// @}

  /// Each thread's value of another one, and how values are made there.
  /// @{
  enumerable_thread_specific(const enumerable_thread_specific& other) : table_(nullptr) {
    copy(other);
  }
  enumerable_thread_specific(enumerable_thread_specific&& other)
      : enumerable_thread_specific(std::move(other), 0) {}
  template <class A, ets_key_usage_type k>
  // NOLINT: implicit, as oneTBB's
  enumerable_thread_specific(const enumerable_thread_specific<T, A, k>& other) : table_(nullptr) {
    copy(other);
  }
  template <class A, ets_key_usage_type k>
  // NOLINT
  enumerable_thread_specific(enumerable_thread_specific<T, A, k>&& other) : table_(nullptr) {
    move(other);
  }
  enumerable_thread_specific& operator=(const enumerable_thread_specific& other) {
    if (this != &other) enumerable_thread_specific(other).swap(*this);
    return *this;
  }
  enumerable_thread_specific& operator=(enumerable_thread_specific&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class A, ets_key_usage_type k>
  enumerable_thread_specific& operator=(const enumerable_thread_specific<T, A, k>& other) {
    enumerable_thread_specific(other).swap(*this);
    return *this;
  }
  template <class A, ets_key_usage_type k>
  enumerable_thread_specific& operator=(enumerable_thread_specific<T, A, k>&& other) {
    enumerable_thread_specific(std::move(other)).swap(*this);
    return *this;
  }
  /// @}

  /// The calling thread's value, made at its first call; `exists`: whether it was there.
  /// @{
  reference local() {
    bool exists = false;
    return local(exists);
  }
  reference local(bool& exists) { return table_.local(exists); }
  /// @}

  /// Destroys all values.
  void clear() { table_.clear(); }

  size_type size() const { return table_.size(); }
  bool empty() const { return size() == 0; }
  iterator begin() { return {table_, 0}; }
  iterator end() { return {table_, size()}; }
  const_iterator begin() const { return {table_, 0}; }
  const_iterator end() const { return {table_, size()}; }
  range_type range(size_type grainsize = 1) { return {begin(), end(), grainsize}; }
  const_range_type range(size_type grainsize = 1) const { return {begin(), end(), grainsize}; }

  /// Combines all values by op(T, T), in no particular order; without values: one that is made for
  /// it.
  template <class Op>
  T combine(Op op) {
    if (empty()) return table_.fresh();
    const_iterator at = std::as_const(*this).begin();
    T all = *at;
    for (++at; at != std::as_const(*this).end(); ++at) all = op(std::as_const(all), *at);
    return all;
  }

  /// Calls f with each value.
  template <class F>
  void combine_each(F f) {
    for (T& value : *this) f(value);
  }

 private:
  template <class, class A, ets_key_usage_type k>
  friend class enumerable_thread_specific;

  /// The other is left as if it had been made anew: how values are made is needed in both.
  enumerable_thread_specific(enumerable_thread_specific&& other, int)
      : table_(other.table_.maker()) {
    swap(other);
  }

  template <class Other>
  void copy(const Other& other) {
    table_.take_from(other.table_, [](const T& value) -> const T& { return value; });
  }
  template <class Other>
  void move(Other& other) {
    table_.take_from(other.table_, [](T& value) -> T&& { return std::move(value); });
    other.clear();
  }
  void swap(enumerable_thread_specific& other) noexcept { table_.swap(other.table_); }

  Table table_;
};

}  // namespace tbb
