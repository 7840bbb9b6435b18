// The sentence of each algorithm: how it is called, for calls that nothing fits (mistakes.hpp).
#pragma once

// Joins, loops and tasks have theirs in their own headers. A new function gets one here or there,
// a line in mistakes.hpp, and its header FURCA_DECLARES.
// Checked by: tests/compile_fail/sentences.py, which tries all of them with all public headers

#include <furca/detail/base/ranges.hpp>
#include <furca/detail/mistakes/mistakes.hpp>

/// Parts that sentences have in common.
#define FURCA_OUTPUT                                                                         \
  "; v and out are ranges, as a std::vector or std::span(pointer, n); out is neither const " \
  "nor a std::vector<bool>"
#define FURCA_IN_PLACE                                                         \
  FURCA_RANGE                                                                  \
  ", and neither const, nor made of computed elements as zip and lazy, nor a " \
  "std::vector<bool>"
/// Of functions that may be told a type.
#define FURCA_SAYS_OF_TYPE(name, sentence) FURCA_SAYS_TO(typed_auto, name, sentence, FURCA_ANY)
/// Of functions that write to their argument, or to the one behind those given last.
#define FURCA_SAYS_IN_PLACE(name, sentence) \
  FURCA_SAYS(name, sentence FURCA_IN_PLACE) FURCA_NO_BITS(name, )
#define FURCA_SAYS_OF_OUTPUT(name, sentence, ...) \
  FURCA_SAYS(name, sentence FURCA_OUTPUT) FURCA_NO_BITS(name, __VA_ARGS__)
#define FURCA_NO_BITS(name, ...)                                                \
  template <std::ranges::range R>                                               \
    requires ::furca::detail::kSharesBytes<std::ranges::iterator_t<R>>          \
  auto name(__VA_ARGS__ R&, FURCA_ANY) {                                        \
    static_assert(::furca::detail::kFits<R>,                                    \
                  "furca: elements of a std::vector<bool> share bytes, which "  \
                  "several threads must not write: write a std::vector<char>, " \
                  "or make a new std::vector<bool> by map");                    \
    return ::furca::detail::Anything();                                         \
  }
#define FURCA_ARGUMENT ::furca::detail::Any,

