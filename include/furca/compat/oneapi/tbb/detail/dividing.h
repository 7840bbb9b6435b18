// Ranges that only their splitting constructor can divide: by joins, as far as the partitioner asks
// and threads are free.
#pragma once

#include "../partitioner.h"
#include "loop_call.h"

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/join.hpp>
#include <furca/thread_pool.hpp>

#include <bit>
#include <optional>

namespace tbb::detail {

/// How often a range is divided on the way down, whoever steals.
///
/// For auto_partitioner there are sixteen parts for each thread at first; a part is divided further
/// only by a thread that has nothing left for thieves (lazy binary splitting, Tzannes and others,
/// PPoPP 2010): one that has just stolen it, or from which all else was stolen.
class Levels {
 public:
  explicit Levels(const Division& division)
      : left_(division.to_the_grain()
                  ? kAll
                  : static_cast<unsigned>(std::bit_width(
                        furca::num_threads() * (division.for_each_thread() ? 1 : kPartsForEach) -
                        1))),
        fixed_(division.for_each_thread()) {}

  /// So many, however many threads there are.
  static constexpr Levels of(unsigned number) noexcept { return Levels(number); }
  static constexpr Levels all() noexcept { return Levels(kAll); }

  template <class R>
  bool divides(const R& range) const {
    if (!range.is_divisible()) return false;
    if (left_ > 0 || fixed_) return left_ > 0;
    const furca::detail::Worker& self = furca::detail::Worker::current();
    return !self.alone() && self.nothing_to_steal();
  }

  bool any() const noexcept { return left_ > 0; }
  Levels below() const noexcept {
    Levels all = *this;
    if (left_ > 0 && left_ < kAll) --all.left_;
    return all;
  }

 private:
  static constexpr unsigned kAll = ~0U;
  static constexpr std::size_t kPartsForEach = 16;

  explicit constexpr Levels(unsigned left) noexcept : left_(left) {}

  unsigned left_;
  bool fixed_ = false;  // no more of them, whatever thieves may find
};

/// Calls leaf(part) for parts that make up the range.
template <class R, class Leaf>
void for_parts(const LoopCall& call, R& range, Levels levels, const Leaf& leaf,
               const furca::SourceLocation& where) {
  if (call.stopped()) return;
  if (!levels.divides(range)) return call.joined_chunk([&] { leaf(range); });
  R right(range, split());
  furca::join([&] { for_parts(call, range, levels.below(), leaf, where); },
              [&] { for_parts(call, right, levels.below(), leaf, where); }, where);
}

/// Adds the parts of a range to a body, from left to right. A right part has a body of its own only
/// if another thread runs it, or the left part has not ended.
template <class R, class Body>
void reduce_parts(const LoopCall& call, R& range, Body& body, Levels levels,
                  const furca::SourceLocation& where) {
  if (call.stopped()) return;
  if (!levels.divides(range)) return call.joined_chunk([&] { body(range); });
  R right(range, split());
  std::optional<Body> rights;
  bool left_ended = false;
  const furca::detail::Worker* const here = &furca::detail::Worker::current();
  furca::join(
      [&] {
        reduce_parts(call, range, body, levels.below(), where);
        left_ended = true;
      },
      [&] {
        if (&furca::detail::Worker::current() == here && left_ended)
          return reduce_parts(call, right, body, levels.below(), where);
        rights.emplace(body, split());
        reduce_parts(call, right, *rights, levels.below(), where);
      },
      where);
  if (rights && !call.stopped()) body.join(*rights);
}

/// What reduce_tree calls from several places, with the same bits (furca/detail/loop/combine.hpp).
/// @{
template <class R, class Body>
FURCA_COMPILED_ONCE void add_part(Body& body, R& range) {
  body(range);
}
template <class Body>
FURCA_COMPILED_ONCE void join_right(Body& left, Body& right) {
  left.join(right);
}
/// @}

/// The same where each right part has a body of its own, so that the result depends on the range
/// alone.
template <class R, class Body>
void reduce_tree(const LoopCall& call, R& range, Body& body, Levels levels,
                 const furca::SourceLocation& where) {
  if (call.stopped()) return;
  if (!levels.any() || !range.is_divisible())
    return call.joined_chunk([&] { detail::add_part(body, range); });
  R right(range, split());
  Body rights(body, split());
  furca::join([&] { reduce_tree(call, range, body, levels.below(), where); },
              [&] { reduce_tree(call, right, rights, levels.below(), where); }, where);
  if (!call.stopped()) detail::join_right(body, rights);
}

}  // namespace tbb::detail
