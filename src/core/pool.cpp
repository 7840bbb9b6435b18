#include "pool.hpp"

#include "../observing/report.hpp"
#include "../observing/span.hpp"
#include "../observing/trace.hpp"
#include "../system/environment.hpp"
#include "../system/processors.hpp"
#include "global.hpp"

#include <bit>
#include <climits>
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
  if (threads > kMostThreads)
    throw std::invalid_argument("furca: a pool of " + std::to_string(threads) + " threads is more than the " +
                                std::to_string(kMostThreads) + " that furca starts; more threads than processors gain nothing");
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

/// The calling thread's workers, from the current one outwards: the first one that is wanted, or null.
template <class Wanted>
Worker* find_on_this_thread(Wanted wanted) noexcept {
  Worker* worker = Worker::if_any();
  const Visit* visit = worker != nullptr ? worker->visit() : nullptr;
  while (worker != nullptr && !wanted(*worker)) {
    worker = visit != nullptr ? visit->before() : nullptr;
    visit = visit != nullptr ? visit->outer() : nullptr;
  }
  return worker;
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
    end_roll_call(kFailed);
    stop_and_join();
    throw;
  }
  end_roll_call(kComplete);
}

void Pool::end_roll_call(RollCall outcome) noexcept {
  roll_call_.store(outcome, std::memory_order_release);  // [W3] pairs with [W4]
  if (start_hook_ || exit_hook_) Atomics::wake(roll_call_, INT_MAX);
}

/// Waits until it is known. False: they will not be.
bool Pool::all_are_there() noexcept {
  std::uint32_t outcome = kCalling;
  while ((outcome = roll_call_.load(std::memory_order_acquire)) == kCalling) Atomics::wait(roll_call_, kCalling);  // [W4] pairs with [W3]
  return outcome == kComplete;
}

void Pool::run_start_hook(const Worker& worker) {
  start_hook_(worker.index());
  start_hooks_run_.fetch_add(1, std::memory_order_relaxed);
  Atomics::wake(start_hooks_run_, 1);
}

/// It hands over nothing: what a hook waits for it gets from threads that go on as before until then.
void Pool::let_start_hooks_end() noexcept {
  if (!start_hook_ || roll_call_.load(std::memory_order_relaxed) != kComplete) return;
  std::uint32_t run = 0;
  while ((run = start_hooks_run_.load(std::memory_order_relaxed)) < threads_.size()) Atomics::wait(start_hooks_run_, run);
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
    workers_.back()->set_number(index);
    workers_.back()->deque_.hand_over();
  }
  for (const auto& worker : workers_) worker->counters_.begin_idle();  // until it comes up
  size_ = threads + 1;
  for (std::size_t index = 0; index < threads; ++index) {
    try {
      threads_.emplace_back(
          [](void* worker) {
            auto& self = *static_cast<Worker*>(worker);
            self.pool_->live(self);
          },
          workers_[index].get(), thread_name(*workers_[index]), config.stack_size);
    } catch (const std::system_error& error) {
      if (on_failure == OnFailure::fail) throw;
      size_ = index + 1;
      warn(error.code().message().c_str(), "cannot start thread", index, "of the global pool; going on with", index + 1);
      return;
    }
  }
}

/// A started thread. It counts as looking from when it looks: nobody who posts something may rely on one that is in its hook.
/// noexcept: a hook that throws ends the program.
/// Checked by: tests/thread_pool_test.cpp ("while a thread is in its start_hook the others are woken")
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
  const bool works = (!start_hook_ && !exit_hook_) || all_are_there();
  if (works) {
    if (start_hook_) run_start_hook(worker);
    const auto stopping = [this] { return sleep_.stopping(); };
    sleep_.start_looking();
    worker.work_until(Until(stopping));
    sleep_.work_found();  // it looks no more: what hooks and destructors spawn at the end must not be left to it
    if (exit_hook_) exit_hook_(worker.index());
  }
  worker.jobs_.store(Worker::kGone, std::memory_order_relaxed);
}

