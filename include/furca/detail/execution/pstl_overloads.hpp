// Overloads in the standard library's namespace: the parallel algorithms that furca does itself.
//
// Each has the template parameters and the arguments of libstdc++'s own function, and constraints.
// So it is the better match where these hold; where they do not, as for sequenced policies,
// libstdc++'s is called. All versions of libstdc++ have these declarations, while what is behind
// them changes. Some of furca's are faster. The others are right where libstdc++'s are not: they
// write an element before they read it, call std::plus of a type narrower than the sum, give a
// predicate a value of another type, or compare elements that an output has narrowed.
//
// Each algorithm that is left to libstdc++ is right for one of these reasons, in versions 12 to 16:
//
//   for_each, for_each_n, transform, fill, fill_n,      one place is read and written at a time,
//   generate, generate_n, replace, replace_if,          and by one thread: input may be output
//   swap_ranges, reverse
//   copy, move, reverse_copy, rotate_copy, unique_copy, input and output are apart, the standard
//   remove_copy, partition_copy, merge, set_union,      wants it so; an output is assigned to and
//   set_difference, set_symmetric_difference,           never read, so it may be narrow
//   adjacent_difference with an operation
//   remove, remove_if, unique, rotate, inplace_merge,   a buffer of the elements' own type lies
//   sort, stable_sort, partial_sort                     between reads and writes
//   stable_partition                                    swaps and rotates
//   all_of, none_of, count, count_if, equal, mismatch,  nothing is written; callables get the
//   find, adjacent_find, is_sorted, is_sorted_until,    elements themselves, and values of the
//   is_heap, is_heap_until, is_partitioned, includes,   caller's type
//   lexicographical_compare, max_element,
//   minmax_element
//   inclusive_scan                                      calls what is below, with the elements'
//                                                       own type
//   uninitialized_copy and the like, destroy            one place for each element
//
// Rejected: overloads of the functions that libstdc++ itself calls, the patterns. They take other
// arguments from version to version, and do not know which operation the caller has named.
#pragma once

#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/execution/pstl_algorithms.hpp>
#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/detail/execution/pstl_order.hpp>
#include <furca/detail/execution/pstl_scans.hpp>
#include <furca/detail/execution/pstl_search.hpp>

#include <pstl/execution_defs.h>
#include <pstl/utils.h>

#include <functional>
#include <iterator>
#include <numeric>

namespace furca::detail {

/// par and par_unseq.
template <class Policy>
concept ParallelPolicy =
    std::same_as<std::remove_cvref_t<Policy>, __pstl::execution::parallel_policy> ||
    std::same_as<std::remove_cvref_t<Policy>, __pstl::execution::parallel_unsequenced_policy>;

/// libstdc++ has a map that does nothing, and furca another.
template <class Map>
auto as_furcas(Map map) {
  if constexpr (std::same_as<Map, __pstl::__internal::__no_op>) {
    return std::identity();
  } else {
    return map;
  }
}

}  // namespace furca::detail

