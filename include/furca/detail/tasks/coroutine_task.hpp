// A coroutine that is spawned, with a handle or without.
#pragma once

#include <furca/detail/base/memory.hpp>
#include <furca/detail/tasks/driver.hpp>
#include <furca/detail/tasks/event.hpp>
#include <furca/detail/tasks/spawning.hpp>

namespace furca {

template <class T>
class Async;

namespace detail {

/// A coroutine with a handle, the job that begins it, and its end: three parties. It is one of the
/// pool's tasks until it has ended, wherever it is suspended meanwhile.
template <class T>
class CoroutineTask final : public TaskState<T> {
 public:
  CoroutineTask(Pool& pool, Async<T>&& async)
      : TaskState<T>(pool, 3),
        driver_(Driver::into({&ended, this}, std::move(async), this->result)) {
    count_begin(pool);
  }

  bool over() const noexcept override { return event_.is_set(); }

  void finish() override {
    if (!over()) {
      const Visit visit(this->pool());
      const Seated seated(*this);
      if (!over() && this->claim()) {
        const RunningTask running(Worker::current());
        driver_.begin();
      }
    }
    event_.await(&this->pool());
  }

  bool cancel() noexcept override {
    if (!this->claim()) return false;
    driver_.destroy();
    count_end(this->pool());
    // for its end, and never the last one: this handle is there still
    static_cast<void>(this->leave());
    this->drop_content();
    return true;
  }

 private:
  bool run_content() noexcept override {
    driver_.begin();
    return false;
  }

  void destroy_content() noexcept override { std::destroy_at(&this->result); }

  static void ended(void* task) noexcept {
    auto& self = *static_cast<CoroutineTask*>(task);
    Pool& pool = self.pool();
    self.event_.set();
    self.tell_handle();
    if (self.leave()) SharedTask::destroy(self);
    count_end(pool);
  }

  Event event_;
  Driver driver_;
};

/// A coroutine is spawned as a task that begins it; as long as it has not ended it is one of the
/// pool's.
template <class T>
struct Spawning<Async<T>> {
  static void spawn(Pool& pool, Async<T>&& async) {
    need_task_thread(pool);
    const auto ended = [](void* p) noexcept { count_end(*static_cast<Pool*>(p)); };
    const Driver driver = Driver::detached({ended, &pool}, std::move(async), pool);
    count_begin(pool);
    detail::post_last(pool, driver.promise());
  }

  static Task<T> spawn_task(Pool& pool, Async<T>&& async) {
    need_task_thread(pool);
    auto& task = SharedTask::make<CoroutineTask<T>>(pool, std::move(async));
    detail::post_last(pool, task);
    return Task<T>(task);
  }
};

}  // namespace detail

}  // namespace furca
