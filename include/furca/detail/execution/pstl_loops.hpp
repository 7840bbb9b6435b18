// Loops of the standard library's parallel algorithms: their bricks get a stretch of
// indices, or of iterators, at a time.
//
// An exception of a brick ends the program, as the standard has it: each is called in a function
// that does not throw, and that is not inlined. So its inner loop is compiled as if it stood alone,
// and nothing about exceptions is left of the loop around it.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/loop/chunks.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/stop_token.hpp>

#include <iterator>

namespace furca::detail {

/// The n-th behind an index or an iterator.
template <class Index, class N>
Index behind(Index first, N n) {
  if constexpr (std::integral<Index>) {
    return static_cast<Index>(first + static_cast<Index>(n));
  } else {
    return first + static_cast<typename std::iterator_traits<Index>::difference_type>(n);
  }
}

/// Whether stretches of these can be given to threads. Iterators of before C++20 count as well: a
/// reference may be an object that stands for two elements.
template <class... Is>
inline constexpr bool kDivisible =
    (std::is_base_of_v<std::random_access_iterator_tag,
                       typename std::iterator_traits<Is>::iterator_category> &&
     ...);

/// Calls a brick in a function of its own, which does not throw.
template <class Brick, class... Args>
FURCA_COMPILED_ONCE auto call_brick(Brick& brick, Args... args) noexcept {
  Held<Brick, Args...> own = brick;
  return own(std::move(args)...);
}

/// Callables of which each thread has a copy, as libstdc++'s bricks have it: algorithms of furca's
/// share others among their threads.
template <class F, class... Args>
concept CopiedToThreads = !std::is_reference_v<Held<F, Args...>>;

/// A comparison or the like that ends the program if it throws.
template <class F>
struct NoThrow {
  F f;

  template <class... Args>
  decltype(auto) operator()(Args&&... args) const noexcept
    requires std::invocable<const F&, Args...>
  {
    return detail::invoke(f, std::forward<Args>(args)...);
  }
  template <class... Args>
  decltype(auto) operator()(Args&&... args) noexcept {
    return detail::invoke(f, std::forward<Args>(args)...);
  }
};

/// Steps are elements. All threads share one.
template <class Index, class Brick>
class BrickPart {
 public:
  BrickPart(Index first, Brick& brick) : first_(first), brick_(brick) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd&) const {
    run_aligned(lo, hi, [this](std::uint64_t from, std::uint64_t to) {
      detail::call_brick(brick_, detail::behind(first_, from), detail::behind(first_, to));
    });
  }

 private:
  Index first_;
  Brick& brick_;
};

/// brick(i, j) for stretches that make up [first, last).
template <class Index, class Brick>
FURCA_NOINLINE void run_bricks(Index first, Index last, Brick& brick, const SourceLocation& where) {
  using Part = BrickPart<Index, Brick>;
  if (first == last) return;
  Part part(first, brick);
  const auto n = static_cast<std::uint64_t>(last - first);
  detail::run_part<"std::execution loop">(n, part, where);
}

}  // namespace furca::detail
