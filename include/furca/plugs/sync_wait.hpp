// A sender library's sync_wait for threads that work meanwhile. Include it after the library's
// header.
#pragma once

#include <furca/detail/fork/worker.hpp>
#include <furca/detail/tasks/event.hpp>
#include <furca/plugs/scheduler.hpp>

#include <exception>
#include <optional>
#include <system_error>
#include <tuple>

namespace furca::plugs {

/// The end of a sender that a thread waits for.
template <class SenderTag, class Sender>
struct Awaited {
  using Names = SenderLibrary<SenderTag>;

  struct Environment {
    auto query(typename Names::GetScheduler) const noexcept { return scheduler; }
    auto query(typename Names::GetStartScheduler) const noexcept { return scheduler; }
    auto query(typename Names::GetDelegationScheduler) const noexcept { return scheduler; }
    Scheduler<SenderTag> scheduler;
  };

  /// Of senders that have values in one way, or never.
  template <class... T>
  struct TheOnly : std::type_identity<std::tuple<>> {
    static_assert(sizeof...(T) == 0, "furca: sync_wait takes senders with one kind of values");
  };
  template <class T>
  struct TheOnly<T> : std::type_identity<T> {};
  template <class... T>
  using Tuple = std::tuple<std::decay_t<T>...>;
  using Value = typename Names::template Values<Sender, Environment, Tuple, TheOnly>::type;

  struct Receiver {
    using receiver_concept = typename Names::ReceiverTag;

    template <class... T>
    void set_value(T&&... values) noexcept {
      try {
        end.value.emplace(std::forward<T>(values)...);
      } catch (...) {
        end.error = std::current_exception();
      }
      end.event.set();
    }
    template <class E>
    void set_error(E&& e) noexcept {
      if constexpr (std::is_same_v<std::decay_t<E>, std::exception_ptr>) {
        end.error = std::forward<E>(e);
      } else if constexpr (std::is_same_v<std::decay_t<E>, std::error_code>) {
        end.error = std::make_exception_ptr(std::system_error(e));
      } else {
        end.error = std::make_exception_ptr(std::forward<E>(e));
      }
      end.event.set();
    }
    void set_stopped() noexcept { end.event.set(); }
    Environment get_env() const noexcept { return {end.scheduler}; }

    Awaited& end;
  };

  Scheduler<SenderTag> scheduler;
  detail::Event event = {};
  std::exception_ptr error = {};
  std::optional<Value> value = {};
};

/// As the library's sync_wait: starts the sender, and returns its values, nothing if it was
/// stopped, or throws its error. But the calling thread runs work of its pool meanwhile, of any
/// kind, as in furca::sync_wait, whose dangers hold here too. In the library's own it sleeps: a
/// pool has then one thread less, and none where all of its threads wait in furca's loops or tasks.
/// The environment's scheduler is the pool that the caller is in.
/// Thread-safety: any thread, at any depth.
template <class Sender>
auto sync_wait(Sender&& sender) {
  using Tag = typename std::decay_t<Sender>::sender_concept;
  using Names = SenderLibrary<Tag>;
  using End = Awaited<Tag, Sender>;
  detail::Pool& pool = detail::Worker::current().pool();
  End end{Scheduler<Tag>(pool)};
  {
    auto operation = Names::connect(std::forward<Sender>(sender), typename End::Receiver{end});
    Names::start(operation);
    end.event.await(&pool);
  }
  if (end.error) std::rethrow_exception(end.error);
  return std::move(end.value);
}

}  // namespace furca::plugs
