// One value for each thread that asks, whatever pool it works for, or none.
#pragma once

#include "../version.h"

#include <furca/detail/base/local_values.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tbb::detail {

using furca::detail::Serial;

/// The calling thread's number: no other thread of the process has it, or ever had it.
FURCA_API inline Serial thread_serial() noexcept {
  static constinit thread_local Serial serial{Serial::none};
  if (serial == Serial::none) serial = furca::detail::next_serial();
  return serial;
}

/// Where the values are that the calling thread has used last. A table's serial is never used
/// again, so an entry of one that is gone is found no more.
struct RecentValue {
  Serial table{Serial::none};
  void* value{nullptr};
};
inline constinit thread_local std::array<RecentValue, 16> recent_values{};

inline RecentValue& recent_value(Serial table) noexcept {
  return recent_values[static_cast<std::size_t>(table) % recent_values.size()];
}

/// How the first value of a thread is made.
template <class T>
class Maker {
 public:
  virtual ~Maker() = default;
  virtual void make(void* where) = 0;  // by several threads at once
};

template <class T, class F>
class MakerBy final : public Maker<T> {
 public:
  explicit MakerBy(F f) : make_(std::move(f)) {}
  void make(void* where) override { make_(where); }

 private:
  F make_;
};

template <class T, class F>
std::shared_ptr<Maker<T>> make_by(F f) {
  return std::make_shared<MakerBy<T, F>>(std::move(f));
}

/// The table behind enumerable_thread_specific and combinable.
///
/// PerWorker does not fit: it has a value for each worker, and a thread that works for two pools is
/// two of these; an outside thread that leaves a pool leaves its value to the next. So threads are
/// known by numbers of their own here.
/// Thread-safety: local() from any number of threads at once; all other members while no thread is
/// in local().
template <class T, class Allocator>
class ThreadValues {
  /// Cache lines of its own.
  struct alignas(std::max(furca::detail::kCacheLine, alignof(T))) Node {
    union {
      T value;
    };
    Node() {}   // NOLINT: the value is made in place
    ~Node() {}  // NOLINT
  };
  using Nodes = typename std::allocator_traits<Allocator>::template rebind_alloc<Node>;
  using NodeTraits = std::allocator_traits<Nodes>;

 public:
  struct Entry {
    Serial thread;
    Node* node;
  };

  explicit ThreadValues(std::shared_ptr<Maker<T>> maker) : maker_(std::move(maker)) {}
  ~ThreadValues() { clear(); }
  ThreadValues(const ThreadValues&) = delete;
  ThreadValues& operator=(const ThreadValues&) = delete;

  /// The calling thread's value, made at its first call; whether it was there. Throws what making
  /// one throws, and std::bad_alloc.
  T& local(bool& exists) {
    RecentValue& recent = recent_value(serial_);
    exists = true;
    if (recent.table == serial_) [[likely]]
      return *static_cast<T*>(recent.value);
    T* value = find(thread_serial());
    if (value == nullptr) {
      exists = false;
      value = add(thread_serial(), [this](void* where) { maker_->make(where); });
    }
    recent_value(serial_) = {serial_, value};  // making one may have used another table
    return *value;
  }

  const std::shared_ptr<Maker<T>>& maker() const noexcept { return maker_; }
  std::size_t size() const noexcept { return entries_.size(); }
  T& at(std::size_t i) const noexcept { return entries_[i].node->value; }

  /// A value that belongs to no thread.
  T fresh() const {
    Node node;
    maker_->make(&node.value);
    struct Destroy {
      T& value;
      ~Destroy() { value.~T(); }
    } then{node.value};
    return std::move(node.value);
  }

  void clear() noexcept {
    Nodes nodes;
    for (const Entry& entry : entries_) {
      entry.node->value.~T();
      NodeTraits::deallocate(nodes, entry.node, 1);
    }
    entries_.clear();
    serial_ = furca::detail::next_serial();
  }

  /// Each thread's value of another table is copied or moved to this one, and how they are made.
  /// This one is empty.
  template <class Other, class Take>
  void take_from(Other& other, Take take) {
    maker_ = other.maker_;
    for (const auto& entry : other.entries_)
      add(entry.thread, [&](void* where) { ::new (where) T(take(entry.node->value)); });
  }

  /// Nobody may be in local() of either.
  void swap(ThreadValues& other) noexcept {
    std::swap(maker_, other.maker_);
    std::swap(entries_, other.entries_);
    std::swap(serial_, other.serial_);
  }

 private:
  template <class, class>
  friend class ThreadValues;

  T* find(Serial thread) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [thread](const Entry& entry) { return entry.thread == thread; });
    return at != entries_.end() ? &at->node->value : nullptr;
  }

  template <class Make>
  T* add(Serial thread, Make make) {
    Nodes nodes;
    Node* const node = NodeTraits::allocate(nodes, 1);
    ::new (static_cast<void*>(node)) Node();
    try {
      make(&node->value);
      try {
        const std::lock_guard lock(mutex_);
        entries_.push_back({thread, node});
      } catch (...) {
        node->value.~T();
        throw;
      }
    } catch (...) {
      NodeTraits::deallocate(nodes, node, 1);
      throw;
    }
    return &node->value;
  }

  std::shared_ptr<Maker<T>> maker_;
  std::mutex mutex_;
  std::vector<Entry> entries_;
  Serial serial_ = furca::detail::next_serial();
};

/// A random-access iterator over the values of a table.
template <class Table, class Value>
class ThreadValueIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;

  ThreadValueIterator() = default;
  ThreadValueIterator(const Table& table, std::size_t index)
      : table_(&table), index_(static_cast<std::ptrdiff_t>(index)) {}
  /// Either from the other, as in oneTBB.
  template <class Other>
  // NOLINT: implicit, as between iterators of a container
  ThreadValueIterator(const ThreadValueIterator<Table, Other>& other)
      : table_(other.table_), index_(other.index_) {}

  reference operator*() const { return (*this)[0]; }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type k) const {
    return table_->at(static_cast<std::size_t>(index_ + k));
  }

  ThreadValueIterator& operator+=(difference_type k) {
    index_ += k;
    return *this;
  }
  ThreadValueIterator& operator-=(difference_type k) { return *this += -k; }
  ThreadValueIterator& operator++() { return *this += 1; }
  ThreadValueIterator& operator--() { return *this -= 1; }
  ThreadValueIterator operator++(int) {
    const ThreadValueIterator before = *this;
    ++*this;
    return before;
  }
  ThreadValueIterator operator--(int) {
    const ThreadValueIterator before = *this;
    --*this;
    return before;
  }

  friend ThreadValueIterator operator+(ThreadValueIterator i, difference_type k) { return i += k; }
  friend ThreadValueIterator operator+(difference_type k, ThreadValueIterator i) { return i += k; }
  friend ThreadValueIterator operator-(ThreadValueIterator i, difference_type k) { return i -= k; }
  template <class Other>
  difference_type operator-(const ThreadValueIterator<Table, Other>& other) const {
    return index_ - other.index_;
  }
  template <class Other>
  bool operator==(const ThreadValueIterator<Table, Other>& other) const {
    return index_ == other.index_;
  }
  template <class Other>
  auto operator<=>(const ThreadValueIterator<Table, Other>& other) const {
    return index_ <=> other.index_;
  }

 private:
  template <class, class>
  friend class ThreadValueIterator;

  const Table* table_ = nullptr;
  std::ptrdiff_t index_ = 0;
};

}  // namespace tbb::detail
