// A reduction of few steps in a loop: each step has a place for what it contributes, and the caller
// combines them.
#pragma once

#include <furca/detail/fork/current_worker.hpp>
#include <furca/detail/loop/aligned_part.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/detail/loop/fold.hpp>
#include <furca/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Numbers, small structs, and pairs and tuples of them.
template <class T>
inline constexpr bool kFewAccumulators = std::is_trivially_copy_constructible_v<T> &&
                                         std::is_trivially_destructible_v<T> && sizeof(T) <= 64;

/// Up to kFewSteps contributions to a Reduction, and what they come to along the aligned tree
/// (aligned_tree.hpp), whose blocks have one step each then: so the bits are those of any other
/// way. The caller combines them, once all are there: for small accumulators, since combining those
/// takes next to no time as a rule.
/// Rejected: forks that return and combine two halves each, as joins would. They took a frame for
/// each halving, and their own code for each reduction.
/// `kAligned`: op takes a copy of the identity and the contribution, as in a block of the tree.
/// Else what is mapped is taken as it is, so op is called less often.
template <class Shared, bool kAligned>
class FewContributions {
 public:
  using T = typename Shared::Value;

  explicit FewContributions(const Shared& shared) : shared_(shared) {}

  /// Runs n <= kFewSteps steps. False: nothing has run.
  bool run(Worker& self, std::size_t n) { return run_few_steps(self, &one, this, n); }

  /// After run(), with its n.
  T total(std::size_t n) {
    if (n == 0) return T(shared_.identity);
    detail::combine(shared_.op, slots_.values, n);
    return std::move(slots_.values[0]);
  }

 private:
  static void one(const void* self, std::uint64_t step) {
    auto& few = *static_cast<FewContributions*>(const_cast<void*>(self));
    T* const place = few.slots_.values + step;
    if constexpr (kAligned) {
      if constexpr (!kSmallAccumulator<T>) std::construct_at(place, few.shared_.identity);
      std::uint64_t at = step;
      detail::add_blocks(few.shared_, place, 1, 1, step + 1, at);
    } else {
      std::construct_at(place, few.shared_.inner().contribution(step));
    }
  }

  const Shared& shared_;
  Accumulators<T, kFewSteps> slots_;  // of steps that have run
};

/// The result of a reduction over few indices, if it is to be run as such a one; else nothing has
/// run. Not a fold without a tree: that would have an accumulator for each step, and there it has
/// one for each thread.
template <bool kAligned, class Shared>
std::optional<typename Shared::Value> reduce_few(const Shared& shared,
                                                 const ReduceOptions& options) {
  Worker* const here = current_worker;
  const std::uint64_t n = shared.range.size();
  if (here == nullptr || n > kFewSteps || !nothing_asked(options) ||
      options.tree != ReduceTree::automatic)
    return std::nullopt;
  FewContributions<Shared, kAligned> few(shared);
  if (!few.run(*here, n)) return std::nullopt;
  return few.total(n);
}

}  // namespace furca::detail
