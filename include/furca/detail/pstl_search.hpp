// Searches of the standard library's parallel algorithms, from the front, or from the back, as first_hit.hpp has it: here a brick gets a stretch.
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/body_cost.hpp>
#include <furca/detail/first_hit.hpp>
#include <furca/detail/pstl_loops.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>
#include <furca/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace furca::detail {

/// Steps are leaves to look at one position more, as in SearchPart. All threads share one. look(lo, hi) gives the first position of a hit in [lo, hi), or hi.
template <class Look>
class BrickSearch {
 public:
  BrickSearch(SearchFront& front, Look& look) noexcept : front_(front), look_(look) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& steps) const {
    for (std::uint64_t left = hi - lo; left > 0;) {
      const std::uint64_t before = front_.next.load(std::memory_order_relaxed);
      const std::uint64_t piece = std::min({left, std::max(front_.least_piece, before / front_.threads), kLongest});
      const std::uint64_t from = front_.next.fetch_add(piece, std::memory_order_relaxed);
      if (from >= front_.end.get()) return;
      const std::uint64_t hit = detail::call_brick(look_, from, from + piece);
      if (hit != from + piece) {
        front_.end.lower_to(hit);
        return steps.lower_to(0);
      }
      left -= piece;
    }
  }

 private:
  static constexpr std::uint64_t kLongest = 8'192;  // behind a hit no more is looked at by each thread

  SearchFront& front_;
  Look& look_;
};

/// The first hit in [0, n), or n.
template <class Look>
[[gnu::noinline]] std::uint64_t search_bricks(std::uint64_t n, Look& look, const SourceLocation& where) {
  using Part = BrickSearch<Look>;
  constexpr std::uint64_t kFirstRound = 2'048;  // many hits are near the front, and not worth waking a thread for
  SearchFront front(n);
  Part part(front, look);
  const auto search = [&](std::uint64_t steps) {
    Loop(kFunctionsOf<Part, "std::execution search">, steps, automatic_grain, std::stop_token(), brick_cost<Part>, where).run(&part);
  };
  if (n == 0) return 0;
  front.least_piece = kFirstRound;
  search(std::min(n, kFirstRound));
  if (n > kFirstRound && front.end.get() == n) {
    front.least_piece = 64;
    front.threads = num_threads();
    search(n - kFirstRound);
  }
  return front.end.get();
}

/// The first hit in [first, last), or the last one, or `last` if there is none. brick(i, j) gives the same for [i, j).
template <class Index, class Brick>
Index find_by_bricks(Index first, Index last, Brick& brick, bool from_front, const SourceLocation& where) {
  const auto n = static_cast<std::uint64_t>(last - first);
  if (from_front) {
    const auto look = [first, &brick](std::uint64_t lo, std::uint64_t hi) {
      return static_cast<std::uint64_t>(brick(detail::behind(first, lo), detail::behind(first, hi)) - first);
    };
    return detail::behind(first, detail::search_bricks(n, look, where));
  }
  // From the back position k is the one k + 1 before the end, and a brick that has found nothing gives its end.
  const auto look = [first, n, &brick](std::uint64_t lo, std::uint64_t hi) {
    const std::uint64_t end = n - lo;
    const auto hit = static_cast<std::uint64_t>(brick(detail::behind(first, n - hi), detail::behind(first, end)) - first);
    return hit == end ? hi : n - 1 - hit;
  };
  const std::uint64_t hit = detail::search_bricks(n, look, where);
  return hit == n ? last : detail::behind(first, n - 1 - hit);
}

/// Whether brick(i, j) holds for a stretch of [first, last).
template <class Index, class Brick>
bool any_by_bricks(Index first, Index last, Brick& brick, const SourceLocation& where) {
  const auto look = [first, &brick](std::uint64_t lo, std::uint64_t hi) {
    return static_cast<bool>(brick(detail::behind(first, lo), detail::behind(first, hi))) ? lo : hi;
  };
  const auto n = static_cast<std::uint64_t>(last - first);
  return detail::search_bricks(n, look, where) != n;
}

}  // namespace furca::detail
