// How many threads the caller's pool has, and which of them the caller is.
#pragma once

#include <furca/detail/mistakes/mistakes.hpp>

FURCA_DECLARES(threads);

namespace furca::found_by_name {
FURCA_SAYS(num_threads,
           "write num_threads(), which is told nothing: the number of "
           "threads is ThreadPool({.threads = 4}), ThreadLimit(4) for a block, or "
           "FURCA_NUM_THREADS=4")
FURCA_SAYS(thread_index, "write thread_index()")
}  // namespace furca::found_by_name

namespace furca {

/// The size of the pool that the caller runs on: inside install() that pool, otherwise the global
/// pool. It starts no thread.
/// The size of the global pool is FURCA_NUM_THREADS, or else the smaller of the processors in the
/// affinity mask and the cgroup's CPU quota, rounded up, at least 1.
FURCA_API std::size_t num_threads();

/// The caller's number in its pool, for tables with one entry per thread.
///
/// Started threads have the numbers 0 to num_threads() - 2. An outside thread has the lowest free
/// number from num_threads() - 1 on; it keeps it in a ThreadPool until install() returns, and in
/// the global pool until the thread ends. No two threads of a pool have the same number at a time.
/// With k outside threads in a pool all numbers are below num_threads() + k - 1, so with one they
/// are below num_threads(). The task thread of a pool of one counts as an outside thread.
/// A thread in no pool joins the global pool, and may throw std::bad_alloc then.
FURCA_API std::size_t thread_index();

}  // namespace furca
