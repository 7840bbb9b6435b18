// PerWorker: a value for each thread that takes part, for what a loop or tasks gather on the way.
#pragma once

#include <furca/detail/config.hpp>  // first: tells those who compile as C++17

#include <furca/detail/local_values.hpp>
#include <furca/detail/worker.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace furca {

/// A value of T for each thread of a pool that asks for one: scratch memory, and what iterations or tasks gather beside their own work.
///
///   furca::PerWorker<Counts> partial;                              // every value begins as Counts(); PerWorker<Counts> partial(first): as a copy of first
///   furca::parallel_for(rows, [&](Row& row) {
///     Counts& mine = partial.local();                              // once for a row, not once for a cell
///     for (Cell& cell : row) mine.add(cell.step());
///   });
///   Counts all = partial.combine([](Counts a, const Counts& b) { return a += b; });
///
/// To add up one value for each element, take parallel_reduce and add in place: it has its accumulator at hand, where local() must find the
/// thread's value for each element. It is right for tasks, and where something is kept between iterations. Which thread gets
/// what depends on the schedule, and so does the outcome of an operation that rounds: for the same bits each time use parallel_reduce.
/// Values lie in cache lines of their own. A thread that is in two pools has a value in each. An outside thread has a place in the pool while
/// it calls in: who comes later may get the place of one that has left, and its value. Values stay when their pool is gone.
/// Thread-safety: local() from any number of threads at once; everything else while nobody is in local(). What was done to a value by a
/// join, loop or scope that has returned is seen.
/// Checked by: tests/per_worker_test.cpp ("every thread adds to a value of its own, and together they have all", "many threads at once: the
/// table grows"), by ThreadSanitizer
/// Memory: values of pools that are gone stay until clear(); a thread's first call in a new pool looks through those with its number. One allocation for each value, when its thread first asks, and now and then one for the table.
/// @snippet per_worker.cpp PerWorker
template <class T>
class PerWorker {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "furca: PerWorker<T> holds objects that can be changed: no const, no reference");

  struct alignas(std::max(detail::kCacheLine, alignof(T))) Node {
    T value;
    detail::Serial worker;  // not its address, which a worker of a later pool may have
    Node* older;            // of another pool, with the same number
  };

 public:
  template <class Value>
  class Iterator;

  /// Values begin as copies of `initial`, each made when its thread first asks.
  explicit PerWorker(T initial = T()) : initial_(std::move(initial)) {}

  PerWorker(const PerWorker&) = delete;
  PerWorker& operator=(const PerWorker&) = delete;

  ~PerWorker() { clear(); }

  /// The calling thread's value, made at its first call; the same one until clear(), or until an outside thread leaves the pool.
  ///
  /// Who forks, loops or spawns while he uses it may find it changed: a thread that waits helps, and then it is the same thread.
  /// Costs less than a nanosecond for the two tables that the thread used last, else a few. Throws std::bad_alloc, and what copying a value throws.
  T& local() {
    const detail::LocalValues& recent = detail::local_values;
    if (recent.newest.table == serial_) [[likely]] return *static_cast<T*>(recent.newest.value);
    if (recent.older.table == serial_) [[likely]] return *static_cast<T*>(recent.older.value);
    return find();
  }

  /// How many threads have a value.
  std::size_t size() const noexcept { return static_cast<std::size_t>(std::distance(begin(), end())); }
  /// No thread has one.
  bool empty() const noexcept { return begin() == end(); }

  /// The values, in the order of their threads' numbers.
  /// @{
  auto begin() noexcept { return Iterator<T>(*this); }
  auto end() noexcept { return Iterator<T>(); }
  auto begin() const noexcept { return Iterator<const T>(*this); }
  auto end() const noexcept { return Iterator<const T>(); }
  /// @}

  /// All values put together by op(T, const T&), from the first thread's to the last one's. None: a copy of the initial value.
  template <class Op>
    requires std::convertible_to<std::invoke_result_t<Op&, T, const T&>, T>
  T combine(Op op) const {
    auto at = begin();
    if (at == end()) return initial_;
    T all = *at;
    for (++at; at != end(); ++at) all = op(std::move(all), *at);
    return all;
  }

  /// Forgets all values.
  void clear() noexcept {
    for (std::size_t number = 0; number < kMostSegments; ++number) {
      Slot* const slots = segments_[number].load(std::memory_order_relaxed);
      if (slots == nullptr) continue;
      for (std::size_t i = 0; i < length_of(number); ++i) {
        for (Node* node = slots[i].load(std::memory_order_relaxed); node != nullptr;) {
          const std::unique_ptr<Node> dead(node);
          node = dead->older;
        }
      }
      delete[] slots;
      segments_[number].store(nullptr, std::memory_order_relaxed);
    }
    serial_ = detail::next_serial();
  }

 private:
  // The numbers of threads have no end, so the table grows by segments, each as long as all before it: 16, 16, 32, 64 ...
  using Slot = detail::Atomics::Atomic<Node*>;
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kMostSegments = 24;
  static constexpr std::size_t segment_of(std::size_t index) noexcept { return static_cast<std::size_t>(std::bit_width(index / kFirst)); }
  static constexpr std::size_t start_of(std::size_t segment) noexcept { return segment == 0 ? 0 : kFirst << (segment - 1); }
  static constexpr std::size_t length_of(std::size_t segment) noexcept { return segment == 0 ? kFirst : start_of(segment); }

  FURCA_COLD T& find() {
    const detail::Worker& self = detail::Worker::current();
    Slot& slot = slot_of(self.index());
    Node* node = slot.load(std::memory_order_acquire);  // [J1] pairs with [J2]
    while (node != nullptr && node->worker != self.serial()) node = node->older;
    if (node == nullptr) node = add(slot, self.serial());
    detail::local_values.add({serial_, &node->value});
    return node->value;
  }

  Slot& slot_of(std::size_t index) {
    const std::size_t number = segment_of(index);
    Slot* slots = segments_[number].load(std::memory_order_acquire);  // [J3] pairs with [J4]
    if (slots == nullptr) [[unlikely]] slots = add_segment(number);
    return slots[index - start_of(number)];
  }

  Slot* add_segment(std::size_t number) {
    auto fresh = std::make_unique<Slot[]>(length_of(number));
    Slot* seen = nullptr;
    // [J4] pairs with [J3] [J4]
    if (!segments_[number].compare_exchange_strong(seen, fresh.get(), std::memory_order_release, std::memory_order_acquire)) return seen;
    return fresh.release();
  }

  Node* add(Slot& slot, detail::Serial worker) {
    auto* const node = new Node{initial_, worker, slot.load(std::memory_order_relaxed)};
    // [J2] pairs with [J1]
    while (!slot.compare_exchange_weak(node->older, node, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return node;
  }

  detail::Serial serial_ = detail::next_serial();
  const T initial_;
  std::array<detail::Atomics::Atomic<Slot*>, kMostSegments> segments_{};
};

/// A forward iterator over the values, with all that the standard asks of one.
/// @snippet per_worker.cpp Iterator
template <class T>
template <class Value>
class PerWorker<T>::Iterator {
 public:
  /// What the standard library asks of an iterator.
  /// @{
  using iterator_category = std::forward_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;
  /// @}

  /// An end.
  Iterator() = default;

  /// As for any forward iterator.
  /// @{
  Value& operator*() const noexcept { return node_->value; }
  Value* operator->() const noexcept { return &node_->value; }
  Iterator& operator++() noexcept {
    node_ = node_->older;
    if (node_ == nullptr) find(index_ + 1);
    return *this;
  }
  Iterator operator++(int) noexcept {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Iterator& other) const noexcept { return node_ == other.node_; }
  /// @}

 private:
  friend class PerWorker;
  explicit Iterator(const PerWorker& table) noexcept : table_(&table) { find(0); }

  /// The first value of a thread with this number or a higher one.
  void find(std::size_t index) noexcept {
    for (std::size_t number = segment_of(index); number < kMostSegments; index = start_of(++number)) {
      const Slot* const slots = table_->segments_[number].load(std::memory_order_relaxed);
      if (slots == nullptr) continue;
      for (index_ = index; index_ < start_of(number) + length_of(number); ++index_)
        if ((node_ = slots[index_ - start_of(number)].load(std::memory_order_relaxed)) != nullptr) return;
    }
    node_ = nullptr;
  }

  const PerWorker* table_ = nullptr;
  std::size_t index_ = 0;
  Node* node_ = nullptr;
};

}  // namespace furca
