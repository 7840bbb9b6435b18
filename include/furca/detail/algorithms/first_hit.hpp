// The first position at which something holds, and at the cost of the first.
//
// Searching the halves of a range at the same time is no gain if the lower half has the hit. So
// threads take what comes next from the front (SearchFront):
// a step of the loop is not a position but the leave to look at one more, and whoever runs steps
// claims as many positions. Every position in front of a hit is being looked at before it, but for
// rests of blocks that are small beside it; so with p threads it is found nearly p times as early,
// wherever it is. The stretch behind it that has been looked at by then is as long at most, but
// that others go on while the system holds up the thread that has the hit. Once it is found,
// whoever has a piece behind it gives that up, after 64 positions at most, and takes one in front
// of it, while there are any.
// Rejected: halves of rounds from the front, which grow. A hit in the lower half of a round is
// found no earlier than by one thread, and each round is a fork and a join. Rejected: an exception
// for a hit (it costs microseconds); a stop request (it does not know what lies in front of the
// hit).
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/algorithms/searcher.hpp>
#include <furca/detail/loop/blocks.hpp>

#include <array>
#include <cstring>

namespace furca::detail {

/// Answers for 64 positions, each 0 or 1: compilers make vectors of loops of a constant length. All
/// are asked for before one is looked at, so a predicate may be called behind the first hit, but
/// never twice.
template <class Test, class Answer>
class Answers {
 public:
  static constexpr std::size_t kCount = 64;

  /// Asks for the positions from `first` on. Does one hold?
  bool ask(const Test& test, std::size_t first) {
    if constexpr (std::is_same_v<Answer, float>) {
      std::array<float, 4> sums{};  // of a vector's lanes
      for (std::size_t i = 0; i < kCount; i += sums.size()) {
        for (std::size_t k = 0; k < sums.size(); ++k) {
          answers_[i + k] = test(first + i + k) ? 1.0F : 0.0F;
          sums[k] += answers_[i + k];
        }
      }
      return sums[0] + sums[1] + sums[2] + sums[3] != 0;
    } else {
      for (std::size_t i = 0; i < kCount; ++i) answers_[i] = test(first + i) ? 1 : 0;
      std::uint64_t words[kCount / 8];
      std::memcpy(words, answers_, kCount);
      std::uint64_t all = 0;
      for (const std::uint64_t word : words) all |= word;
      return all != 0;
    }
  }

  /// Before the first question that may throw: there is no hit yet.
  void clear() noexcept { std::memset(answers_, 0, sizeof(answers_)); }

  /// Where the first hit is, or kCount: also after a throw, since there was none when it began.
  std::size_t first() const noexcept {
    std::size_t i = 0;
    while (i < kCount && answers_[i] == 0) ++i;
    return i;
  }

 private:
  alignas(kCount) Answer answers_[kCount];
};

/// A test that can look at kTogether neighbours at once, and again at each of them: nobody sees how
/// often.
template <class Test>
concept TestsTogether = requires(const Test& test, std::size_t i) {
  Test::kTogether;
  test.any_from(i);
};

/// Where the first kTogether neighbours with a hit among them begin, or the rest of [lo, hi), which
/// is shorter.
template <TestsTogether Test>
std::size_t skip_together(const Test& test, std::size_t lo, std::size_t hi) {
  while (hi - lo >= Test::kTogether && !test.any_from(lo)) lo += Test::kTogether;
  return lo;
}

/// One thread's work on a stretch of positions. Answer: what vectors give for each of 64, or void,
/// if one after the other is faster. Exceptions are kept, since the loop's order is not that of the
/// positions.
/// Rejected: to take the test from the Searcher here. g++ 12 then keeps the copy of it on the
/// stack, and reads what was captured again for each 64 positions: one thread takes 23 to 39 us for
/// 10^5 u32, where it takes 20 so. clang makes the same of both.
template <class Test, class Answer>
FURCA_INNER_LOOP void look_with(Searcher& search, Test& shared_test, std::size_t lo,
                                std::size_t hi) {
  Held<Test, std::size_t> test = shared_test;
  std::size_t i = lo;
  if constexpr (!std::is_void_v<Answer>) {
    Answers<Held<Test, std::size_t>, Answer> answers;
    if (hi - lo >= answers.kCount) answers.clear();  // takes as long as dozens of elements
    try {
      for (; hi - i >= answers.kCount; i += answers.kCount) {
        if (search.hit() <= i) return;  // somebody has found what lies in front of this
        if (answers.ask(test, i)) return search.found(i + answers.first());
      }
    } catch (...) {
      // Serial execution would not have come to a throw behind the hit. Nobody else looks at these
      // positions, so it is all the same which of them threw.
      if (const std::size_t first = answers.first(); first < answers.kCount)
        return search.found(i + first);
      return search.threw(i);
    }
  }
  std::size_t at = i;
  try {
    while (i < hi) {
      if (search.hit() <= i) return;
      const std::size_t stop = i + std::min<std::size_t>(hi - i, 64);
      if constexpr (TestsTogether<Test>) i = detail::skip_together(test, i, stop);
      for (; stop - i >= 4; i += 4) {
        if (test(at = i)) return search.found(at);
        if (test(at = i + 1)) return search.found(at);
        if (test(at = i + 2)) return search.found(at);
        if (test(at = i + 3)) return search.found(at);
      }
      for (; i < stop; ++i) {
        if (test(at = i)) return search.found(at);
      }
    }
  } catch (...) {
    return search.threw(at);
  }
}

/// The same, as search() calls it.
template <class Test, class Answer>
void look_at(Searcher& search, std::size_t lo, std::size_t hi) {
  detail::look_with<Test, Answer>(search, search.test_as<Test>(), lo, hi);
}

/// By the caller alone. Test does not throw.
template <class Answer, class Test>
std::size_t first_hit_alone(std::size_t n, const Test& shared_test) {
  const Test test = shared_test;
  std::size_t i = 0;
  if constexpr (!std::is_void_v<Answer>) {
    Answers<const Test, Answer> answers;
    for (; n - i >= answers.kCount; i += answers.kCount) {
      if (answers.ask(test, i)) return i + answers.first();
    }
  }
  if constexpr (TestsTogether<Test>) i = detail::skip_together(test, i, n);
  for (; n - i >= 4; i += 4) {
    if (test(i)) return i;
    if (test(i + 1)) return i + 1;
    if (test(i + 2)) return i + 2;
    if (test(i + 3)) return i + 3;
  }
  while (i < n && !test(i)) ++i;
  return i;
}

/// The first i in [0, n) for which test(i) holds, or n. An exception is thrown if serial execution
/// would have come to it. `name`: what it is a part of.
/// kBytes: if test compares numbers that are in memory, one for each element of so many bytes; else
/// 0.
template <Literal name, class Answer, std::size_t kBytes = 0, class Test>
std::size_t first_hit(std::size_t n, Test& test, const SourceLocation& where) {
  if (n == 0) return 0;
  if constexpr (kBytes != 0) {
    if (detail::takes_a_moment(n, std::max(kBytes, sizeof(double))))
      return detail::first_hit_alone<Answer>(n, test);
  }
  constexpr const SearchFunctions& functions = kSearchFunctions<name, &look_at<Test, Answer>>;
  return static_cast<std::size_t>(detail::search(n, functions, std::addressof(test), &where));
}

}  // namespace furca::detail
