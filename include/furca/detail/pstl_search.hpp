// Searches of the standard library's parallel algorithms, from the front, or from the back, as first_hit.hpp has it: here a brick gets a stretch.
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/body_cost.hpp>
#include <furca/detail/first_hit.hpp>
#include <furca/detail/pstl_loops.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>
#include <furca/stop_token.hpp>
#include <furca/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// What a thread does for a search: steps are leaves to look at one position more, as in SearchPart. look(lo, hi) gives the first position of a hit in [lo, hi),
/// or hi.
template <class Look>
class BrickSearch {
 public:
  BrickSearch(SharedSearch& search, Look& look) noexcept : search_(&search), look_(&look), claimant_{thread_index()} {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& steps) {
    for (std::uint64_t left = hi - lo; left > 0;) {
      const Claim piece = search_->front.claim(claimant_, left, search_->hit.get());
      if (piece.empty()) return steps.lower_to(0);
      look(piece.from, piece.to);
      left -= std::min(left, piece.to - piece.from);
    }
  }

  BrickSearch fresh() const noexcept { return BrickSearch(*search_, *look_); }
  void absorb(BrickSearch&&) const noexcept {}

 private:
  /// Up to the first hit, there or in front of that.
  void look(std::uint64_t lo, std::uint64_t hi) {
    constexpr std::uint64_t kLongest = 1'024;  // behind a hit no more is looked at by each thread
    while (lo < hi && lo < search_->hit.get()) {
      const std::uint64_t stop = lo + std::min(hi - lo, kLongest);
      const std::uint64_t found = detail::call_brick(*look_, lo, stop);
      if (found != stop) return search_->hit.lower_to(found);
      lo = stop;
    }
  }

  SharedSearch* search_;
  Look* look_;
  Claimant claimant_;
};

/// The first hit in [0, n), or n.
template <class Look>
[[gnu::noinline]] std::uint64_t search_bricks(std::uint64_t n, Look& look, const SourceLocation& where) {
  using Part = BrickSearch<Look>;
  if (n == 0) return 0;
  SharedSearch search(n);
  Part part(search, look);
  search.run(n, [&](std::uint64_t steps) {
    Loop(kFunctionsOf<Part, "std::execution search">, steps, automatic_grain, StopToken(), brick_cost<Part>, where).run(&part);
  });
  return search.hit.get();
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
