// tbb::blocked_range: a stretch of integers, of a random-access iterator's positions, or of
// anything that can be added to.
#pragma once

#include "detail/split.h"

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace tbb {

namespace detail {

/// How many values lie between two, and the value so many behind one. Integers wrap nowhere in
/// between.
template <class Value>
std::size_t distance_between(const Value& from, const Value& to) {
  if constexpr (std::integral<Value>) {
    return static_cast<std::size_t>(to) - static_cast<std::size_t>(from);
  } else {
    return static_cast<std::size_t>(to - from);
  }
}

template <class Value>
Value value_behind(const Value& from, std::size_t count) {
  if constexpr (std::integral<Value>) {
    return static_cast<Value>(static_cast<std::size_t>(from) + count);
  } else {
    return static_cast<Value>(from + static_cast<decltype(from - from)>(count));
  }
}

}  // namespace detail

/// As oneTBB's: [begin, end), which is not divided below `grainsize` values.
template <class Value>
class blocked_range {
 public:
  using const_iterator = Value;
  using size_type = std::size_t;

  blocked_range(Value begin, Value end, size_type grainsize = 1)
      : end_(end), begin_(begin), grainsize_(grainsize) {
    assert(grainsize > 0 && "furca: a blocked_range has a grain of 1 or more");
  }

  /// The second half of r, or the part that is asked for; r keeps what is before it.
  blocked_range(blocked_range& r, split) : blocked_range(r, r.size() / 2) {}
  blocked_range(blocked_range& r, const proportional_split& parts)
      : blocked_range(
            r, r.size() - static_cast<size_type>(
                              static_cast<double>(r.size()) * static_cast<double>(parts.right()) /
                                  static_cast<double>(parts.left() + parts.right()) +
                              0.5)) {}

  const_iterator begin() const { return begin_; }
  const_iterator end() const { return end_; }
  size_type size() const { return detail::distance_between(begin_, end_); }
  size_type grainsize() const { return grainsize_; }
  bool empty() const { return !(begin_ < end_); }
  bool is_divisible() const { return grainsize_ < size(); }

 private:
  /// All but the first `left` values of r.
  blocked_range(blocked_range& r, size_type left)
      : end_(r.end_), begin_(detail::value_behind(r.begin_, left)), grainsize_(r.grainsize_) {
    r.end_ = begin_;
  }

  Value end_;
  Value begin_;
  size_type grainsize_;
};

namespace detail {

/// How often a side can be cut.
template <class Value>
double grains(const blocked_range<Value>& side) {
  return static_cast<double>(side.size()) / static_cast<double>(side.grainsize());
}

}  // namespace detail

}  // namespace tbb
