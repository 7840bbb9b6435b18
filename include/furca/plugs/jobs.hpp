// Loops over the jobs of another library's call.
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/join.hpp>
#include <furca/plugs/pool.hpp>
#include <furca/threads.hpp>

#include <atomic>
#include <exception>

namespace furca::plugs {

/// Calls f(lo, hi) for parts of [first, last), each at most `most` long: halved as by joins.
/// Nothing is measured or remembered, since one f stands for all of another library's loops. The
/// caller begins with the first. Exceptions: as join().
template <class Index, class F>
void for_parts(Index first, Index last, Index most, const F& f) {
  if (last - first <= most) return f(first, last);
  const auto middle = static_cast<Index>(first + (last - first) / 2);
  furca::join([&] { plugs::for_parts(first, middle, most, f); },
              [&] { plugs::for_parts(middle, last, most, f); });
}

/// The same for all of n indices, of which so many are called one after the other that the pool's
/// threads have 64 parts each, or sixteen times as many if their calls may take long.
template <class Index, class F>
void for_bulk(Index n, bool chunked, const F& f) {
  if (!(Index{} < n)) return;
  const std::size_t parts = num_threads() * (chunked ? 64 : 1024);
  plugs::for_parts(Index{}, n, static_cast<Index>(static_cast<std::size_t>(n) / parts + 1), f);
}

/// Calls f(i) for each i in [first, last). The rest as for_parts().
template <class F>
void for_jobs(int first, int last, const F& f) {
  if (first < last) plugs::for_parts(first, last, 1, [&](int i, int) { f(i); });
}

/// Calls f(i, lane) for 0 <= i < jobs. A lane takes the next i as long as there is one. So lane is
/// below `lanes`, and no two calls have the same at a time, whatever threads there are.
template <class F>
void for_lanes(std::int64_t jobs, int lanes, const F& f) {
  std::atomic<std::int64_t> next = 0;
  plugs::for_jobs(0, lanes, [&](int lane) {
    for (std::int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < jobs;) f(i, lane);
  });
}

/// Calls loop() on `pool` for a caller in C: nothing is thrown into its frames. If the thread
/// cannot come into the pool, for want of memory, `serially` is called instead. What the library's
/// jobs throw ends the program.
template <class Loop, class Serial>
void call_from_c(ThreadPool* pool, const Loop& loop, const Serial& serially) noexcept {
  bool begun = false;
  try {
    plugs::run_on(pool, [&] {
      detail::Worker::current();  // the last that may throw, but for jobs
      begun = true;
      loop();
    });
  } catch (...) {
    if (begun) std::terminate();
    serially();
  }
}

/// The same for f(i) of 0 <= i < jobs.
template <class F>
void jobs_from_c(ThreadPool* pool, int jobs, const F& f) noexcept {
  plugs::call_from_c(
      pool, [&] { plugs::for_jobs(0, jobs, f); },
      [&] {
        for (int i = 0; i < jobs; ++i) f(i);
      });
}

}  // namespace furca::plugs
