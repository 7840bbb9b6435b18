// tbb::combinable: one value for each thread, to be combined.
#pragma once

#include "cache_aligned_allocator.h"
#include "enumerable_thread_specific.h"

#include <concepts>
#include <type_traits>
#include <utility>

namespace tbb {

/// As oneTBB's. Cost and thread-safety as enumerable_thread_specific.
template <class T>
class combinable {
 public:
  combinable() = default;
  /// Values begin as make() returns them.
  template <class Make>
    requires std::invocable<std::decay_t<Make>&>
  explicit combinable(Make make) : values_(std::move(make)) {}

  combinable(const combinable&) = default;
  combinable(combinable&&) = default;
  combinable& operator=(const combinable&) = default;
  combinable& operator=(combinable&&) = default;

  void clear() { values_.clear(); }
  T& local() { return values_.local(); }
  T& local(bool& exists) { return values_.local(exists); }

  template <class Op>
  T combine(Op op) {
    return values_.combine(std::move(op));
  }
  template <class F>
  void combine_each(F f) {
    values_.combine_each(std::move(f));
  }

 private:
  enumerable_thread_specific<T> values_;
};

}  // namespace tbb
