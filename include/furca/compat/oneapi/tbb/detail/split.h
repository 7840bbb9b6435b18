// The tags of splitting constructors, and what a range is.
#pragma once

#include "../version.h"

#include <concepts>
#include <cstddef>

namespace tbb {

/// Tag of splitting constructors: R(R& r, split) has the second part of r, and r keeps the first.
class split {};

/// The same with the sizes of the parts, for ranges that can do that.
class proportional_split {
 public:
  explicit proportional_split(std::size_t left = 1, std::size_t right = 1)
      : left_(left), right_(right) {}

  std::size_t left() const { return left_; }
  std::size_t right() const { return right_; }
  explicit operator split() const { return {}; }

 private:
  std::size_t left_;
  std::size_t right_;
};

namespace detail {

/// What a loop can run over: it is asked whether it can be split, and split by its splitting
/// constructor.
template <class R>
concept Range =
    std::copy_constructible<R> && std::constructible_from<R, R&, split> && requires(const R range) {
      { range.empty() } -> std::convertible_to<bool>;
      { range.is_divisible() } -> std::convertible_to<bool>;
    };

}  // namespace detail

}  // namespace tbb
