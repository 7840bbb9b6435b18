// The elements of a range by their positions, as the inner loops of the algorithms see them.
#pragma once

#include <furca/detail/algorithms/writing.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/loop/blocks.hpp>
#include <furca/detail/loop/chunks.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/detail/loop/results.hpp>
#include <furca/parallel_for.hpp>

namespace furca::detail {

/// Elements of which a copy is as good as the bytes; pairs and tuples of such, though their
/// assignment is not trivial.
template <class T>
inline constexpr bool kPlain = std::is_trivially_copyable_v<T>;
template <class A, class B>
inline constexpr bool kPlain<std::pair<A, B>> = kPlain<A> && kPlain<B>;
template <class... Ts>
inline constexpr bool kPlain<std::tuple<Ts...>> = (kPlain<Ts> && ...);

/// A loop over the elements of a range. `name`: of what it is a part of.
template <Literal name, class Range, class Body>
void run_loop_over(Range& range, Body& body, const LoopOptions& options,
                   const SourceLocation& where) {
  const ElementCall<std::ranges::iterator_t<Range>, Body> each{body, std::ranges::begin(range)};
  detail::run_loop<name>(IndexRange<std::size_t>(0, detail::size_of(range)), each, options, where);
}

/// Where the elements begin: a pointer where they lie side by side, so that compilers see an array.
template <class R>
auto first_of(R& range) {
  if constexpr (std::ranges::contiguous_range<R>) {
    return std::ranges::data(range);
  } else {
    return std::ranges::begin(range);
  }
}

template <LoopRange R>
class Elements {
 public:
  using Reference = std::ranges::range_reference_t<R>;

  explicit Elements(R& range) : begin_(detail::first_of(range)) {}

  Reference operator[](std::size_t i) const {
    return begin_[static_cast<std::ranges::range_difference_t<R>>(i)];
  }

 private:
  decltype(detail::first_of(std::declval<R&>())) begin_;
};

/// What algorithms return of a range: an iterator, or std::ranges::dangling for a temporary.
template <class R>
using Borrowed = std::ranges::borrowed_iterator_t<R>;

/// What algorithms take: functions of projected elements, and values to compare these with.
template <class R, class Proj>
using ProjectedIn = std::projected<std::ranges::iterator_t<R>, Proj>;
template <class Pred, class R, class Proj>
concept PredicateOf = std::indirect_unary_predicate<Pred, ProjectedIn<R, Proj>>;
template <class Pred, class R, class Proj>
concept RelationOf =
    std::indirect_binary_predicate<Pred, ProjectedIn<R, Proj>, ProjectedIn<R, Proj>>;
template <class Comp, class R, class Proj>
concept OrderOf = std::indirect_strict_weak_order<Comp, ProjectedIn<R, Proj>>;
template <class T, class R, class Proj>
concept ComparedWith =
    std::indirect_binary_predicate<std::ranges::equal_to, ProjectedIn<R, Proj>, const T*>;
/// Two sorted ranges and an output for elements of both.
template <class R1, class R2, class Out, class Comp, class Proj1, class Proj2>
concept MergedInto = std::mergeable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>,
                                    std::ranges::iterator_t<Out>, Comp, Proj1, Proj2>;

/// The result of a projection of an element, and its value.
template <class R, class Proj>
using ProjectedOf = std::invoke_result_t<Proj&, std::ranges::range_reference_t<R>>;
template <class R, class Proj>
using ProjectedValueOf =
    std::remove_cvref_t<std::invoke_result_t<Proj&, std::ranges::range_value_t<R>&>>;

/// Elements and a projection. It has no operator[]: an element that is a temporary must outlive
/// what is projected from it, so callers write detail::invoke(projected.proj,
/// projected.elements[i]) inside the expression that uses it.
template <LoopRange R, class Proj>
struct ProjectedElements {
  Elements<R> elements;
  Held<Proj, std::ranges::range_reference_t<R>> proj;

  /// Whether f holds for elements i and j.
  template <class F>
  FURCA_INLINE bool hold(F& f, std::size_t i, std::size_t j) const {
    return static_cast<bool>(
        detail::invoke(f, detail::invoke(proj, elements[i]), detail::invoke(proj, elements[j])));
  }
};

/// Does the i-th element satisfy the predicate?
template <LoopRange R, class Pred, class Proj>
struct Satisfies {
  ProjectedElements<R, Proj> projected;
  Held<Pred, ProjectedOf<R, Proj>> pred;

  Satisfies(R& range, Pred& predicate, Proj& projection)
      : projected{Elements<R>(range), projection}, pred(predicate) {}

  bool operator()(std::size_t i) const {
    return static_cast<bool>(
        detail::invoke(pred, detail::invoke(projected.proj, projected.elements[i])));
  }
};

/// The size of what is compared, if vectors can compare it; else 0.
template <class T>
inline constexpr std::size_t kLaneBytes = std::is_arithmetic_v<T> && sizeof(T) <= 8 ? sizeof(T) : 0;

/// The size of an element, if these are numbers side by side whose comparison for equality is none
/// of the user's; else 0.
template <class R, class Equal, class Proj>
inline constexpr std::size_t kEqualBytes = 0;
template <std::ranges::contiguous_range R, class Equal>
inline constexpr std::size_t kEqualBytes<R, Equal, std::identity> =
    std::is_arithmetic_v<std::ranges::range_value_t<R>> &&
            (std::is_same_v<Equal, std::ranges::equal_to> || std::is_same_v<Equal, std::equal_to<>>)
        ? sizeof(std::ranges::range_value_t<R>)
        : 0;

/// Runs the steps [0, n) of a part, and of those that others take over. kBytes: as below.
template <Literal name, std::size_t kBytes = 0, class Part>
void run_part(std::uint64_t n, Part& part, const SourceLocation& where) {
  if constexpr (kBytes != 0) {
    if (detail::takes_a_moment(n, kBytes)) {
      LoopEnd end(n);
      return part.run(0, n, end);
    }
  }
  Loop(kFunctionsOf<Part, name>, n, automatic_grain, StopToken(), &where).run(&part);
}

/// Calls each(i) for each i of [0, n).
template <class F>
FURCA_UNROLLED_LOOP void run_few_positions(std::size_t n, F& each) {
  Held<F, std::size_t> f = each;
  for (std::size_t i = 0; i < n; ++i) f(i);
}

/// Calls f(i) for each i of [0, n), in parallel. kBytes: of what f moves or compares, if it does no
/// more, and few of these are the caller's alone; else 0.
template <Literal name, std::size_t kBytes = 0, class F>
void for_positions(std::size_t n, F& f, const SourceLocation& where) {
  if constexpr (kBytes != 0) {
    if (detail::takes_a_moment(n, kBytes)) return detail::run_few_positions(n, f);
  }
  detail::run_loop<name>(IndexRange<std::size_t>(0, n), f, LoopOptions(), where);
}

/// The same by f(from, to), for stretches of a length that is up to the schedule.
template <Literal name, std::size_t kBytes, class F>
void for_stretches(std::size_t n, F& f, const SourceLocation& where) {
  if (kBytes != 0 && detail::takes_a_moment(n, kBytes)) return f(0, n);
  detail::run_chunks<name>(n, 1, f, where);
}

}  // namespace furca::detail
