// The names of the sender libraries whose headers come before this one, as C++26 has them.
#pragma once

#include <furca/thread_pool.hpp>

#include <concepts>
#include <exception>

namespace furca::plugs {

/// The names of the library whose senders have this sender_tag.
template <class SenderTag>
struct SenderLibrary;

template <class SenderTag>
class Scheduler;

}  // namespace furca::plugs

// For a library whose senders are in the namespace `ex`, and its stop tokens in `base`.
#define FURCA_SENDER_LIBRARY(ex, base, sender_for)                                           \
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
    template <class S, class... Env>                                                         \
    using Signatures = ex::completion_signatures_of_t<S, Env...>;                            \
    using Error = ex::set_error_t(std::exception_ptr);                                       \
    using Stopped = ex::set_stopped_t();                                                     \
    using GetDomain = ex::get_completion_domain_t<ex::set_value_t>;                          \
    using SetValue = ex::set_value_t;                                                        \
    template <class S>                                                                       \
    static constexpr bool is_chunked = sender_for<S, ex::bulk_chunked_t>;                    \
    template <class S>                                                                       \
    static constexpr bool is_bulk = is_chunked<S> || sender_for<S, ex::bulk_unchunked_t>;    \
    template <class Policy> /* stdexec wraps it */                                           \
    static constexpr bool is_parallel =                                                      \
        std::is_constructible_v<Policy, const ex::parallel_policy&> ||                       \
        std::is_constructible_v<Policy, const ex::parallel_unsequenced_policy&>;             \
    using Backend = ex::parallel_scheduler_replacement::parallel_scheduler_backend;          \
    using ReceiverProxy = ex::parallel_scheduler_replacement::receiver_proxy;                \
    using BulkProxy = ex::parallel_scheduler_replacement::bulk_item_receiver_proxy;          \
    static auto stop_of(const ReceiverProxy& proxy) noexcept {                               \
      const auto token = proxy.try_query<base::inplace_stop_token>(base::get_stop_token);    \
      return token ? *token : base::inplace_stop_token();                                    \
    }                                                                                        \
    static constexpr auto& connect = ex::connect;                                            \
    static constexpr auto& start = ex::start;                                                \
    static constexpr auto& get_env = ex::get_env;                                            \
    static constexpr auto& set_value = ex::set_value;                                        \
    static constexpr auto& set_error = ex::set_error;                                        \
    static constexpr auto& set_stopped = ex::set_stopped;                                    \
    static auto stop_token(const auto& receiver) noexcept {                                  \
      return base::get_stop_token(ex::get_env(receiver));                                    \
    }                                                                                        \
  };                                                                                         \
  namespace furca { /* of each library a function with another constraint */                 \
  template <std::same_as<ex::sender_tag> Tag = ex::sender_tag>                               \
  plugs::Scheduler<Tag> scheduler(ThreadPool& pool, Tag = {}) {                              \
    return plugs::Scheduler<Tag>(pool);                                                      \
  }                                                                                          \
  }

#ifdef STDEXEC
FURCA_SENDER_LIBRARY(::STDEXEC, ::STDEXEC, ::STDEXEC::__sender_for)
#endif
#ifdef INCLUDED_BEMAN_EXECUTION
FURCA_SENDER_LIBRARY(::beman::execution, ::beman::execution, ::beman::execution::detail::sender_for)
#endif
#ifdef __cpp_lib_senders
template <class S, class Tag>
concept furca_sender_for = requires { requires std::is_same_v<std::execution::tag_of_t<S>, Tag>; };
FURCA_SENDER_LIBRARY(::std::execution, ::std, furca_sender_for)
#endif
#undef FURCA_SENDER_LIBRARY
