// PerWorker: one value for each thread that takes part in a loop or in tasks.
#pragma once

#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/local_values.hpp>
#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/detail/mistakes/members.hpp>
#include <furca/detail/mistakes/mistakes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>

FURCA_DECLARES(per_worker);

namespace furca {

namespace detail {

/// A number or a function, as other libraries take them, and no value of T.
template <class Other, class T>
concept OtherInitial =
    (std::integral<Other> || std::invocable<Other&>) && !std::convertible_to<Other, T>;

}  // namespace detail

/// One value of T for each thread that asks for it: scratch memory, or results collected beside
/// other work.
///
///   furca::PerWorker<Counts> partial;  // every value begins as Counts()
///   furca::parallel_for(rows, [&](Row& row) {
///     Counts& mine = partial.local();  // once for a row, not once for a cell
///     for (Cell& cell : row) mine.add(cell.step());
///   });
///   Counts all = partial.combine([](Counts a, const Counts& b) { return a += b; });
///
/// To add up one value per element, use parallel_reduce with a fold: its accumulator is at hand,
/// while local() looks up the thread's value for every element; in parallel_for_chunks one look-up
/// serves a whole chunk. PerWorker is right for tasks, for what is kept between iterations, and for
/// accumulators so large that each thread should have one and no more. Which thread adds what
/// depends on the schedule, so an operation that rounds can give different results;
/// parallel_reduce gives the same bits.
/// Each value has cache lines of its own. A thread that is in two pools has one value for each. An
/// outside thread gives up its place in the pool when it leaves; a later thread may get that place,
/// and its value. Values outlive their pool.
/// Thread-safety: local() from any number of threads at once; all other members while no thread is
/// in local(). Changes made in a join, loop or scope that has returned are visible.
/// Checked by: tests/pool/per_worker_test.cpp ("every thread adds to a value of its own, and
/// together they have all", "many threads at once: the table grows"), by ThreadSanitizer Memory:
/// one allocation for each value, at its thread's first call, and an occasional one for the table.
/// Values of destroyed pools stay until clear(), and a thread's first call in a new pool searches
/// those of its number.
template <class T>
class PerWorker {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>,
                "furca: PerWorker<T> holds objects that can be changed: no const, no reference");
  static_assert(std::copy_constructible<T>,
                "furca: each value of a PerWorker<T> begins as a copy: T can be copied");

  struct alignas(std::max(detail::kCacheLine, alignof(T))) Node {
    T value;
    detail::Serial worker;  // not its address, which a worker of a later pool may have
    Node* older;            // of another pool, with the same number
  };

 public:
  template <class Value>
  class Iterator;

  /// Each thread's value begins as a copy of `initial`, made at the thread's first call of local().
  /// @{
  explicit PerWorker(T initial) : initial_(std::move(initial)) {}
  PerWorker()
    requires std::is_default_constructible_v<T>
      : PerWorker(T()) {}
  /// @}

  PerWorker(const PerWorker&) = delete;
  PerWorker& operator=(const PerWorker&) = delete;

  ~PerWorker() { clear(); }

  /// The calling thread's value, created at its first call. It stays the same until clear(), or
  /// until an outside thread leaves the pool.
  ///
  /// A join, loop, scope or spawn may change it while you hold the reference: while the thread
  /// waits it runs other work, which gets the same value.
  /// Throws std::bad_alloc, and what copying a value throws.
  /// Cost: less than a nanosecond for the two PerWorkers that the thread used last, otherwise a
  /// few.
  T& local() {
    const detail::LocalValues& recent = detail::local_values;
    if (recent.newest.table == serial_) [[likely]]
      return *static_cast<T*>(recent.newest.value);
    if (recent.older.table == serial_) [[likely]]
      return *static_cast<T*>(recent.older.value);
    return find();
  }

  /// The number of threads that have a value.
  std::size_t size() const noexcept {
    return static_cast<std::size_t>(std::distance(begin(), end()));
  }
  /// Whether no thread has a value.
  bool empty() const noexcept { return begin() == end(); }

  /// The values, in the order of their threads' numbers.
  /// @{
  auto begin() noexcept { return Iterator<T>(*this); }
  auto end() noexcept { return Iterator<T>(); }
  auto begin() const noexcept { return Iterator<const T>(*this); }
  auto end() const noexcept { return Iterator<const T>(); }
  /// @}

  /// Combines all values with op(T, const T&), in the order of their threads' numbers. Without
  /// values: a copy of the initial one.
  template <class Op>
    requires std::convertible_to<std::invoke_result_t<Op&, T, const T&>, T>
  T combine(Op op) const {
    auto at = begin();
    if (at == end()) return initial_;
    T all = *at;
    for (++at; at != end(); ++at) all = detail::invoke(op, std::move(all), *at);
    return all;
  }

