// tbb::parallel_for on furca: over ranges, and over integers.
#pragma once

#include "blocked_range.h"
#include "detail/dividing.h"
#include "detail/loop_call.h"
#include "detail/range_blocks.h"
#include "partitioner.h"
#include "profiling.h"
#include "task_group.h"

#include <furca/parallel_for.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <type_traits>

namespace tbb {

namespace detail {

/// What a loop over a blocked_range does on every thread.
template <class Value, class Body>
class RangeLoop {
 public:
  RangeLoop(const LoopCall& call, const blocked_range<Value>& range, const Division& division,
            const Body& body)
      : call_(call), range_(range, division), body_(body) {}

  std::uint64_t steps() const noexcept { return range_.steps(); }
  const Body& body() const noexcept { return body_; }

  /// Any number of threads at once. A small body is copied, so that the compiler knows that no
  /// store of its loop changes what was captured.
  void run(std::uint64_t lo, std::uint64_t hi, furca::detail::LoopEnd& end) const {
    furca::detail::Held<const Body, blocked_range<Value>&> body = body_;
    run_body(body, lo, hi, end);
  }

  template <class B>
  void run_body(B& body, std::uint64_t lo, std::uint64_t hi, furca::detail::LoopEnd& end) const {
    call_.chunk(lo, end, [&] { range_.run(call_, lo, hi, body); });
  }

 private:
  const LoopCall& call_;
  const BlockedLoop<Value> range_;
  const Body& body_;
};

/// The same with a copy of the body for each thread that takes part, where a copy may make a
/// difference: as in oneTBB, no two threads call one body.
template <class Value, class Body>
class CopyingRangeLoop {
 public:
  explicit CopyingRangeLoop(const RangeLoop<Value, Body>& loop) : loop_(loop), body_(loop.body()) {}

  CopyingRangeLoop fresh() const { return CopyingRangeLoop(loop_); }
  void absorb(CopyingRangeLoop&&) noexcept {}
  void run(std::uint64_t lo, std::uint64_t hi, furca::detail::LoopEnd& end) const {
    loop_.run_body(body_, lo, hi, end);
  }

 private:
  const RangeLoop<Value, Body>& loop_;
  const Body body_;
};

/// A loop of furca's over parts of one type. Where there is a thread for each step they may wait
/// for each other, as programs have them do.
template <furca::detail::Literal name, class Part>
void run_steps(const LoopCall& call, Part& part, std::uint64_t steps,
               const furca::SourceLocation& where) {
  furca::detail::Loop(furca::detail::kFunctionsOf<Part, name>, steps, furca::automatic_grain,
                      furca::StopToken(), &where)
      .watched(call.may_be_cancelled())
      .apart(steps <= furca::num_threads())
      .run(&part);
}

template <class R, class Body>
FURCA_NOINLINE void run_for(const R& range, const Body& body, const Division& division,
                            task_group_context* context, const furca::SourceLocation& where) {
  if (range.empty()) return;
  const LoopCall call(context);
  if constexpr (kBlocked<R>) {
    using Value = typename R::const_iterator;
    RangeLoop<Value, Body> loop(call, range, division, body);
    if constexpr (std::is_trivially_copyable_v<Body>) {
      run_steps<"tbb::parallel_for">(call, loop, loop.steps(), where);
    } else {
      CopyingRangeLoop<Value, Body> copying(loop);
      run_steps<"tbb::parallel_for">(call, copying, loop.steps(), where);
    }
  } else {
    R all(range);
    for_parts(call, all, Levels(division), [&body](R& part) { std::invoke(body, part); }, where);
  }
}

/// What a loop over integers does on every thread: the inner loop is that of furca::parallel_for.
template <class Index, class Body>
class IndexLoop {
 public:
  IndexLoop(const LoopCall& call, furca::detail::IndexRange<Index> range, const Body& body)
      : call_(call), loop_(range, body, nullptr) {}

  void run(std::uint64_t lo, std::uint64_t hi, furca::detail::LoopEnd& end) const {
    call_.chunk(lo, end, [&] { loop_.run(lo, hi, end); });
  }

 private:
  const LoopCall& call_;
  const furca::detail::ForPart<Index, const Body> loop_;
};

/// Calls a body with every step-th index.
template <class Index, class F>
struct Stepping {
  const F& body;
  Index first;
  Index step;

