// The number of processors that this process may use: affinity mask and cgroup quota, or what the
// user says. And which of them are near each other.
#pragma once

#include "placement.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace furca::detail {

/// The most threads that furca starts in one pool.
inline constexpr std::size_t kMostThreads = 4096;

/// The default number of a pool's threads: FURCA_NUM_THREADS, else usable_processors(). Found out
/// once per process.
std::size_t default_thread_count() noexcept;

/// Processors in the calling thread's affinity mask, at least 1; those that it was bound to one of
/// (find_binding), if it was.
std::size_t processors_in_affinity_mask() noexcept;

/// The number of processors whose time the calling thread's process can have, from 1 to
/// kMostThreads: those in the mask, or the cgroup's quota rounded up, whichever is less. The quota
/// is found out once per process.
std::size_t usable_processors() noexcept;

/// Processors for threads that are to be bound: the first for the calling one. If that is bound
/// itself, where it is, and then the others that it was bound to one of.
std::vector<Processor> processors_to_bind_to();

// What the system tells of them.

/// Processors in the calling thread's affinity mask; 0 where the system does not tell.
std::size_t count_affinity_mask() noexcept;

/// Which the mask has, ascending; none where the system does not tell. Throws std::bad_alloc.
std::vector<Processor> affinity_mask();

/// The same processors in an order in which those that follow each other are near each other: the
/// first hardware thread of each core, by memory node, and there by last-level cache; then the
/// second ones, and so on. Things that the system does not tell are taken to be the same for all.
/// Throws std::bad_alloc.
std::vector<Processor> near_each_other(std::vector<Processor> processors);

/// The processors whose time the process can have (1.5 is possible); nullopt if there is no quota.
std::optional<double> quota_of_process() noexcept;

}  // namespace furca::detail
