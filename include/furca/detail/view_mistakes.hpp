// What answers a view that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/loop_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace furca {

namespace detail {

template <class Range>
concept Temporary = std::ranges::range<Range> && !std::ranges::borrowed_range<Range>;

template <class Range>
concept Entered = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range>;

/// Stands for a view, in a program that does not compile.
struct AnyView {
  Anything* begin() const;
  Anything* end() const;
  std::size_t size() const;
};

}  // namespace detail

}  // namespace furca

/// @cond
namespace furca::found_by_name {

template <class... Arguments>
auto lazy(Arguments&&...) {
  if constexpr (sizeof...(Arguments) == 2 && std::is_invocable_v<detail::Argument<1, Arguments...>&, std::size_t>) {
    static_assert(detail::kFits<Arguments...>, "furca: what computes an element is called as const, by several threads, can be copied, and returns the element: write "
                                               "lazy(n, [&x](std::size_t i) { return f(x[i]); })");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: lazy takes a length, and what computes an element from its number: write lazy(n, [&x](std::size_t i) { return "
                                               "f(x[i]); })");
  }
  return detail::AnyView();
}

template <class... Arguments>
auto zip(Arguments&&...) {
  if constexpr ((... || detail::Temporary<Arguments>)) {
    static_assert(detail::kFits<Arguments...>, "furca: zip holds no elements, and those of a temporary are gone before they are read: give it a name first, auto y = "
                                               "make(); zip(x, y)");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: zip takes ranges that can be entered anywhere, as a std::vector or std::span, and are as many as there are "
                                               "parts: write zip(x, y)");
  }
  return detail::AnyView();
}

template <class... Arguments>
auto enumerate(Arguments&&...) {
  if constexpr ((... || detail::Temporary<Arguments>)) {
    static_assert(detail::kFits<Arguments...>, "furca: enumerate holds no elements, and those of a temporary are gone before they are read: give it a name first, "
                                               "auto x = make(); enumerate(x)");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: enumerate takes one range, which can be entered anywhere, as a std::vector or std::span: write enumerate(x)");
  }
  return detail::AnyView();
}

template <class... Arguments>
auto chunks(Arguments&&...) {
  if constexpr ((... || detail::Temporary<Arguments>)) {
    static_assert(detail::kFits<Arguments...>, "furca: chunks holds no elements, and those of a temporary are gone before they are read: give it a name first, "
                                               "auto x = make(); chunks(x, 1024)");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: chunks takes a range whose elements lie side by side, as in a std::vector, and a length: write chunks(x, 1024)");
  }
  return detail::AnyView();
}

template <class... Arguments>
auto windows(Arguments&&...) {
  if constexpr ((... || detail::Temporary<Arguments>)) {
    static_assert(detail::kFits<Arguments...>, "furca: windows holds no elements, and those of a temporary are gone before they are read: give it a name first, "
                                               "auto x = make(); windows(x, 3)");
  } else {
    static_assert(detail::kFits<Arguments...>, "furca: windows takes a range whose elements lie side by side, as in a std::vector, and a length: write windows(x, 3)");
  }
  return detail::AnyView();
}

template <class... Arguments>
auto tiles(Arguments&&...) {
  static_assert(detail::kFits<Arguments...>, "furca: tiles takes two or three lengths, and how large tiles are behind them: write tiles(rows, columns, {64, 1024}), or "
                                             "tiles(planes, rows, columns, {8, 8, 1024})");
  return detail::AnyView();
}

}  // namespace furca::found_by_name
/// @endcond
