// OpenMP, as the compiler's runtime has it: tasks for forks, a static and a guided schedule for
// loops.
#pragma once

#include "../registry.hpp"
#include "local.hpp"
#include "pair_of.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <omp.h>

namespace bench {

namespace detail {

inline void enter_openmp(unsigned threads, const std::function<void()>& f) {
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(threads));
  f();
}

/// One thread runs f, the others the tasks it makes.
inline void enter_openmp_tasks(unsigned threads, const std::function<void()>& f) {
  enter_openmp(threads, [&f] {
#pragma omp parallel
#pragma omp single
    f();
  });
}

/// Each thread folds its own iterations into an accumulator of its own; op joins them, in the order
/// of the threads.
template <class T, class Op, class Loop>
T fold_openmp(const T& identity, Op& op, Loop loop) {
  struct alignas(64) Slot {
    T value;
  };
  std::vector<Slot> folded;
#pragma omp parallel
  {
#pragma omp single
    folded.assign(static_cast<std::size_t>(omp_get_num_threads()), Slot{identity});
    T mine = identity;
    loop(mine);
    folded[static_cast<std::size_t>(omp_get_thread_num())].value = std::move(mine);
  }
  T total = identity;
  for (Slot& slot : folded) total = op(std::move(total), std::move(slot.value));
  return total;
}

}  // namespace detail

/// Not for fine forks: a task takes its runtime a microsecond, and a run would take minutes.
struct OpenMpTasks {
  inline static const Contender kContender{"OpenMP tasks", "OpenMP", false,
                                           &detail::enter_openmp_tasks};
  static constexpr Operations kOffers = kJoin | kSpawn;

  template <class A, class B>
  static auto join(A&& a, B&& b) {
    return detail::pair_of(a, b, [](auto&& first, auto&& second) {
#pragma omp task shared(second)
      second();
      first();
#pragma omp taskwait
    });
  }

  template <class F>
  static void spawn(std::size_t n, F&& body) {
    for (std::size_t i = 1; i < n; ++i) {
#pragma omp task shared(body) firstprivate(i)
      body(i);
    }
    if (n > 0) body(0);
#pragma omp taskwait
  }
};

/// Static and guided are written out twice: a schedule is part of the pragma, and schedule(runtime)
/// would cost the static one what it gains by being known to the compiler.
struct OpenMpStatic {
  inline static const Contender kContender{"OpenMP static", "OpenMP", false, &detail::enter_openmp};
  static constexpr Operations kOffers = kLoop | kReduce;

  template <class F>
  static void loop(std::size_t n, F&& body) {
#pragma omp parallel
    {
      detail::Local<F> mine = body;
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < n; ++i) mine(i);
    }
  }

  template <class T, class Map, class Op>
  static T reduce(std::size_t n, T identity, Map&& map, Op&& op) {
    return detail::fold_openmp(identity, op, [&](T& mine) {
      detail::Local<Map> own_map = map;
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < n; ++i) detail::fold_in(mine, i, own_map, op);
    });
  }
};

struct OpenMpGuided {
  inline static const Contender kContender{"OpenMP guided", "OpenMP", false, &detail::enter_openmp};
  static constexpr Operations kOffers = kLoop | kReduce;

  template <class F>
  static void loop(std::size_t n, F&& body) {
#pragma omp parallel
    {
      detail::Local<F> mine = body;
#pragma omp for schedule(guided) nowait
      for (std::size_t i = 0; i < n; ++i) mine(i);
    }
  }

  template <class T, class Map, class Op>
  static T reduce(std::size_t n, T identity, Map&& map, Op&& op) {
    return detail::fold_openmp(identity, op, [&](T& mine) {
      detail::Local<Map> own_map = map;
#pragma omp for schedule(guided) nowait
      for (std::size_t i = 0; i < n; ++i) detail::fold_in(mine, i, own_map, op);
    });
  }
};

}  // namespace bench
