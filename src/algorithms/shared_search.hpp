// A search for the first hit: what all its threads share, and what each of them does.
#pragma once

#include <furca/detail/algorithms/searcher.hpp>
#include <furca/detail/loop/results.hpp>
#include <furca/threads.hpp>

#include "search_front.hpp"

#include <algorithm>
#include <exception>
#include <limits>

namespace furca::detail {

/// The state that all threads of a search share.
struct SharedSearch {
  struct Machine : Atomics {
    static constexpr std::uint64_t kLeastBlock = 64;
    static constexpr std::size_t kRests = 32;
  };

  using Front = BasicSearchFront<Machine>;
  using Blocks = Front::Blocks;

  explicit SharedSearch(std::uint64_t n) noexcept : hit(n) {}

  /// Of n positions; run(steps) is a loop whose threads claim as many.
  template <class Run>
  void run(std::uint64_t n, const Run& run) {
    // many hits are near the front, and not worth waking a thread for
    constexpr std::uint64_t kFirstRound = 2'048;
    run(std::min(n, kFirstRound));
    if (n > kFirstRound && hit.get() == n) run_in_blocks(n - kFirstRound, run);
  }

  Front front;
  LoopEnd hit;  // the lowest position that is a hit, or threw; n: none is

 private:
  /// Mostly one loop. But a thread may have laid a block just when another found nothing more to
  /// claim, and so ended the loop.
  template <class Run>
  FURCA_NOINLINE void run_in_blocks(std::uint64_t left, const Run& run) {
    Blocks blocks(num_threads());
    front.use(&blocks);
    for (; left > 0; left = front.left(hit.get())) run(left);
    front.use(nullptr);
  }
};

/// A thread's work for a search.
class SearchPart : public Searcher {
 public:
  SearchPart(SharedSearch& search, Look look, const void* test) noexcept
      : Searcher(test, search.hit), search_(&search), look_(look), claimant_{thread_index()} {}

  /// Looks at as many positions as there are steps.
  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& steps) {
    for (std::uint64_t left = hi - lo; left > 0;) {
      const Claim piece = search_->front.claim(claimant_, left, hit());
      if (piece.empty()) return steps.lower_to(0);
      look_(*this, static_cast<std::size_t>(piece.from), static_cast<std::size_t>(piece.to));
      left -= std::min(left, piece.to - piece.from);
    }
  }

  SearchPart fresh() const noexcept { return SearchPart(*search_, look_, test()); }

  void absorb(SearchPart&& right) noexcept {
    if (right.threw_at_ < threw_at_) {
      threw_at_ = right.threw_at_;
      error_ = std::move(right.error_);
    }
  }

  /// Throws, if serial execution would have come to a throw.
  void check() {
    if (error_ && hit() == threw_at_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  friend class Searcher;

  SharedSearch* search_;
  Look look_;
  Claimant claimant_;
  std::uint64_t threw_at_ = std::numeric_limits<std::uint64_t>::max();
  std::exception_ptr error_;
};

}  // namespace furca::detail
