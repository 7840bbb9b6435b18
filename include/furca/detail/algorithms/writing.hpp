// The work of algorithms on one element, as functions of its number: each holds iterators, and the
// user's functions as an inner loop holds them.
#pragma once

#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/detail/loop/loop.hpp>

#include <tuple>
#include <vector>

namespace furca::detail {

/// The iterator n further, and the number of steps from one to another.
template <class I>
I plus(I i, std::size_t n) {
  return i + static_cast<std::iter_difference_t<I>>(n);
}
template <class I>
std::size_t between(I first, I last) {
  return static_cast<std::size_t>(last - first);
}

/// The iterator behind the first n elements of a range. In place of one into a temporary algorithms
/// return a std::ranges::dangling, which can be made of anything.
template <class Range>
auto after(Range& range, std::size_t n) {
  return detail::plus(std::ranges::begin(range), n);
}

/// The first number from `low` on, below `high`, that a test does not hold for, or `high`. It holds
/// for none behind that one.
template <class Test>
std::size_t first_without(std::size_t low, std::size_t high, Test holds) {
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Element i of what begins here.
template <class Iterator>
decltype(auto) at(const Iterator& begin, std::size_t i) {
  return begin[static_cast<std::iter_difference_t<Iterator>>(i)];
}

/// A type that stands for a bit elsewhere, or has a part that does. Made of nothing it stands for
/// none, and to assign to it writes to address 0.
template <class T>
inline constexpr bool kStandsForBit = std::same_as<T, std::vector<bool>::reference>;
template <class... Parts>
inline constexpr bool kStandsForBit<std::tuple<Parts...>> =
    (... || kStandsForBit<std::remove_cv_t<Parts>>);
template <class First, class Second>
inline constexpr bool kStandsForBit<std::pair<First, Second>> =
    kStandsForBit<std::remove_cv_t<First>> || kStandsForBit<std::remove_cv_t<Second>>;

template <class Range, class Out>
inline constexpr bool kCopiedAsMemory = false;
template <std::ranges::contiguous_range Range, std::ranges::contiguous_range Out>
inline constexpr bool kCopiedAsMemory<Range, Out> =
    std::is_trivially_copyable_v<std::ranges::range_value_t<Range>> &&
    std::same_as<std::ranges::range_value_t<Range>, std::ranges::range_value_t<Out>>;

template <class Out, class T>
inline constexpr bool kFilledAsMemory = false;
template <std::ranges::contiguous_range Out, class T>
inline constexpr bool kFilledAsMemory<Out, T> =
    std::is_arithmetic_v<T> && std::same_as<std::ranges::range_value_t<Out>, T>;

/// element = value, without the warning that a number might not fit: as in the standard library's
/// own headers.
template <class Element, class Value>
void assign(Element&& element, Value&& value) {
  using Number = std::remove_reference_t<Element>;
  if constexpr (std::is_arithmetic_v<Number> && std::is_arithmetic_v<std::remove_cvref_t<Value>>) {
    element = static_cast<Number>(value);
  } else {
    std::forward<Element>(element) = std::forward<Value>(value);
  }
}

template <class Projection, class Iterator>
using Projected = std::invoke_result_t<Projection&, std::iter_reference_t<Iterator>>;

template <class In, class Out, class F, class Projection>
struct TransformEach {
  In in;
  Out out;
  Held<F, Projected<Projection, In>> f;
  Held<Projection, std::iter_reference_t<In>> projection;

  void operator()(std::size_t i) const {
    detail::assign(detail::at(out, i),
                   detail::invoke(f, detail::invoke(projection, detail::at(in, i))));
  }
};

template <class In1, class In2, class Out, class F, class Projection1, class Projection2>
struct TransformBoth {
  In1 in1;
  In2 in2;
  Out out;
  Held<F, Projected<Projection1, In1>, Projected<Projection2, In2>> f;
  Held<Projection1, std::iter_reference_t<In1>> projection1;
  Held<Projection2, std::iter_reference_t<In2>> projection2;

  void operator()(std::size_t i) const {
    detail::assign(detail::at(out, i),
                   detail::invoke(f, detail::invoke(projection1, detail::at(in1, i)),
                                  detail::invoke(projection2, detail::at(in2, i))));
  }
};

template <class Out, class T>
struct FillEach {
  Out out;
  std::conditional_t<std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
                         sizeof(T) <= 64,
                     const T, const T&>
      value;

  void operator()(std::size_t i) const { detail::assign(detail::at(out, i), value); }
};

template <class Out, class F>
struct GenerateEach {
  Out out;
  Held<F> f;

  void operator()(std::size_t i) const { detail::assign(detail::at(out, i), detail::invoke(f)); }
};

template <class In, class F, class Projection>
struct CallEach {
  In in;
  Held<F, Projected<Projection, In>> f;
  Held<Projection, std::iter_reference_t<In>> projection;

  void operator()(std::size_t i) const {
    detail::invoke(f, detail::invoke(projection, detail::at(in, i)));
  }
};

}  // namespace furca::detail
