// join: run two or more callables, possibly at the same time, and return what they return.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/mistakes.hpp>
#include <furca/detail/observe.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/withdrawal.hpp>
#include <furca/detail/worker.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca {

/// Something that join can run: callable without arguments, with a result that can be moved to the caller (or none).
/// @snippet join.cpp JoinArm
template <class F>
concept JoinArm = std::invocable<F> && (std::is_void_v<std::invoke_result_t<F>> || std::is_reference_v<std::invoke_result_t<F>> ||
                                        std::move_constructible<std::invoke_result_t<F>>);

namespace detail {

/// How a thief gets at an arm. A small temporary is copied: the forker's own then never leaves its frame, and the compiler
/// keeps its captures in registers. Everything else is pointed to; what the arm changes in a named callable stays visible.
template <class F>
consteval bool copied_for_thief() {
  using Callable = std::remove_reference_t<F>;
  if constexpr (std::is_lvalue_reference_v<F> || std::is_function_v<Callable>) {
    return false;
  } else {
    return std::is_trivially_copyable_v<Callable> && std::is_copy_constructible_v<Callable> && sizeof(Callable) <= 64;
  }
}

template <class F>
class ForkedArm : public ForkedJob {
  using Callable = std::remove_reference_t<F>;
  using Result = std::invoke_result_t<F>;
  using Held = std::conditional_t<copied_for_thief<F>(), Callable, Callable*>;
  using Value = std::conditional_t<std::is_void_v<Result>, Unit, Result>;

 public:
  explicit ForkedArm(Callable& callable) noexcept : ForkedJob(&run_stolen), held_(hold(callable)) {}

  Outcome<Value> outcome;

  /// The forker: a thief has it; waits, and returns its result or throws what it threw.
  FURCA_COLD Value collect(Worker& self) {
    self.wait(latch);
    return outcome.take();
  }

 private:
  static Held hold(Callable& callable) noexcept {
    if constexpr (copied_for_thief<F>()) {
      return callable;
    } else {
      return std::addressof(callable);
    }
  }

  static JobEnd run_stolen(Job& job, Worker& runner, bool) noexcept {
    auto& self = static_cast<ForkedArm&>(job);
    return runner.run_forked(self.latch, [&self] {
      self.outcome.fill([&]() -> Value {
        if constexpr (copied_for_thief<F>()) {
          return detail::call(std::forward<F>(self.held_));
        } else {
          return detail::call(std::forward<F>(*self.held_));
        }
      });
    });
  }

  Held held_;
};

/// Results side by side. Not a std::pair: an arm's own is one result.
template <class First, class Second>
struct Both {
  /// Not an aggregate: g++ 12 forgets to destroy `first` where what makes `second` throws.
  Both(First&& one, Second&& other) : first(std::forward<First>(one)), second(std::forward<Second>(other)) {}

  First first;
  Second second;
};

/// A result as a tuple of one, or of none for Unit; Both, of what it holds.
template <class R>
constexpr auto as_tuple(R&& result) {
  if constexpr (std::is_same_v<std::remove_cvref_t<R>, Unit>) {
    return std::tuple<>();
  } else {
    return std::tuple<R>(std::forward<R>(result));
  }
}

template <class First, class Second>
constexpr auto as_tuple(Both<First, Second>&& both) {
  return std::tuple_cat(detail::as_tuple(std::forward<First>(both.first)), detail::as_tuple(std::forward<Second>(both.second)));
}

template <class... Arms>
inline constexpr bool kAllVoid = (std::is_void_v<std::invoke_result_t<Arms>> && ...);

/// Runs the first `N` arms; returns their results, with Unit for void. The last is published before those that come before it
/// run, so all are at once, and the newest in the deque is always the next in program order.
template <std::size_t N, class... Arms>
FURCA_INLINE inline decltype(auto) join_first(Worker& self, std::tuple<Arms&&...>& arms) {
  using Last = std::tuple_element_t<N - 1, std::tuple<Arms...>>;
  const auto run_last = [&arms]() FURCA_INLINE -> decltype(auto) { return detail::call(std::forward<Last>(std::get<N - 1>(arms))); };
  if constexpr (N == 1) {
    return run_last();
  } else {
    const auto run_others = [&]() FURCA_INLINE -> decltype(auto) { return detail::join_first<N - 1, Arms...>(self, arms); };
    using Others = decltype(run_others());
    using Results = Both<Others, decltype(run_last())>;

    ForkedArm<Last> arm(std::get<N - 1>(arms));
    const Worker::Index at = self.fork(arm);
    Others others = [&]() FURCA_INLINE -> Others {
      Withdrawal withdrawal(self, at, arm);
      if constexpr (std::is_reference_v<Others> || std::is_nothrow_move_constructible_v<Others>) {
        Others results = run_others();
        withdrawal.not_needed();
        return std::forward<Others>(results);
      } else {  // made in place: a move might throw when the arm is withdrawn no more
        withdrawal.needed_only_when_unwinding();
        return run_others();
      }
    }();
    if (self.take(at)) [[likely]] return Results(std::forward<Others>(others), run_last());
    return Results(std::forward<Others>(others), arm.collect(self));
  }
}

/// How an arm gets into the frame that forks: what fits into two registers in these. Not one that returns a reference, which may be to
/// its own captures.
template <class F>
consteval bool passed_by_value() {
  if constexpr (copied_for_thief<F>()) {
    return sizeof(F) <= 2 * sizeof(void*) && !std::is_reference_v<std::invoke_result_t<F>>;
  } else {
    return false;
  }
}

template <class F>
using Passed = std::conditional_t<passed_by_value<F>(), std::remove_reference_t<F>, F&&>;

/// The frame of a join. In a recursion this is what calls itself, once the caller was inlined here.
template <class... Arms>
FURCA_SPLIT auto join_frame(Worker& self, Passed<Arms>... arms) {
  std::tuple<Arms&&...> references(std::forward<Arms>(arms)...);
  return detail::join_first<sizeof...(Arms), Arms...>(self, references);
}

/// An arm without its type, for observed joins: of each join no more than this is compiled a second time.
template <class R>
struct ErasedArm {
  const void* arm;
  R (*run)(const void* arm);

