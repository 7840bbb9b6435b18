// The first position at which something holds, and at the cost of the first.
//
// Searching the halves of a range at the same time is no gain if the lower half has the hit. So threads take what comes next from the front, piece by piece:
// a step of the loop is not a position but the leave to look at one more, and whoever runs steps claims as many positions. What lies in front of a hit has been
// claimed before it, so with p threads it is found p times as early, wherever it is. What has been looked at behind it by then is as much at most, but that
// others go on while the system holds up the thread that has the hit. Once it is found, whoever has a piece behind it gives that up, after 64 positions at
// most.
// Rejected: halves of rounds from the front, which grow. A hit in the lower half of a round is found no earlier than by one thread, and each round is a fork
// and a join. Rejected: an exception for a hit (it costs microseconds); a stop request (it does not know what lies in front of the hit).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/index_range.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>
#include <furca/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <stop_token>
#include <utility>

namespace furca::detail {

/// Answers for 64 positions, as bytes: compilers make vectors of loops of a constant length. All are asked for before one is looked at, so a predicate may
/// be called behind the first hit, but never twice.
template <class Test>
class Answers {
 public:
  static constexpr std::size_t kCount = 64;

  /// Asks for the positions from `first` on. `asked`: how many have answered, also if one throws.
  void ask(const Test& test, std::size_t first, std::size_t& asked) {
    for (asked = 0; asked < kCount; ++asked) answers_[asked] = test(first + asked) ? 1 : 0;
  }

  /// The first of `asked` that holds, or `asked`.
  std::size_t first_of(std::size_t asked) const noexcept {
    std::size_t i = 0;
    while (i < asked && answers_[i] == 0) ++i;
    return i;
  }

  bool any() const noexcept {
    std::uint64_t words[kCount / 8];
    std::memcpy(words, answers_, kCount);
    std::uint64_t all = 0;
    for (const std::uint64_t word : words) all |= word;
    return all != 0;
  }

 private:
  alignas(kCount) unsigned char answers_[kCount];
};

/// How far a search is: all its threads share one.
struct SearchFront {
  explicit SearchFront(std::size_t n) noexcept : end(n) {}

  LoopEnd end;                         // the lowest position that is a hit, or threw
  std::uint64_t least_piece = 0;       // positions that a thread claims at a time: so many,
  std::uint64_t threads = 1;           // or as many as are in front of it for each thread
  alignas(64) std::atomic<std::uint64_t> next{0};  // not claimed yet
};

/// What a thread does for a search. kInBlocks: Answers are worth it, since vectors can give them.
template <class Test, bool kInBlocks>
class SearchPart {
 public:
  SearchPart(SearchFront& front, Test& test) noexcept : front_(&front), test_(&test) {}

  /// Looks at as many positions as there are steps.
  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& steps) {
    for (std::uint64_t left = hi - lo; left > 0;) {
      const std::uint64_t before = front_->next.load(std::memory_order_relaxed);
      const std::uint64_t piece = std::min(left, std::max(front_->least_piece, before / front_->threads));
      const std::uint64_t from = front_->next.fetch_add(piece, std::memory_order_relaxed);
      if (from >= front_->end.get()) return;
      if (look(static_cast<std::size_t>(from), static_cast<std::size_t>(from + piece))) return steps.lower_to(0);
      left -= piece;
    }
  }

  SearchPart fresh() const noexcept { return SearchPart(*front_, *test_); }

  void absorb(SearchPart&& right) noexcept {
    if (right.threw_at_ < threw_at_) {
      threw_at_ = right.threw_at_;
      error_ = std::move(right.error_);
    }
  }

  /// Throws, if serial execution would have come to a throw.
  void check() {
    if (error_ && front_->end.get() == threw_at_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  /// Looks at [lo, hi). Is the search over? Exceptions are kept, since the loop's order is not that of the positions.
  [[gnu::noinline]] bool look(std::size_t lo, std::size_t hi) {
    Held<Test, std::size_t> test = *test_;
    std::size_t i = lo;
    if constexpr (kInBlocks) {
      Answers<Held<Test, std::size_t>> answers;
      std::size_t asked = 0;
      try {
        for (; hi - i >= answers.kCount; i += answers.kCount) {
          if (front_->end.get() <= i) return true;  // somebody has found what lies in front of this
          answers.ask(test, i, asked);
          if (answers.any()) return found(i + answers.first_of(asked));
        }
      } catch (...) {
        // Serial execution would not have come to a throw behind the hit.
        if (const std::size_t first = answers.first_of(asked); first < asked) return found(i + first);
        return threw(i + asked);
      }
    }
    std::size_t at = i;
    try {
      while (i < hi) {
        if (front_->end.get() <= i) return true;
        const std::size_t stop = i + std::min<std::size_t>(hi - i, 64);
        for (; stop - i >= 4; i += 4) {
          if (test(at = i)) return found(at);
          if (test(at = i + 1)) return found(at);
          if (test(at = i + 2)) return found(at);
          if (test(at = i + 3)) return found(at);
        }
        for (; i < stop; ++i) {
          if (test(at = i)) return found(at);
        }
      }
      return false;
    } catch (...) {
      return threw(at);
    }
  }

  FURCA_COLD bool found(std::size_t i) noexcept {
    front_->end.lower_to(i);
    return true;
  }

  /// A thread claims upwards, and claims nothing more.
  FURCA_COLD bool threw(std::size_t i) noexcept {
    threw_at_ = i;
    error_ = std::current_exception();
    return found(i);
  }

  SearchFront* front_;
  Test* test_;
  std::uint64_t threw_at_ = std::numeric_limits<std::uint64_t>::max();
  std::exception_ptr error_;
};

template <class Part>
inline constinit BodyCost search_cost{};

/// The first i in [0, n) for which test(i) holds, or n. An exception is thrown if serial execution would have come to it. `name`: what it is a part of.
template <CallName name, bool kInBlocks, class Test>
std::size_t first_hit(std::size_t n, Test& test, const SourceLocation& where) {
  using Part = SearchPart<Test, kInBlocks>;
  constexpr std::size_t kFirstRound = 2'048;  // many hits are near the front, and not worth waking a thread for
  SearchFront front(n);
  Part part(front, test);
  const auto search = [&](std::size_t steps) {
    Loop(kFunctionsOf<Part, name>, steps, automatic_grain, std::stop_token{}, search_cost<Part>, where).run(&part);
  };
  front.least_piece = kFirstRound;
  search(std::min(n, kFirstRound));
  if (n > kFirstRound && front.end.get() == n) {
    front.least_piece = 64;
    front.threads = num_threads();
    search(n - kFirstRound);
  }
  part.check();
  return static_cast<std::size_t>(front.end.get());
}

}  // namespace furca::detail
