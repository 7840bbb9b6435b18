#include <furca/thread_pool.hpp>

#include "../observing/report.hpp"
#include "../system/environment.hpp"
#include "global.hpp"
#include "pool.hpp"

namespace furca {

namespace detail {

Visit::Visit(Pool& pool, Deque deque) : Visit(pool.enter(deque)) {}

Visit::Visit(Entry entry) noexcept
    : before_(Worker::if_any()),
      outer_(before_ != nullptr ? before_->visit : nullptr),
      worker_(entry.worker),
      shadowed_(entry.worker.visit),
      generation_(process_generation()),
      as_guest_(entry.as_guest) {
  worker_.visit = this;
  Worker::become(&worker_);
  if (as_guest_) worker_.open_frame();
}

/// A child forked inside comes out with the worker that it has now, if any: the one before belongs
/// to the parent's pool.
Visit::~Visit() {
  if (as_guest_) worker_.close_frame(0);
  worker_.visit = shadowed_;
  if (generation_ == process_generation()) Worker::become(before_);
  if (as_guest_) Pool::leave(worker_);
}

}  // namespace detail

ThreadPool::ThreadPool(const detail::CrossingConfig& crossing, std::nullptr_t) {
  const Config config{.threads = crossing.threads,
                      .name = crossing.name,
                      .stack_size = crossing.stack_size,
                      .wait = crossing.wait,
                      .start_hook = *crossing.start_hook,
                      .exit_hook = *crossing.exit_hook,
                      .exception_handler = *crossing.exception_handler,
                      .queue_capacity = crossing.queue_capacity,
                      .steal_attempts = crossing.steal_attempts,
                      .bind = crossing.bind};
  pool_ = std::make_unique<detail::Pool>(config, detail::Pool::OnFailure::fail);
  if (detail::display_from_environment())
    detail::print_start(("pool " + config.name).c_str(), size(), config.threads.has_value(),
                        pool_->is_bound());
}

/// Tasks reach their pool by this object until the last one has ended. libc++'s std::unique_ptr is
/// empty while what it had is being destroyed.
ThreadPool::~ThreadPool() {
  delete pool_.get();
  static_cast<void>(pool_.release());
}

std::size_t ThreadPool::size() const noexcept { return pool_->size(); }

std::size_t num_threads() {
  const detail::Worker* const worker = detail::Worker::if_any();
  return worker != nullptr ? worker->pool().size() : detail::global_pool_size();
}

std::size_t thread_index() { return detail::Worker::current().index(); }

}  // namespace furca
