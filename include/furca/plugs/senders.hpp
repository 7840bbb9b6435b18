// What the plugs for senders have in common: tasks, and the names of the libraries, as C++26 has
// them, whose headers come before this one.
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/tasks/pool_door.hpp>

namespace furca::plugs {

/// The names of the library whose senders have this sender_tag.
template <class SenderTag>
struct SenderLibrary;

/// A detached task in memory that somebody else has: that of an operation's state. The work ends
/// with a completion, after which that is gone.
template <class Work>
class WorkTask : public detail::LinkedJob {
 public:
  explicit WorkTask(const Work& work) noexcept : LinkedJob(&run_task), work_(work) {}

 private:
  static detail::JobEnd run_task(Job& job, detail::Worker& runner, bool) noexcept {
    const detail::Worker::RunningTask running(runner);
    const Work work = static_cast<WorkTask&>(job).work_;
    work();
    return detail::JobEnd::of_detached();
  }

  Work work_;
};

}  // namespace furca::plugs

/// @cond
// For a library whose senders are in the namespace `ex`, and its stop tokens in `base`.
#define FURCA_SENDER_LIBRARY(ex, base)                                                       \
  template <>                                                                                \
  struct furca::plugs::SenderLibrary<ex::sender_tag> {                                       \
    using SchedulerTag = ex::scheduler_tag;                                                  \
    using OperationStateTag = ex::operation_state_tag;                                       \
    using ReceiverTag = ex::receiver_tag;                                                    \
    using Completions = ex::completion_signatures<ex::set_value_t(), ex::set_stopped_t()>;   \
    using Value = ex::completion_signatures<ex::set_value_t()>;                              \
    template <class Env>                                                                     \
    static constexpr bool never_stops = base::unstoppable_token<base::stop_token_of_t<Env>>; \
    using GetCompletionScheduler = ex::get_completion_scheduler_t<ex::set_value_t>;          \
    using GetScheduler = ex::get_scheduler_t;                                                \
    using GetStartScheduler = ex::get_start_scheduler_t;                                     \
    using GetDelegationScheduler = ex::get_delegation_scheduler_t;                           \
    using GetProgress = ex::get_forward_progress_guarantee_t;                                \
    using Progress = ex::forward_progress_guarantee;                                         \
    template <class S, class Env, template <class...> class T, template <class...> class V>  \
    using Values = ex::value_types_of_t<S, Env, T, V>;                                       \
    using Backend = ex::parallel_scheduler_replacement::parallel_scheduler_backend;          \
    using ReceiverProxy = ex::parallel_scheduler_replacement::receiver_proxy;                \
    using BulkProxy = ex::parallel_scheduler_replacement::bulk_item_receiver_proxy;          \
    static auto stop_of(const ReceiverProxy& proxy) noexcept {                               \
      return proxy.try_query<base::inplace_stop_token>(base::get_stop_token);                \
    }                                                                                        \
    static constexpr auto& connect = ex::connect;                                            \
    static constexpr auto& start = ex::start;                                                \
    static constexpr auto& get_env = ex::get_env;                                            \
    static constexpr auto& set_value = ex::set_value;                                        \
    static constexpr auto& set_stopped = ex::set_stopped;                                    \
    static auto stop_token(const auto& receiver) noexcept {                                  \
      return base::get_stop_token(ex::get_env(receiver));                                    \
    }                                                                                        \
  };
/// @endcond

#ifdef STDEXEC
FURCA_SENDER_LIBRARY(::STDEXEC, ::STDEXEC)
#endif
#ifdef INCLUDED_BEMAN_EXECUTION
FURCA_SENDER_LIBRARY(::beman::execution, ::beman::execution)
#endif
#ifdef __cpp_lib_senders
FURCA_SENDER_LIBRARY(::std::execution, ::std)
#endif
#undef FURCA_SENDER_LIBRARY
