// parallel_for: a loop whose iterations may run at the same time.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/index_range.hpp>
#include <furca/detail/loop_mistakes.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>
#include <furca/progress.hpp>

#include <concepts>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>

namespace furca {

/// Called with each index of a loop, by several threads at a time.
/// @snippet parallel_for.cpp IndexBody
template <class F, class Index>
concept IndexBody = std::invocable<F&, Index>;

/// Called with each element of a range, by several threads at a time.
/// @snippet parallel_for.cpp ElementBody
template <class F, class Range>
concept ElementBody = std::invocable<F&, std::ranges::range_reference_t<Range>>;

/// What a parallel loop can run over: elements at the positions from 0 to size() - 1.
/// @snippet parallel_for.cpp LoopRange
template <class Range>
concept LoopRange = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range>;

namespace detail {

/// At the end of a chunk, or where it threw.
inline void add_steps(Progress* progress, std::uint64_t steps) noexcept {
  if (progress != nullptr) [[unlikely]] progress->add(steps);
}

/// Iterations have no result: all threads share one part.
template <class Index, class Body>
class ForPart {
 public:
  ForPart(IndexRange<Index> range, Body& body, Progress* progress) noexcept : range_(range), body_(body), progress_(progress) {}

  /// The plain loop over the user's body, so that it is inlined and vectorised as the serial loop is. Any number of threads at once.
  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) const {
    Held<Body, Index> body = body_;
    const Index stop = range_.at(hi);
    Index i = range_.at(lo);
    try {
      for (; i != stop; ++i) std::invoke(body, Index(i));  // a copy: the counter is not the body's to change
    } catch (...) {
      end.lower_to(range_.step(i));
      add_steps(progress_, range_.step(i) - lo);
      throw;
    }
    add_steps(progress_, hi - lo);
  }

 private:
  IndexRange<Index> range_;
  Body& body_;
  Progress* progress_;
};

/// A range's body inside the loop over its positions.
template <class Range, class Body>
struct HeldElementBody {
  Held<std::remove_reference_t<Body>, std::ranges::range_reference_t<Range>> body;
};

template <class Body>
inline constinit BodyCost for_cost{};

}  // namespace detail

/// Calls body(i) for every i in [first, last), in parallel where threads are free; returns when all calls have.
///
/// Both ends are taken to their common type, which is what body gets: mind that common_type of int and std::size_t is unsigned. A
/// range whose end is not above its beginning is empty, and nothing runs.
/// Iterations must not wait for each other: nothing promises that two of them run at the same time.
/// A small body that can be called when const, as most lambdas, is copied into the loop; capture small numbers by value, and the
/// compiler knows that the loop does not change them.
/// There is no grain to choose: chunks grow until one takes two to sixteen microseconds; a loop that, going by earlier calls of the
/// same body, takes less than a few microseconds runs on the caller alone, unless its first eighth tells otherwise; half of what is
/// left is published whenever a thread could use it. A thread that meets an iteration much longer than the others keeps to itself
/// behind it no more than a 64th of the loop, or what some 8 microseconds would do at the usual pace if that is more.
/// Exceptions: what the serial loop would have thrown. Every iteration before the throwing one runs, those after it may be
/// skipped, and all that were started have finished. Throws std::invalid_argument if options.grain is 0, and std::bad_alloc when an
/// outside thread calls in for the first time and there is no memory.
/// options.progress: once the call has returned or thrown, every iteration that has returned is counted, and no other.
/// Complexity: n calls of body; span O(log n) plus the longest few microseconds' worth of iterations. Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting; body must bear being called by several threads at once.
/// @snippet parallel_for.cpp parallel_for
template <std::integral First, std::integral Last, class Body>
  requires detail::LoopIndex<std::common_type_t<First, Last>> && IndexBody<Body, std::common_type_t<First, Last>>
void parallel_for(First first, Last last, Body&& body, const LoopOptions& options = {},
                  const SourceLocation where = SourceLocation::current()) {
  detail::check_grain(options.grain);
  using Index = std::common_type_t<First, Last>;
  using Part = detail::ForPart<Index, std::remove_reference_t<Body>>;
  const detail::IndexRange<Index> range(static_cast<Index>(first), static_cast<Index>(last));
  Part part(range, body, options.progress);
  detail::Loop(detail::kFunctionsOf<Part, detail::Construct::loop>, range.size(), options.grain, options.stop, detail::for_cost<Part>, where).run(&part);
}

/// Calls body(element) for every element of a random-access range of known size. Everything else as above. Elements that share a
/// byte, as those of std::vector<bool> do, must not be written.
/// @snippet parallel_for.cpp range
template <LoopRange Range, ElementBody<Range> Body>
void parallel_for(Range&& range, Body&& body, const LoopOptions& options = {},
                  const SourceLocation where = SourceLocation::current()) {
  using Difference = std::ranges::range_difference_t<Range>;
  const auto begin = std::ranges::begin(range);
  furca::parallel_for(
      std::size_t{0}, static_cast<std::size_t>(std::ranges::size(range)),
      [held = detail::HeldElementBody<Range, Body>{body}, begin](std::size_t i) { std::invoke(held.body, begin[static_cast<Difference>(i)]); },
      options, where);
}

}  // namespace furca
