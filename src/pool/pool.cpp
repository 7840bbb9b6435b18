#include "pool.hpp"

#include <furca/detail/tasks/pool_door.hpp>
#include <furca/thread_limit.hpp>

#include "../fork/counters.hpp"
#include "../observing/report.hpp"
#include "../observing/trace.hpp"
#include "../queues/detached_tasks.hpp"
#include "../system/environment.hpp"
#include "../system/placement.hpp"
#include "../system/processors.hpp"
#include "config_checks.hpp"
#include "global.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace furca::detail {

Pool::Pool(const Config& config, OnFailure on_failure)
    : Team(*this, config.queue_capacity, checked_backoff(config),
           config.wait == WaitPolicy::greedy),
      name_(config.name),
      stack_size_(config.stack_size),
      bound_to_(config.bind ? processors_to_bind_to() : std::vector<Processor>()),
      exception_handler_(config.exception_handler),
      roll_call_(config.start_hook, config.exit_hook) {
  bound_ = !bound_to_.empty();
  measured_costs.measure();
  const std::size_t size = checked_size(config);
  // found out once per process: not by a std::thread that a bound one starts
  if (is_bound()) static_cast<void>(default_thread_count());
  const std::size_t processors = usable_processors();
  others_running_ = static_cast<float>(std::min(size, processors) - 1);
  lookers.set_threads(size, processors);
  portions.set_used(Portions::pay(size, processors));
  portions.set_grouped(size <= processors);
  check_stack_size(config);
  check_queue_capacity(config);
  workers_.reserve(size - 1);
  threads_.reserve(size - 1);
  try {
    start(size - 1, on_failure);
    listed_.emplace(*this);
  } catch (...) {
    roll_call_.end(RollCall::kFailed);
    stop_and_join();
    throw;
  }
  roll_call_.end(RollCall::kComplete);
}

std::string Pool::thread_name(const Worker& worker) const {
  std::string name = name_;
  if (&worker == task_thread_.worker()) return name += "-tasks";
  name += '-';  // not "-" + to_string(): g++ 12 warns of its own library there
  return name += std::to_string(worker.index());
}

void Pool::start(std::size_t threads, OnFailure on_failure) {
  for (std::size_t index = 0; index < threads; ++index) {
    workers_.push_back(std::make_unique<Worker>(*this));
    workers_.back()->set_number(index);
    workers_.back()->deque().hand_over();
  }
  for (const auto& worker : workers_) worker->counters.begin_idle();  // until it comes up
  size_ = threads + 1;
  for (std::size_t index = 0; index < threads; ++index) {
    try {
      threads_.push_back(start_thread(*workers_[index]));
    } catch (const std::system_error& error) {
      if (on_failure == OnFailure::fail) throw;
      size_ = index + 1;
      warn(error.code().message().c_str(), "cannot start thread", index,
           "of the global pool; going on with", index + 1);
      return;
    }
  }
}

Thread Pool::new_thread(Thread::Entry entry, void* argument, const Worker& worker) const {
  return Thread(entry, argument, thread_name(worker), stack_size_);
}

Thread new_thread(const Pool& pool, Thread::Entry entry, void* argument, const Worker& worker) {
  return pool.new_thread(entry, argument, worker);
}

Thread Pool::start_thread(Worker& worker) const {
  return new_thread(
      [](void* started) {
        auto& self = *static_cast<Worker*>(started);
        self.pool().live(self);
      },
      &worker, worker);
}

