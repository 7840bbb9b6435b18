// parallel_for: a loop whose iterations may run at the same time.
#pragma once

#include <furca/detail/base/config.hpp>  // first: reports compilation as C++17

#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/detail/loop/index_range.hpp>
#include <furca/detail/loop/loop.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/loop_options.hpp>

#include <concepts>
#include <type_traits>

FURCA_DECLARES(parallel_for);

/// @cond
namespace furca::found_by_name {
FURCA_SAYS_OF_OPTIONS(
    void, parallel_for,
    "write parallel_for(first, last, [&](int "
    "i) { ... }) for integers from first to last - 1, parallel_for(v, [&](auto& element) { "
    "... }) for elements as they are in v (const auto& if const, auto if computed as those "
    "of zip)" FURCA_RANGE FURCA_LOOP_OPTIONS)

// A step in front of the body, which would be taken for the body.
template <std::integral First, std::integral Last, std::integral Step, class Body>
  requires(!std::integral<std::remove_cvref_t<Body>>)
void parallel_for(First, Last, Step, Body&&, detail::Any = {}) {
  static_assert(
      detail::kFits<Body>,
      "furca: a loop counts by one: for every step-th index write parallel_for(0, (last - first "
      "+ step - 1) / step, [&](int k) { const int i = first + k * step; ... })");
}

}  // namespace furca::found_by_name
/// @endcond

namespace furca {

using found_by_name::parallel_for;

/// The body of a loop over indices: called with each index, by several threads at a time.
/// @snippet parallel_for.cpp IndexBody
template <class F, class Index>
concept IndexBody = std::invocable<F&, Index>;

/// The body of a loop over a range: called with each element, by several threads at a time.
/// @snippet parallel_for.cpp ElementBody
template <class F, class Range>
concept ElementBody = std::invocable<F&, std::ranges::range_reference_t<Range>>;

/// A range for parallel loops: random access, with a known size. If that is more than a std::size_t
/// holds, they throw std::length_error.
/// @snippet parallel_for.cpp LoopRange
template <class Range>
concept LoopRange = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range>;

namespace detail {

/// Iterations have no result: all threads share one part.
template <class Index, class Body>
class ForPart {
 public:
  ForPart(IndexRange<Index> range, Body& body, Progress* progress) noexcept
      : range_(range), body_(body), progress_(progress) {}

  /// Any number of threads at once.
  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) const {
    run_aligned(lo, hi, [&](std::uint64_t from, std::uint64_t to) { run_stretch(from, to, end); });
  }

 private:
  /// The plain loop over the user's body, so that it is inlined and vectorised as the serial one.
  FURCA_UNROLLED_LOOP void run_stretch(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) const {
    Held<Body, Index> body = body_;
    const Index stop = range_.at(hi);
    Index i = range_.at(lo);
    try {
      // a copy: the counter is not the body's to change
      for (; i != stop; ++i) detail::invoke(body, Index(i));
    } catch (...) {
      end.lower_to(range_.step(i));
      add_steps(progress_, range_.step(i) - lo);
      throw;
    }
    add_steps(progress_, hi - lo);
  }

  IndexRange<Index> range_;
  Body& body_;
  Progress* progress_;
};

/// A range's body inside the loop over its positions.
template <class Iterator, class Body>
struct ElementCall {
  Held<Body, std::iter_reference_t<Iterator>> body;
  Iterator begin;

  void operator()(std::size_t i) const {
    detail::invoke(body, begin[static_cast<std::iter_difference_t<Iterator>>(i)]);
  }
};

/// Any other loop. Out of line, so that each call is little code. `name`: of what it is a part of.
template <Literal name, class Index, class Body>
FURCA_NOINLINE void run_loop(IndexRange<Index> range, Body& body, const LoopOptions& options,
                             const SourceLocation& where) {
  using Part = ForPart<Index, Body>;
  const auto& [grain, stop, progress] = options;
  Part part(range, body, progress);
  Loop(kFunctionsOf<Part, name>, range.size(), grain, stop, &where)
      .watched(progress != nullptr)
      .run(&part);
}

}  // namespace detail

