// std::execution::par and par_unseq of libstdc++ on furca: a program that uses the standard
// library's parallel algorithms runs on furca as it is.
//
// Include this before any header that includes the standard one, `execution`: first in each file,
// or by the compiler's option `-include furca/execution.hpp`. Then link furca, and not oneTBB.
// Everything else stays as it is: std::sort(std::execution::par, ...) sorts by furca's sort, on the
// pool that the caller is in, else on the global pool.
//
// All translation units of a program must include it, or none that has a parallel algorithm: the
// algorithms have the same names for the linker, whatever they run on. Nothing tells you: such a
// program links, and each algorithm runs on whichever the linker finds first.
//
// What is thrown by a callable, an iterator, or an element's copy or move ends the program, as the
// standard has it. Callables that are not trivially copyable, or not callable if const, may have a
// state: each thread gets copies of them, and copy_if, partition, nth_element and extremes are then
// libstdc++'s own on furca's threads.
//
// How: libstdc++'s algorithms call a backend, by way of the alias __pstl::__par_backend. The one
// header that sets it, <pstl/parallel_backend.h>, is taken for included here, and the alias is set
// to furca's functions. So are searches, of which <pstl/parallel_impl.h> makes loops that begin in
// the middle of the range as well, where there need be nothing to look for. No header of the system
// is changed. What furca does itself are overloads of the standard's functions, in
// <furca/detail/execution/pstl_overloads.hpp>, which also tells what is left to libstdc++, and why
// that is right.
#pragma once

#include <version>

#ifndef __GLIBCXX__
#error "furca: furca/execution.hpp is for libstdc++; with libc++ include furca/plugs/libcxx.hpp"
#include <stopped here>  // there is no such file, so the errors that would follow are not printed
#elif defined(_PSTL_PARALLEL_BACKEND_H) || defined(_PSTL_PARALLEL_IMPL_H)
#error "furca: include furca/execution.hpp before <execution>: first in each file, or by -include"
#include <stopped here>
#endif

#include <furca/detail/base/config.hpp>  // reports compilation as C++17, or without exceptions

#include <pstl/pstl_config.h>
#if _PSTL_VERSION != 12000 && _PSTL_VERSION != 17000
#error "furca: furca/execution.hpp knows the parallel algorithms of libstdc++ 12 to 15, not these"
#include <stopped here>
#endif

/// @cond
#define _PSTL_PARALLEL_BACKEND_H
#define _PSTL_PARALLEL_IMPL_H
/// @endcond

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/algorithms/raw_memory.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/detail/execution/pstl_order.hpp>
#include <furca/detail/execution/pstl_overloads.hpp>
#include <furca/detail/execution/pstl_reductions.hpp>
#include <furca/detail/execution/pstl_scans.hpp>
#include <furca/detail/execution/pstl_search.hpp>
#include <furca/join.hpp>

#include <pstl/execution_defs.h>
#include <pstl/parallel_backend_utils.h>

/// What libstdc++'s parallel algorithms call. Their names and arguments are theirs: i and j are
/// iterators or indices, and a brick is what they do with a stretch.
namespace furca::detail::pstl_backend {

template <class T>
concept ExecutionPolicy = __pstl::execution::is_execution_policy<std::remove_cvref_t<T>>::value;

/// Memory for n objects that the algorithm makes and destroys. Throws std::bad_alloc.
template <class T>
class __buffer {
 public:
  explicit __buffer(std::size_t n) : memory_(n) {}
  operator bool() const { return get() != nullptr; }
  T* get() const { return memory_.data(); }

