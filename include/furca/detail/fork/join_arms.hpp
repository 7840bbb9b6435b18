// A join: forks all arms but the first, runs the first, and takes the others back in order. And an
// arm as a job: what a thief calls, and the result that it leaves.
#pragma once

#include <furca/detail/fork/forks.hpp>
#include <furca/detail/fork/passed_arm.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Calls the arm that `arm` points to. Out of line, and the same for a thief and while furca
/// observes itself: each arm is compiled twice, here and in the frame that forks.
template <class F>
ResultOf<F> call_arm(const void* arm) {
  using Callable = std::remove_reference_t<F>;
  if constexpr (std::is_function_v<Callable>) {
    return reinterpret_cast<Callable*>(const_cast<void*>(arm))();
  } else {
    return detail::run_arm<F>(*static_cast<Callable*>(const_cast<void*>(arm)));
  }
}

/// A forked arm, as far as its result tells what it is.
template <class R>
class ForkedResult : public ForkedJob {
 public:
  using Value = std::conditional_t<std::is_void_v<R>, Unit, R>;

  /// The forker, if a thief has it: waits, and returns its result or throws what it threw.
  FURCA_COLD Value collect(Forks& self) {
    self.wait(latch);
    return outcome_.get();
  }

  /// As collect(), but the result is not wanted. After wait().
  void discard() noexcept { outcome_.discard(); }

 protected:
  using ForkedJob::ForkedJob;
  ~ForkedResult() = default;

  FURCA_NOINLINE JobEnd run(Worker& thief, R (*call)(const void* arm), const void* arm) noexcept {
    return claim_and_fill(
        thief, [&] { outcome_.fill([&]() -> Value { return detail::call(call, arm); }); });
  }

  Outcome<Value> outcome_;
};

template <class F>
class ForkedArm : public ForkedResult<ResultOf<F>> {
 public:
  explicit ForkedArm(std::remove_reference_t<F>& arm) noexcept
      : ForkedResult<ResultOf<F>>(&run_stolen), held_(arm) {}

  /// The forker, which has taken it back. What it needs is read from the job again: a register that
  /// kept it while the arm before ran would have to be saved in every frame.
  FURCA_INLINE ResultOf<F> run_here() {
    auto&& arm = held_.get();
    return detail::run_arm<F>(arm);
  }

 private:
  static JobEnd run_stolen(Job& job, Worker& thief, bool) noexcept {
    auto& self = static_cast<ForkedArm&>(job);
    auto&& arm = self.held_.get();
    return self.run(thief, &call_arm<F>, detail::address_of<F>(arm));
  }

  HeldArm<F> held_;  // the arm, or its address (passed_arm.hpp)
};

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
  if (fork.take()) [[likely]]
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
