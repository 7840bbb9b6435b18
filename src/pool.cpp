#include "pool.hpp"

#include "environment.hpp"
#include "global.hpp"
#include "processors.hpp"
#include "report.hpp"
#include "span.hpp"
#include "trace.hpp"

#include <bit>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace furca::detail {

namespace {

std::size_t checked_size(const Config& config) {
  if (!config.threads) return default_thread_count();
  const std::size_t threads = *config.threads;
  if (threads == 0)
    throw std::invalid_argument("furca: a pool of 0 threads cannot compute: the caller is one of them, so ask for 1 or more, "
                                "or leave .threads unset for the default");
  if (threads > Pool::kMostThreads)
    throw std::invalid_argument("furca: a pool of " + std::to_string(threads) + " threads is more than the " +
                                std::to_string(Pool::kMostThreads) + " that furca starts; more threads than processors gain nothing");
  return threads;
}

void check_stack_size(const Config& config) {
  if (config.stack_size != 0 && config.stack_size < Thread::least_stack_size())
    throw std::invalid_argument("furca: .stack_size is in bytes, and " + std::to_string(config.stack_size) +
                                " are too few: the system's least is " + std::to_string(Thread::least_stack_size()));
}

void check_queue_capacity(const Config& config) {
  if (std::has_single_bit(config.queue_capacity) && config.queue_capacity >= 2 && config.queue_capacity <= 65'536) return;
  throw std::invalid_argument("furca: .queue_capacity is a power of two, from 2 to 65,536; not " + std::to_string(config.queue_capacity));
}

Patience checked_patience(const Config& config) {
  if (!config.steal_attempts) return {};
  constexpr std::size_t kMost = 1'000'000;
  if (*config.steal_attempts == 0 || *config.steal_attempts > kMost)
    throw std::invalid_argument("furca: .steal_attempts is how often a thread looks for work before it sleeps, from 1 to 1,000,000; not " +
                                std::to_string(*config.steal_attempts));
  return Patience::of(*config.steal_attempts);
}

}  // namespace

Pool::Pool(const Config& config, OnFailure on_failure)
    : greedy_(config.wait == WaitPolicy::greedy),
      patience_(checked_patience(config)),
      queue_capacity_(config.queue_capacity),
      fork_generation_(fork_generation()),
      start_hook_(config.start_hook),
      exit_hook_(config.exit_hook),
      name_(config.name),
      stack_size_(config.stack_size),
      exception_handler_(config.exception_handler) {
  const std::size_t size = checked_size(config);
  check_stack_size(config);
  check_queue_capacity(config);
  workers_.reserve(size - 1);
  threads_.reserve(size - 1);
  try {
    start(config, size - 1, on_failure);
    listed_.emplace(*this);
  } catch (...) {
    stop_and_join();
    throw;
  }
}

std::string Pool::thread_name(const Worker& worker) const {
  std::string name = name_;
  if (&worker == task_worker()) return name += "-tasks";
  name += '-';  // not "-" + to_string(): g++ 12 warns of its own library there
  return name += std::to_string(worker.index_);
}

/// All workers are made before the first thread runs, since thieves look at all of them.
void Pool::start(const Config& config, std::size_t threads, OnFailure on_failure) {
  for (std::size_t index = 0; index < threads; ++index) {
    workers_.push_back(std::make_unique<Worker>(*this));
    workers_.back()->set_index(index);
    workers_.back()->deque_.hand_over();
  }
  for (const auto& worker : workers_) worker->counters_.begin_idle();  // until it comes up
  size_ = threads + 1;
  sleep_.start(static_cast<std::uint32_t>(threads));
  for (std::size_t index = 0; index < threads; ++index) {
    try {
      threads_.emplace_back(
          [](void* worker) {
            auto& self = *static_cast<Worker*>(worker);
            self.pool_->live(self);
          },
          workers_[index].get(), thread_name(*workers_[index]), config.stack_size);
    } catch (const std::system_error& error) {
      sleep_.never_started(static_cast<std::uint32_t>(threads - index));
      if (on_failure == OnFailure::fail) throw;
      size_ = index + 1;
      warn(error.code().message().c_str(), "cannot start thread", index, "of the global pool; going on with", index + 1);
      return;
    }
  }
}

/// A started thread. noexcept: a hook that throws ends the program.
void Pool::live(Worker& worker) noexcept {
  Worker::become(&worker);
  if (greedy_) {
    worker.greedy_ = true;
    worker.stack_half_ = Thread::middle_of_stack();
  }
  if (const auto [lowest, bytes] = Thread::stack(); lowest != nullptr) {
    worker.counters_.stack_size.store(bytes, std::memory_order_relaxed);
    worker.counters_.stack.store(static_cast<const char*>(lowest), std::memory_order_relaxed);
  }
  if (worker.counters_.is_idle()) worker.counters_.end_idle();
  if (observing) trace_thread_name(thread_name(worker).c_str());
  if (start_hook_) start_hook_(worker.index());
  const auto stopping = [this] { return sleep_.stopping(); };
  worker.work_until(Until(stopping));
  if (exit_hook_) exit_hook_(worker.index());
  worker.jobs_.store(Worker::kGone, std::memory_order_relaxed);
}

Pool::~Pool() {
  for (const Worker* worker = Worker::if_any(); worker != nullptr; worker = worker->outer_)
    if (worker->pool_ == this) fail("a ThreadPool is being destroyed by one of its own threads; destroy it outside of its install()");
  if (!lost_in_fork()) finish_tasks();  // a task may have guests of its own: they are gone after that
  if (stats_at_end() && !lost_in_fork()) print_stats(("pool " + name_).c_str());
  for (const Worker* guest = newest_guest(); guest != nullptr && !lost_in_fork(); guest = guest->next_guest_)
    if (guest != task_worker() && guest->taken_.load(std::memory_order_relaxed))
      fail("a ThreadPool is being destroyed while a thread is inside its install(); wait for that thread first");
  stop_and_join();
  listed_.reset();
  for (Worker* guest = newest_guest(); guest != nullptr;) {
    const std::unique_ptr<Worker> dead(guest);
    guest = dead->next_guest_;
  }
}

void Pool::stop_and_join() noexcept {
  if (lost_in_fork()) return;  // the threads are the parent's
  sleep_.stop(static_cast<std::uint32_t>(threads_.size()));
  for (Thread& thread : threads_) thread.join();
  if (task_thread_) task_thread_->join();
}

/// Checked by: tests/lifecycle_test.cpp ("return from main", "exit in an arm on a started thread, while the other never ends")
void Pool::retire() noexcept {
  if (lost_in_fork()) return;
  sleep_.stop(static_cast<std::uint32_t>(threads_.size()));
  const auto end = [](const Worker& worker, Thread& thread) {
    // A thread that looks for work, or sleeps, soon finds that the pool stops, or has just stolen a last job and soon says so.
    std::uint32_t jobs = 0;
    while ((jobs = worker.jobs_.load(std::memory_order_relaxed)) == 0) Atomics::yield();
    jobs == Worker::kGone ? thread.join() : thread.detach();
  };
  for (std::size_t i = 0; i < threads_.size(); ++i) end(*workers_[i], threads_[i]);
  TaskThread none = TaskThread::none;  // and from here on it stays away
  while (!task_thread_state_.compare_exchange_weak(none, TaskThread::started, std::memory_order_acquire, std::memory_order_acquire)) {  // [Q2]
    if (none == TaskThread::started) {
      if (task_thread_) end(*task_worker(), *task_thread_);
      return;
    }
    none = TaskThread::none;
    Atomics::yield();
  }
}

bool Pool::lost_in_fork() const noexcept { return fork_generation_ != fork_generation(); }

Worker& Pool::enter(bool& owned, bool deque_empty) {
  owned = false;
  Worker* host = Worker::if_any();
  while (host != nullptr && host->pool_ != this) host = host->outer_;
  if (host != nullptr && !(deque_empty && !host->deque_.empty())) return *host;
  Worker& guest = claim_guest();
  owned = true;
  guest.outer_ = Worker::if_any();
  if (host != nullptr) {
    guest.host_ = host;
    guest.index_ = host->index_;
  }
  guest.alone_ = threads_.empty();
  if (greedy_) {
    guest.greedy_ = true;
    guest.stack_half_ = Thread::middle_of_stack();
  }
  return guest;
}

void Pool::leave(Worker& guest) noexcept {
  guest.deque_.hand_over();
  // [G1] pairs with [G2]. An exchange, so that all shared writes of the flag are read-modify-writes.
  guest.taken_.exchange(false, std::memory_order_release);
}

/// Checked by: tests/thread_pool_test.cpp ("threads that are in a pool at the same time have different indices")
Worker& Pool::claim_guest() {
  for (;;) {
    Worker* lowest = nullptr;  // the last free one, since the list is newest first
    for (Worker* guest = newest_guest(); guest != nullptr; guest = guest->next_guest_)
      if (!guest->taken_.load(std::memory_order_relaxed)) lowest = guest;
    if (lowest == nullptr) break;
    if (lowest->taken_.exchange(true, std::memory_order_acquire)) continue;  // [G2] pairs with [G1]
    lowest->host_ = nullptr;
    lowest->index_ = lowest->number_;
    return *lowest;
  }
  auto fresh = std::make_unique<Worker>(*this);
  fresh->set_index(threads_.size() + guest_count_.fetch_add(1, std::memory_order_relaxed));
  fresh->deque_.hand_over();
  fresh->taken_.store(true, std::memory_order_relaxed);
  fresh->next_guest_ = guests_.load(std::memory_order_relaxed);
  // [G3] pairs with [G4] (pool.hpp): everybody who reads it later sees the whole list
  while (!guests_.compare_exchange_weak(fresh->next_guest_, fresh.get(), std::memory_order_release, std::memory_order_relaxed)) {
  }
  return *fresh.release();
}

/// In a pool of one. The thread is a guest that stays: it has a number like an outside thread, and steals no forks.
/// Somebody else starts it just now: he relies on nobody, and it will find what was posted meanwhile. If he fails his spawn fails, and the
/// next one tries again.
void Pool::need_task_thread() {
  if (!threads_.empty() || task_thread_state_.load(std::memory_order_relaxed) == TaskThread::started) return;
  TaskThread none = TaskThread::none;
  if (!task_thread_state_.compare_exchange_strong(none, TaskThread::starting, std::memory_order_acquire, std::memory_order_relaxed)) return;  // [Q1]
  Worker* worker = task_worker();
  try {
    if (worker == nullptr) {
      worker = &claim_guest();
      worker->alone_ = true;
      task_worker_.store(worker, std::memory_order_relaxed);
    }
    sleep_.start_looking();
    task_thread_.emplace(
        [](void* task_worker) {
          auto& self = *static_cast<Worker*>(task_worker);
          self.pool_->live(self);
        },
        worker, thread_name(*worker), stack_size_);
  } catch (...) {
    if (worker != nullptr) sleep_.work_found();
    task_thread_state_.exchange(TaskThread::none, std::memory_order_release);  // [Q3] pairs with [Q1]
    throw;
  }
  task_thread_state_.exchange(TaskThread::started, std::memory_order_release);  // [Q3] pairs with [Q2]
}

/// No bell: the fence is here, and so is the look at who sleeps.
void Pool::post(LinkedJob& task) noexcept {
  const Passage passage(*this);
  outside_.spawned_by_anybody();
  tasks_.push(task);                             // [F1]
  Atomics::fence();                              // [F2] pairs with [S2]
  if (sleep_.must_wake()) sleep_.wake_one();     // [F6]
}

void Pool::count_end() noexcept {
  const Passage passage(*this);
  outside_.ended_by_anybody();
  tell_if_idle();
}

void Pool::report(std::exception_ptr error) const noexcept {
  constexpr auto kNobodyCatches =
      "an exception has left a spawned task, where nobody can catch it; catch it in the task, or give the pool an exception_handler";
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

/// It is counted like a started thread meanwhile: who posts something may rely on it, as long as it looks, and must wake it, if nobody else does.
void Pool::work_until(const Until& over) {
  if (over()) return;
  const Waiting waiting;
  const Visit visit(*this, Visit::Deque::empty);
  patient_.fetch_add(1, std::memory_order_relaxed);
  sleep_.start_looking();
  Worker::if_any()->work_until(over);
  sleep_.work_found();
  patient_.fetch_sub(1, std::memory_order_relaxed);
}

/// teller                                      who waits
///   makes it over                               patient + 1; [S1] asleep + 1
///   [Z3] fence                                  [S2] heavy fence
///   [Z4] somebody patient? tell all             [S3] is it over?
void Pool::tell() noexcept {
  Atomics::fence();                                                       // [Z3] pairs with [S2]
  if (patient_.load(std::memory_order_relaxed) != 0) sleep_.tell_all();   // [Z4] pairs with [S1]
}

void Pool::tell_if_idle() noexcept {
  Atomics::fence();                                                                 // [Z3] pairs with [S2]
  if (patient_.load(std::memory_order_relaxed) != 0 && idle()) sleep_.tell_all();   // [Z4] pairs with [S1]
}

bool Pool::idle() const noexcept {
  return Tally::all_ended([this](auto visit) {
    visit(outside_);
    any_worker(0, [&](const Worker& worker) {
      visit(worker.tally_);
      return false;
    });
  });
}

void Pool::wait_idle() {
  for (const Worker* worker = Worker::if_any(); worker != nullptr; worker = worker->outer_)
    if (worker->pool_ == this && worker->runs_task())
      throw std::logic_error("furca: wait_idle() in one of the pool's own tasks would wait for itself; call it outside of them");
  const auto is_idle = [this] { return idle(); };
  work_until(Until(is_idle));
}

/// Without memory for a guest the threads that there are do it, and this one looks after them.
void Pool::finish_tasks() noexcept {
  try {
    wait_idle();
  } catch (const std::bad_alloc&) {
    while (!idle()) Atomics::yield();
  }
  while (passing_.load(std::memory_order_acquire) != 0) Atomics::yield();  // [Z2] pairs with [Z1]
}

/// Who listens has looked for mail after its own fence, or finds another value in the bell's word; who sleeps likewise.
void Pool::ring_all() noexcept {
  Atomics::fence();  // [Q5] pairs with [B2] [S2]
  any_worker(0, [](Worker& worker) {
    worker.bell_.ring();
    return false;
  });
  sleep_.tell_all();
}

}  // namespace furca::detail
