// tbb::parallel_pipeline: items go from one filter to the next, several of them at a time.
// Checked by: tests/compat/tasks_test.cpp ("a pipeline's serial filters see one item at a time, in
// order"), by ThreadSanitizer
#pragma once

#include "detail/contexts.h"
#include "task_group.h"
#include "tbb_allocator.h"

#include <cassert>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace tbb {

/// Whether a filter has several items at a time, or one; and then in which order.
enum class filter_mode : unsigned { parallel, serial_in_order, serial_out_of_order };

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

/// Something of any type, or nothing.
struct Cargo {
  virtual ~Cargo() = default;
};
template <class T>
struct CargoOf : Cargo {
  explicit CargoOf(T&& from) : value(std::move(from)) {}
  T value;
};
using CargoPointer = std::unique_ptr<Cargo>;

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

/// A filter's function. Called by several threads at once if its mode is parallel.
class Stage {
 public:
  explicit Stage(filter_mode mode) : mode_(mode) {}
  virtual ~Stage() = default;

  filter_mode mode() const noexcept { return mode_; }
  bool is_serial() const noexcept { return mode_ != filter_mode::parallel; }
  /// The first one ends the items by `stopped`.
  virtual CargoPointer run(CargoPointer cargo, bool& stopped) const = 0;

 private:
  const filter_mode mode_;
};

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

using Stages = std::vector<std::shared_ptr<const Stage>>;

/// One call of parallel_pipeline(). An item is on its way in one task, which goes on to the next
/// filter with it. Where a serial filter is busy, or it is not this item's turn, the item stays at
/// the gate and the task ends; who leaves the filter starts another one for whose turn it is.
///
/// Invariant: `items_` of them are on their way or at a gate, or about to be made; at the first
/// filter, if it is serial, there is one task at the most. It stops there if there are too many
/// items: who ends one goes on in its place.
///
/// Once it is cancelled no filter is called any more: each task ends, its item with it, and those
/// at the gates end with the pipeline.
class Pipeline {
 public:
  Pipeline(const Stages& stages, std::size_t most) : stages_(stages), most_(most) {
    for (std::size_t i = 0; i < stages.size(); ++i) gates_.push_back(std::make_unique<Gate>());
  }

  void run() {
    items_ = 1;
    group_.run([this] { begin(); });
    group_.wait();
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Item {
    CargoPointer cargo;
    std::size_t number = kNone;  // its turn; none before the first filter that asks for it
  };

  struct Gate {
    std::mutex mutex;
    bool busy = false;
    std::size_t arrived = 0;
    std::size_t next = 0;
    std::map<std::size_t, Item> waiting;  // by their turns
  };

  /// Makes items, and takes each as far as it goes.
  void begin() {
    const Stage& first = *stages_.front();
    do {
      if (is_current_task_group_canceling()) return;
      if (!first.is_serial()) begin_another();
      bool stopped = false;
      Item item{first.run(nullptr, stopped), first.is_serial() ? numbers_++ : kNone};
      if (stopped) {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        return;
      }
      if (first.is_serial()) begin_another();
      if (!go_on(std::move(item), 1, false)) return;
    } while (ends_one());
  }

  void begin_another() {
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      if (items_ == most_) {
        ++missing_;
        return;
      }
      ++items_;
    }
    group_.run([this] { begin(); });
  }

  /// True: the thread has to begin another one in place of the one that has ended.
  bool ends_one() {
    const std::lock_guard lock(mutex_);
    if (missing_ > 0 && !stopped_) {
      --missing_;
      return true;
    }
    --items_;
    return false;
  }

  /// From this filter on; `inside`: its gate is this item's already. False: it stays at a gate, or
  /// the pipeline is cancelled.
  bool go_on(Item item, std::size_t i, bool inside) {
    for (; i < stages_.size(); ++i, inside = false) {
      if (is_current_task_group_canceling()) return false;
      const Stage& stage = *stages_[i];
      bool stopped = false;
      if (!stage.is_serial()) {
        item.cargo = stage.run(std::move(item.cargo), stopped);
        continue;
      }
      if (!inside && !enters(item, i)) return false;
      item.cargo = stage.run(std::move(item.cargo), stopped);
      leave(i);
    }
    return true;
  }

  bool enters(Item& item, std::size_t i) {
    Gate& gate = *gates_[i];
    const std::lock_guard lock(gate.mutex);
    std::size_t turn = gate.arrived;
    if (stages_[i]->mode() == filter_mode::serial_in_order) {
      if (item.number == kNone) item.number = gate.arrived;
      turn = item.number;
    }
    ++gate.arrived;
    gate.waiting.emplace(turn, std::move(item));
    if (gate.busy || gate.waiting.begin()->first != gate.next) return false;
    gate.busy = true;  // it is this item that was missing, since whoever leaves takes the next
    item = std::move(gate.waiting.begin()->second);
    gate.waiting.erase(gate.waiting.begin());
    return true;
  }

  void leave(std::size_t i) {
    Gate& gate = *gates_[i];
    Item next;
    {
      const std::lock_guard lock(gate.mutex);
      ++gate.next;
      gate.busy = !gate.waiting.empty() && gate.waiting.begin()->first == gate.next;
      if (!gate.busy) return;
      next = std::move(gate.waiting.begin()->second);
      gate.waiting.erase(gate.waiting.begin());
    }
    group_.run([this, i, item = std::move(next)]() mutable {
      if (go_on(std::move(item), i, true) && ends_one()) begin();
    });
  }

  const Stages& stages_;
  const std::size_t most_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::mutex mutex_;
  std::size_t items_ = 0;
  std::size_t missing_ = 0;  // that nobody has begun, since there were too many
  bool stopped_ = false;
  std::size_t numbers_ = 0;  // of a serial first filter
  task_group group_;
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
