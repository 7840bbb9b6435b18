// What answers a transform, copy, fill, generate or for_each that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/loop_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/view_mistakes.hpp>
#include <furca/detail/writing.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

namespace furca {

namespace detail {

template <class Range>
inline constexpr bool kBits = false;
template <std::ranges::range Range>
inline constexpr bool kBits<Range> = kSharesBytes<std::ranges::iterator_t<Range>>;

/// Why there is no algorithm over these ranges, if it is for one of the reasons that all have in common. False: it is not.
template <class... Arguments>
constexpr bool explained_by_ranges() {
  using First = Argument<0, Arguments...>;
  using Second = Argument<1, Arguments...>;
  if constexpr (kIterators<First, Second>) {
    static_assert(kFits<Arguments...>, "furca: a range is one argument: write v for all of it, std::span(first, last) or std::span(pointer, n) for a part");
    return true;
  } else if constexpr ((... || (std::ranges::range<Arguments> && !Entered<Arguments>))) {
    static_assert(kFits<Arguments...>, "furca: an algorithm runs over what can be entered anywhere, as a std::vector or std::span: copy the elements of other ranges, "
                                       "or pointers to them, into a std::vector first");
    return true;
  } else {
    return false;
  }
}

/// The same where `Out` is written.
template <class Out, class... Arguments>
constexpr bool explained_by_output() {
  if constexpr (explained_by_ranges<Arguments...>()) {
    return true;
  } else if constexpr (kBits<Out>) {
    static_assert(kFits<Out>, "furca: elements of a std::vector<bool> share bytes, which several threads must not write: write into a std::vector<char>, or make a new "
                              "std::vector<bool> by map");
    return true;
  } else if constexpr (std::is_const_v<std::remove_reference_t<Out>> && std::ranges::range<Out>) {
    static_assert(kFits<Out>, "furca: what an algorithm writes to must not be const");
    return true;
  } else {
    return false;
  }
}

}  // namespace detail

}  // namespace furca

/// @cond
namespace furca::found_by_name {

template <int = 0, class... Arguments>
auto transform(Arguments&&...) {
  constexpr bool kTwo = sizeof...(Arguments) > 3 && std::ranges::range<detail::Argument<2, Arguments...>>;
  using Out = std::tuple_element_t<kTwo ? 2 : 1, std::tuple<Arguments..., void, void, void>>;
  if constexpr (!detail::explained_by_output<Out, Arguments...>()) {
    if constexpr (kTwo) {
      static_assert(detail::kFits<Arguments...>, "furca: write transform(range1, range2, out, [](const auto& a, const auto& b) { return ...; }), where an element of each range "
                                                 "gives an element of out");
    } else {
      static_assert(detail::kFits<Arguments...>, "furca: write transform(range, out, [](const auto& element) { return ...; }), where an element of the range gives an element "
                                                 "of out; for a new container write map(range, f)");
    }
  }
  return detail::Anything();
}

template <int = 0, class... Arguments>
auto copy(Arguments&&...) {
  using Out = std::tuple_element_t<1, std::tuple<Arguments..., void, void>>;
  if constexpr (!detail::explained_by_output<Out, Arguments...>())
    static_assert(detail::kFits<Arguments...>, "furca: write copy(range, out), where an element of out can be assigned one of the range");
  return detail::Anything();
}

template <class Out, class T>
auto fill(Out&&, const T&, const SourceLocation = SourceLocation::current()) {
  if constexpr (!detail::explained_by_output<Out, Out, T>())
    static_assert(detail::kFits<Out, T>, "furca: write fill(range, value), where an element of the range can be assigned the value");
  return detail::Anything();
}

template <int = 0, class... Arguments>
  requires(sizeof...(Arguments) != 2 && !std::same_as<detail::Argument<2, Arguments...>, SourceLocation>)
auto fill(const Arguments&...) {  // as std's (algorithm_mistakes.hpp)
  if constexpr (!detail::explained_by_ranges<Arguments&...>()) static_assert(detail::kFits<Arguments...>, "furca: write fill(range, value)");
  return detail::Anything();
}

template <int = 0, class... Arguments>
auto generate(Arguments&&...) {
  using Out = std::tuple_element_t<0, std::tuple<Arguments..., void>>;
  if constexpr (!detail::explained_by_output<Out, Arguments...>())
    static_assert(detail::kFits<Arguments...>, "furca: write generate(range, [] { return ...; }), where what is returned can be assigned to an element of the range");
  return detail::Anything();
}

template <int = 0, class... Arguments>
auto for_each(Arguments&&...) {
  if constexpr (!detail::explained_by_ranges<Arguments...>())
    static_assert(detail::kFits<Arguments...>, "furca: write for_each(range, [](auto& element) { ... }), and parallel_for(range, body, {.grain = 64}) where there are options");
  return detail::Anything();
}

}  // namespace furca::found_by_name
/// @endcond
