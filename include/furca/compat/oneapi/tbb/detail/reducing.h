// What a reduction does on each thread, and how its parts come together.
#pragma once

#include "../blocked_range.h"
#include "../partitioner.h"
#include "contexts.h"
#include "dividing.h"
#include "loop_call.h"
#include "range_blocks.h"
#include "split.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// What a reduction of a blocked_range does on one thread: it adds to the caller's body, or to one
/// that was split off for a thief. The thief's stands for the stretch to the right of that from
/// which it was split, and is joined to it.
template <class Value, class Body>
class ReduceLoop {
 public:
  ReduceLoop(const LoopCall& call, const BlockedLoop<Value>& range, Body& body)
      : call_(call), range_(range), body_(body) {}
  ReduceLoop(ReduceLoop&&) = delete;

  ReduceLoop fresh() const { return ReduceLoop(*this, split()); }
  void absorb(ReduceLoop&& right) {
    if (!call_.cancelled()) body_.join(right.body_);
  }
  void run(std::uint64_t lo, std::uint64_t hi, furca::detail::LoopEnd& end) {
    call_.chunk(lo, end, [&] { range_.run(call_, lo, hi, body_); });
  }

 private:
  ReduceLoop(const ReduceLoop& left, split tag)
      : call_(left.call_),
        range_(left.range_),
        own_(std::in_place, left.body_, tag),
        body_(*own_) {}

  const LoopCall& call_;
  const BlockedLoop<Value>& range_;
  std::optional<Body> own_;
  Body& body_;
};

/// Functions as a body.
template <class Value, class RealBody, class Reduction>
class FunctionalBody {
 public:
  FunctionalBody(const Value& identity, const RealBody& real_body, const Reduction& reduction)
      : identity_(identity), real_body_(real_body), reduction_(reduction), value_(identity) {}
  FunctionalBody(FunctionalBody& left, split)
      : FunctionalBody(left.identity_, left.real_body_, left.reduction_) {}

  template <class R>
  void operator()(R& range) {
    furca::detail::Held<const RealBody, R&, Value> real_body = real_body_;
    value_ = std::invoke(real_body, range, std::move(value_));
  }
  void join(FunctionalBody& right) {
    value_ = std::invoke(reduction_, std::move(value_), std::move(right.value_));
  }

  Value take() { return std::move(value_); }

 private:
  const Value& identity_;
  const RealBody& real_body_;
  const Reduction& reduction_;
  Value value_;
};

/// The third argument tells functions from a body with a partitioner and a context.
template <class F>
concept NoPartitioner = !std::constructible_from<Division, F&>;

enum class Order { as_scheduled, fixed };

template <Order order, class R, class Body>
FURCA_NOINLINE void run_reduce(const R& range, Body& body, const Division& division,
                               task_group_context* context, const furca::SourceLocation& where) {
  if (range.empty()) return;
  const LoopCall call(context);
  if constexpr (order == Order::fixed) {
    // Without a partitioner as with simple_partitioner: the tree of halves down to the grain.
    // static_partitioner's 64 parts are the same for any number of threads.
    constexpr unsigned kStaticLevels = 6;
    furca::detail::Worker::current();  // an undivided range's body may ask for the thread's number
    R all(range);
    reduce_tree(call, all, body,
                division.to_the_grain() ? Levels::all() : Levels::of(kStaticLevels), where);
  } else if constexpr (kBlocked<R>) {
    using Value = typename R::const_iterator;
    const BlockedLoop<Value> blocks(range, division);
    ReduceLoop<Value, Body> loop(call, blocks, body);
    run_steps<"tbb::parallel_reduce">(call, loop, blocks.steps(), where);
  } else {
    R all(range);
    reduce_parts(call, all, body, Levels(division), where);
  }
}

template <class R, class Body>
consteval bool reduce_body_fits() {
  constexpr bool fits =
      std::constructible_from<Body, Body&, split> && requires(Body& body, R& range) {
        body(range);
        body.join(body);
      };
  static_assert(Range<R>,
                "furca: a range for tbb::parallel_reduce has empty(), is_divisible() and a "
                "splitting constructor R(R&, tbb::split)");
  static_assert(fits,
                "furca: a body for tbb::parallel_reduce has operator()(const Range&), a splitting "
                "constructor Body(Body&, tbb::split) and join(Body&)");
  return Range<R> && fits;
}

template <class R, class Value, class RealBody, class Reduction>
consteval bool reduce_functions_fit() {
  constexpr bool body = std::is_invocable_r_v<Value, const RealBody&, R&, Value>;
  constexpr bool reduction = std::is_invocable_r_v<Value, const Reduction&, Value, Value>;
  static_assert(Range<R>,
                "furca: a range for tbb::parallel_reduce has empty(), is_divisible() and a "
                "splitting constructor R(R&, tbb::split)");
  static_assert(body,
                "furca: the second function of tbb::parallel_reduce(range, identity, body, "
                "reduction) takes a range and a value, and returns a value");
  static_assert(reduction,
                "furca: the last function of tbb::parallel_reduce(range, identity, body, "
                "reduction) takes two values and returns one");
  return Range<R> && body && reduction;
}

template <Order order, class R, class Value, class RealBody, class Reduction>
Value run_functions(const R& range, const Value& identity, const RealBody& real_body,
                    const Reduction& reduction, const Division& division,
                    task_group_context* context, const furca::SourceLocation& where) {
  if constexpr (reduce_functions_fit<R, Value, RealBody, Reduction>()) {
    FunctionalBody<Value, RealBody, Reduction> body(identity, real_body, reduction);
    run_reduce<order>(range, body, division, context, where);
    return body.take();
  } else {
    return identity;
  }
}

}  // namespace tbb::detail
