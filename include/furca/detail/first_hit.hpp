// The first position at which something holds, and at the cost of the first.
//
// Searching the halves of a range at the same time is no gain if the lower half has the hit. So a search goes from the front in rounds, all threads in
// each, and rounds grow: at most as much is searched behind the hit as in front of it, and no more than a round of the greatest size.
// Rejected: an exception for a hit (it costs microseconds); a stop request (it does not know what lies in front of the hit).
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/index_range.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/splitter.hpp>
#include <furca/options.hpp>
#include <furca/thread_pool.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stop_token>

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

/// One round of a search; all threads share it. kInBlocks: Answers are worth it, since vectors can give them.
template <class Test, bool kInBlocks>
class RoundPart {
 public:
  RoundPart(Test& test, std::size_t from, LoopEnd& hit, LoopEnd& thrown) noexcept
      : test_(test), from_(from), hit_(hit), thrown_(thrown) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) const {
    run_aligned(lo, hi, [&](std::uint64_t from, std::uint64_t to) { run_stretch(from_ + from, from_ + to, end); });
  }

 private:
  [[gnu::noinline]] void run_stretch(std::size_t lo, std::size_t hi, LoopEnd& end) const {
    if (lo - from_ >= end.get()) return;  // the first stretch has found one
    Held<Test, std::size_t> test = test_;
    std::size_t i = lo;
    if constexpr (kInBlocks) {
      Answers<Held<Test, std::size_t>> answers;
      std::size_t asked = 0;
      try {
        for (; hi - i >= answers.kCount; i += answers.kCount) {
          answers.ask(test, i, asked);
          if (answers.any()) return found(i + answers.first_of(asked), end);
        }
      } catch (...) {
        // Serial execution would not have come to a throw behind the hit.
        if (const std::size_t first = answers.first_of(asked); first < asked) return found(i + first, end);
        threw(i + asked, end);
        throw;
      }
    }
    std::size_t at = i;
    try {
      for (; hi - i >= 4; i += 4) {
        if (test(at = i)) return found(at, end);
        if (test(at = i + 1)) return found(at, end);
        if (test(at = i + 2)) return found(at, end);
        if (test(at = i + 3)) return found(at, end);
      }
      for (; i < hi; ++i) {
        if (test(at = i)) return found(at, end);
      }
    } catch (...) {
      threw(at, end);
      throw;
    }
  }

  FURCA_COLD void found(std::size_t i, LoopEnd& end) const noexcept {
    hit_.lower_to(i);
    end.lower_to(i - from_);
  }

  FURCA_COLD void threw(std::size_t i, LoopEnd& end) const noexcept {
    thrown_.lower_to(i);
    end.lower_to(i - from_);
  }

  Test& test_;
  const std::size_t from_;
  LoopEnd& hit_;
  LoopEnd& thrown_;
};

template <class Part>
inline constinit BodyCost search_cost{};

/// The first i in [0, n) for which test(i) holds, or n. An exception is thrown if serial execution would have come to it. `bytes`: how many are read for
/// each. `name`: what it is a part of.
template <CallName name, bool kInBlocks, class Test>
std::size_t first_hit(std::size_t n, std::size_t bytes, Test& test, const SourceLocation& where) {
  using Part = RoundPart<Test, kInBlocks>;
  constexpr std::size_t kFirstRound = 2'048;
  constexpr std::size_t kBytesForEach = 256 * 1024;  // thread, in the largest rounds: long enough to pay for the fork
  std::size_t most = 0;
  LoopEnd hit(n);
  LoopEnd thrown(n);
  for (std::size_t from = 0, steps = kFirstRound; from < n; from += steps) {
    if (from > 0) {
      if (most == 0) most = std::bit_ceil(std::max(kFirstRound, kBytesForEach / bytes * num_threads()));
      steps = std::min(2 * steps, most);
    }
    steps = std::min(steps, n - from);
    Part part(test, from, hit, thrown);
    try {
      Loop(kFunctionsOf<Part, name>, steps, automatic_grain, std::stop_token{}, search_cost<Part>, where).run(&part);
    } catch (...) {
      if (hit.get() >= thrown.get()) throw;  // also if nothing has run
    }
    if (hit.get() < n) break;
  }
  return hit.get();
}

}  // namespace furca::detail
