// A pool's threads as a scheduler for senders. Include it after the library's header:
//
//   auto sender = stdexec::starts_on(furca::scheduler(pool), stdexec::just(1) | stdexec::then(f));
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/tasks/pool_door.hpp>
#include <furca/plugs/bulk.hpp>
#include <furca/plugs/work_task.hpp>
#include <furca/thread_pool.hpp>

namespace furca::plugs {

/// A pool as a scheduler, as furca::scheduler(pool) returns it. What it schedules is a detached
/// task, behind those that are there. It lies in the operation's state, so nothing is allocated and
/// nothing can fail. A stop that is requested before the task begins completes it with set_stopped.
/// Bulk algorithms with the policies par and par_unseq are parallel.
/// Thread-safety: any thread. The pool runs what was scheduled before it ends, and must outlive
/// whatever schedules more.
template <class SenderTag>
class Scheduler {
  using Names = SenderLibrary<SenderTag>;

  template <class Receiver>
  class Operation {
   public:
    using operation_state_concept = typename Names::OperationStateTag;

    Operation(detail::Pool& pool, Receiver receiver) noexcept
        : receiver_(std::move(receiver)), pool_(pool), task_(Completion{receiver_}) {}

    /// Once it is posted it may run, and be gone.
    void start() & noexcept { detail::post_last(pool_, task_); }

   private:
    struct Completion {
      void operator()() const noexcept {
        if constexpr (!Names::template never_stops<decltype(Names::get_env(receiver))>) {
          if (Names::stop_token(receiver).stop_requested())
            return Names::set_stopped(std::move(receiver));
        }
        Names::set_value(std::move(receiver));
      }
      Receiver& receiver;
    };

    FURCA_NO_UNIQUE_ADDRESS Receiver receiver_;
    detail::Pool& pool_;
    WorkTask<Completion> task_;
  };

  struct Sender {
    using sender_concept = SenderTag;

    template <class, class... Env>
    static consteval auto get_completion_signatures() noexcept {
      if constexpr ((Names::template never_stops<Env> || ...))
        return typename Names::Value();
      else
        return typename Names::Completions();
    }
    template <class Receiver>
    Operation<Receiver> connect(Receiver receiver) const noexcept {
      return {*scheduler.pool_, std::move(receiver)};
    }
    Scheduler get_env() const noexcept { return scheduler; }

    Scheduler scheduler;
  };

 public:
  using scheduler_concept = typename Names::SchedulerTag;

  /// In a pool of one this starts the thread that runs tasks. Throws std::system_error if it cannot
  /// be started, and std::bad_alloc.
  explicit Scheduler(ThreadPool& pool)
      : Scheduler(pool.install([]() -> auto& { return detail::Worker::current().pool(); })) {}
  explicit Scheduler(detail::Pool& pool) : pool_(&pool) { detail::need_task_thread(pool); }

  Sender schedule() const noexcept { return {*this}; }
  BulkDomain<SenderTag> query(typename Names::GetDomain) const noexcept { return {}; }
  auto query(typename Names::GetProgress) const noexcept { return Names::Progress::parallel; }
  template <class... Env>
  Scheduler query(typename Names::GetCompletionScheduler, const Env&...) const noexcept {
    return *this;
  }
  bool operator==(const Scheduler&) const noexcept = default;

 private:
  detail::Pool* pool_;
};

}  // namespace furca::plugs
