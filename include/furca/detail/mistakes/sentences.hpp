// The sentence of each public function: how it is called, for calls that nothing fits
// (mistakes.hpp).
#pragma once

// A new function gets a line here, and its header FURCA_DECLARES.
// Checked by: tests/compile_fail/sentences.py, which tries all of them with all public headers

#include <furca/detail/base/config.hpp>

#include <furca/detail/mistakes/mistakes.hpp>

/// Parts that sentences have in common.
#define FURCA_RANGE "; v is one range, as a std::vector, or std::span(first, last) for a part"
#define FURCA_OUTPUT                                                                         \
  "; v and out are ranges, as a std::vector or std::span(pointer, n); out is neither const " \
  "nor a std::vector<bool>"
#define FURCA_IN_PLACE                                                         \
  FURCA_RANGE                                                                  \
  ", and neither const, nor made of computed elements as zip and lazy, nor a " \
  "std::vector<bool>"
/// Of functions that write to their argument, or to the one behind those given last.
#define FURCA_SAYS_IN_PLACE(name, header, sentence) \
  FURCA_SAYS(name, header, sentence FURCA_IN_PLACE) FURCA_NO_BITS(name, )
#define FURCA_SAYS_OF_OUTPUT(name, header, sentence, ...) \
  FURCA_SAYS(name, header, sentence FURCA_OUTPUT) FURCA_NO_BITS(name, __VA_ARGS__)
#define FURCA_NO_BITS(name, ...)                                                \
  template <class R>                                                            \
    requires ::furca::detail::kRangeOfBits<R>                                   \
  auto name(__VA_ARGS__ R&, FURCA_ANY) {                                        \
    static_assert(::furca::detail::kFits<R>,                                    \
                  "furca: elements of a std::vector<bool> share bytes, which "  \
                  "several threads must not write: write a std::vector<char>, " \
                  "or make a new std::vector<bool> by map");                    \
    return ::furca::detail::Anything();                                         \
  }
#define FURCA_ARGUMENT ::furca::detail::Any,
#define FURCA_LOOP_OPTIONS                                                                      \
  "; options stand behind: {.grain = 64, .stop = token, .progress = &progress}; a ThreadLimit " \
  "or a ThreadPool sets the number of threads"
#define FURCA_REDUCE_OPTIONS FURCA_LOOP_OPTIONS ", and .tree how sums are combined"

