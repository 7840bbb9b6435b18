// The two passes of a scan over its blocks.
//
// The first makes each block's own prefix sums, in the output, as if nothing stood before it;
// between the passes the blocks' sums become what stands before each; the second puts that in front
// of the block's prefix sums. So an element is projected once, and the passes' order of operations
// depends on the blocks alone. Four blocks go through the first pass at once, since each operation
// waits for the one before it in its block.
// Where the output has elements of another type, the first pass writes nothing, and the second
// projects again.
#pragma once

#include <furca/detail/algorithms/scan_steps.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/loop/aligned_tree.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/fold.hpp>
#include <furca/detail/loop/reduction.hpp>
#include <furca/threads.hpp>

#include <array>
#include <optional>

namespace furca::detail {

template <ScanKind kKind, class T, LoopRange R, LoopRange Out, class Op, class Proj>
class Scan {
  using Steps = ScanSteps<kKind, T, R, Out, Op, Proj>;
  using Sum = typename Steps::Sum;

 public:
  Scan(R& in, Out& out, Op& op, Proj& proj, std::optional<T> before)
      : steps_(in, out, op, proj),
        n_(std::min(detail::size_of(in), detail::size_of(out))),
        block_(length_of_block(n_)),
        carry_(std::move(before)) {}

  std::size_t size() const noexcept { return n_; }

  /// The total of all elements; nothing for an inclusive scan of none.
  std::optional<T>& total() noexcept { return carry_; }

  template <class Called = ThrowingCalls>
  void run(const SourceLocation& where, Called called = {}) {
    if (n_ == 0) return;
    if (few() || num_threads() == 1) return called([this] { run_alone(); });
    const std::size_t stretch = detail::stretch_length(kBlocks * block_, sizeof(T), kStretchBytes);
    const Owner<Sum[]> sums(new Sum[(std::min(n_, stretch) + block_ - 1) / block_]());
    sums_ = sums.get();
    const auto first_pass = [&](std::size_t lo, std::size_t hi, LoopEnd& thrown) {
      start_ = lo;
      const auto pass = [&](std::size_t from, std::size_t to) { first(from, to, thrown); };
      detail::for_blocks<kName>(lo, hi, kBlocks * block_, pass, where);
    };
    const auto in_between = [this](std::size_t lo, std::size_t hi) { return between(lo, hi); };
    const auto second_pass = [this](std::size_t from, std::size_t to) { second(from, to); };
    called([&] {
      detail::in_strips<kName>(n_, kBlocks * block_, stretch, first_pass, in_between, second_pass,
                               where);
    });
  }

 private:
  // not in the caller's frame, as accumulators of a reduction
  static constexpr bool kLarge = sizeof(Sum) > 1'024;
  static constexpr auto kName = [] {
    if constexpr (kKind == ScanKind::inclusive) {
      return Literal("inclusive_scan");
    } else {
      return Literal("exclusive_scan");
    }
  }();
  static constexpr std::size_t kBlocks = 4;       // at once
  static constexpr std::size_t kSmallBlock = 64;  // of few numbers, so that they make four as well
  static constexpr std::size_t kLeastBlock = 16;
  static constexpr std::size_t kFew = 4'096;
  // half of it: a tenth slower, since each stretch is two forks and two joins
  static constexpr std::size_t kStretchBytes = 1024 * 1024;

  /// Operations take nanoseconds, on elements that are in memory: there is no point in sharing a
  /// few thousand.
  static constexpr bool kCheap = std::is_arithmetic_v<T> && std::ranges::contiguous_range<R> &&
                                 kTakesNanoseconds<std::remove_const_t<Op>, T> &&
                                 (std::is_same_v<std::remove_const_t<Proj>, std::identity> ||
                                  std::is_member_object_pointer_v<Proj>);
  /// In any order they come to the same. Other operations may round, those of integers too.
  static constexpr bool kAnyOrder = kExact<T> && kTakesNanoseconds<std::remove_const_t<Op>, T>;
  static constexpr bool kInterleaved = Steps::kInOutput && !kExact<T> &&
                                       std::is_trivially_copyable_v<T> &&
                                       std::is_default_constructible_v<T> && sizeof(T) <= 16;

  /// Long ones where there are many elements: they are read in the order that memory is fast in.
  static std::size_t length_of_block(std::size_t n) noexcept {
    if (kCheap && n <= kFew) return kSmallBlock;
    return static_cast<std::size_t>(detail::block_size(n, n, 1));
  }

  std::size_t block() const noexcept { return block_; }

  bool few() const noexcept { return kCheap && n_ <= kFew; }

  /// The same operations in the same order, with each pass over some blocks right behind the other.
  /// Sums of integers and the like need no blocks.
  void run_alone() {
    if constexpr (kAnyOrder) {
      steps_.chain(0, n_, carry_, true);
    } else {
      if constexpr (kLarge) {
        few_sums_ = Owner<Sum[]>(new Sum[kBlocks]());
        sums_ = few_sums_.get();
      } else {
        sums_ = few_sums_.data();
      }
      for (std::size_t lo = 0; lo < n_;) {
        start_ = lo;
        // The rest of few elements makes shorter blocks, so that there are four.
        if (few())
          block_ = std::clamp((n_ - lo) / (kBlocks * kLeastBlock) * kLeastBlock, kLeastBlock,
                              kSmallBlock);
        const std::size_t hi = std::min(n_, lo + kBlocks * block());
        LoopEnd thrown(hi);
        try {
          first(lo, hi, thrown);
        } catch (...) {
          if (thrown.get() < hi) {
            between(lo, static_cast<std::size_t>(thrown.get()));
            second(lo, static_cast<std::size_t>(thrown.get()));
          }
          throw;
        }
        between(lo, hi);
        second(lo, hi);
        lo = hi;
      }
    }
  }

