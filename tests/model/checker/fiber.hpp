// Stacks for model threads, all on one thread of the system; and the memory they allocate from.
#pragma once

#include <cstddef>

namespace furca::model::fibers {

/// Leaves the host, the thread that explores, for fiber `first`, and returns when a fiber calls
/// leave(). Every fiber starts anew, in `entry`, when it is entered first; what it did in an
/// earlier run is forgotten, without destructors.
void run(std::size_t first, void (*entry)(std::size_t index));

/// From fiber to fiber. Returns when somebody switches back.
void switch_to(std::size_t from, std::size_t to);

/// From a fiber that is not needed any more.
[[noreturn]] void abandon_for(std::size_t to);

/// Back to the host.
[[noreturn]] void leave();

/// While fibers run, operator new takes from an arena that the next run() empties; nothing is used
/// twice in one run, so that no address means two things. Abandoned stacks leak nothing, and each
/// run sees the same addresses.
bool on_fiber();

}  // namespace furca::model::fibers
