// The answers of a predicate for the elements of a stretch, one byte each, and how many hold in
// each block: what packing and partitioning begin with.
//
// The loop that asks has an element for its step, so it is shared as what the predicate costs
// deserves, and each element is asked once. The pass that then moves elements looks at the answers,
// and not at the predicate: it cannot throw in the middle of a move, and has no branch to
// mispredict.
// Checked by: tests/algorithms/pack_test.cpp
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/base/large_memory.hpp>
#include <furca/detail/base/relaxed.hpp>

#include <array>
#include <cstring>
#include <optional>

namespace furca::detail {

class Marks {
 public:
  static constexpr std::size_t kBlock = 2'048;
  static constexpr std::size_t kFew = kBlock;  // of these nothing is allocated

  /// Room for `stretch` answers. Throws std::bad_alloc.
  explicit Marks(std::size_t stretch) {
    if (stretch > kFew) {
      many_ = Owner<unsigned char[]>(new unsigned char[stretch]);
      if (stretch >= kLargeMemory) prepare_large_memory(many_.get(), stretch);
      many_counts_ =
          Owner<Relaxed<std::size_t>[]>(new Relaxed<std::size_t>[blocks_of(stretch) + 1]);
      answers_ = many_.get();
      counts_ = many_counts_.get();
    }
  }
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  static constexpr std::size_t blocks_of(std::size_t n) noexcept {
    return (n + kBlock - 1) / kBlock;
  }

  /// The answers of test(i) for i in [lo, hi), the stretch; that for lo may be known. X: what the
  /// test compares, a value of each element; kBytes: as of run_part. If it throws, `thrown` is
  /// lowered to the lowest i at which it did, and the answers before that are there.
  template <Literal name, class X, std::size_t kBytes = 0, class Test>
  void ask(std::size_t lo, std::size_t hi, Test& test, LoopEnd& thrown, const SourceLocation& where,
           std::optional<bool> known = std::nullopt);

  /// The answers from element i of the stretch on.
  const unsigned char* answers(std::size_t i) const noexcept { return answers_ + i; }

  /// Behind ask(), once: adds up how many hold in each block of [0, n), for before() and count().
  /// Returns all.
  std::size_t add_up(std::size_t n) noexcept {
    std::size_t all = 0;
    for (std::size_t k = 0; k < blocks_of(n); ++k) {
      const std::size_t here = counts_[k].read();
      counts_[k].write(all);
      all += here;
    }
    counts_[blocks_of(n)].write(all);
    return all;
  }

  /// The number of marks before a block of the stretch.
  std::size_t before(std::size_t block) const noexcept { return counts_[block].read(); }

  /// The number of marks in it.
  std::size_t count(std::size_t block) const noexcept { return before(block + 1) - before(block); }

 private:
  template <class X, class Test>
  class Part;

  alignas(64) std::array<unsigned char, kFew> few_;
  std::array<Relaxed<std::size_t>, kFew / kBlock + 1> few_counts_;
  Owner<unsigned char[]> many_;
  Owner<Relaxed<std::size_t>[]> many_counts_;
  unsigned char* answers_ = few_.data();
  Relaxed<std::size_t>* counts_ = few_counts_.data();
};

/// All threads share one. Its step i is the element `from` + i, whose answer is the one numbered
/// `shift` + i.
template <class X, class Test>
class Marks::Part {
 public:
  Part(Marks& marks, std::size_t from, std::size_t shift, Test& test, LoopEnd& thrown) noexcept
      : marks_(marks), from_(from), shift_(shift), test_(test), thrown_(thrown) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) const {
    while (lo < hi) {
      const std::uint64_t block = (lo + shift_) / kBlock;
      const std::uint64_t stop = std::min(hi, (block + 1) * kBlock - shift_);
      const std::uint32_t holds =
          mark(static_cast<std::size_t>(lo), static_cast<std::size_t>(stop), end);
      marks_.counts_[block].add(holds);  // read behind the loop's end
      lo = stop;
    }
  }

 private:
  static constexpr std::size_t kAtOnce = 64;

