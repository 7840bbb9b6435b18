#include <furca/thread_pool.hpp>

#include "global.hpp"
#include "pool.hpp"

namespace furca {

ThreadPool::ThreadPool(const Config& config) : pool_(std::make_unique<detail::Pool>(config, detail::Pool::OnFailure::fail)) {}

ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::size() const noexcept { return pool_->size(); }

ThreadPool::Visit::Visit(detail::Pool& pool) : before_(detail::current_worker), forks_(detail::fork_generation()) {
  bool owned = false;
  detail::Worker& worker = pool.enter(owned);
  guest_ = owned ? &worker : nullptr;
  detail::current_worker = &worker;
  if (owned) worker.open_frame();
}

/// A child forked inside comes out with the worker that it has now, if any: the one before belongs to the parent's pool.
ThreadPool::Visit::~Visit() {
  if (guest_ != nullptr) guest_->close_frame(0);
  if (forks_ == detail::fork_generation()) detail::current_worker = before_;
  if (guest_ != nullptr) detail::Pool::leave(*guest_);
}

std::size_t num_threads() {
  const detail::Worker* const worker = detail::current_worker;
  return worker != nullptr ? worker->pool().size() : detail::global_pool_size();
}

std::size_t thread_index() { return detail::Worker::current().index(); }

}  // namespace furca
