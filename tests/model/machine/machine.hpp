// The whole library on the checker: in a build with this header in FURCA_ATOMICS_HEADER, pool,
// workers and joins run as they ship, and their threads are the model's.
#pragma once

#include "model/checker/atomics.hpp"

#include <atomic>

#ifndef FURCA_MODEL_ASYMMETRIC
#error "say with FURCA_MODEL_ASYMMETRIC if this machine has membarrier: true or false"
#endif

namespace furca::detail {

class Job;

struct Atomics : model::ModelAtomics<FURCA_MODEL_ASYMMETRIC> {
  template <class T>
  using Hint = std::atomic<T>;

  /// One look for work before falling asleep: more of them are more of the same.
  static constexpr int kSpins = 1;
  static constexpr int kYields = 0;

  /// As few as have more than one group.
  static constexpr unsigned kPortionsForGroups = 4;

  static void relax() noexcept {}
};

}  // namespace furca::detail

#include <furca/detail/base/seam_relaxed.hpp>

/// What thieves read in a slot is theirs when their CAS has succeeded.
template <>
inline constexpr bool furca::model::kSpeculative<furca::detail::Job*> = true;
