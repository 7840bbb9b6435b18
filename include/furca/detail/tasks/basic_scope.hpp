// The common base of scope() and scope_fifo(): how tasks are spawned in them, and how their bodies
// run.
#pragma once

#include <furca/detail/base/source_location.hpp>
#include <furca/detail/fork/job.hpp>
#include <furca/detail/mistakes/members.hpp>
#include <furca/detail/mistakes/mistakes.hpp>
#include <furca/detail/observing/observe.hpp>
#include <furca/detail/tasks/scope_state.hpp>
#include <furca/detail/tasks/scope_task.hpp>
#include <furca/options.hpp>

#include <exception>

namespace furca::detail {

/// The common base of Scope and ScopeFifo.
class BasicScope {
 public:
  BasicScope(const BasicScope&) = delete;
  BasicScope& operator=(const BasicScope&) = delete;

  FURCA_MEMBER_SAYS(spawn, scope,
                    "write s.spawn([&, x] { f(x); }): a task of a scope is called without "
                    "arguments, and moved or copied there")
  FURCA_MEMBER_SAYS(run, scope, "write s.spawn(f)")
  FURCA_MEMBER_SAYS(
      wait, scope,
      "a scope waits for its tasks where its body ends: write "
      "furca::scope([&](furca::Scope& s) { s.spawn(f); }) with what they do before in its body")

 protected:
  explicit BasicScope(Worker& owner) noexcept : state_(owner) {}
  ~BasicScope() = default;

  /// Hands a task made of `f` to publish(worker, task), or runs f here where no frame would take
  /// the task back.
  template <class F, class Publish>
  void spawn_with(F&& f, Publish publish) {
    Worker* const self = Worker::if_unobserved();
    if (self == nullptr || !self->has_open_frame() || &self->pool() != &state_.owner().pool())
        [[unlikely]] {
      if (state_.observed != nullptr && self == nullptr) {
        spawn_observed(std::forward<F>(f), publish);
      } else {
        run_here(std::forward<F>(f));
      }
    } else {
      publish(*self, ScopeTask<std::decay_t<F>>::make(state_, *self, std::forward<F>(f)), state_);
    }
  }

 private:
  template <class S, class Body>
  friend decltype(auto) run_scope(Body&& body, const ScopeOptions& options,
                                  const SourceLocation& where);

  template <class F, class Publish>
  FURCA_COLD void spawn_observed(F&& f, Publish publish) {
    Worker* const self = Worker::if_any();
    if (self == nullptr || !self->has_open_frame() || &self->pool() != &state_.owner().pool())
      return run_here(std::forward<F>(f));
    publish(*self,
            ScopeTask<ObservedTask<std::decay_t<F>>>::make(
                state_, *self, ObservedTask<std::decay_t<F>>(*state_.observed, std::forward<F>(f))),
            state_);
  }

  template <class F>
  void run_here(F&& f) {
    const ScopeState::Order order = ScopeState::kElsewhere;
    if (state_.skips(order)) return;
    std::decay_t<F> callable(std::forward<F>(f));
    try {
      static_cast<void>(std::move(callable)());
    } catch (...) {
      state_.fail(order, std::current_exception());
    }
  }

  ScopeState state_;
};

template <class S, class Body>
decltype(auto) run_scope(Body&& body, const ScopeOptions& options, const SourceLocation& where) {
  using Result = std::invoke_result_t<Body, S&>;
  using Value = std::conditional_t<std::is_void_v<Result>, Unit, Result>;
  Worker& self = Worker::current();
  const Observed observed =
      observing ? Observed(StolenAs::strands, site_of<"scope", SourceLocation>(&where))
                : Observed();
  S scope(self);
  ScopeState& state = static_cast<BasicScope&>(scope).state_;
  state.observed = observed.call();
  if (options.stop.stop_possible()) state.stop = &options.stop;
  const Worker::Index end = self.deque().end();
  self.open_frame();
  Outcome<Value> outcome;
  outcome.fill([&]() -> Value {
    try {
      const Strand strand(state.observed);
      return detail::call(std::forward<Body>(body), scope);
    } catch (...) {
      state.fail(ScopeState::kBody, std::current_exception());
      throw;
    }
  });
  self.close_frame(end);
  if (!state.done()) state.await();
  if (state.failed()) [[unlikely]] {
    outcome.discard();
    state.rethrow();
  }
  if constexpr (std::is_void_v<Result>) {
    outcome.discard();
  } else {
    return outcome.get();
  }
}

}  // namespace furca::detail