  /// The first pass over blocks. Tells `thrown` which element throws.
  FURCA_COMPILED_ONCE void first(std::size_t lo, std::size_t hi, LoopEnd& thrown) const {
    Sum* sums = sums_ + (lo - start_) / block();
    if constexpr (kInterleaved) {
      if (hi - lo == kBlocks * block()) return first_of_four(lo, sums, thrown);
    }
    for (; lo < hi; lo += block()) *sums++ = first_of_one(lo, std::min(hi, lo + block()), thrown);
  }

  T first_of_one(std::size_t lo, std::size_t hi, LoopEnd& thrown) const {
    std::size_t i = lo;
    try {
      T sum = steps_.begin_block(i);
      for (++i; i < hi; ++i) {
        if constexpr (Steps::kInOutput) {
          sum = steps_.step(std::move(sum), i);
        } else {
          sum = steps_.combine(std::move(sum), i);
        }
      }
      return sum;
    } catch (...) {
      thrown.lower_to(i);
      throw;
    }
  }

  void first_of_four(std::size_t lo, Sum* sums, LoopEnd& thrown) const
    requires kInterleaved
  {
    const std::size_t length = block();
    std::size_t at = lo;  // which element is being looked at
    T a{};
    T b{};
    T c{};
    T d{};
    try {
      a = steps_.begin_block(at);
      b = steps_.begin_block(at = lo + length);
      c = steps_.begin_block(at = lo + 2 * length);
      d = steps_.begin_block(at = lo + 3 * length);
      for (std::size_t i = lo + 1; i < lo + length; ++i) {
        a = steps_.step(a, at = i);
        b = steps_.step(b, at = i + length);
        c = steps_.step(c, at = i + 2 * length);
        d = steps_.step(d, at = i + 3 * length);
      }
    } catch (...) {
      thrown.lower_to(at);
      const std::array<T, kBlocks> now{a, b, c, d};
      finish_before(lo, at, now, sums, thrown);
      throw;
    }
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
  }

  /// An element of one of four blocks has thrown: the blocks before it go on to their ends. Their
  /// exception comes before it, so that is thrown instead.
  FURCA_COLD void finish_before(std::size_t lo, std::size_t at, const std::array<T, kBlocks>& now,
                                Sum* sums, LoopEnd& thrown) const {
    const std::size_t done = (at - lo) % block();  // the last one of each of these blocks
    for (std::size_t k = 0; lo + block() <= at; lo += block(), ++k) {
      std::size_t i = lo + done;
      try {
        T sum = now[k];
        for (++i; i < lo + block(); ++i) sum = steps_.step(sum, i);
        sums[k] = sum;
      } catch (...) {
        thrown.lower_to(i);
        throw;
      }
    }
  }

  /// The sums of the blocks of [lo, hi), the last of which may be a part of one, become what stands
  /// before each.
  std::size_t between(std::size_t lo, std::size_t hi) {
    for (std::size_t k = (lo - start_) / block(); lo < hi; lo += block(), ++k) {
      if (hi - lo < block() && hi < n_) {  // something has thrown in this one, and it has no sum
        sums_[k] = carry_;
        break;
      }
      // Values are assigned, not optionals: to read a whole one right behind the writes of its
      // parts takes processors as long as many additions.
      if (carry_) {
        T behind = detail::combined<T>(steps_.op_, *carry_, std::move(*sums_[k]));
        *sums_[k] = std::move(*carry_);
        *carry_ = std::move(behind);
      } else {
        carry_.emplace(std::move(*sums_[k]));
        sums_[k].reset();
      }
    }
    return hi;
  }

  /// The second pass over blocks.
  FURCA_COMPILED_ONCE void second(std::size_t lo, std::size_t hi) const {
    Sum* sums = sums_ + (lo - start_) / block();
    for (; lo < hi; lo += block(), ++sums) second_of_one(lo, std::min(hi, lo + block()), *sums);
  }

  void second_of_one(std::size_t lo, std::size_t hi, Sum& before) const {
    if constexpr (!Steps::kInOutput) {
      steps_.chain(lo, hi, before, true);
    } else {
      if (!before) return;
      std::size_t i = lo;
      if constexpr (!Steps::kInclusive) steps_.write(i++, *before);
      if constexpr (std::is_arithmetic_v<T>) {
        // Constant lengths, so that g++ -O2 makes vectors of them.
        const T sum = *before;
        for (; (i & 15U) != 0 && i < hi; ++i) steps_.put_before(sum, i);
        for (; hi - i >= 16; i += 16) {
          for (std::size_t k = 0; k < 16; ++k) steps_.put_before(sum, i + k);
        }
      }
      for (; i < hi; ++i) steps_.put_before(*before, i);
    }
  }

  const Steps steps_;
  const std::size_t n_;
  std::size_t block_;
  Sum carry_;              // what stands before the stretch
  std::size_t start_ = 0;  // of the stretch
  Sum* sums_ = nullptr;    // of its blocks; then what stands before each
  // for one thread alone
  std::conditional_t<kLarge, Owner<Sum[]>, std::array<Sum, kBlocks>> few_sums_;
};

}  // namespace furca::detail
