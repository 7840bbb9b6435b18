// A loop of few steps in a loop: halved as joins would be, with nothing measured and nothing
// remembered (src/loop/README.md).
#pragma once

#include <furca/detail/fork/current_forks.hpp>
#include <furca/loop_options.hpp>

#include <cstdint>

namespace furca::detail {

/// A loop of no more steps, in another loop, is forked step by step.
inline constexpr std::uint64_t kFewSteps = 8;

/// Without a grain and a Progress: nothing that forks of single steps would not do. All options are
/// named, so that whoever adds one has to say here what they do with it.
inline bool may_fork_each(const LoopOptions& options) noexcept {
  [[maybe_unused]] const auto& [grain, stop, progress] = options;
  return (grain == automatic_grain || grain == 1) && progress == nullptr;
}

/// Calls one(body, i) for each i in [0, steps), if there are any. It ends with the exception of the
/// lowest that throws. False: nothing has run, since this is to be a loop as others are.
FURCA_API bool run_few_steps(Forks& self, void (*one)(const void* body, std::uint64_t step),
                             const void* body, std::uint64_t steps);

/// The same of body(i).
template <class Body>
FURCA_INLINE inline bool run_few_steps(Forks& self, const Body& body, std::uint64_t steps) {
  constexpr auto kOne = [](const void* callable, std::uint64_t step) {
    (*static_cast<const Body*>(callable))(step);
  };
  return detail::run_few_steps(self, kOne, __builtin_addressof(body), steps);
}

}  // namespace furca::detail
