// Hints at missing headers, which join.hpp alone does not bring, and wrong calls with options.
#pragma once

#include <furca/detail/mistakes/wrong_call.hpp>

namespace furca::detail {

/// An argument where braces are options, which NamedOptions takes: a value, or values in braces.
struct AnyValue {
  template <class T, class... More>
  AnyValue(const T&, const More&...) {}
};

/// Options in braces, of names that there are and of others that people try first. With `{}`, for
/// compilers warn of each that has none and is left out.
struct NamedOptions {
  struct Unnamed {
    explicit Unnamed() = default;
  };
  Unnamed unnamed = Unnamed();  // {64} is no NamedOptions
  Any grain{}, stop{}, progress{}, tree{}, affinity{}, cancel{}, chunk{}, chunk_size{}, chunks{},
      grain_size{}, grainsize{}, max_threads{}, min_chunk{}, name{}, num_threads{}, partitioner{},
      policy{}, pool{}, priority{}, schedule{}, step{}, stop_token{}, thread_count{}, threads{},
      token{}, workers{};
};

}  // namespace furca::detail

/// As FURCA_SAYS_TO, as long as the header is missing.
#define FURCA_HINTS_TO(result, name, header, ...)        \
  FURCA_##result name(__VA_ARGS__)                       \
    requires(!::furca::detail::kDeclared<#header, Told>) \
  FURCA_TELLS(result, #name " is in <furca/" #header ".hpp>: include it")

/// Of a function whose second to sixth argument may be options.
#define FURCA_OF_OPTIONS(to, type, name, says)                                               \
  to(type, name, says, FURCA_ANY_OF(Any = {}, AnyValue = 0))                                 \
      to(type, name, says, FURCA_TWO, ::furca::detail::AnyValue)                             \
          to(type, name, says, FURCA_TWO, FURCA_ANY_OF(Any, AnyValue),                       \
             FURCA_ANY_OF(AnyValue = 0, AnyValue = 0),                                       \
             ...) to(type, name, says, FURCA_ANY_OF(Any, NamedOptions))                      \
              to(type, name, says, FURCA_TWO, ::furca::detail::NamedOptions)                 \
                  to(type, name, says, FURCA_TWO, FURCA_ANY_OF(Any, NamedOptions)) to(       \
                      type, name, says, FURCA_TWO, FURCA_TWO, ::furca::detail::NamedOptions) \
                      to(type, name, says, FURCA_TWO, FURCA_TWO, FURCA_ANY_OF(Any, NamedOptions))
#define FURCA_TWO FURCA_ANY_OF(Any, Any)
#define FURCA_SAYS_OF_OPTIONS(type, name, says) FURCA_OF_OPTIONS(FURCA_SAYS_TO, type, name, says)
#define FURCA_HINTS_OF_OPTIONS(type, name, in) FURCA_OF_OPTIONS(FURCA_HINTS_TO, type, name, in)

/// A part that sentences have in common.
#define FURCA_RANGE "; v is one range, as a std::vector, or std::span(first, last) for a part"

/// Names that a header has, a dozen or two: the next is written when the row is scanned anew.
#define FURCA_HINTS(result, header, ...) FURCA_SCANS(FURCA_NEXT_HINT(result, header, __VA_ARGS__))
#define FURCA_NEXT_HINT(result, header, name, ...) \
  FURCA_HINTS_TO(result, name, header, FURCA_ANY)  \
  __VA_OPT__(FURCA_NEXT_HINT_LATER FURCA_NO_ARGUMENTS(result, header, __VA_ARGS__))
#define FURCA_NEXT_HINT_LATER() FURCA_NEXT_HINT
#define FURCA_NO_ARGUMENTS ()
#define FURCA_SCANS(...) FURCA_SCAN_3(FURCA_SCAN_3(FURCA_SCAN_3(FURCA_SCAN_3(__VA_ARGS__))))
#define FURCA_SCAN_3(...) FURCA_SCAN(FURCA_SCAN(FURCA_SCAN(__VA_ARGS__)))
#define FURCA_SCAN(...) __VA_ARGS__

namespace furca::found_by_name {

FURCA_HINTS(auto, async, schedule, sync_wait)
FURCA_HINTS(auto, broadcast, broadcast)
FURCA_HINTS(auto, collect, flatten)
FURCA_HINTS(typed_auto, collect, tabulate, collect, collect_rows)
FURCA_HINTS(auto, extremes, min, max, minmax, min_element, max_element, minmax_element)
FURCA_HINTS(auto, group, count_by, reduce_by, group_by, group_by_index)
FURCA_HINTS(typed_auto, group, histogram)
FURCA_HINTS(auto, join, join)
FURCA_HINTS(auto, merge, merge, inplace_merge)
FURCA_HINTS(auto, pack, filter, copy_if, remove_if, unique, partition, stable_partition)
FURCA_HINTS(auto, parallel_reduce, transform_reduce)
FURCA_HINTS(auto, permute, reverse, rotate, shuffle)
FURCA_HINTS(auto, scan, inclusive_scan, adjacent_difference, exclusive_scan)
FURCA_HINTS(auto, search, find_if, find_if_not, count_if, all_of, any_of, none_of, find, contains,
            count, is_sorted, is_sorted_until, adjacent_find, equal, mismatch)
FURCA_HINTS(auto, sets, set_union, set_intersection, set_difference, set_symmetric_difference,
            includes)
FURCA_HINTS(auto, sort, sort, sort_by_key, nth_element, partial_sort)
FURCA_HINTS(auto, spawn, spawn, spawn_task, wait_idle)
FURCA_HINTS(auto, stable_sort, stable_sort)
FURCA_HINTS(auto, stats, stats, debug_dump)
FURCA_HINTS(auto, threads, num_threads, thread_index)
FURCA_HINTS(auto, version, version)
FURCA_HINTS(auto, views, zip, enumerate, chunks, windows, lazy, tiles)
FURCA_HINTS(auto, write, transform, copy, fill, generate, for_each)
FURCA_HINTS_OF_OPTIONS(void, parallel_for_chunks, chunks)
FURCA_HINTS_OF_OPTIONS(auto, parallel_reduce_chunks, chunks)
FURCA_HINTS_OF_OPTIONS(void, parallel_for, parallel_for)
FURCA_HINTS_OF_OPTIONS(auto, parallel_reduce, parallel_reduce)
FURCA_HINTS_OF_OPTIONS(auto, scope, scope)
FURCA_HINTS_OF_OPTIONS(auto, scope_fifo, scope)

// Names that other libraries have.
FURCA_SAYS(reduce, "write parallel_reduce(v, 0.0, std::identity{}, std::plus<>{})")
FURCA_SAYS(parallel_invoke, "write join(f, g)")
FURCA_SAYS(parallel_for_each, "write for_each(v, f)")
FURCA_SAYS(parallel_sort, "write sort(v)")
FURCA_SAYS(parallel_scan, "write inclusive_scan(v, out)")
FURCA_SAYS(set_num_threads,
           "write ThreadLimit limit(4) for a block, ThreadPool pool({.threads "
           "= 4}) for threads of its own, or start the program with FURCA_NUM_THREADS=4")

}  // namespace furca::found_by_name