/// A started thread works until the pool stops, but for as long as limits leave no room for it.
///
/// A thread that rests is as one in a job that takes long: active, so no thread that posts
/// something relies on it. Whoever looked for work and now rests, or ends, looks no more, and wakes
/// the next (stop_looking): what hooks and destructors spawn at the end must not be left to it
/// either.
/// Checked by: tests/model/programs/pool_programs.hpp ("limits: a task under a limit of one")
void Pool::work(Worker& worker) noexcept {
  do {
    worker.search.set_available(
        true);  // first: await_limit() relies on a look at the limit afterwards
    Atomics::asymmetric() ? Atomics::light_fence() : Atomics::fence();  // [limit.Q9] pairs with Q8
    const std::uint32_t most = most_.read();
    const auto over = [this, most] { return sleep_.stopping() || most_.read() != most; };
    if (is_too_many(worker, most)) {
      worker.search.set_available(false);
      const bool first = most == 1 && worker.number() == 0;
      const bool sits = first && callers > 0 && waits.claim_seat(worker, Until(over));
      waits.rest_until(worker, Until(over), sits || (first && callers == 0));
      if (sits) waits.leave_seat();
    } else {
      if (worker.alone() && !waits.claim_seat(worker, Until(over))) continue;
      worker.search.work_until(Until(over));
      if (worker.alone()) waits.leave_seat();
    }
  } while (!sleep_.stopping());
  worker.search.set_available(false);
}

/// A thread that sleeps is told, and looks whether it is too many; so is who rests.
void Pool::limit_threads(std::size_t most) noexcept {
  const std::uint32_t limit = most == Limit::kNone ? kNoLimit
                              : most < size_       ? static_cast<std::uint32_t>(most)
                                                   : kNoLimit - 1;
  if (is_lost() || most_.read() == limit) return;
  most_.write(limit);  // what the mail is about, before [mail.Q5]
  ring_all();
}

/// One in a job looks at the limit after it; and one that does not yet look for work, before that.
/// The fence: who is not seen here to look, or to be in no job, sees the limit.
/// Checked by: tests/model/programs/pool_programs.hpp ("limits: awaited, a limit of one leaves both
/// arms to their caller")
void Pool::await_limit() const noexcept {
  if (is_lost()) return;
  // [limit.Q8] pairs with Q9 [bell.R2]; where it does not reach the other threads, one in a job may
  // take up one more
  Atomics::heavy_fence();
  for (const auto& worker : workers_)
    while (worker->search.available() && worker->jobs.read() == 0 &&
           is_too_many(*worker, most_.read()) && !sleep_.stopping())
      Atomics::yield();
}

/// A started thread. It counts as looking from when it looks: no thread that posts something may
/// rely on one that is in its hook.
/// noexcept: a hook that throws ends the program.
/// Checked by: tests/pool/thread_pool_test.cpp ("while a thread is in its start_hook the others are
/// woken")
void Pool::live(Worker& worker) noexcept {
  // the task thread of a pool of one is a guest, with any number
  const std::size_t turn = workers_.empty() ? 0 : worker.index();
  // the first is the caller's, as the first portion of a loop is (Laying::place)
  if (is_bound()) bind({bound_to_[(turn + 1) % bound_to_.size()], &bound_to_});
  Worker::become(&worker);
  worker.thief.set_greedy(greedy_);
  worker.search.begin_on_started_thread();
  if (const auto [lowest, bytes] = Thread::stack(); lowest != nullptr) {
    worker.counters.stack_size.write(bytes);
    worker.counters.stack.write(static_cast<const char*>(lowest));
  }
  if (worker.counters.is_idle()) worker.counters.end_idle();
  if (observing) trace_thread_name(thread_name(worker).c_str());
  if (roll_call_.is_complete()) {
    roll_call_.run_start_hook(worker.index());
    work(worker);
    roll_call_.run_exit_hook(worker.index());
  }
  worker.jobs.write(Worker::kEnded);
}