/// @cond
namespace furca::found_by_name {

FURCA_SAYS_OF_OPTIONS(
    void, parallel_for, parallel_for,
    "write parallel_for(first, last, [&](int "
    "i) { ... }) for integers from first to last - 1, parallel_for(v, [&](auto& element) { "
    "... }) for elements as they are in v (const auto& if const, auto if computed as those "
    "of zip)" FURCA_RANGE FURCA_LOOP_OPTIONS)
FURCA_SAYS_OF_OPTIONS(void, parallel_for_chunks, chunks,
                      "write parallel_for_chunks(first, last, "
                      "[&](int lo, int hi) { ... }) for integers, or parallel_for_chunks(v, "
                      "[&](std::span<float> part) { ... }) for elements side by side, as in a "
                      "std::vector" FURCA_LOOP_OPTIONS)
FURCA_SAYS_OF_OPTIONS(
    auto, parallel_reduce, parallel_reduce,
    "write parallel_reduce(first, last, "
    "0.0, [&](int i) { return x[i]; }, std::plus<>{}) for integers, or parallel_reduce(v, "
    "0.0, std::identity{}, std::plus<>{}); 0.0 is the value to begin with, of the result's "
    "type; the map returns what an element contributes, or as a fold adds it in place, "
    "[&](T& sum, int i) { sum += x[i]; }; the operation is given two such values, and "
    "returns one" FURCA_RANGE FURCA_REDUCE_OPTIONS)
FURCA_SAYS_OF_OPTIONS(
    auto, parallel_reduce_chunks, chunks,
    "write parallel_reduce_chunks(first, "
    "last, 0.0, [&](double& sum, int lo, int hi) { ... }, std::plus<>{}) for integers, or "
    "parallel_reduce_chunks(v, 0.0, [&](double& sum, std::span<const double> part) { ... "
    "}, std::plus<>{}) for elements side by side, as in a std::vector; the operation is "
    "given two values as 0.0, and returns one" FURCA_REDUCE_OPTIONS)

FURCA_SAYS(transform_reduce, parallel_reduce,
           "write transform_reduce(v, w, 0.0), or transform_reduce(v, w, 0.0, std::plus<>{}, "
           "std::multiplies<>{}), where 0.0 is the value to begin with, of the result's type; of "
           "one range write parallel_reduce(v, 0.0, map, std::plus<>{})" FURCA_RANGE)

#define FURCA_SCOPE(name, type)                          \
  "write " #name "([&](furca::" #type                    \
  "& s) { s.spawn([&] { work(); }); }), and its option " \
  "behind it in braces: {.stop = token}"
FURCA_SAYS_TO(auto, scope, scope, scope, FURCA_SCOPE(scope, Scope), detail::Any = {},
              detail::AnyValue = 0, detail::AnyValue = 0, ...)
FURCA_SAYS_TO(auto, scope, scope, scope, FURCA_SCOPE(scope, Scope), detail::Any,
              detail::NamedOptions)
FURCA_SAYS_TO(auto, scope_fifo, scope, scope, FURCA_SCOPE(scope_fifo, ScopeFifo), detail::Any = {},
              detail::AnyValue = 0, detail::AnyValue = 0, ...)
FURCA_SAYS_TO(auto, scope_fifo, scope, scope, FURCA_SCOPE(scope_fifo, ScopeFifo), detail::Any,
              detail::NamedOptions)
#undef FURCA_SCOPE

FURCA_SAYS(join, join,
           "write join([&] { return f(x); }, [&] { return g(y); }): two arms or more, "
           "each called without arguments, and what they return can be moved; for as many as a "
           "container holds write parallel_for(arms, [](auto& arm) { arm(); })")
FURCA_SAYS(broadcast, broadcast,
           "write broadcast([&] { f(x); }), which calls f without arguments "
           "on every thread")
FURCA_SAYS(spawn, spawn,
           "write spawn([f, x] { f(x); }): a task is called without arguments, and "
           "moved or copied; of a coroutine spawn what it returns, spawn(f())")
FURCA_SAYS(spawn_task, spawn,
           "write spawn_task([f, x] { return f(x); }): a task is called "
           "without arguments, moved or copied, and what it returns can be moved; of a coroutine "
           "spawn what it returns, spawn_task(f())")
FURCA_SAYS(wait_idle, spawn, "write wait_idle()")
FURCA_SAYS(schedule, async, "write co_await schedule() in a coroutine that returns a furca::Async")
FURCA_SAYS(sync_wait, async, "write sync_wait(f()), where f() returns a furca::Async")
FURCA_SAYS(num_threads, threads,
           "write num_threads(), which is told nothing: the number of "
           "threads is ThreadPool({.threads = 4}), ThreadLimit(4) for a block, or "
           "FURCA_NUM_THREADS=4")
FURCA_SAYS(thread_index, threads, "write thread_index()")
FURCA_SAYS(stats, stats, "write stats()")
FURCA_SAYS(debug_dump, stats, "write debug_dump()")
FURCA_SAYS(version, version, "write version()")

#define FURCA_TABULATE                                                                      \
  "write tabulate(n, [&](std::size_t i) { return ...; }), or tabulate<Container>(n, f): f " \
  "makes each element of a new std::vector, not void"
FURCA_SAYS_OF_TYPE(tabulate, collect, FURCA_TABULATE)
FURCA_SAYS_OF_TYPE(collect, collect,
                   "write collect<T>(v, [](const auto& element, std::vector<T>& "
                   "out) { out.push_back(...); })" FURCA_RANGE)
FURCA_SAYS_OF_TYPE(collect_rows, collect,
                   "write collect_rows<T>(v, [](const auto& element, "
                   "std::vector<T>& out) { out.push_back(...); }), with char for bool" FURCA_RANGE)
FURCA_SAYS(flatten, collect, "write flatten(lists), a range whose elements are ranges")

FURCA_SAYS_OF_TYPE(
    histogram, group,
    "write histogram(v, 256, [](const auto& element) { return "
    "...; }): the number of bins, then a function of an element that returns its bin, an "
    "integer" FURCA_RANGE)
FURCA_SAYS(
    count_by, group,
    "write count_by(v, [](const auto& element) { return element % 7; }): "
    "a key has == and < and is copied, as auto operator<=>(const Key&) const = default" FURCA_RANGE)
FURCA_SAYS(reduce_by, group,
           "write reduce_by(orders, &Order::customer, &Order::price, "
           "std::plus<>{}): key, value and operation on two values; a key has == and < and is "
           "copied, as auto operator<=>(const Key&) const = default; count_by(v, key) for how "
           "many there are" FURCA_RANGE)
FURCA_SAYS(group_by, group,
           "write group_by(orders, &Order::customer), or with a value, "
           "group_by(orders, &Order::customer, &Order::price): a key has == and < and is copied, "
           "as auto operator<=>(const Key&) const = default; a value is copied, and char for "
           "bool" FURCA_RANGE)
FURCA_SAYS(group_by_index, group,
           "write group_by_index(edges, vertices, &Edge::from), or with a "
           "value, group_by_index(edges, vertices, &Edge::from, &Edge::to): the number of keys, "
           "then a function of an element that returns its index, an integer; a value is copied, "
           "and char for bool" FURCA_RANGE)

FURCA_SAYS(filter, pack,
           "write filter(v, [](const auto& element) { return "
           "element > 0; }) for a new std::vector" FURCA_RANGE)
FURCA_SAYS_OF_OUTPUT(copy_if, pack,
                     "write copy_if(v, out, [](const auto& element) { return element > 0; "
                     "}), or filter(v, pred) for a new std::vector",
                     FURCA_ARGUMENT)
FURCA_SAYS_IN_PLACE(remove_if, pack,
                    "write remove_if(v, [](const auto& element) { return element > 0; })")
FURCA_SAYS_IN_PLACE(unique, pack,
                    "write unique(v), unique(v, [](const auto& a, const auto& b) { return "
                    "a.key == b.key; }), or unique(v, {}, &Record::key)")
FURCA_SAYS_IN_PLACE(partition, pack,
                    "write partition(v, [](const auto& element) { return element > 0; })")
FURCA_SAYS_IN_PLACE(stable_partition, pack,
                    "write stable_partition(v, [](const auto& element) { return "
                    "element > 0; })")

FURCA_SAYS_IN_PLACE(reverse, permute, "write reverse(v)")
FURCA_SAYS_IN_PLACE(rotate, permute, "write rotate(v, v.begin() + n)")
FURCA_SAYS_IN_PLACE(shuffle, permute,
                    "write shuffle(v, 42) with a seed, an integer, or shuffle(v, "
                    "generator()) for another order each time; threads could not share a generator")

FURCA_SAYS_OF_OUTPUT(
    inclusive_scan, scan,
    "write inclusive_scan(v, out), or inclusive_scan(v, out, "
    "std::plus<>{}, &Record::value), which begins with the first element; "
    "exclusive_scan(v, out, 0.0) begins with a value; an element of out holds a sum "
    "without loss",
    FURCA_ARGUMENT)
FURCA_SAYS_OF_OUTPUT(
    adjacent_difference, scan,
    "write adjacent_difference(v, out), or adjacent_difference(v, out, std::minus<>{}, "
    "&Record::value); out is not v",
    FURCA_ARGUMENT)
FURCA_SAYS_OF_OUTPUT(
    exclusive_scan, scan,
    "write exclusive_scan(v, out, 0.0), or exclusive_scan(v, out, "
    "0.0, std::plus<>{}, &Record::value), with a value to begin with, of the sums' type; "
    "an element of out holds a sum without loss",
    FURCA_ARGUMENT)

#define FURCA_PREDICATE(name)                                                                   \
  FURCA_SAYS(name, search,                                                                      \
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

#define FURCA_VALUE(name, with_function)               \
  FURCA_SAYS(name, search,                             \
             "write " #name "(v, x), or " #name        \
             "(v, x, &Record::key), where an element " \
             "has == with the value x; " with_function " for a function" FURCA_RANGE)
FURCA_VALUE(find, "find_if(v, pred)")
FURCA_VALUE(contains, "any_of(v, pred)")
FURCA_VALUE(count, "count_if(v, pred)")
#undef FURCA_VALUE

#define FURCA_ORDER(name, header)                             \
  FURCA_SAYS(name, header,                                    \
             "write " #name "(v), " #name                     \
             "(v, [](const auto& a, const auto& b) { return " \
             "a.key < b.key; }), or " #name "(v, {}, &Record::key)" FURCA_RANGE)
FURCA_ORDER(min, extremes)
FURCA_ORDER(max, extremes)
FURCA_ORDER(minmax, extremes)
FURCA_ORDER(min_element, extremes)
FURCA_ORDER(max_element, extremes)
FURCA_ORDER(minmax_element, extremes)
FURCA_ORDER(is_sorted, search)
FURCA_ORDER(is_sorted_until, search)
#undef FURCA_ORDER

FURCA_SAYS(
    adjacent_find, search,
    "write adjacent_find(v), adjacent_find(v, [](const auto& a, "
    "const auto& b) { return a.key == b.key; }), or adjacent_find(v, {}, &Record::key)" FURCA_RANGE)
FURCA_SAYS(equal, search,
           "write equal(v, w), equal(v, w, [](const auto& a, const auto& b) { "
           "return a.key == b.key; }), or equal(v, w, {}, &Record::key, &Record::key)" FURCA_RANGE)
FURCA_SAYS(
    mismatch, search,
    "write mismatch(v, w), mismatch(v, w, [](const auto& a, const auto& "
    "b) { return a.key == b.key; }), or mismatch(v, w, {}, &Record::key, &Record::key)" FURCA_RANGE)

#define FURCA_SORTED(name, header)                                                      \
  FURCA_SAYS_OF_OUTPUT(                                                                 \
      name, header,                                                                     \
      "write " #name "(v, w, out), or " #name                                           \
      "(v, w, out, {}, &Record::key, "                                                  \
      "&Record::key): comparison, then projections; elements of v and w have an order " \
      "with each other",                                                                \
      FURCA_ARGUMENT FURCA_ARGUMENT)
FURCA_SORTED(merge, merge)
FURCA_SORTED(set_union, sets)
FURCA_SORTED(set_intersection, sets)
FURCA_SORTED(set_difference, sets)
FURCA_SORTED(set_symmetric_difference, sets)
#undef FURCA_SORTED
FURCA_SAYS_IN_PLACE(inplace_merge, merge,
                    "write inplace_merge(v, v.begin() + n), or inplace_merge(v, "
                    "v.begin() + n, {}, &Record::key)")
FURCA_SAYS(includes, sets,
           "write includes(v, w), or includes(v, w, {}, &Record::key, "
           "&Record::key): elements of v and w have an order with each other" FURCA_RANGE)

#define FURCA_SORT(name, header, arguments)                                        \
  FURCA_SAYS_IN_PLACE(name, header,                                                \
                      "write " #name "(" arguments "), " #name "(" arguments       \
                      ", [](const auto& a, "                                       \
                      "const auto& b) { return a < b; }), or " #name "(" arguments \
                      ", {}, &Record::key)")
FURCA_SORT(sort, sort, "v")
FURCA_SORT(stable_sort, stable_sort, "v")
FURCA_SORT(sort_by_key, sort, "v, values")
FURCA_SORT(nth_element, sort, "v, v.begin() + n")
FURCA_SORT(partial_sort, sort, "v, v.begin() + n")
#undef FURCA_SORT
FURCA_NO_BITS(sort_by_key, FURCA_ARGUMENT)

#define FURCA_KEPT "; views hold no elements, so x is no temporary: auto x = make();"
FURCA_SAYS(zip, views, "write zip(x, y), of as many ranges as there are parts" FURCA_KEPT)
FURCA_SAYS(enumerate, views, "write enumerate(x)" FURCA_KEPT)
FURCA_SAYS(chunks, views, "write chunks(x, 1024), of elements side by side" FURCA_KEPT)
FURCA_SAYS(windows, views, "write windows(x, 3), of elements side by side" FURCA_KEPT)
#undef FURCA_KEPT
FURCA_SAYS(lazy, views,
           "write lazy(n, [&x](std::size_t i) { return f(x[i]); }): a length, and a "
           "function that is called as const, by several threads, and can be copied")
FURCA_SAYS(tiles, views,
           "write tiles(rows, columns, {64, 1024}), or tiles(planes, rows, columns, "
           "{8, 8, 1024})")

FURCA_SAYS_OF_OUTPUT(
    transform, write,
    "write transform(v, out, [](const auto& element) { return ...; }), "
    "or transform(v, w, out, [](const auto& a, const auto& b) { return ...; }); map(v, f) "
    "makes a new std::vector",
    FURCA_ARGUMENT)
FURCA_NO_BITS(transform, FURCA_ARGUMENT FURCA_ARGUMENT)
FURCA_SAYS_OF_OUTPUT(copy, write, "write copy(v, out)", FURCA_ARGUMENT)
FURCA_SAYS_IN_PLACE(fill, write, "write fill(v, x), where x can be assigned to an element")
FURCA_SAYS_IN_PLACE(generate, write, "write generate(v, [] { return ...; })")
FURCA_SAYS(for_each, write,
           "write for_each(v, [](auto& element) { ... }), and parallel_for(v, "
           "body, {.grain = 64}) where there are options" FURCA_RANGE)

#undef FURCA_ARGUMENT
#undef FURCA_NO_BITS

// Names that other libraries have.
FURCA_HAS_NO(reduce, "write parallel_reduce(v, 0.0, std::identity{}, std::plus<>{})")
FURCA_HAS_NO(parallel_invoke, "write join(f, g)")
FURCA_HAS_NO(parallel_for_each, "write for_each(v, f)")
FURCA_HAS_NO(parallel_sort, "write sort(v)")
FURCA_HAS_NO(parallel_scan, "write inclusive_scan(v, out)")
FURCA_HAS_NO(set_num_threads,
             "write ThreadLimit limit(4) for a block, ThreadPool pool({.threads "
             "= 4}) for threads of its own, or start the program with FURCA_NUM_THREADS=4")

}  // namespace furca::found_by_name
/// @endcond