namespace furca::found_by_name {

#define FURCA_TABULATE                                                                      \
  "write tabulate(n, [&](std::size_t i) { return ...; }), or tabulate<Container>(n, f): f " \
  "makes each element of a new std::vector, not void"
FURCA_SAYS_OF_TYPE(tabulate, FURCA_TABULATE)
FURCA_SAYS_OF_TYPE(collect,
                   "write collect<T>(v, [](const auto& element, std::vector<T>& "
                   "out) { out.push_back(...); })" FURCA_RANGE)
FURCA_SAYS_OF_TYPE(collect_rows,
                   "write collect_rows<T>(v, [](const auto& element, "
                   "std::vector<T>& out) { out.push_back(...); }), with char for bool" FURCA_RANGE)
FURCA_SAYS(flatten, "write flatten(lists), a range whose elements are ranges")
FURCA_SAYS_OF_TYPE(
    histogram,
    "write histogram(v, 256, [](const auto& element) { return "
    "...; }): the number of bins, then a function of an element that returns its bin, an "
    "integer" FURCA_RANGE)
FURCA_SAYS(
    count_by,
    "write count_by(v, [](const auto& element) { return element % 7; }): "
    "a key has == and < and is copied, as auto operator<=>(const Key&) const = default" FURCA_RANGE)
FURCA_SAYS(reduce_by,
           "write reduce_by(orders, &Order::customer, &Order::price, "
           "std::plus<>{}): key, value and operation on two values; a key has == and < and is "
           "copied, as auto operator<=>(const Key&) const = default; count_by(v, key) for how "
           "many there are" FURCA_RANGE)
FURCA_SAYS(group_by,
           "write group_by(orders, &Order::customer), or with a value, "
           "group_by(orders, &Order::customer, &Order::price): a key has == and < and is copied, "
           "as auto operator<=>(const Key&) const = default; a value is copied, and char for "
           "bool" FURCA_RANGE)
FURCA_SAYS(group_by_index,
           "write group_by_index(edges, vertices, &Edge::from), or with a "
           "value, group_by_index(edges, vertices, &Edge::from, &Edge::to): the number of keys, "
           "then a function of an element that returns its index, an integer; a value is copied, "
           "and char for bool" FURCA_RANGE)
FURCA_SAYS(filter,
           "write filter(v, [](const auto& element) { return "
           "element > 0; }) for a new std::vector" FURCA_RANGE)
FURCA_SAYS_OF_OUTPUT(copy_if,
                     "write copy_if(v, out, [](const auto& element) { return element > 0; "
                     "}), or filter(v, pred) for a new std::vector",
                     FURCA_ARGUMENT)
FURCA_SAYS_IN_PLACE(remove_if,
                    "write remove_if(v, [](const auto& element) { return element > 0; })")
FURCA_SAYS_IN_PLACE(unique,
                    "write unique(v), unique(v, [](const auto& a, const auto& b) { return "
                    "a.key == b.key; }), or unique(v, {}, &Record::key)")
FURCA_SAYS_IN_PLACE(partition,
                    "write partition(v, [](const auto& element) { return element > 0; })")
FURCA_SAYS_IN_PLACE(stable_partition,
                    "write stable_partition(v, [](const auto& element) { return "
                    "element > 0; })")
FURCA_SAYS_IN_PLACE(reverse, "write reverse(v)")
FURCA_SAYS_IN_PLACE(rotate, "write rotate(v, v.begin() + n)")
FURCA_SAYS_IN_PLACE(shuffle,
                    "write shuffle(v, 42) with a seed, an integer, or shuffle(v, "
                    "generator()) for another order each time; threads could not share a generator")
FURCA_SAYS_OF_OUTPUT(
    inclusive_scan,
    "write inclusive_scan(v, out), or inclusive_scan(v, out, "
    "std::plus<>{}, &Record::value), which begins with the first element; "
    "exclusive_scan(v, out, 0.0) begins with a value; an element of out holds a sum "
    "without loss",
    FURCA_ARGUMENT)
FURCA_SAYS_OF_OUTPUT(
    adjacent_difference,
    "write adjacent_difference(v, out), or adjacent_difference(v, out, std::minus<>{}, "
    "&Record::value); out is not v",
    FURCA_ARGUMENT)
FURCA_SAYS_OF_OUTPUT(
    exclusive_scan,
    "write exclusive_scan(v, out, 0.0), or exclusive_scan(v, out, "
    "0.0, std::plus<>{}, &Record::value), with a value to begin with, of the sums' type; "
    "an element of out holds a sum without loss",
    FURCA_ARGUMENT)
#define FURCA_PREDICATE(name)                                                                   \
  FURCA_SAYS(name,                                                                              \
             "write " #name "(v, [](const auto& element) { return element > 0; }), or " #name   \
             "(v, pred, &Record::key), with a function that can be copied and answers true or " \
             "false" FURCA_RANGE)
FURCA_PREDICATE(find_if)
FURCA_PREDICATE(find_if_not)
FURCA_PREDICATE(count_if)
FURCA_PREDICATE(all_of)
FURCA_PREDICATE(any_of)
FURCA_PREDICATE(none_of)
#undef FURCA_PREDICATE
#define FURCA_VALUE(name, with_function)                     \
  FURCA_SAYS(name, "write " #name "(v, x), or " #name        \
                   "(v, x, &Record::key), where an element " \
                   "has == with the value x; " with_function " for a function" FURCA_RANGE)
FURCA_VALUE(find, "find_if(v, pred)")
FURCA_VALUE(contains, "any_of(v, pred)")
FURCA_VALUE(count, "count_if(v, pred)")
#undef FURCA_VALUE
#define FURCA_ORDER(name)                                           \
  FURCA_SAYS(name, "write " #name "(v), " #name                     \
                   "(v, [](const auto& a, const auto& b) { return " \
                   "a.key < b.key; }), or " #name "(v, {}, &Record::key)" FURCA_RANGE)
FURCA_ORDER(min)
FURCA_ORDER(max)
FURCA_ORDER(minmax)
FURCA_ORDER(min_element)
FURCA_ORDER(max_element)
FURCA_ORDER(minmax_element)
FURCA_ORDER(is_sorted)
FURCA_ORDER(is_sorted_until)
#undef FURCA_ORDER
FURCA_SAYS(
    adjacent_find,
    "write adjacent_find(v), adjacent_find(v, [](const auto& a, "
    "const auto& b) { return a.key == b.key; }), or adjacent_find(v, {}, &Record::key)" FURCA_RANGE)
FURCA_SAYS(equal,
           "write equal(v, w), equal(v, w, [](const auto& a, const auto& b) { "
           "return a.key == b.key; }), or equal(v, w, {}, &Record::key, &Record::key)" FURCA_RANGE)
FURCA_SAYS(
    mismatch,
    "write mismatch(v, w), mismatch(v, w, [](const auto& a, const auto& "
    "b) { return a.key == b.key; }), or mismatch(v, w, {}, &Record::key, &Record::key)" FURCA_RANGE)
#define FURCA_SORTED(name)                                                              \
  FURCA_SAYS_OF_OUTPUT(                                                                 \
      name,                                                                             \
      "write " #name "(v, w, out), or " #name                                           \
      "(v, w, out, {}, &Record::key, "                                                  \
      "&Record::key): comparison, then projections; elements of v and w have an order " \
      "with each other",                                                                \
      FURCA_ARGUMENT FURCA_ARGUMENT)
FURCA_SORTED(merge)
FURCA_SORTED(set_union)
FURCA_SORTED(set_intersection)
FURCA_SORTED(set_difference)
FURCA_SORTED(set_symmetric_difference)
#undef FURCA_SORTED
FURCA_SAYS_IN_PLACE(inplace_merge,
                    "write inplace_merge(v, v.begin() + n), or inplace_merge(v, "
                    "v.begin() + n, {}, &Record::key)")
FURCA_SAYS(includes,
           "write includes(v, w), or includes(v, w, {}, &Record::key, "
           "&Record::key): elements of v and w have an order with each other" FURCA_RANGE)
#define FURCA_SORT(name, arguments)                                                      \
  FURCA_SAYS_IN_PLACE(name, "write " #name "(" arguments "), " #name "(" arguments       \
                            ", [](const auto& a, "                                       \
                            "const auto& b) { return a < b; }), or " #name "(" arguments \
                            ", {}, &Record::key)")
FURCA_SORT(sort, "v")
FURCA_SORT(stable_sort, "v")
FURCA_SORT(sort_by_key, "v, values")
FURCA_SORT(nth_element, "v, v.begin() + n")
FURCA_SORT(partial_sort, "v, v.begin() + n")
#undef FURCA_SORT
FURCA_NO_BITS(sort_by_key, FURCA_ARGUMENT)
#define FURCA_KEPT "; views hold no elements, so x is no temporary: auto x = make();"
FURCA_SAYS(zip, "write zip(x, y), of as many ranges as there are parts" FURCA_KEPT)
FURCA_SAYS(enumerate, "write enumerate(x)" FURCA_KEPT)
FURCA_SAYS(chunks, "write chunks(x, 1024), of elements side by side" FURCA_KEPT)
FURCA_SAYS(windows, "write windows(x, 3), of elements side by side" FURCA_KEPT)
#undef FURCA_KEPT
FURCA_SAYS(lazy,
           "write lazy(n, [&x](std::size_t i) { return f(x[i]); }): a length, and a "
           "function that is called as const, by several threads, and can be copied")
FURCA_SAYS(tiles,
           "write tiles(rows, columns, {64, 1024}), or tiles(planes, rows, columns, "
           "{8, 8, 1024})")
FURCA_SAYS_OF_OUTPUT(
    transform,
    "write transform(v, out, [](const auto& element) { return ...; }), "
    "or transform(v, w, out, [](const auto& a, const auto& b) { return ...; }); map(v, f) "
    "makes a new std::vector",
    FURCA_ARGUMENT)
FURCA_NO_BITS(transform, FURCA_ARGUMENT FURCA_ARGUMENT)
FURCA_SAYS_OF_OUTPUT(copy, "write copy(v, out)", FURCA_ARGUMENT)
FURCA_SAYS_IN_PLACE(fill, "write fill(v, x), where x can be assigned to an element")
FURCA_SAYS_IN_PLACE(generate, "write generate(v, [] { return ...; })")
FURCA_SAYS(for_each,
           "write for_each(v, [](auto& element) { ... }), and parallel_for(v, "
           "body, {.grain = 64}) where there are options" FURCA_RANGE)
#undef FURCA_ARGUMENT
#undef FURCA_NO_BITS

}  // namespace furca::found_by_name
