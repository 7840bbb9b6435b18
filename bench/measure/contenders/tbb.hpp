// oneTBB in the forms that may serve it best: its two ways to fork, its four partitioners, bodies
// that fold in place, the whole run inside one arena. The harness tries them all and measures the
// fastest.
#pragma once

#include "../registry.hpp"
#include "local.hpp"
#include "pair_of.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace bench {

namespace detail {

inline void enter_tbb(unsigned threads, const std::function<void()>& f) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena(static_cast<int>(threads)).execute(f);
}

/// The imperative form of parallel_reduce: the functional one copies an accumulator for every
/// subrange.
template <class T, class Map, class Op>
class TbbFold {
 public:
  TbbFold(const T& identity, Map& map, Op& op)
      : accumulator(identity), identity_(identity), map_(map), op_(op) {}
  TbbFold(TbbFold& other, tbb::split) : TbbFold(other.identity_, other.map_, other.op_) {}

  void operator()(const tbb::blocked_range<std::size_t>& range) {
    T folded = std::move(accumulator);  // a local one stays in a register
    Local<Map&> map = map_;
    for (std::size_t i = range.begin(); i != range.end(); ++i) fold_in(folded, i, map, op_);
    accumulator = std::move(folded);
  }

  void join(TbbFold& right) {
    accumulator = op_(std::move(accumulator), std::move(right.accumulator));
  }

  T accumulator;

 private:
  const T& identity_;
  Map& map_;
  Op& op_;
};

/// Loops and reductions with a partitioner, and with at least so many iterations in a task.
template <class Partitioner>
struct TbbLoops {
  static constexpr Operations kOffers = kLoop | kReduce;

  template <class F>
  static void loop(std::size_t n, F&& body) {
    Partitioner::with([&](auto& partitioner) {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, n, Partitioner::grain(n)),
          [&](const tbb::blocked_range<std::size_t>& range) {
            Local<F> mine = body;
            for (std::size_t i = range.begin(); i != range.end(); ++i) mine(i);
          },
          partitioner);
    });
  }

  template <class T, class Map, class Op>
  static T reduce(std::size_t n, T identity, Map&& map, Op&& op) {
    detail::TbbFold<T, std::remove_reference_t<Map>, std::remove_reference_t<Op>> fold(identity,
                                                                                       map, op);
    Partitioner::with([&](auto& partitioner) {
      tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, n, Partitioner::grain(n)), fold,
                           partitioner);
    });
    return std::move(fold.accumulator);
  }
};

template <class P>
struct FreshPartitioner {
  static std::size_t grain(std::size_t) { return 1; }
  template <class F>
  static void with(F f) {
    const P partitioner;
    f(partitioner);
  }
};

/// It splits down to the grain always, so the grain is what a user would set: sixteen tasks for
/// each thread.
struct SimplePartitioner : FreshPartitioner<tbb::simple_partitioner> {
  static std::size_t grain(std::size_t n) {
    return std::max<std::size_t>(
        1, n / (16 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency())));
  }
};

/// It remembers which thread ran what, so each loop has one that lives on: one for each body type
/// and thread, and a fresh one for a loop inside itself.
struct AffinityPartitioner {
  static std::size_t grain(std::size_t) { return 1; }
  template <class F>
  static void with(F f) {
    thread_local tbb::affinity_partitioner kept;
    thread_local bool in_use = false;
    if (in_use) {
      tbb::affinity_partitioner fresh;
      f(fresh);
      return;
    }
    in_use = true;
    f(kept);
    in_use = false;
  }
};

}  // namespace detail

struct TbbInvoke {
  inline static const Contender kContender{"oneTBB parallel_invoke", "oneTBB", false,
                                           &detail::enter_tbb};
  static constexpr Operations kOffers = kJoin | kFineForks;

  template <class A, class B>
  static auto join(A&& a, B&& b) {
    // Its caller runs the last of its arguments; here, as with everybody else, it is to run a.
    return detail::pair_of(
        a, b, [](auto&& first, auto&& second) { tbb::parallel_invoke(second, first); });
  }
};

struct TbbTaskGroup {
  inline static const Contender kContender{"oneTBB task_group", "oneTBB", false,
                                           &detail::enter_tbb};
  static constexpr Operations kOffers = kJoin | kSpawn | kFineForks;

  template <class A, class B>
  static auto join(A&& a, B&& b) {
    return detail::pair_of(a, b, [](auto&& first, auto&& second) {
      tbb::task_group group;
      group.run([&second] { second(); });
      first();
      group.wait();
    });
  }

  template <class F>
  static void spawn(std::size_t n, F&& body) {
    if (n == 0) return;
    tbb::task_group group;
    for (std::size_t i = 1; i < n; ++i) group.run([&body, i] { body(i); });
    body(0);
    group.wait();
  }
};

struct TbbAuto : detail::TbbLoops<detail::FreshPartitioner<tbb::auto_partitioner>> {
  inline static const Contender kContender{"oneTBB auto_partitioner", "oneTBB", false,
                                           &detail::enter_tbb};
};

struct TbbStatic : detail::TbbLoops<detail::FreshPartitioner<tbb::static_partitioner>> {
  inline static const Contender kContender{"oneTBB static_partitioner", "oneTBB", false,
                                           &detail::enter_tbb};
};

struct TbbSimple : detail::TbbLoops<detail::SimplePartitioner> {
  inline static const Contender kContender{"oneTBB simple_partitioner", "oneTBB", false,
                                           &detail::enter_tbb};
};

struct TbbAffinity : detail::TbbLoops<detail::AffinityPartitioner> {
  inline static const Contender kContender{"oneTBB affinity_partitioner", "oneTBB", false,
                                           &detail::enter_tbb};
};

}  // namespace bench