Pool::~Pool() {
  if (is_inside(*this))
    fail(
        "a ThreadPool is being destroyed by one of its own threads; destroy it outside of its "
        "install()");
  // a task may have guests of its own, and limits: they are gone after that
  if (!is_lost()) finish_tasks();
  if (!is_lost() && most_.read() != kNoLimit)
    fail("a ThreadPool is being destroyed before a ThreadLimit of it; end the limit first");
  if (!is_lost()) print_end();
  if (!is_lost() && guests_.any([this](const Guest& guest) {
        return &guest != task_thread_.worker() && guest.claimed();
      }))
    fail(
        "a ThreadPool is being destroyed while a thread is inside its install(); wait for that "
        "thread first");
  stop_and_join();
}

void Pool::stop_and_join() noexcept {
  if (is_lost()) return;  // the threads are the parent's
  roll_call_.let_start_hooks_end(threads_.size());
  sleep_.stop();
  ring_all();  // who waits for the seat
  for (Thread& thread : threads_) thread.join();
  task_thread_.join();
  finish_last_tasks();
  outside_.let_all_pass();
}

/// Checked by: tests/pool/lifecycle_test.cpp ("return from main", "exit in an arm on a started
/// thread, while the other never ends")
void Pool::retire() noexcept {
  if (is_lost()) return;
  sleep_.stop();
  ring_all();  // who rests
  const auto end = [](const Worker& worker, Thread& thread) {
    // A thread that looks for work, or sleeps, soon finds that the pool stops, or has just stolen a
    // last job and soon says so.
    std::uint32_t jobs = 0;
    while ((jobs = worker.jobs.read()) == 0) Atomics::yield();
    jobs == Worker::kEnded ? thread.join() : thread.detach();
  };
  for (std::size_t i = 0; i < threads_.size(); ++i) end(*workers_[i], threads_[i]);
  task_thread_.retire(end);
}

/// Checked by: tests/pool/thread_pool_test.cpp ("a thread finds itself in pools that are nested in
/// any order")
Visit::Entry Pool::enter(Visit::Deque deque) {
  Worker* const host =
      find_on_this_thread([this](const Worker& worker) { return &worker.pool() == this; });
  if (host != nullptr && (deque == Visit::Deque::any || host->nothing_to_steal()))
    return {*host, false};
  return {claim_guest(host), true};
}

void Pool::report(std::exception_ptr error) const noexcept {
  constexpr auto kNobodyCatches =
      "an exception has left a spawned task, where nobody can catch it; catch it in the task, or "
      "give the pool an exception_handler";
  if (exception_handler_) return exception_handler_(std::move(error));
  try {
    std::rethrow_exception(std::move(error));
  } catch (const std::exception& problem) {
    warn(kNobodyCatches, problem.what());
    std::terminate();
  } catch (...) {
    warn(kNobodyCatches);
    std::terminate();
  }
}

void Pool::wait_idle() {
  if (find_on_this_thread([this](const Worker& worker) {
        return &worker.pool() == this && worker.tasks_running > 0;
      }) != nullptr)
    throw std::logic_error(
        "furca: wait_idle() in one of the pool's own tasks would wait for itself; call it outside "
        "of them");
  const auto is_idle = [this] { return idle(); };
  waits.work_until(Until(is_idle).without_tasks());
}

/// Without memory for a guest the threads that there are do it, and this one looks after them.
void Pool::finish_tasks() noexcept {
  try {
    wait_idle();
  } catch (const std::bad_alloc&) {
    while (!idle()) Atomics::yield();
  }
}

/// The tasks that exit hooks and destructors of thread-local variables have spawned: the threads
/// have ended, so this one runs it, in the place of one of them.
/// Checked by: tests/tasks/spawn_test.cpp ("tasks that are spawned at the end of a pool's thread
/// run")
void Pool::finish_last_tasks() noexcept {
  Worker* const worker = workers_.empty() ? task_thread_.worker() : workers_.front().get();
  if (worker == nullptr || idle()) return;
  worker->deque().hand_over();
  worker->jobs.write(0);
  const Visit visit({*worker, false});
  const auto is_idle = [this] { return idle(); };
  waits.work_as(*worker, Until(is_idle).without_tasks());
}

}  // namespace furca::detail
