// A join: forks all arms but the first, runs the first, and takes the others back in order.
#pragma once

#include <furca/detail/fork/fork.hpp>
#include <furca/detail/fork/forked_arm.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Results side by side, with Unit for void. Not a std::pair: an arm's own is one result.
template <class First, class Second>
struct Both {
  /// Not an aggregate: g++ 12 forgets to destroy `first` where what makes `second` throws.
  Both(First&& one, Second&& other)
      : first(std::forward<First>(one)), second(std::forward<Second>(other)) {}

  First first;
  Second second;
};

/// The first arm, which runs at once.
template <class First>
FURCA_INLINE inline decltype(auto) join_reversed(Forks&, std::remove_reference_t<First>& arm) {
  return detail::call([&arm]()
                          FURCA_INLINE -> ResultOf<First> { return detail::run_arm<First>(arm); });
}

/// Arms, of which the last comes first here. It is published before those that come before it run,
/// so all are at once, and the newest in the deque is always the next in program order.
template <class Last, class Next, class... Before>
FURCA_INLINE inline decltype(auto) join_reversed(Forks& self, std::remove_reference_t<Last>& last,
                                                 std::remove_reference_t<Next>& next,
                                                 std::remove_reference_t<Before>&... before) {
  using Others = decltype(detail::join_reversed<Next, Before...>(self, next, before...));
  using Value = typename ForkedResult<ResultOf<Last>>::Value;
  using Results = Both<Others, Value>;

  ForkedArm<Last> arm(last);
  Fork<ForkedResult<ResultOf<Last>>> fork(self, arm);
  Others others = detail::join_reversed<Next, Before...>(self, next, before...);
  if (fork.take_back()) [[likely]]
    return Results(
        std::forward<Others>(others),
        detail::call([&arm]() FURCA_INLINE -> ResultOf<Last> { return arm.run_here(); }));
  return Results(std::forward<Others>(others), arm.collect(self));
}

/// Runs the arms, given in order, and returns their results: Both of the first two, in Both of that
/// and the third, and so on.
template <class... Arms>
FURCA_INLINE inline auto join_on(Forks& self, std::remove_reference_t<Arms>&... arms) {
  using Types = std::tuple<Arms...>;
  const auto all = std::tie(arms...);
  constexpr std::size_t kLast = sizeof...(Arms) - 1;
  return [&]<std::size_t... I>(std::index_sequence<I...>) FURCA_INLINE {
    return detail::join_reversed<std::tuple_element_t<kLast - I, Types>...>(
        self, std::get<kLast - I>(all)...);
  }(std::make_index_sequence<sizeof...(Arms)>());
}

}  // namespace furca::detail
