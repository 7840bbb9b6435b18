// oneTBB in the form that serves it best: auto_partitioner, bodies that fold in place, the whole run inside one arena.
#pragma once

#include "../registry.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <concepts>
#include <type_traits>
#include <utility>

namespace bench {

namespace detail {

inline void enter_tbb(unsigned threads, const std::function<void()>& f) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena(static_cast<int>(threads)).execute(f);
}

/// The imperative form of parallel_reduce: the functional one copies an accumulator for every subrange.
template <class T, class Map, class Op>
class TbbFold {
 public:
  TbbFold(const T& identity, Map& map, Op& op) : accumulator(identity), identity_(identity), map_(map), op_(op) {}
  TbbFold(TbbFold& other, tbb::split) : TbbFold(other.identity_, other.map_, other.op_) {}

  void operator()(const tbb::blocked_range<std::size_t>& range) {
    T folded = std::move(accumulator);  // a local one stays in a register
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      if constexpr (std::invocable<Map&, std::size_t>) {
        folded = op_(std::move(folded), map_(i));
      } else {
        map_(folded, i);
      }
    }
    accumulator = std::move(folded);
  }

  void join(TbbFold& right) { accumulator = op_(std::move(accumulator), std::move(right.accumulator)); }

  T accumulator;

 private:
  const T& identity_;
  Map& map_;
  Op& op_;
};

}  // namespace detail

struct Tbb {
  inline static const Contender kContender{"oneTBB parallel_invoke", "oneTBB", false, &detail::enter_tbb};
  static constexpr bool kForksOnly = false;

  template <class A, class B>
  static auto join(A&& a, B&& b) {
    std::pair<std::invoke_result_t<A>, std::invoke_result_t<B>> results;
    tbb::parallel_invoke([&] { results.first = a(); }, [&] { results.second = b(); });
    return results;
  }

  template <class F>
  static void loop(std::size_t n, F&& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n), [&](const tbb::blocked_range<std::size_t>& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
    });
  }

  template <class T, class Map, class Op>
  static T reduce(std::size_t n, T identity, Map&& map, Op&& op) {
    detail::TbbFold<T, std::remove_reference_t<Map>, std::remove_reference_t<Op>> fold(identity, map, op);
    tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, n), fold);
    return std::move(fold.accumulator);
  }
};

/// oneTBB's other way to fork.
struct TbbTaskGroup {
  inline static const Contender kContender{"oneTBB task_group", "oneTBB", false, &detail::enter_tbb};
  static constexpr bool kForksOnly = true;

  template <class A, class B>
  static auto join(A&& a, B&& b) {
    std::pair<std::invoke_result_t<A>, std::invoke_result_t<B>> results;
    tbb::task_group group;
    group.run([&] { results.second = b(); });
    results.first = a();
    group.wait();
    return results;
  }
};

}  // namespace bench