Pool::~Pool() {
  if (find_on_this_thread([this](const Worker& worker) { return worker.pool_ == this; }) != nullptr)
    fail("a ThreadPool is being destroyed by one of its own threads; destroy it outside of its install()");
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
  let_start_hooks_end();
  sleep_.stop(static_cast<std::uint32_t>(threads_.size()));
  for (Thread& thread : threads_) thread.join();
  if (task_thread_) task_thread_->join();
  finish_last_tasks();
  while (passing_.load(std::memory_order_acquire) != 0) Atomics::yield();  // [Z2] pairs with [Z1]
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

/// Checked by: tests/thread_pool_test.cpp ("a thread finds itself in pools that are nested in any order")
Visit::Entry Pool::enter(bool deque_empty) {
  Worker* const host = find_on_this_thread([this](const Worker& worker) { return worker.pool_ == this; });
  if (host != nullptr && !(deque_empty && !host->deque_.empty())) return {*host, false};
  return {claim_guest(host), true};
}

void Pool::leave(Worker& guest) noexcept {
  guest.deque_.hand_over();
  // [G1] pairs with [G2]. An exchange, so that all shared writes of the flag are read-modify-writes.
  guest.taken_.exchange(false, std::memory_order_release);
}

/// With `host`, a worker of the thread that comes in: nested in it.
/// Checked by: tests/thread_pool_test.cpp ("threads that are in a pool at the same time have different indices")
Worker& Pool::claim_guest(Worker* host) {
  const bool nested = host != nullptr;
  Worker* claimed = nullptr;
  while (claimed == nullptr) {
    Worker* lowest = nullptr;  // the last free one, since the list is newest first
    for (Worker* guest = newest_guest(); guest != nullptr; guest = guest->next_guest_)
      if (guest->nested_ == nested && !guest->taken_.load(std::memory_order_relaxed)) lowest = guest;
    if (lowest == nullptr) break;
    if (!lowest->taken_.exchange(true, std::memory_order_acquire)) claimed = lowest;  // [G2] pairs with [G1]
  }
  if (claimed == nullptr) {
    auto fresh = std::make_unique<Worker>(*this);
    fresh->nested_ = nested;
    fresh->set_number(nested ? kNestedGuests + nested_guest_count_.fetch_add(1, std::memory_order_relaxed)
                             : threads_.size() + guest_count_.fetch_add(1, std::memory_order_relaxed));
    fresh->deque_.hand_over();
    fresh->taken_.store(true, std::memory_order_relaxed);
    fresh->next_guest_ = guests_.load(std::memory_order_relaxed);
    // [G3] pairs with [G4] (pool.hpp): everybody who reads it later sees the whole list
    while (!guests_.compare_exchange_weak(fresh->next_guest_, fresh.get(), std::memory_order_release, std::memory_order_relaxed)) {
    }
    claimed = fresh.release();
  }
  claimed->host_ = host;
  claimed->index_ = nested ? host->index_ : claimed->number_;
  claimed->waits_ = nested ? host->waits_ : 0;
  claimed->alone_ = threads_.empty();
  claimed->greedy_ = greedy_;
  claimed->stack_half_ = greedy_ ? Thread::middle_of_stack() : nullptr;
  return *claimed;
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
      worker = &claim_guest(nullptr);
      task_worker_.store(worker, std::memory_order_relaxed);
    }
    task_thread_.emplace(
        [](void* task_worker) {
          auto& self = *static_cast<Worker*>(task_worker);
          self.pool_->live(self);
        },
        worker, thread_name(*worker), stack_size_);
  } catch (...) {
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
  Worker& self = *Worker::if_any();
  constexpr std::uint32_t kWaitsOnAStack = 64;  // where the system does not tell how large a stack is
  const bool full = Thread::middle_of_stack() != nullptr ? Thread::past_middle_of_stack() : self.waits_ % kWaitsOnAStack == 0;
  if (self.waits_ > 0 && full && work_on_another_stack(self, over)) return;
  work_as(self, over);
}

void Pool::work_as(Worker& self, const Until& over) noexcept {
  patient_.fetch_add(1, std::memory_order_relaxed);
  ++self.waits_;
  sleep_.start_looking();
  self.work_until(over);
  sleep_.work_found();
  --self.waits_;
  patient_.fetch_sub(1, std::memory_order_relaxed);
}

/// Tasks that wait, and run others meanwhile, may lie on each other as deep as there are tasks. Where half of the stack is taken another thread goes on in the
/// place of this one, which sleeps until that is through: so as many threads compute as before. False: there is no thread to be had, or no memory, and
/// the other half of the stack must do.
/// Checked by: tests/async_test.cpp ("tasks that wait for coroutines do not outgrow the stack")
bool Pool::work_on_another_stack(Worker& host, const Until& over) noexcept {
  struct StandIn {
    Pool& pool;
    Worker& host;
    const Until& over;
    bool worked;
  } stand_in{*this, host, over, false};
  const auto hand_over_all = [] {
    find_on_this_thread([](Worker& worker) {
      worker.deque_.hand_over();
      return false;
    });
  };
  try {
    hand_over_all();
    Thread thread(
        [](void* argument) {
          auto& self = *static_cast<StandIn*>(argument);
          Worker::become(&self.host);  // and so it finds itself wherever the other one is
          self.worked = self.pool.stand_in_for(self.host, self.over);
          Worker::become(nullptr);
        },
        &stand_in, thread_name(host), stack_size_);
    thread.join();
  } catch (const std::exception&) {
  }
  hand_over_all();
  return stand_in.worked;
}

/// It has the host's number, and answers its mail. It runs no hooks: those are for each number once.
bool Pool::stand_in_for(Worker& host, const Until& over) noexcept {
  Worker* guest = nullptr;
  try {
    guest = &claim_guest(&host);
  } catch (const std::bad_alloc&) {
    return false;
  }
  const Visit visit({*guest, true});
  work_as(*guest, over);
  return true;
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
  if (find_on_this_thread([this](const Worker& worker) { return worker.pool_ == this && worker.runs_task(); }) != nullptr)
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
}

/// What exit hooks and destructors of thread-local variables have spawned: the threads have ended, so this one runs it, in the place of one of them.
/// Checked by: tests/spawn_test.cpp ("tasks that are spawned at the end of a pool's thread run")
void Pool::finish_last_tasks() noexcept {
  Worker* const worker = workers_.empty() ? task_worker() : workers_.front().get();
  if (worker == nullptr || idle()) return;
  worker->deque_.hand_over();
  worker->jobs_.store(0, std::memory_order_relaxed);
  const Visit visit({*worker, false});
  const auto is_idle = [this] { return idle(); };
  work_as(*worker, Until(is_idle));
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