  void operator()(std::uint64_t i) const {
    std::invoke(body, static_cast<Index>(static_cast<std::uint64_t>(first) +
                                         i * static_cast<std::uint64_t>(step)));
  }
};

template <class Index, class Body>
FURCA_NOINLINE void run_indices(Index first, Index last, const Body& body,
                                task_group_context* context, const furca::SourceLocation& where) {
  const furca::detail::IndexRange<Index> range(first, last);
  const LoopCall call(context);
  IndexLoop<Index, Body> loop(call, range, body);
  run_steps<"tbb::parallel_for">(call, loop, range.size(), where);
}

template <class Index, class F>
void run_stepping(Index first, Index last, Index step, const F& f, task_group_context* context,
                  const furca::SourceLocation& where) {
  if (step <= 0) throw std::invalid_argument("Step must be positive");
  if (!(first < last)) return;
  if (step == 1) return run_indices(first, last, f, context, where);
  const std::uint64_t length = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  run_indices(std::uint64_t{0}, (length - 1) / static_cast<std::uint64_t>(step) + 1,
              Stepping<Index, F>{f, first, step}, context, where);
}

template <class Index, class F>
consteval bool index_body_fits() {
  constexpr bool fits = std::is_invocable_v<const F&, Index>;
  static_assert(
      fits,
      "furca: the function of tbb::parallel_for(first, last, f) is called as f(index), and const");
  return fits;
}

template <class R, class Body>
consteval bool range_body_fits() {
  static_assert(Range<R>,
                "furca: a range for tbb::parallel_for has empty(), is_divisible() and a splitting "
                "constructor R(R&, tbb::split)");
  constexpr bool fits = std::is_invocable_v<const Body&, R&>;
  static_assert(fits,
                "furca: the body of tbb::parallel_for is called with a range, and const: "
                "operator()(const Range&) const");
  return Range<R> && fits;
}

}  // namespace detail

/// As oneTBB's: calls body(part) for parts that make up the range. A blocked_range is divided as
/// furca's loops are, any other one by joins.
/// Exceptions: one of those thrown, the first in the range's order as a rule; what has not begun is
/// skipped. Thread-safety: any thread, at any depth.
/// @{
template <class Range, class Body>
void parallel_for(const Range& range, const Body& body, const detail::Division& partitioner = {},
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::range_body_fits<Range, Body>())
    detail::run_for(range, body, partitioner, nullptr, where);
}

template <class Range, class Body>
void parallel_for(const Range& range, const Body& body, const detail::Division& partitioner,
                  task_group_context& context,
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::range_body_fits<Range, Body>())
    detail::run_for(range, body, partitioner, &context, where);
}

template <class Range, class Body>
void parallel_for(const Range& range, const Body& body, task_group_context& context,
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_for(range, body, detail::Division(), context, where);
}
/// @}

/// As oneTBB's: calls f(i) for every i in [first, last), or for every step-th. Throws
/// std::invalid_argument if step is not positive.
/// @{
template <furca::detail::LoopIndex Index, class Function>
void parallel_for(Index first, Index last, const Function& f, const detail::Division& = {},
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::index_body_fits<Index, Function>())
    detail::run_indices(first, last, f, nullptr, where);
}

template <furca::detail::LoopIndex Index, class Function>
void parallel_for(Index first, Index last, const Function& f, const detail::Division&,
                  task_group_context& context,
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::index_body_fits<Index, Function>())
    detail::run_indices(first, last, f, &context, where);
}

template <furca::detail::LoopIndex Index, class Function>
void parallel_for(Index first, Index last, const Function& f, task_group_context& context,
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_for(first, last, f, detail::Division(), context, where);
}

template <furca::detail::LoopIndex Index, class Function>
void parallel_for(Index first, Index last, Index step, const Function& f,
                  const detail::Division& = {},
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::index_body_fits<Index, Function>())
    detail::run_stepping(first, last, step, f, nullptr, where);
}

template <furca::detail::LoopIndex Index, class Function>
void parallel_for(Index first, Index last, Index step, const Function& f, const detail::Division&,
                  task_group_context& context,
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::index_body_fits<Index, Function>())
    detail::run_stepping(first, last, step, f, &context, where);
}

template <furca::detail::LoopIndex Index, class Function>
void parallel_for(Index first, Index last, Index step, const Function& f,
                  task_group_context& context,
                  const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_for(first, last, step, f, detail::Division(), context, where);
}
/// @}

}  // namespace tbb
