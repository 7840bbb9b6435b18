// Memory for spawned tasks: unlike the arms of a join, they outlive the frame that makes them.
#pragma once

#include <furca/detail/base/atomics.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace furca::detail {

/// A worker's blocks of one size. The worker that runs a task gives its block back: to its own list
/// if the block is of its own, else to a list that the block's worker empties in one go when it has
/// no more: some blocks at a time, since many threads may end that worker's tasks at once. So
/// blocks return to where tasks are made, and a program that goes on making as many tasks as before
/// allocates nothing.
/// Checked by: tests/tasks/scope_test.cpp ("trees of random shape, many times"), by ThreadSanitizer
template <std::size_t kSize>
class TaskBlocks {
 public:
  static constexpr std::size_t kAlignment = 64;

  template <class Task>
  static constexpr bool kFits = sizeof(Task) <= kSize && alignof(Task) <= kAlignment;

  TaskBlocks() = default;
  TaskBlocks(const TaskBlocks&) = delete;
  TaskBlocks& operator=(const TaskBlocks&) = delete;

  ~TaskBlocks() {
    while (slabs_ != nullptr)
      ::operator delete(std::exchange(slabs_, slabs_->older), std::align_val_t{kAlignment});
  }

  /// Owner: a block. Throws std::bad_alloc.
  void* allocate() {
    if (free_ == nullptr) refill();
    Block* const block = free_;
    free_ = block->next;
    return block;
  }

  /// Anybody, whose own blocks are `own`: the block, which allocate() returned, is free again.
  void give_back(void* memory, TaskBlocks& own) noexcept {
    auto* const block = ::new (memory) Block;
    if (this == &own) {
      block->next = free_;
      free_ = block;
    } else {
      own.keep(*block, *this);
    }
  }

 private:
  struct Block {
    Block* next;
  };

  /// The begin of memory for blocks, in the room of one. Each is twice as large as the one before,
  /// up to 2 MiB: a million tasks that wait at once would have thirty thousand of 4 KiB, and the
  /// end of their pool took two seconds, in which the C library gave them back to the system one by
  /// one.
  struct Slab {
    Slab* older;
  };
  static constexpr std::size_t kFirstSlab = 32;  // blocks, the one of Slab included
  static constexpr std::size_t kLargestSlab = (std::size_t{2} << 20U) / kSize;

  /// So many blocks at a time are made of a slab: what is not needed stays untouched.
  static constexpr std::size_t kBatch = kFirstSlab - 1;

  /// So many blocks of another worker's are kept here at most.
  static constexpr std::size_t kMostKept = 32;

  /// Owner: a block of another worker's, to go back to it with some others.
  void keep(Block& block, TaskBlocks& home) noexcept {
    if (&home != kept_for_ || kept_ == kMostKept) return_kept();
    if (kept_++ == 0) {
      kept_for_ = &home;
      oldest_kept_ = &block;
    }
    block.next = std::exchange(newest_kept_, &block);
  }

  FURCA_COLD void return_kept() noexcept {
    if (kept_ == 0) return;
    Atomics::Atomic<Block*>& returned = kept_for_->returned_;
    oldest_kept_->next = returned.load(std::memory_order_relaxed);
    // [task_memory.M1] pairs with M2
    while (!returned.compare_exchange_weak(oldest_kept_->next, newest_kept_,
                                           std::memory_order_release, std::memory_order_relaxed)) {
    }
    newest_kept_ = nullptr;
    kept_ = 0;
  }

  FURCA_COLD void refill() {
    // [task_memory.M2] pairs with M1
    free_ = returned_.exchange(nullptr, std::memory_order_acquire);
    if (free_ != nullptr) return;
    if (unused_ == 0) add_slab();
    for (std::size_t left = std::min(unused_, kBatch); left > 0; --left) {
      free_ = ::new (static_cast<void*>(next_)) Block{free_};
      next_ += kSize;
      --unused_;
    }
  }

  void add_slab() {
    auto* memory = static_cast<std::byte*>(
        ::operator new(next_slab_ * kSize, std::align_val_t{kAlignment}, std::nothrow));
    if (memory == nullptr) {  // a small one may be there still
      next_slab_ = kFirstSlab;
      memory =
          static_cast<std::byte*>(::operator new(next_slab_ * kSize, std::align_val_t{kAlignment}));
    }
    slabs_ = ::new (static_cast<void*>(memory)) Slab{slabs_};
    next_ = memory + kSize;
    unused_ = next_slab_ - 1;
    next_slab_ = std::min(2 * next_slab_, kLargestSlab);
  }

  Block* free_ = nullptr;
  Slab* slabs_ = nullptr;
  std::byte* next_ = nullptr;  // of the newest slab, the first block that was never used
  std::size_t unused_ = 0;     // and how many there are from there on
  std::size_t next_slab_ = kFirstSlab;
  // The blocks that wait to go back to another worker.
  TaskBlocks* kept_for_ = nullptr;
  Block* newest_kept_ = nullptr;
  Block* oldest_kept_ = nullptr;
  std::size_t kept_ = 0;
  alignas(kCacheLine) Atomics::Atomic<Block*> returned_{nullptr};
};

/// A worker's memory for tasks. Smaller blocks hold callables of up to 24 bytes in a scope, and of
/// up to 40 elsewhere: a million tasks that wait at once take half of the memory, and 0.7 to 0.9 of
/// the time, on an Intel Xeon (family 6, model 85). Neither size is made of the other's blocks.
class TaskMemory {
 public:
  /// Owner: a Task in a block, or in memory of its own if it is large. Throws std::bad_alloc, and
  /// what making it throws.
  template <class Task, bool kNothrow, class... Args>
  Task& make(Args&&... args) {
    if constexpr (!Large::kFits<Task>) {
      return *new Task(std::forward<Args>(args)...);
    } else if constexpr (kNothrow) {
      return *::new (blocks<Task>().allocate()) Task(std::forward<Args>(args)...);
    } else {
      void* const memory = blocks<Task>().allocate();
      try {
        return *::new (memory) Task(std::forward<Args>(args)...);
      } catch (...) {
        blocks<Task>().give_back(memory, blocks<Task>());
        throw;
      }
    }
  }

  /// Anybody, whose own blocks are `own`: destroys what make() made here.
  template <class Task>
  void free(Task& task, TaskMemory& own) noexcept {
    if constexpr (Large::kFits<Task>) {
      std::destroy_at(&task);
      blocks<Task>().give_back(&task, own.blocks<Task>());
    } else {
      delete &task;
    }
  }

 private:
  using Small = TaskBlocks<64>;
  using Large = TaskBlocks<128>;

  template <class Task>
  auto& blocks() noexcept {
    if constexpr (Small::kFits<Task>) {
      return small_;
    } else {
      return large_;
    }
  }

  Small small_;
  Large large_;
};

}  // namespace furca::detail
