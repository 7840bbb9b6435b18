// tbb::parallel_reduce and parallel_deterministic_reduce on furca: with functions, and with bodies
// that split and join.
#pragma once

#include "blocked_range.h"
#include "detail/reducing.h"
#include "parallel_for.h"
#include "partitioner.h"
#include "profiling.h"
#include "task_group.h"

namespace tbb {

/// As oneTBB's, with a body that splits and joins: it gets parts that lie side by side, from left
/// to right. Body(body, split) runs beside calls of body.
/// Exceptions and thread-safety as parallel_for. A cancelled reduction leaves a part of the result.
/// @{
template <class Range, class Body>
void parallel_reduce(const Range& range, Body& body,
                     const detail::Division& partitioner = detail::Division(),
                     const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::reduce_body_fits<Range, Body>())
    detail::run_reduce<detail::Order::as_scheduled>(range, body, partitioner, nullptr, where);
}

template <class Range, class Body>
void parallel_reduce(const Range& range, Body& body, const detail::Division& partitioner,
                     task_group_context& context,
                     const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::reduce_body_fits<Range, Body>())
    detail::run_reduce<detail::Order::as_scheduled>(range, body, partitioner, &context, where);
}

template <class Range, class Body>
void parallel_reduce(const Range& range, Body& body, task_group_context& context,
                     const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_reduce(range, body, detail::Division(), context, where);
}
/// @}

/// The same with functions: real_body(part, value) returns value and what the part adds to it,
/// reduction(left, right) combines two values, in order.
/// @{
template <class Range, class Value, class RealBody, class Reduction>
  requires detail::NoPartitioner<RealBody>
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction,
                      const detail::Division& partitioner = detail::Division(),
                      const furca::SourceLocation where = furca::SourceLocation::current()) {
  return detail::run_functions<detail::Order::as_scheduled>(range, identity, real_body, reduction,
                                                            partitioner, nullptr, where);
}

template <class Range, class Value, class RealBody, class Reduction>
  requires detail::NoPartitioner<RealBody>
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, const detail::Division& partitioner,
                      task_group_context& context,
                      const furca::SourceLocation where = furca::SourceLocation::current()) {
  return detail::run_functions<detail::Order::as_scheduled>(range, identity, real_body, reduction,
                                                            partitioner, &context, where);
}

template <class Range, class Value, class RealBody, class Reduction>
  requires detail::NoPartitioner<RealBody>
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, task_group_context& context,
                      const furca::SourceLocation where = furca::SourceLocation::current()) {
  return detail::run_functions<detail::Order::as_scheduled>(range, identity, real_body, reduction,
                                                            detail::Division(), &context, where);
}
/// @}

/// As parallel_reduce, and how the range is divided depends on it alone: the result has the same
/// bits for any number of threads. Without a partitioner the range is halved down to its grain, as
/// oneTBB halves it, and so the bits are oneTBB's too.
/// @{
template <class Range, class Body>
void parallel_deterministic_reduce(
    const Range& range, Body& body,
    const detail::Division& partitioner = detail::Division(simple_partitioner()),
    const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::reduce_body_fits<Range, Body>())
    detail::run_reduce<detail::Order::fixed>(range, body, partitioner, nullptr, where);
}

template <class Range, class Body>
void parallel_deterministic_reduce(
    const Range& range, Body& body, const detail::Division& partitioner,
    task_group_context& context,
    const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::reduce_body_fits<Range, Body>())
    detail::run_reduce<detail::Order::fixed>(range, body, partitioner, &context, where);
}

template <class Range, class Body>
void parallel_deterministic_reduce(
    const Range& range, Body& body, task_group_context& context,
    const furca::SourceLocation where = furca::SourceLocation::current()) {
  tbb::parallel_deterministic_reduce(range, body, detail::Division(simple_partitioner()), context,
                                     where);
}
/// @}

/// The same with functions.
/// @{
template <class Range, class Value, class RealBody, class Reduction>
  requires detail::NoPartitioner<RealBody>
Value parallel_deterministic_reduce(
    const Range& range, const Value& identity, const RealBody& real_body,
    const Reduction& reduction,
    const detail::Division& partitioner = detail::Division(simple_partitioner()),
    const furca::SourceLocation where = furca::SourceLocation::current()) {
  return detail::run_functions<detail::Order::fixed>(range, identity, real_body, reduction,
                                                     partitioner, nullptr, where);
}

template <class Range, class Value, class RealBody, class Reduction>
  requires detail::NoPartitioner<RealBody>
Value parallel_deterministic_reduce(
    const Range& range, const Value& identity, const RealBody& real_body,
    const Reduction& reduction, const detail::Division& partitioner, task_group_context& context,
    const furca::SourceLocation where = furca::SourceLocation::current()) {
  return detail::run_functions<detail::Order::fixed>(range, identity, real_body, reduction,
                                                     partitioner, &context, where);
}

template <class Range, class Value, class RealBody, class Reduction>
  requires detail::NoPartitioner<RealBody>
Value parallel_deterministic_reduce(
    const Range& range, const Value& identity, const RealBody& real_body,
    const Reduction& reduction, task_group_context& context,
    const furca::SourceLocation where = furca::SourceLocation::current()) {
  return detail::run_functions<detail::Order::fixed>(range, identity, real_body, reduction,
                                                     detail::Division(simple_partitioner()),
                                                     &context, where);
}
/// @}

}  // namespace tbb