namespace std {

// Faster than what can be made of bricks.

template <furca::detail::ParallelPolicy Policy, class I, class Pred>
  requires furca::detail::SearchedInBlocks<I, Pred>
I find_if(Policy&&, I first, I last, Pred pred) {
  return furca::detail::behind(first, furca::detail::first_that_holds<"find_if">(
                                          first, last, pred, furca::SourceLocation::current()));
}

template <furca::detail::ParallelPolicy Policy, class I, class Pred>
  requires furca::detail::SearchedInBlocks<I, Pred>
bool any_of(Policy&&, I first, I last, Pred pred) {
  return furca::detail::first_that_holds<"any_of">(first, last, pred,
                                                   furca::SourceLocation::current()) !=
         static_cast<std::size_t>(last - first);
}

template <furca::detail::ParallelPolicy Policy, class I, class Comp>
  requires random_access_iterator<I> &&
           furca::detail::CopiedToThreads<Comp, iter_reference_t<I>, iter_reference_t<I>>
I min_element(Policy&&, I first, I last, Comp comp) {
  if (first == last) return last;
  return furca::detail::least_of(first, last, comp, furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class Out, class Pred>
  requires random_access_iterator<I> && furca::detail::WritableIterator<Out> &&
           furca::detail::CopiedToThreads<Pred, iter_reference_t<I>>
Out copy_if(Policy&&, I first, I last, Out out, Pred pred) {
  return furca::detail::copy_chosen(first, last, out, pred, furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class Pred>
  requires furca::detail::WritableIterator<I> &&
           furca::detail::CopiedToThreads<Pred, iter_reference_t<I>>
I partition(Policy&&, I first, I last, Pred pred) {
  return furca::detail::partition_iterators(first, last, pred, furca::SourceLocation::current());
}

// libstdc++'s takes quadratic time for equal elements.
template <furca::detail::ParallelPolicy Policy, class I, class Comp>
  requires furca::detail::PlainlySorted<I> &&
           furca::detail::CopiedToThreads<Comp, iter_reference_t<I>, iter_reference_t<I>>
void nth_element(Policy&&, I first, I nth, I last, Comp comp) {
  furca::detail::select_iterators(first, nth, last, comp, furca::SourceLocation::current());
}

// Scans. libstdc++'s write an element before they read it, those of fractions read what they have
// written, and begin each block with 0, whatever the operation is.

template <furca::detail::ParallelPolicy Policy, class I, class Out, class T, class Op, class Map>
Out transform_exclusive_scan(Policy&&, I first, I last, Out out, T init, Op op, Map map) {
  return furca::detail::scan_as_standard<furca::detail::ScanKind::exclusive>(
      first, last, out, furca::detail::as_furcas(map), std::move(init), op,
      furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class Out, class Op, class Map, class T>
Out transform_inclusive_scan(Policy&&, I first, I last, Out out, Op op, Map map, T init) {
  return furca::detail::scan_as_standard<furca::detail::ScanKind::inclusive>(
      first, last, out, furca::detail::as_furcas(map), std::move(init), op,
      furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class Out, class T, class Op>
Out exclusive_scan(Policy&&, I first, I last, Out out, T init, Op op) {
  return furca::detail::scan_as_standard<furca::detail::ScanKind::exclusive>(
      first, last, out, identity(), std::move(init), op, furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class Out, class T>
Out exclusive_scan(Policy&& policy, I first, I last, Out out, T init) {
  if constexpr (furca::detail::CutsOff<T, iter_value_t<I>>) {
    return std::exclusive_scan(policy, first, last, out, init, plus<>());
  } else {
    return std::exclusive_scan(policy, first, last, out, std::move(init), plus<T>());
  }
}

// Sums. libstdc++ adds and multiplies in the type of the first range's elements, or of the initial
// value: `transform_reduce` of integers and fractions multiplies whole numbers.

template <furca::detail::ParallelPolicy Policy, class I, class T, class Op, class Map>
  requires furca::detail::CutsOff<T, furca::detail::CallResult<Map, iter_reference_t<I>>>
T transform_reduce(Policy&&, I first, I last, T init, Op op, Map map) {
  return furca::detail::EndingCalls()(
      [&] { return std::transform_reduce(first, last, init, op, map); });
}

template <furca::detail::ParallelPolicy Policy, class I, class T>
  requires furca::detail::CutsOff<T, iter_value_t<I>>
T reduce(Policy&& policy, I first, I last, T init) {
  return std::transform_reduce(policy, first, last, init, plus<>(), identity());
}

template <furca::detail::ParallelPolicy Policy, class I, class J, class T, class Add,
          class Multiply>
  requires furca::detail::CutsOff<
      T, furca::detail::CallResult<Multiply, iter_reference_t<I>, iter_reference_t<J>>>
T transform_reduce(Policy&&, I first, I last, J other, T init, Add add, Multiply multiply) {
  return furca::detail::EndingCalls()(
      [&] { return std::transform_reduce(first, last, other, init, add, multiply); });
}

template <furca::detail::ParallelPolicy Policy, class I, class J, class T>
  requires(furca::detail::Mixed<I, T> || furca::detail::Mixed<J, T>)
T transform_reduce(Policy&& policy, I first, I last, J other, T init) {
  using Product = furca::detail::CallResult<multiplies<>, iter_reference_t<I>, iter_reference_t<J>>;
  using Add = conditional_t<furca::detail::CutsOff<T, Product>, plus<>, plus<T>>;
  return std::transform_reduce(policy, first, last, other, std::move(init), Add(), multiplies<>());
}

template <furca::detail::ParallelPolicy Policy, class I, class Out>
  requires furca::detail::Mixed<
      I, furca::detail::CallResult<minus<>, iter_reference_t<I>, iter_reference_t<I>>>
Out adjacent_difference(Policy&& policy, I first, I last, Out out) {
  return std::adjacent_difference(policy, first, last, out, minus<>());
}

// Searches. libstdc++ gives the predicate of `search` and `find_end` the arguments in the other
// order, finds in par_unseq's `find_first_of` what is not first, and makes in `search_n` values of
// elements, elements of values, and a short count of a long range.

template <furca::detail::ParallelPolicy Policy, class I, class S, class Pred>
  requires(furca::detail::kDivisible<I>)
I search(Policy&&, I first, I last, S s_first, S s_last, Pred pred) {
  return furca::detail::find_sequence(first, last, s_first, s_last, pred, true,
                                      furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class S, class Pred>
  requires(furca::detail::kDivisible<I>)
I find_end(Policy&&, I first, I last, S s_first, S s_last, Pred pred) {
  return furca::detail::find_sequence(first, last, s_first, s_last, pred, false,
                                      furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class S, class Pred>
  requires(furca::detail::kDivisible<I>)
I find_first_of(Policy&&, I first, I last, S s_first, S s_last, Pred pred) {
  return furca::detail::find_any_of(first, last, s_first, s_last, pred,
                                    furca::SourceLocation::current());
}

template <furca::detail::ParallelPolicy Policy, class I, class Size, class T, class Pred>
I search_n(Policy&&, I first, I last, Size count, const T& value, Pred pred) {
  if (count <= 0) return first;
  if constexpr (furca::detail::kDivisible<I>) {
    if constexpr (integral<Size>) {
      if (cmp_greater(+count, last - first)) return last;
    }
    return furca::detail::find_run(first, last,
                                   static_cast<typename iterator_traits<I>::difference_type>(count),
                                   value, pred, furca::SourceLocation::current());
  } else {
    return furca::detail::EndingCalls()(
        [&] { return std::search_n(first, last, count, value, pred); });
  }
}

template <furca::detail::ParallelPolicy Policy, class I, class Size, class T>
I search_n(Policy&& policy, I first, I last, Size count, const T& value) {
  return std::search_n(policy, first, last, count, value, equal_to<>());
}

// Copies. libstdc++ copies a negative number of elements, converts elements to the type that they
// have in common with what replaces them, sorts elements of the output's type in memory for those
// of the input's, and takes an intersection of few elements from the second range.

template <furca::detail::ParallelPolicy Policy, class I, class Size, class Out>
Out copy_n(Policy&& policy, I first, Size count, Out out) {
  if (count <= 0) return out;
  const auto n = static_cast<typename iterator_traits<I>::difference_type>(count);
  return std::copy(policy, first, std::next(first, n), out);
}

template <furca::detail::ParallelPolicy Policy, class I, class Out, class Pred, class T>
  requires furca::detail::Mixed<I, T>
Out replace_copy_if(Policy&& policy, I first, I last, Out out, Pred pred, const T& replacement) {
  using To = iter_value_t<Out>;
  return std::transform(policy, first, last, out,
                        [pred, &replacement](iter_reference_t<I> x) mutable {
                          return pred(x) ? static_cast<To>(replacement) : static_cast<To>(x);
                        });
}

template <furca::detail::ParallelPolicy Policy, class I, class Out, class Comp>
  requires furca::detail::kDivisible<I> && furca::detail::Mixed<I, iter_value_t<Out>>
Out partial_sort_copy(Policy&& policy, I first, I last, Out out, Out out_last, Comp comp) {
  using T = iter_value_t<I>;
  const auto n = static_cast<std::size_t>(last - first);
  const std::size_t wanted = std::min(n, static_cast<std::size_t>(out_last - out));
  if (wanted == 0) return out;
  const furca::detail::RawMemory<T> memory(n);
  T* const copies = memory.data();
  std::uninitialized_copy(policy, first, last, copies);
  std::partial_sort(policy, copies, copies + wanted, copies + n, comp);
  std::transform(policy, copies, copies + wanted, out,
                 [](T& x) { return static_cast<iter_value_t<Out>>(std::move(x)); });
  std::destroy(policy, copies, copies + n);
  return furca::detail::behind(out, wanted);
}

template <furca::detail::ParallelPolicy Policy, class I, class J, class Out, class Comp>
  requires furca::detail::kDivisible<I, J> && (!furca::detail::kIsNoThrow<Comp>)
Out set_intersection(Policy&& policy, I first, I last, J other, J other_last, Out out, Comp comp) {
  constexpr ptrdiff_t kFew = 4'096;  // more than libstdc++ takes for few
  furca::detail::NoThrow<Comp> order{comp};
  if (other != other_last) first = std::lower_bound(first, last, *other, order);
  if (last - first + (other_last - other) <= kFew) {
    return std::set_intersection(first, last, other, other_last, out, order);
  }
  return std::set_intersection(policy, first, last, other, other_last, out, order);  // libstdc++'s
}

}  // namespace std
