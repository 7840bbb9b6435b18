// A join of two arms for algorithms, compiled once, in the library: src/fork/fork_both.cpp.
//
// Where arms take microseconds, a join that is inlined gains nothing, and each is code for a fork,
// a thief's part and what is observed; and its headers have the deque and the bell in them.
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/source_location.hpp>

namespace furca::detail {

/// An arm, which stays with the caller.
struct ArmToFork {
  void (*call)(const void* arm);
  const void* arm;

  template <class Arm>
  explicit ArmToFork(const Arm& callable) noexcept
      : call([](const void* one) { (*static_cast<const Arm*>(one))(); }),
        arm(std::addressof(callable)) {}
  void operator()() const { call(arm); }
};

/// As join, and so is what is thrown. `where`: the argument of site().
FURCA_API void fork_both(ArmToFork first, ArmToFork second,
                         SourceSite (*site)(const void* where) noexcept, const void* where);

/// The arms are called as const.
template <class First, class Second>
void fork_both(const First& first, const Second& second, const SourceLocation& where) {
  detail::fork_both(ArmToFork(first), ArmToFork(second), &site_of<"join", SourceLocation>, &where);
}

}  // namespace furca::detail