  template <class F>
  static ErasedArm of(std::remove_reference_t<F>& arm) noexcept {
    using Callable = std::remove_reference_t<F>;
    return {reinterpret_cast<const void*>(std::addressof(arm)), [](const void* held) -> R {
              if constexpr (std::is_function_v<Callable>) {
                return reinterpret_cast<Callable*>(const_cast<void*>(held))();
              } else {
                return std::forward<F>(*static_cast<Callable*>(const_cast<void*>(held)))();
              }
            }};
  }
};

/// As a strand of an observed join.
template <class R>
struct ObservedArm {
  ObservedCall* call;
  ErasedArm<R> arm;

  R operator()() const {
    const Strand strand(call);
    return arm.run(arm.arm);
  }
};

template <class... Results>
FURCA_COLD auto observed_join(const SourceLocation where, const ErasedArm<Results>... arms) {
  Worker& self = Worker::attach();
  const Observed observed(Construct::join, where);
  return detail::join_frame<ObservedArm<Results>...>(self, ObservedArm<Results>{observed.call(), arms}...);
}

/// join_frame() while furca observes itself. Everything by value, here too: the fast path must not keep anything in memory for this.
template <class... Arms>
FURCA_COLD auto observed_frame(const SourceLocation where, Passed<Arms>... arms) {
  return detail::observed_join<std::invoke_result_t<Arms>...>(where, ErasedArm<std::invoke_result_t<Arms>>::template of<Arms>(arms)...);
}

template <class... Arms>
FURCA_INLINE inline auto frame_at(const SourceLocation where, Arms&&... arms) {
  Worker* const here = current_worker;
  if (here == nullptr && observing) [[unlikely]] return detail::observed_frame<Arms...>(where, std::forward<Arms>(arms)...);
  return detail::join_frame<Arms...>(here != nullptr ? *here : Worker::attach(), std::forward<Arms>(arms)...);
}

template <class... Arms>
FURCA_INLINE inline auto join_at(const SourceLocation where, Arms&&... arms) {
  if constexpr (kAllVoid<Arms...>) {
    detail::frame_at<Arms...>(where, std::forward<Arms>(arms)...);
  } else {
    return detail::as_tuple(detail::frame_at<Arms...>(where, std::forward<Arms>(arms)...));
  }
}

}  // namespace detail

/// Runs all arms, in parallel where threads are free, and returns when every one has finished.
///
/// Returns a std::tuple of the arms' results in their order; arms that return void drop out, and if all do, join returns void.
/// The first arm runs on the calling thread; every other arm can be stolen until it starts, and runs here, in order, if it was
/// not. On a pool of one the arms run one after the other.
/// Exceptions: what running the arms in order would have thrown. When an arm throws, later arms that were not started are
/// skipped, and those that were are waited for. Throws std::bad_alloc of its own only when an outside thread calls in
/// for the first time; a join in a running call allocates nothing.
/// Cost: a few nanoseconds over calling the arms in turn; a join that finds every thread asleep also wakes one, which takes some
/// microseconds. Work T1 + O(arms), span max over the arms.
/// A small temporary callable may be copied, and the copy be run; what an arm changes in its own captures is kept for named
/// callables only, and a result must not refer into a temporary one.
/// Waiting for a stolen arm helps with that arm's own forks only (see WaitPolicy), so it is safe to hold a mutex across join. What an
/// arm spawns into a scope around the join may run before the join returns.
/// Thread-safety: any thread, at any depth.
/// @snippet join.cpp join
/// @{
template <JoinArm A, JoinArm B>
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B>(where, std::forward<A>(a), std::forward<B>(b));
}

/// Three arms, as above.
template <JoinArm A, JoinArm B, JoinArm C>
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, C&& c, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B, C>(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

/// Four arms, as above.
template <JoinArm A, JoinArm B, JoinArm C, JoinArm D>
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, C&& c, D&& d, const SourceLocation where = SourceLocation::current()) {
  return detail::join_at<A, B, C, D>(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c), std::forward<D>(d));
}
/// @}

/// Five arms or more, as above. A trace cannot tell where such a join stands.
template <JoinArm A, JoinArm B, JoinArm C, JoinArm D, JoinArm... Rest>
  requires(sizeof...(Rest) > 0)
[[nodiscard("join returns what the arms return")]] auto join(A&& a, B&& b, C&& c, D&& d, Rest&&... rest) {
  return detail::join_at<A, B, C, D, Rest...>(SourceLocation(), std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
                                              std::forward<D>(d), std::forward<Rest>(rest)...);
}

}  // namespace furca