/// Calls body(i) for every i in [first, last), in parallel where threads are free, and returns when
/// all calls have returned.
///
/// body gets the common type of first and last; the common type of int and std::size_t is unsigned.
/// A range whose end is not above its beginning is empty, and nothing runs.
/// Iterations must not wait for each other: no two of them are guaranteed to run at the same time.
/// A small body with a const call operator, as most lambdas have, is copied into the loop. Capture
/// numbers and pointers by value: the compiler then knows that the loop does not change them. A
/// function pointer, also one to a member, is called for each index; a lambda is inlined.
/// There is no grain to choose: iterations are measured while they run, and other threads get as
/// many as are worth it. A loop that is too short for that runs on the caller alone. A loop in each
/// node of a recursive search costs what joins cost. Behind an iteration that is much longer than
/// the others no more than a small share of the loop waits. If a few iterations take most of the
/// time, they run at the same time, though neighbours, where threads are free: in the first calls
/// of a body as in later ones, unless those before were even. So in a body's very first call an
/// iteration, or a 16,384th of the loop, takes some 20 ns more. In a row of long outermost loops
/// over one range a thread runs, as a rule, the part that it ran before, for its caches' sake.
/// Exceptions: the one that the serial loop would throw. Every iteration before the throwing one
/// has run, those after it may be skipped, and none is running any more. Throws
/// std::invalid_argument if options.grain is 0, and std::bad_alloc at an outside thread's first
/// call.
/// options.progress counts, once the call has returned or thrown, exactly the iterations that have
/// returned.
/// Complexity: n calls of body; span O(log n) plus a few microseconds' worth of iterations, or the
/// longest one. Allocates nothing.
/// Thread-safety: any thread, at any depth of nesting. Several threads call body at once.
/// @snippet parallel_for.cpp parallel_for
template <std::integral First, std::integral Last, class Body>
  requires detail::LoopIndex<std::common_type_t<First, Last>> &&
           IndexBody<Body, std::common_type_t<First, Last>>
FURCA_INLINE inline void parallel_for(First first, Last last, Body&& body,
                                      const LoopOptions& options = {},
                                      const SourceLocation where = SourceLocation::current()) {
  using Index = std::common_type_t<First, Last>;
  using Called = std::remove_reference_t<Body>;
  const detail::IndexRange<Index> range(static_cast<Index>(first), static_cast<Index>(last));
  detail::Forks* const here = detail::current_forks;
  if (here != nullptr && range.size() <= detail::kFewSteps && detail::may_fork_each(options)) {
    // const where other loops call a const copy
    std::conditional_t<detail::HeldByValue<Called, Index>, const Called&, Called&> each = body;
    const auto one = [&each, from = static_cast<Index>(first),
                      stop = options.stop.stop_possible() ? &options.stop
                                                          : nullptr](std::uint64_t step) {
      if (stop != nullptr && stop->stop_requested()) return;
      detail::invoke(each, detail::IndexRange<Index>::at(from, step));
    };
    if (detail::run_few_steps(*here, one, range.size())) return;
  }
  detail::run_loop<"loop", Index, Called>(range, body, options, where);
}

/// Calls body(element) for every element of a random-access range of known size; everything else as
/// above. A std::vector<bool> must be const, since its elements share bytes.
/// @snippet parallel_for.cpp range
template <LoopRange Range, ElementBody<Range> Body>
void parallel_for(Range&& range, Body&& body, const LoopOptions& options = {},
                  const SourceLocation where = SourceLocation::current()) {
  static_assert(
      !detail::kSharesBytes<std::ranges::iterator_t<Range>>,
      "furca: elements of a std::vector<bool> share bytes, which several threads must not write: "
      "write a std::vector<char>, make a new std::vector<bool> by map, or pass "
      "std::as_const(v) to a loop that only reads");
  const detail::ElementCall<std::ranges::iterator_t<Range>, std::remove_reference_t<Body>> each{
      body, std::ranges::begin(range)};
  furca::parallel_for(std::size_t{0}, detail::size_of(range), each, options, where);
}

}  // namespace furca
