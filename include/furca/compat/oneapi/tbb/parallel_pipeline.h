// tbb::parallel_pipeline: items go from one filter to the next, several of them at a time.
#pragma once

#include "detail/contexts.h"
#include "detail/pipeline.h"
#include "tbb_allocator.h"

#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tbb {

namespace detail {
template <class Body, class Out>
class Source;
}  // namespace detail

/// What the first filter gets: after stop() no item follows, and what it returns is dropped.
class flow_control {
 public:
  void stop() { stopped_ = true; }

 private:
  template <class, class>
  friend class detail::Source;
  flow_control() = default;
  bool stopped_ = false;
};

namespace detail {

/// Calls f(arguments...), whose result becomes the cargo.
template <class Out, class F, class... Arguments>
CargoPointer loaded(const F& f, Arguments&&... arguments) {
  if constexpr (std::is_void_v<Out>) {
    f(std::forward<Arguments>(arguments)...);
    return nullptr;
  } else {
    return std::make_unique<CargoOf<Out>>(f(std::forward<Arguments>(arguments)...));
  }
}

template <class Body, class Out>
class Source : public Stage {
 public:
  Source(filter_mode mode, const Body& body) : Stage(mode), body_(body) {}
  CargoPointer run(CargoPointer, bool& stopped) const override {
    flow_control control;
    CargoPointer cargo = loaded<Out>(body_, control);
    stopped = control.stopped_;
    return cargo;
  }

 private:
  const Body body_;
};

template <class Body, class In, class Out>
class Through : public Stage {
 public:
  Through(filter_mode mode, const Body& body) : Stage(mode), body_(body) {}
  CargoPointer run(CargoPointer cargo, bool&) const override {
    return loaded<Out>(body_, std::move(static_cast<CargoOf<In>&>(*cargo).value));
  }

 private:
  const Body body_;
};

/// What a filter's function takes and returns.
/// @{
template <class R, class A>
std::pair<std::type_identity<A>, std::type_identity<R>> signature_of(R (*)(A));
template <class F, class R, class A>
std::pair<std::type_identity<A>, std::type_identity<R>> signature_of(R (F::*)(A));
template <class F, class R, class A>
std::pair<std::type_identity<A>, std::type_identity<R>> signature_of(R (F::*)(A) const);

template <class Body>
auto signature() {
  if constexpr (requires { &Body::operator(); }) {
    return decltype(signature_of(&Body::operator()))();
  } else {
    return decltype(signature_of(std::decay_t<Body>()))();
  }
}
template <class Body>
using TakenBy = std::remove_cvref_t<typename decltype(signature<Body>().first)::type>;
template <class Body>
using InOf = std::conditional_t<std::is_same_v<TakenBy<Body>, flow_control>, void, TakenBy<Body>>;
template <class Body>
using OutOf = std::remove_cvref_t<typename decltype(signature<Body>().second)::type>;
/// @}

}  // namespace detail

/// As oneTBB's: one filter, or several in a row. The function is copied once, and its const call
/// operator is called.
template <class In, class Out>
class filter {
 public:
  filter() = default;
  template <class Body>
  filter(filter_mode mode, const Body& body) {
    using F = std::decay_t<Body>;
    if constexpr (std::is_void_v<In>) {
      stages_.push_back(std::make_shared<detail::Source<F, Out>>(mode, body));
    } else {
      stages_.push_back(std::make_shared<detail::Through<F, In, Out>>(mode, body));
    }
  }

  filter& operator&=(const filter<Out, Out>& right) { return *this = *this & right; }
  void clear() { stages_.clear(); }

  /// Not oneTBB's.
  explicit filter(detail::Stages stages) : stages_(std::move(stages)) {}
  const detail::Stages& stages() const noexcept { return stages_; }

  template <class More>
  friend filter<In, More> operator&(const filter& left, const filter<Out, More>& right) {
    detail::Stages all = left.stages();
    all.insert(all.end(), right.stages().begin(), right.stages().end());
    return filter<In, More>(std::move(all));
  }

 private:
  detail::Stages stages_;
};

template <class Body>
filter(filter_mode, Body) -> filter<detail::InOf<Body>, detail::OutOf<Body>>;

template <class In, class Out, class Body>
filter<In, Out> make_filter(filter_mode mode, const Body& body) {
  return filter<In, Out>(mode, body);
}
template <class Body>
filter<detail::InOf<Body>, detail::OutOf<Body>> make_filter(filter_mode mode, const Body& body) {
  return filter<detail::InOf<Body>, detail::OutOf<Body>>(mode, body);
}

/// Returns when all items have gone through all filters; no more than so many are on their way at a
/// time. Costs an allocation for each item and filter.
/// Exceptions: one of those that were thrown; what is on its way then ends where it is.
/// @{
inline void parallel_pipeline(std::size_t max_number_of_live_tokens,
                              const filter<void, void>& chain, task_group_context& context) {
  assert(max_number_of_live_tokens > 0 && "furca: parallel_pipeline: no item may be on its way");
  assert(!chain.stages().empty() && "furca: parallel_pipeline: there is no filter");
  context.bind();
  const detail::ContextScope inside(context);
  try {
    detail::Pipeline(chain.stages(), max_number_of_live_tokens).run();
  } catch (...) {
    context.cancel_group_execution();
    throw;
  }
}
inline void parallel_pipeline(std::size_t max_number_of_live_tokens,
                              const filter<void, void>& chain) {
  task_group_context context;
  parallel_pipeline(max_number_of_live_tokens, chain, context);
}
template <class First, class Second, class... More>
void parallel_pipeline(std::size_t max_number_of_live_tokens, const First& first,
                       const Second& second, More&&... more) {
  parallel_pipeline(max_number_of_live_tokens, first & second, std::forward<More>(more)...);
}
/// @}

}  // namespace tbb
