// What answers a map, tabulate, collect, collect_rows or flatten that cannot be (mistakes.hpp).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/loop_mistakes.hpp>
#include <furca/detail/mistakes.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/write_mistakes.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

/// @cond
namespace furca::found_by_name {

template <template <class...> class Container = std::vector, class... Arguments>
auto map(Arguments&&...) {
  if constexpr (!detail::explained_by_ranges<Arguments...>())
    static_assert(detail::kFits<Arguments...>, "furca: map calls a function with each element, and makes a container of what it returns, which is not void and can be "
                                               "moved: write map(range, [](const auto& element) { return ...; })");
  return detail::Anything();
}

template <template <class...> class Container = std::vector, class... Arguments>
auto tabulate(Arguments&&...) {
  static_assert(detail::kFits<Arguments...>, "furca: tabulate calls a function with 0, 1, ... n - 1, and makes a container of what it returns, which is not void and can be "
                                             "moved: write tabulate(n, [](std::size_t i) { return ...; })");
  return detail::Anything();
}

template <class T, class... Arguments>
auto collect(Arguments&&...) {
  if constexpr (!detail::explained_by_ranges<Arguments...>())
    static_assert(detail::kFits<T, Arguments...>, "furca: collect calls a function with each element and a vector, to which it appends any number of values: write "
                                                  "collect<T>(range, [](const auto& element, std::vector<T>& out) { if (...) out.push_back(...); })");
  return detail::Anything();
}

/// Without the type of the values.
template <class... Arguments>
  requires(sizeof...(Arguments) > 1)
auto collect(Arguments&&...) {
  static_assert(detail::kFits<Arguments...>, "furca: collect has to be told what it collects: write collect<T>(range, [](const auto& element, std::vector<T>& out) { ... })");
  return detail::Anything();
}

template <class T, class... Arguments>
auto collect_rows(Arguments&&...) {
  if constexpr (std::same_as<T, bool>) {
    static_assert(detail::kFits<T>, "furca: a row is a std::span, which a std::vector<bool> has not: write collect_rows<char>(...)");
  } else if constexpr (!detail::explained_by_ranges<Arguments...>()) {
    static_assert(detail::kFits<T, Arguments...>, "furca: collect_rows calls a function with each element and a vector, to which it appends the values of its row: write "
                                                  "collect_rows<T>(range, [](const auto& element, std::vector<T>& out) { out.push_back(...); })");
  }
  return detail::Anything();
}

template <class... Arguments>
auto flatten(Arguments&&...) {
  if constexpr (!detail::explained_by_ranges<Arguments...>())
    static_assert(detail::kFits<Arguments...>, "furca: flatten takes a range whose elements are ranges: write flatten(lists)");
  return detail::Anything();
}

}  // namespace furca::found_by_name
/// @endcond
