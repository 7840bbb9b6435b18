// std::execution::par and par_unseq of libc++ 19 to 22 on furca. libc++'s own back end runs them on
// one thread, on Linux. Compile with clang's options -stdlib=libc++ -fexperimental-library.
//
// Include this before any header of libc++'s algorithms: first in each file, or by the option
// `-include furca/plugs/libcxx.hpp`. All files of a program include it, or none that has such an
// algorithm: the linker takes either for the other. The pool is the caller's, else the global one.
// What a callable, an iterator or an element throws ends the program, as the standard has it.
// How: the header of the back end that libc++ is configured for is taken for included here.
#pragma once

#include <version>

#ifndef _LIBCPP_VERSION
#error "furca: furca/plugs/libcxx.hpp is for libc++; with libstdc++ include furca/execution.hpp"
#include <stopped here>  // there is no such file, so the errors that would follow are not printed
#elif _LIBCPP_VERSION < 190000 || _LIBCPP_VERSION >= 230000
#error "furca: furca/plugs/libcxx.hpp knows the parallel algorithms of libc++ 19 to 22, not these"
#include <stopped here>
#elif defined(_LIBCPP___PSTL_BACKENDS_STD_THREAD_H)
#error \
    "furca: include furca/plugs/libcxx.hpp before <algorithm> and <execution>: first in each file"
#include <stopped here>
#endif
#define _LIBCPP___PSTL_BACKENDS_STD_THREAD_H

#include <furca/detail/execution/pstl_order.hpp>
#include <furca/detail/execution/pstl_reductions.hpp>
#include <furca/plugs/libcxx_few.hpp>

#include <__pstl/backend_fwd.h>
#include <__pstl/cpu_algos/any_of.h>
#include <__pstl/cpu_algos/find_if.h>
#include <__pstl/cpu_algos/merge.h>
#include <__pstl/cpu_algos/stable_sort.h>
#include <__pstl/cpu_algos/transform_reduce.h>
#include <new>
#include <optional>

_LIBCPP_BEGIN_NAMESPACE_STD
namespace __pstl {

/// Empty results: there was no memory, before the loop began.
template <>
struct __cpu_traits<__std_thread_backend_tag> {
  template <class I, class F>
  static optional<__empty> __for_each(I first, I last, F f) try {
    furca::detail::run_bricks(first, last, f, furca::SourceLocation::current());
    return __empty();
  } catch (const bad_alloc&) {
    return nullopt;
  }

  template <class I, class Map, class T, class Op, class Reduce>
  static optional<T> __transform_reduce(I i, I end, Map map, T init, Op op, Reduce reduce) try {
    return furca::detail::transform_reduce_bricks(i, end, map, static_cast<T&&>(init), op, reduce,
                                                  furca::SourceLocation::current());
  } catch (const bad_alloc&) {
    return nullopt;
  }

  template <class I, class Comp, class Leaf>
  static optional<__empty> __stable_sort(I first, I last, Comp comp, Leaf leaf) try {
    furca::detail::sort_by_leaves(first, last, comp, leaf, 0, furca::SourceLocation::current());
    return __empty();
  } catch (const bad_alloc&) {
    return nullopt;
  }

  template <class A, class B, class Out, class Comp, class Leaf>
  static optional<__empty> __merge(A a, A a_end, B b, B b_end, Out out, Comp comp, Leaf leaf) try {
    furca::detail::merge_iterators<true>(a, a_end, b, b_end, out, comp, leaf,
                                         furca::SourceLocation::current());
    return __empty();
  } catch (const bad_alloc&) {
    return nullopt;
  }

  static void __cancel_execution() noexcept {}  // parts of a search look themselves
  static constexpr size_t __lane_size = 64;
};

#define FURCA_AS_CPU(name)                     \
  template <class P>                           \
  struct __##name<__std_thread_backend_tag, P> \
      : __cpu_parallel_##name<__std_thread_backend_tag, P> {};
FURCA_AS_CPU(any_of)
FURCA_AS_CPU(find_if)
FURCA_AS_CPU(merge)
FURCA_AS_CPU(stable_sort)
FURCA_AS_CPU(transform_reduce)
FURCA_AS_CPU(transform_reduce_binary)
#undef FURCA_AS_CPU
}  // namespace __pstl
_LIBCPP_END_NAMESPACE_STD
