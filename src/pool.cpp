#include "pool.hpp"

#include "environment.hpp"
#include "global.hpp"
#include "processors.hpp"

#include <memory>
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

}  // namespace

Pool::Pool(const Config& config, OnFailure on_failure)
    : greedy_(config.wait == WaitPolicy::greedy),
      fork_generation_(fork_generation()),
      start_hook_(config.start_hook),
      exit_hook_(config.exit_hook) {
  const std::size_t size = checked_size(config);
  check_stack_size(config);
  workers_.reserve(size - 1);
  threads_.reserve(size - 1);
  try {
    start(config, size - 1, on_failure);
  } catch (...) {
    stop_and_join();
    throw;
  }
}

/// All workers are made before the first thread runs, since thieves look at all of them.
void Pool::start(const Config& config, std::size_t threads, OnFailure on_failure) {
  for (std::size_t index = 0; index < threads; ++index) {
    workers_.push_back(std::make_unique<Worker>(*this));
    workers_.back()->index_ = index;
    workers_.back()->deque_.hand_over();
  }
  size_ = threads + 1;
  sleep_.start(static_cast<std::uint32_t>(threads));
  for (std::size_t index = 0; index < threads; ++index) {
    try {
      threads_.emplace_back(
          [](void* worker) {
            auto& self = *static_cast<Worker*>(worker);
            self.pool_->live(self);
          },
          workers_[index].get(), config.name + "-" + std::to_string(index), config.stack_size);
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
  current_worker = &worker;
  if (greedy_) {
    worker.greedy_ = true;
    worker.stack_half_ = Thread::middle_of_stack();
  }
  if (start_hook_) start_hook_(worker.index());
  worker.work();
  if (exit_hook_) exit_hook_(worker.index());
  worker.jobs_.store(Worker::kGone, std::memory_order_relaxed);
}

Pool::~Pool() {
  for (const Worker* worker = current_worker; worker != nullptr; worker = worker->outer_)
    if (worker->pool_ == this) fail("a ThreadPool is being destroyed by one of its own threads; destroy it outside of its install()");
  for (const Worker* guest = newest_guest(); guest != nullptr && !lost_in_fork(); guest = guest->next_guest_)
    if (guest->taken_.load(std::memory_order_relaxed))
      fail("a ThreadPool is being destroyed while a thread is inside its install(); wait for that thread first");
  stop_and_join();
  for (Worker* guest = newest_guest(); guest != nullptr;) {
    const std::unique_ptr<Worker> dead(guest);
    guest = dead->next_guest_;
  }
}

void Pool::stop_and_join() noexcept {
  if (lost_in_fork()) return;  // the threads are the parent's
  sleep_.stop(static_cast<std::uint32_t>(threads_.size()));
  for (Thread& thread : threads_) thread.join();
}

/// Checked by: tests/lifecycle_test.cpp ("return from main", "exit in an arm on a started thread, while the other never ends")
void Pool::retire() noexcept {
  if (lost_in_fork()) return;
  sleep_.stop(static_cast<std::uint32_t>(threads_.size()));
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    // A thread that looks for work, or sleeps, soon finds that the pool stops, or has just stolen a last job and soon says so.
    std::uint32_t jobs = 0;
    while ((jobs = workers_[i]->jobs_.load(std::memory_order_relaxed)) == 0) Atomics::yield();
    jobs == Worker::kGone ? threads_[i].join() : threads_[i].detach();
  }
}

bool Pool::lost_in_fork() const noexcept { return fork_generation_ != fork_generation(); }

Worker& Pool::enter(bool& owned) {
  owned = false;
  for (Worker* worker = current_worker; worker != nullptr; worker = worker->outer_)
    if (worker->pool_ == this) return *worker;
  Worker& guest = claim_guest();
  owned = true;
  guest.outer_ = current_worker;
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
    if (!lowest->taken_.exchange(true, std::memory_order_acquire)) return *lowest;  // [G2] pairs with [G1]
  }
  auto fresh = std::make_unique<Worker>(*this);
  fresh->index_ = threads_.size() + guest_count_.fetch_add(1, std::memory_order_relaxed);
  fresh->deque_.hand_over();
  fresh->taken_.store(true, std::memory_order_relaxed);
  fresh->next_guest_ = guests_.load(std::memory_order_relaxed);
  // [G3] pairs with [G4] (pool.hpp): everybody who reads it later sees the whole list
  while (!guests_.compare_exchange_weak(fresh->next_guest_, fresh.get(), std::memory_order_release, std::memory_order_relaxed)) {
  }
  return *fresh.release();
}

}  // namespace furca::detail
