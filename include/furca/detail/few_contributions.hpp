// A reduction of few steps in a loop: each step has a place for what it contributes, and the caller combines them.
#pragma once

#include <furca/detail/current_worker.hpp>
#include <furca/detail/few_steps.hpp>
#include <furca/detail/fold.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace furca::detail {

/// Up to kFewSteps contributions to a Reduction, and their sum along the aligned tree (aligned_tree.hpp), whose blocks have one step each then: so the bits are those of
/// any other way. For accumulators that are numbers or small structs, since combining those takes next to no time: larger ones are combined by whoever has them.
/// Rejected: forks that return and combine two halves each, as joins would. They took a frame for each halving, and their own code for each reduction.
template <class Shared>
class FewContributions {
 public:
  using T = typename Shared::Value;

  explicit FewContributions(const Shared& shared) : fold_(shared.inner()), identity_(shared.identity), op_(shared.op) {}

  /// Runs n <= kFewSteps steps. False: nothing has run.
  bool run(Worker& self, std::size_t n) { return run_few_steps(self, &one, this, n); }

  /// After run(), with its n.
  T total(std::size_t n) {
    if (n == 0) return T(identity_);
    for (std::size_t width = 1; width < n; width *= 2)
      for (std::size_t left = 0; left + width < n; left += 2 * width)
        values_[left] = static_cast<T>(detail::invoke(op_, std::move(values_[left]), std::move(values_[left + width])));
    return values_[0];
  }

 private:
  static void one(const void* self, std::uint64_t step) {
    auto& few = *static_cast<FewContributions*>(const_cast<void*>(self));
    T accumulator(few.identity_);
    std::uint64_t at = step;
    few.fold_.add(accumulator, step, step + 1, at);
    few.values_[step] = accumulator;
  }

  const typename Shared::Inner fold_;
  const T& identity_;
  decltype((std::declval<const Shared&>().op)) op_;
  std::array<T, kFewSteps> values_;  // of steps that have run
};

/// The sum over few indices, if the reduction is to be run as such a one; else nothing has run.
template <class Shared>
std::optional<typename Shared::Value> reduce_few(const Shared& shared, const ReduceOptions& options) {
  Worker* const here = current_worker;
  const std::uint64_t n = shared.range.size();
  if (here == nullptr || n > kFewSteps || !nothing_asked(options)) return std::nullopt;
  FewContributions<Shared> few(shared);
  if (!few.run(*here, n)) return std::nullopt;
  return few.total(n);
}

}  // namespace furca::detail
