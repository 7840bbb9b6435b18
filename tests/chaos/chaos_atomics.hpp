// The whole library on a chaotic machine: FURCA_ATOMICS_HEADER of the programs here, included by
// furca/detail/base/atomics.hpp.
#pragma once

#include "support/chaos.hpp"

#include <furca/detail/base/atomics.hpp>

namespace furca::detail {

using Atomics = test::Chaos<StdAtomics>;

/// Chosen, and printed, before the program does anything.
inline const std::uint64_t chaos_seed_at_start = test::chaos_seed();

}  // namespace furca::detail

#include <furca/detail/base/seam_relaxed.hpp>