  FURCA_MEMBER_SAYS(
      combine, per_worker,
      "write partial.combine(std::plus<>{}), or partial.combine([](T a, const T& b) { "
      "...; return a; }), which makes one of two values, the second of them const")
  FURCA_MEMBER_SAYS(get, per_worker, "write partial.local() for this thread's value")
  FURCA_REFUSES("furca: a PerWorker begins with a value: write PerWorker<T> partial(T(100))",
                detail::OtherInitial<T> Other, explicit PerWorker(Other));
  FURCA_REFUSES("furca: a PerWorker begins with a value: write PerWorker<T> partial(T(100))",
                class Self = T, PerWorker());

  /// Destroys all values.
  void clear() noexcept {
    for (std::size_t number = 0; number < kMostSegments; ++number) {
      Slot* const slots = segments_[number].load(std::memory_order_relaxed);
      if (slots == nullptr) continue;
      for (std::size_t i = 0; i < length_of(number); ++i) {
        for (Node* node = slots[i].load(std::memory_order_relaxed); node != nullptr;) {
          const detail::Owner<Node> dead(node);
          node = dead->older;
        }
      }
      delete[] slots;
      segments_[number].store(nullptr, std::memory_order_relaxed);
    }
    serial_ = detail::next_serial();
  }

 private:
  // The numbers of threads have no end, so the table grows by segments, each as long as all before
  // it: 16, 16, 32, 64 ...
  using Slot = detail::Atomics::Atomic<Node*>;
  static constexpr std::size_t kFirst = 16;
  static constexpr std::size_t kMostSegments = 24;
  static constexpr std::size_t segment_of(std::size_t index) noexcept {
    return static_cast<std::size_t>(std::bit_width(index / kFirst));
  }
  static constexpr std::size_t start_of(std::size_t segment) noexcept {
    return segment == 0 ? 0 : kFirst << (segment - 1);
  }
  static constexpr std::size_t length_of(std::size_t segment) noexcept {
    return segment == 0 ? kFirst : start_of(segment);
  }

  FURCA_COLD T& find() {
    const detail::Worker& self = detail::Worker::current();
    Slot& slot = slot_of(self.index());
    Node* node = slot.load(std::memory_order_acquire);  // [per_worker.J1] pairs with J2
    while (node != nullptr && node->worker != self.serial()) node = node->older;
    if (node == nullptr) node = add(slot, self.serial());
    detail::local_values.add({serial_, __builtin_addressof(node->value)});
    return node->value;
  }

  Slot& slot_of(std::size_t index) {
    const std::size_t number = segment_of(index);
    // [per_worker.J3] pairs with J4
    Slot* slots = segments_[number].load(std::memory_order_acquire);
    if (slots == nullptr) [[unlikely]]
      slots = add_segment(number);
    return slots[index - start_of(number)];
  }

  Slot* add_segment(std::size_t number) {
    auto* const fresh = new Slot[length_of(number)]();
    Slot* seen = nullptr;
    // [per_worker.J4], on failure [per_worker.J5] pairs with J4
    if (segments_[number].compare_exchange_strong(seen, fresh, std::memory_order_release,
                                                  std::memory_order_acquire))
      return fresh;
    delete[] fresh;
    return seen;
  }

  Node* add(Slot& slot, detail::Serial worker) {
    auto* const node = new Node{initial_, worker, slot.load(std::memory_order_relaxed)};
    // [per_worker.J2] pairs with J1
    while (!slot.compare_exchange_weak(node->older, node, std::memory_order_release,
                                       std::memory_order_relaxed)) {
    }
    return node;
  }

  detail::Serial serial_ = detail::next_serial();
  const T initial_;
  std::array<detail::Atomics::Atomic<Slot*>, kMostSegments> segments_{};
};

/// A forward iterator over the values.
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

  /// An end iterator.
  Iterator() = default;

  /// As for any forward iterator.
  /// @{
  Value& operator*() const noexcept { return node_->value; }
  Value* operator->() const noexcept { return __builtin_addressof(node_->value); }
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
    for (std::size_t number = segment_of(index); number < kMostSegments;
         index = start_of(++number)) {
      const Slot* const slots = table_->segments_[number].load(std::memory_order_relaxed);
      if (slots == nullptr) continue;
      for (index_ = index; index_ < start_of(number) + length_of(number); ++index_)
        if ((node_ = slots[index_ - start_of(number)].load(std::memory_order_relaxed)) != nullptr)
          return;
    }
    node_ = nullptr;
  }

  const PerWorker* table_ = nullptr;
  std::size_t index_ = 0;
  Node* node_ = nullptr;
};

}  // namespace furca
