// A reduction: as a loop whose parts have one accumulator for all that a thread runs, or one for
// each block (aligned_part.hpp).
#pragma once

#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/refuse.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/fork/current_forks.hpp>
#include <furca/detail/loop/aligned_part.hpp>
#include <furca/detail/loop/aligned_tree.hpp>
#include <furca/detail/loop/blocks.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/detail/loop/fold.hpp>
#include <furca/detail/loop/index_range.hpp>
#include <furca/detail/loop/results.hpp>
#include <furca/options.hpp>
#include <furca/stop_token.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// The common state of all parts of one reduction.
template <class Index, class T, class Map, class Op>
struct Reduction {
  using Value = T;
  using Inner = Fold<Index, T, Map, Op>;

  IndexRange<Index> range;
  const T& identity;
  Map& map;
  Op& op;
  Progress* progress;

  /// The steps of its loop: blocks of the aligned tree, or one index each; and how many of these to
  /// run at a time at least.
  static Blocks in_tree(std::uint64_t n, std::uint64_t most, std::size_t grain) noexcept {
    return Blocks::last_shorter(n, block_size(n, most, grain == automatic_grain ? 1 : grain));
  }
  static Blocks in_turn(std::uint64_t n, std::size_t) noexcept {
    return Blocks::last_shorter(n, 1);
  }
  static std::size_t steps_in_turn(std::size_t grain) noexcept { return grain; }

  /// Runs the indices [lo, hi), which one accumulator gets, by run(from, to).
  template <class Run>
  static void in_stretches(std::uint64_t lo, std::uint64_t hi, Run run) {
    run_aligned(lo, hi, run);
  }

  Inner inner() const { return Inner(range, map, op); }
};

/// One accumulator for all that a thread runs. Shared: a Reduction, or a ChunkReduction.
template <class Shared>
class SchedulePart {
 public:
  using T = typename Shared::Value;
  SchedulePart(const Shared& shared, const Blocks& blocks)
      : shared_(&shared), blocks_(&blocks), accumulator_(shared.identity) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    Shared::in_stretches(blocks_->at(lo), blocks_->at(hi),
                         [&](std::uint64_t from, std::uint64_t to) { run_stretch(from, to, end); });
  }

  SchedulePart fresh() const { return SchedulePart(*shared_, *blocks_); }

  /// op may return a reference to one of its arguments; the left one is in its place already then.
  void absorb(SchedulePart&& right) {
    using Result = std::invoke_result_t<decltype((shared_->op)), T, T>;
    if constexpr (std::is_same_v<Result, T&&> || std::is_same_v<Result, T&>) {
      auto&& result =
          detail::invoke(shared_->op, std::move(accumulator_), std::move(right.accumulator_));
      if (std::addressof(result) != std::addressof(accumulator_))
        accumulator_ = std::forward<Result>(result);
    } else {
      accumulator_ = static_cast<T>(
          detail::invoke(shared_->op, std::move(accumulator_), std::move(right.accumulator_)));
    }
  }

  T total() { return std::move(accumulator_); }

 private:
  /// A function of its own, as in ForPart.
  FURCA_UNROLLED_LOOP void run_stretch(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    detail::run_counted(*blocks_, lo, end, shared_->progress, [&](std::uint64_t& at) {
      const typename Shared::Inner fold = shared_->inner();
      if constexpr (kSmallAccumulator<T>) {
        T accumulator = std::as_const(accumulator_);  // not by a constructor that takes anything
        fold.add(accumulator, lo, hi, at);
        accumulator_ = std::move(accumulator);
      } else {
        fold.add(accumulator_, lo, hi, at);
      }
    });
  }

  const Shared* shared_;
  const Blocks* blocks_;
  T accumulator_;
};

/// The result of a reduction of up to kFewSteps indices in a loop, if it is to be run as such a
/// one; else nothing has run. Each index has a slot for what it contributes, and the caller
/// combines them along the aligned tree, whose blocks have one step each then: so the bits are
/// those of any other way. For small accumulators, since combining those takes next to no time as a
/// rule; and not a fold without a tree: that would have an accumulator for each step, and there it
/// has one for each thread.
/// `kAligned`: op takes a copy of the identity and the contribution, as in a block of the tree.
/// Else what is mapped is taken as it is, so op is called less often.
/// Rejected: forks that return and combine two halves each, as joins would. They took a frame for
/// each halving, and their own code for each reduction.
template <bool kAligned, class Shared>
std::optional<typename Shared::Value> reduce_few(const Shared& shared,
                                                 const ReduceOptions& options) {
  using T = typename Shared::Value;
  Forks* const here = current_forks;
  const std::uint64_t n = shared.range.size();
  const auto& [grain, stop, progress, tree] = options;  // all: see may_fork_each()
  if (here == nullptr || n > kFewSteps || (grain != automatic_grain && grain != 1) ||
      stop.stop_possible() || progress != nullptr || tree != ReduceTree::automatic)
    return std::nullopt;
  struct Few {
    const Shared& shared;
    mutable Accumulators<T, kFewSteps> slots;  // of indices that have run

    void operator()(std::uint64_t step) const {
      T* const slot = slots.values + step;
      if constexpr (kAligned) {
        static_assert(kSmallAccumulator<T>);
        std::uint64_t at = step;
        detail::add_blocks(shared, slot, 1, 1, step + 1, at);
      } else {
        std::construct_at(slot, shared.inner().contribution(step));
      }
    }
  };
  const Few few{shared, {}};
  if (!detail::run_few_steps(*here, few, n)) return std::nullopt;
  if (n == 0) return T(shared.identity);
  detail::combine(shared.op, few.slots.values, static_cast<std::size_t>(n));
  return std::move(few.slots.values[0]);
}