  /// Of comparisons of doubles compilers make faster vectors by way of floats: the loop that asks
  /// takes 0.7 to 0.8 of the time.
  using Answer = std::conditional_t<std::is_same_v<X, double>, float, unsigned char>;

  FURCA_INNER_LOOP std::uint32_t mark(std::size_t lo, std::size_t hi, LoopEnd& end) const {
    Held<Test, std::size_t> test = test_;
    const std::size_t from = from_;
    unsigned char* const answers = marks_.answers_ + shift_;
    // of its own, so that compilers see that the elements are elsewhere
    alignas(kAtOnce) Answer some[kAtOnce];
    std::size_t i = lo;
    std::size_t j = 0;
    try {
      std::uint32_t holds = 0;
      if constexpr (kLaneBytes<X> != 0) {
        for (; hi - i >= kAtOnce; i += kAtOnce) {
          for (j = 0; j < kAtOnce; ++j) some[j] = test(from + i + j) ? Answer{1} : Answer{0};
          alignas(kAtOnce) unsigned char bytes[kAtOnce];
          for (std::size_t k = 0; k < kAtOnce; ++k) bytes[k] = static_cast<unsigned char>(some[k]);
          std::memcpy(answers + i, bytes, kAtOnce);
          holds += sum(bytes);
        }
        j = 0;
      }
      for (; i < hi; ++i) {
        answers[i] = test(from + i) ? 1 : 0;
        holds += answers[i];  // g++ makes a branch of the question, asked twice
      }
      return holds;
    } catch (...) {
      for (std::size_t k = 0; k < j; ++k) answers[i + k] = static_cast<unsigned char>(some[k]);
      thrown_.lower_to(from + i + j);
      end.lower_to(i + j);
      throw;
    }
  }

  /// Of 64 bytes that are 0 or 1.
  static std::uint32_t sum(const unsigned char* bytes) noexcept {
    std::uint64_t words[8];
    std::memcpy(words, bytes, sizeof words);
    std::uint64_t all = 0;
    for (const std::uint64_t word : words) all += word;  // eight sums, of up to 8
    return static_cast<std::uint32_t>((all * 0x0101010101010101U) >> 56U);
  }

  Marks& marks_;
  const std::size_t from_;
  const std::size_t shift_;
  Test& test_;
  LoopEnd& thrown_;
};

template <Literal name, class X, std::size_t kBytes, class Test>
void Marks::ask(std::size_t lo, std::size_t hi, Test& test, LoopEnd& thrown,
                const SourceLocation& where, std::optional<bool> known) {
  for (std::size_t k = 0; k < blocks_of(hi - lo); ++k) counts_[k].write(0);
  if (known) {
    answers_[0] = *known ? 1 : 0;
    counts_[0].write(answers_[0]);
  }
  const std::size_t from = lo + (known ? 1 : 0);
  Part<X, Test> part(*this, from, from - lo, test, thrown);
  detail::run_part<name, kBytes>(hi - from, part, where);
}

/// Positions in a block.
class Positions {
 public:
  /// Of the answers [from, to) that are 1, or with kFlip 0: where they are, `base` further. There
  /// are Marks::kBlock at most.
  template <bool kFlip = false>
  std::size_t find(const unsigned char* answers, std::size_t from, std::size_t to,
                   std::size_t base) noexcept {
    constexpr std::uint64_t kNone = kFlip ? 0x0101010101010101U : 0;
    std::size_t count = 0;
    std::size_t i = from;
    for (; to - i >= 8; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, answers + i, 8);
      if (word == kNone) continue;
      for (std::size_t j = i; j < i + 8; ++j) {
        at_[count] = static_cast<std::uint16_t>(base + j);
        count += answers[j] ^ (kFlip ? 1U : 0U);
      }
    }
    for (; i < to; ++i) {
      at_[count] = static_cast<std::uint16_t>(base + i);
      count += answers[i] ^ (kFlip ? 1U : 0U);
    }
    return count;
  }

  std::size_t operator[](std::size_t i) const noexcept { return at_[i]; }

 private:
  // one more: a position is written before it is known to count
  std::array<std::uint16_t, Marks::kBlock + 1> at_;
};

}  // namespace furca::detail
