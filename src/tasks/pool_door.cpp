#include <furca/detail/tasks/pool_door.hpp>

#include <furca/spawn.hpp>

#include "../fork/mailbox.hpp"
#include "../pool/global.hpp"
#include "../pool/pool.hpp"
#include "../queues/detached_tasks.hpp"

namespace furca {

namespace detail {

/// Checked by: tests/model/programs/pool_programs.hpp ("tasks: a pool of one")
void post(Worker& self, LinkedJob& task, Turn turn) noexcept {
  DetachedTasks& tasks = self.detached;
  Team& team = self.team();
  if ((self.alone() || team.is_limited_to_one()) && !tasks.runs_newest_first()) [[unlikely]] {
    tasks.post_in_order(task);
    return team.tell_of_task(self);
  }
  tasks.post(task, turn);
  team.tell_of_work(self);
}

void mail(Worker& to, LinkedJob& job) noexcept { to.mailbox.put(job); }

bool share_a_stack(const Worker& worker, const Worker& below) noexcept {
  return worker.mailbox.opens(below.mailbox);
}

void need_task_thread(Pool& pool) { pool.need_task_thread(); }
void post(Pool& pool, LinkedJob& task) noexcept { pool.post(task); }
void count_begin(Pool& pool) noexcept { pool.count_begin(); }
void count_end(Pool& pool) noexcept { pool.count_end(); }
void report(const Pool& pool, std::exception_ptr error) noexcept { pool.report(std::move(error)); }
std::size_t started_threads(const Pool& pool) noexcept { return pool.started_threads(); }
Worker& started_thread(const Pool& pool, std::size_t number) noexcept {
  return pool.started_thread(number);
}
std::size_t threads_of(const Pool& pool) noexcept { return pool.size(); }
std::size_t callers_of(const Pool& pool) noexcept { return pool.callers; }
std::size_t threads_and_callers(const Pool& pool) noexcept {
  return pool.size() - 1 + pool.callers;
}
void set_callers(Pool& pool, std::size_t callers) noexcept {
  pool.callers = callers;
  pool.waits.set_seats(static_cast<std::uint32_t>(callers));
}
bool is_inside(const Pool& pool) noexcept {
  return find_on_this_thread([&pool](const Worker& worker) { return &worker.pool() == &pool; }) !=
         nullptr;
}
void ring_all(Pool& pool) noexcept { pool.ring_all(); }
void limit_threads(Pool& pool, std::size_t most) noexcept { pool.limit_threads(most); }

std::size_t threads_of_global_pool() noexcept { return global_pool_size(); }

}  // namespace detail

void wait_idle() { detail::Worker::current().pool().wait_idle(); }

void ThreadPool::wait_idle() { pool_->wait_idle(); }

}  // namespace furca