/// kPlainMap of a reduction whose operation is as short.
template <class Shared>
inline constexpr std::size_t kPlainReduction = 0;
template <class Index, class T, class Map, class Op>
  requires kOneInstruction<Op, T>
inline constexpr std::size_t kPlainReduction<Reduction<Index, T, Map, Op>> =
    kPlainMap<std::remove_const_t<Map>>;

/// Steps are blocks, and `grain` is a number of them. `name`: of what it is a part of. A part that
/// is not huge is in this frame.
template <class Part, Literal name = "reduction", class Shared, class... Slots>
FURCA_NOINLINE auto reduce_with(const Shared& shared, const Blocks& blocks, std::size_t grain,
                                const StopToken& stop, const SourceLocation& where,
                                Slots... slots) {
  const auto reduced = [&](Part& part) {
    if constexpr (kPlainReduction<Shared> != 0) {
      if (detail::takes_a_moment(shared.range.size(),
                                 std::max(kPlainReduction<Shared>, sizeof(double))) &&
          !stop.stop_possible()) {
        LoopEnd end(blocks.count());
        part.run(0, blocks.count(), end);
        return part.total();
      }
    }
    Loop(kFunctionsOf<Part, name>, blocks.count(), grain, stop, &where)
        .watched(shared.progress != nullptr)
        .run(&part);
    return part.total();
  };
  if constexpr (sizeof(Part) > 32'768) {
    return reduced(*Owner<Part>(new Part(shared, blocks, slots...)));
  } else {
    Part part(shared, blocks, slots...);
    return reduced(part);
  }
}

/// With slots for all blocks in its frame, on top of which the user's code may have reductions: few
/// where there are few.
template <std::size_t kMostBlocks, Literal name, class Shared>
FURCA_NOINLINE auto reduce_in_slots(const Shared& shared, const Blocks& blocks,
                                    const StopToken& stop, const SourceLocation& where) {
  Accumulators<typename Shared::Value, kMostBlocks> slots;
  return detail::reduce_with<SlotsPart<Shared>, name>(shared, blocks, automatic_grain, stop, where,
                                                      slots.values);
}

/// Integers, and pairs, tuples and arrays of them. An associative operation rounds nothing there,
/// so the schedule's order has the same bits as a tree's, without its blocks: those of a short loop
/// are too short for vectors, and a large accumulator takes longer to combine than to fill. A fold
/// over chunks must round nothing either, as one that counts.
template <class T>
inline constexpr bool kExact = std::is_integral_v<T>;
template <class A, class B>
inline constexpr bool kExact<std::pair<A, B>> = kExact<A> && kExact<B>;
template <class... Ts>
inline constexpr bool kExact<std::tuple<Ts...>> = (kExact<Ts> && ...);
template <class T, std::size_t N>
inline constexpr bool kExact<std::array<T, N>> = kExact<T>;

/// Whether ReduceTree::automatic is the aligned one. `kSameBits`: enable_same_bits<T>.
template <class T, bool kSameBits>
inline constexpr bool kUsesTree = kSameBits && !kExact<T>;

/// `kSameBits`: enable_same_bits<T>. `name`: as above.
template <bool kSameBits, Literal name = "reduction", class Shared>
auto reduce(const Shared& shared, const ReduceOptions& options, const SourceLocation& where) {
  using T = typename Shared::Value;
  static_assert(!kSameBits || sizeof(T) <= 4'096,
                "furca: enable_same_bits is for accumulators of up to 4,096 bytes: leave it false "
                "for larger ones");
  const bool aligned = options.tree == ReduceTree::aligned ||
                       (options.tree == ReduceTree::automatic && kUsesTree<T, kSameBits>);
  const std::uint64_t n = shared.range.size();
  check_grain(options.grain);
  if constexpr (sizeof(T) <= 4096) {
    if (aligned) {
      const Blocks blocks = Shared::in_tree(n, AlignedTree<T>::kMostBlocks, options.grain);
      if constexpr (kOneInstruction<std::remove_reference_t<decltype(shared.op)>, T>) {
        // A slot that a stop leaves out would hold nothing.
        if (!options.stop.stop_possible()) {
          if (blocks.count() <= kFewSteps)
            return detail::reduce_in_slots<kFewSteps, name>(shared, blocks, options.stop, where);
          if (blocks.count() <= 32)
            return detail::reduce_in_slots<32, name>(shared, blocks, options.stop, where);
          if (blocks.count() <= 256)
            return detail::reduce_in_slots<256, name>(shared, blocks, options.stop, where);
        }
      }
      return detail::reduce_with<AlignedPart<Shared>, name>(shared, blocks, automatic_grain,
                                                            options.stop, where);
    }
  } else if (aligned) {
    detail::refuse(
        "furca: an accumulator of more than 4,096 bytes is too large for ReduceTree::aligned, "
        "which keeps up to 19 of them for each thread; leave .tree out, or put its data on the "
        "heap");
  }
  return detail::reduce_with<SchedulePart<Shared>, name>(shared, Shared::in_turn(n, options.grain),
                                                         Shared::steps_in_turn(options.grain),
                                                         options.stop, where);
}

}  // namespace furca::detail