 private:
  RawMemory<T> memory_;
};

/// The reduction whose brick calls this has found what it looked for.
inline void __cancel_execution() { cancel_fold(); }

template <class Policy, class Index, class Brick>
void __parallel_for(Policy&&, Index first, Index last, Brick brick) {
  detail::run_bricks(first, last, brick, SourceLocation::current());
}

template <class Policy, class Value, class Index, class Brick, class Op>
Value __parallel_reduce(Policy&&, Index first, Index last, const Value& identity,
                        const Brick& brick, const Op& op) {
  return detail::fold_bricks(first, last, identity, brick, op, SourceLocation::current());
}

template <class Policy, class Index, class First, class T, class Combine, class Brick>
T __parallel_transform_reduce(Policy&&, Index first, Index last, First element, T init,
                              Combine combine, Brick brick) {
  return detail::transform_reduce_bricks(first, last, element, std::move(init), combine, brick,
                                         SourceLocation::current());
}

/// apex gets what all elements come to.
template <class Policy, class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void __parallel_strict_scan(Policy&&, Index n, T init, Reduce reduce, Combine combine, Scan scan,
                            Apex apex) {
  const auto first = [&reduce](std::size_t lo, std::size_t hi) {
    return detail::call_brick(reduce, static_cast<Index>(lo), static_cast<Index>(hi - lo));
  };
  const auto second = [&scan](std::size_t lo, std::size_t hi, T before) {
    detail::call_brick(scan, static_cast<Index>(lo), static_cast<Index>(hi - lo),
                       std::move(before));
  };
  NoThrow<Combine> op{combine};
  const T all = detail::scan_blocks<false>(static_cast<std::size_t>(n), init, first, op, second,
                                           SourceLocation::current());
  EndingCalls()([&] { apex(all); });
}

/// Nobody calls this: scans are furca's own, by pstl_overloads.hpp. libstdc++'s do not compile
/// without the name.
template <class... Args>
void __parallel_transform_scan(Args&&...) = delete;

/// leaf sorts; but with `wanted`, which is a number of elements to be in order, it may do more.
template <class Policy, class I, class Comp, class Leaf>
  requires ExecutionPolicy<Policy>
void __parallel_stable_sort(Policy&&, I first, I last, Comp comp, Leaf leaf,
                            std::size_t wanted = 0) {
  detail::sort_by_leaves(first, last, comp, leaf, wanted, SourceLocation::current());
}

/// leaf merges. One without a word of its own copies, as std::merge does; that of
/// std::inplace_merge holds a length, and makes elements in raw memory.
template <class Policy, class A, class B, class Out, class Comp, class Leaf>
void __parallel_merge(Policy&&, A first1, A last1, B first2, B last2, Out out, Comp comp,
                      Leaf leaf) {
  // If that of std::inplace_merge held nothing one day, elements that only move would not compile:
  // tests/algorithms/execution_test.cpp has some.
  detail::merge_iterators<sizeof(Leaf) == 1>(first1, last1, first2, last2, out, comp, leaf,
                                             SourceLocation::current());
}

template <class Policy, class F, class G>
void __parallel_invoke(Policy&&, F&& f, G&& g) {
  furca::join(std::forward<F>(f), std::forward<G>(g));
}

// From libstdc++ 14 on a tag of the backend comes first.

template <class T>
concept BackendTag = std::is_empty_v<T> && !ExecutionPolicy<T>;

/// @cond
#define FURCA_TAGGED(name)                                          \
  template <BackendTag Tag, ExecutionPolicy Policy, class... Args>  \
  auto name(Tag, Policy&& policy, Args&&... args) {                 \
    return pstl_backend::name(policy, std::forward<Args>(args)...); \
  }
FURCA_TAGGED(__parallel_for)
FURCA_TAGGED(__parallel_reduce)
FURCA_TAGGED(__parallel_transform_reduce)
FURCA_TAGGED(__parallel_strict_scan)
FURCA_TAGGED(__parallel_stable_sort)
FURCA_TAGGED(__parallel_merge)
FURCA_TAGGED(__parallel_invoke)
#undef FURCA_TAGGED
/// @endcond

}  // namespace furca::detail::pstl_backend

namespace __pstl {

namespace __par_backend = ::furca::detail::pstl_backend;

namespace __internal {

/// The lowest or the highest that brick(i, j) gives for a stretch [i, j); j: nothing in it.
template <class Policy, class Index, class Brick, class Compare>
  requires furca::detail::pstl_backend::ExecutionPolicy<Policy>
Index __parallel_find(Policy&&, Index first, Index last, Brick brick, Compare, bool lowest) {
  return furca::detail::find_by_bricks(first, last, brick, lowest,
                                       furca::SourceLocation::current());
}

/// Whether brick(i, j) holds for any stretch.
template <class Policy, class Index, class Brick>
  requires furca::detail::pstl_backend::ExecutionPolicy<Policy>
bool __parallel_or(Policy&&, Index first, Index last, Brick brick) {
  return furca::detail::any_by_bricks(first, last, brick, furca::SourceLocation::current());
}

template <furca::detail::pstl_backend::BackendTag Tag, class Policy, class... Args>
auto __parallel_find(Tag, Policy&& policy, Args&&... args) {
  return __internal::__parallel_find(policy, std::forward<Args>(args)...);
}
template <furca::detail::pstl_backend::BackendTag Tag, class Policy, class... Args>
bool __parallel_or(Tag, Policy&& policy, Args&&... args) {
  return __internal::__parallel_or(policy, std::forward<Args>(args)...);
}

}  // namespace __internal

}  // namespace __pstl
