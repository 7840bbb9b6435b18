// The door to a pool for headers, since the pool's own header is private.
#pragma once

#include <furca/detail/fork/job.hpp>
#include <furca/detail/fork/worker.hpp>

#include <exception>

namespace furca::detail {

/// The calling thread's worker, if it is in this pool just now; else null.
inline Worker* worker_inside(const Pool& pool) noexcept {
  Worker* const worker = Worker::if_any();
  return worker != nullptr && &worker->pool() == &pool ? worker : nullptr;
}

/// A detached task runs on this worker's thread, from here to the end of the block.
class RunningTask {
 public:
  explicit RunningTask(Worker& runner) noexcept : runner_(runner) { ++runner_.tasks_running; }
  ~RunningTask() { --runner_.tasks_running; }
  RunningTask(const RunningTask&) = delete;
  RunningTask& operator=(const RunningTask&) = delete;

 private:
  Worker& runner_;
};

enum class Turn : std::uint8_t { next, last };

/// The worker accepts a task, to be run after those that were posted there before it, or, `next`,
/// as soon as its thread can. In a pool of one after need_task_thread().
FURCA_API void post(Worker& self, LinkedJob& task, Turn turn) noexcept;

/// Any thread: posts a job for one worker alone, which runs it when it is free or waits. Call
/// ring_all() after the last of several.
FURCA_API void mail(Worker& to, LinkedJob& job) noexcept;

/// Both belong to the same thread, the second one further down its stack.
FURCA_API bool share_a_stack(const Worker& worker, const Worker& below) noexcept;

// See the functions of Pool that have the same names (src/pool/pool.hpp).
FURCA_API void need_task_thread(Pool& pool);
FURCA_API void post(Pool& pool, LinkedJob& task) noexcept;
FURCA_API void count_begin(Pool& pool) noexcept;
FURCA_API void count_end(Pool& pool) noexcept;
FURCA_API void report(const Pool& pool, std::exception_ptr error) noexcept;
FURCA_API std::size_t started_threads(const Pool& pool) noexcept;
FURCA_API Worker& started_thread(const Pool& pool, std::size_t number) noexcept;
FURCA_API void ring_all(Pool& pool) noexcept;
FURCA_API void limit_threads(Pool& pool, std::size_t most) noexcept;

/// The number of threads that the global pool has, or will have. It starts none.
FURCA_API std::size_t threads_of_global_pool() noexcept;

/// The global pool, which starts now if it has not yet. Throws std::bad_alloc.
FURCA_API Pool& started_global_pool();

/// The number of threads that compute in it, one caller included.
FURCA_API std::size_t threads_of(const Pool& pool) noexcept;

/// For the look-alike: the same, with as many callers as were set; else with one.
FURCA_API std::size_t threads_and_callers(const Pool& pool) noexcept;
FURCA_API std::size_t callers_of(const Pool& pool) noexcept;
FURCA_API void set_callers(Pool& pool, std::size_t callers) noexcept;

/// The calling thread is in it, here or further down its stack.
FURCA_API bool is_inside(const Pool& pool) noexcept;

/// Posts a task that is ready to be posted anywhere, behind those that are there: after
/// need_task_thread().
inline void post_last(Pool& pool, LinkedJob& task) noexcept {
  if (Worker* const self = worker_inside(pool)) {
    post(*self, task, Turn::last);
  } else {
    post(pool, task);
  }
}

}  // namespace furca::detail
