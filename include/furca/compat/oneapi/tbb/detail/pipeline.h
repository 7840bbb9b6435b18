// The items of a pipeline on their way from filter to filter.
// Checked by: tests/compat/tasks_test.cpp ("a pipeline's serial filters see one item at a time, in
// order"), by ThreadSanitizer
#pragma once

#include "../task_group.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tbb {

/// Whether a filter has several items at a time, or one; and then in which order.
enum class filter_mode : unsigned { parallel, serial_in_order, serial_out_of_order };

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

}  // namespace detail

}  // namespace tbb
