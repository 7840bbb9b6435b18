// The state that the handle of a task shares with the thread that runs the task.
#pragma once

#include <furca/detail/fork/job.hpp>

#include <atomic>
#include <new>

namespace furca::detail {

class Pool;

/// In a block of memory that is freed when all parties have left: the handle, the job in the pool's
/// queues, and, for a coroutine, its end.
///
/// Its *content* is what it holds for the user, a callable and a result. That is destroyed by the
/// handle if it is there when the task has ended, or if it has cancelled the task or run it itself;
/// else by the last party that leaves. So when a thread has been told that the task is over, what
/// other threads still do with it is the library's code alone: a plugin may be unloaded once its
/// handles are joined. (But a coroutine's end is told from within its own code: there wait_idle()
/// comes after.)
///
/// the runner                                    the handle
///   [shared_task.Z5] ... leave           acq_rel  [shared_task.Z5] ... leave              acq_rel
///   [latch.L2] latch = set         release        [latch.L3] set?                   acquire
///   [shared_task.Y6] continuation: over  acq_rel  [shared_task.Y7] continuation: this     release
///                                                 [shared_task.Y8]   over already?      acquire
/// At Y6, or Y7, one of the two finds what the other has left: then the runner posts the
/// continuation, or the handle's coroutine goes on at once.
/// Checked by: tests/tasks/spawn_test.cpp ("a handle is joined, dropped or cancelled at any
/// moment"), tests/model/programs/pool_programs.hpp ("tasks: a coroutine awaits a task")
class FURCA_API SharedTask : public LinkedJob {
 public:
  /// In memory of its own. Throws std::bad_alloc, and what making it throws.
  template <class Task, class... Args>
  static Task& make(Args&&... args) {
    void* const memory = ::operator new(sizeof(Task), std::align_val_t(alignof(Task)));
    try {
      auto* const task = ::new (memory) Task(std::forward<Args>(args)...);
      task->alignment_ = std::align_val_t(alignof(Task));
      return *task;
    } catch (...) {
      ::operator delete(memory, std::align_val_t(alignof(Task)));
      throw;
    }
  }

  Pool& pool() const noexcept { return pool_; }

  /// The handle: there is a result, or there will be none.
  virtual bool over() const noexcept = 0;

  /// The handle, once the task is over: destroys the content, and leaves.
  void drop_content() noexcept {
    destroy_content();
    // [shared_task.Z5] pairs with Z5
    if (word_.fetch_add(kEmpty - kParty, std::memory_order_acq_rel) < 2 * kParty) free(*this);
  }

  /// The handle leaves.
  void drop() noexcept {
    if (over()) return drop_content();
    if (leave()) destroy(*this);
  }

  /// Any party leaves. True: it was the last one, and calls destroy().
  [[nodiscard]] bool leave() noexcept {
    // [shared_task.Z5] pairs with Z5
    return word_.fetch_sub(kParty, std::memory_order_acq_rel) < 2 * kParty;
  }

  /// The last party: destroys what is left of it.
  static void destroy(SharedTask& task) noexcept {
    if ((task.word_.load(std::memory_order_relaxed) & kEmpty) == 0) task.destroy_content();
    free(task);
  }

  /// The handle: `continuation` is posted to the pool when the task is over. False: it is over
  /// already.
  bool continue_with(LinkedJob& continuation) noexcept {
    LinkedJob* none = nullptr;
    // [shared_task.Y7], on failure [shared_task.Y8] pairs with Y6
    return continuation_.compare_exchange_strong(none, &continuation, std::memory_order_release,
                                                 std::memory_order_acquire);
  }

  /// The runner, before it leaves: tells the handle that the task is over.
  void tell() noexcept;

 protected:
  /// `parties`: how many will leave.
  SharedTask(Pool& pool, std::uint32_t parties) noexcept
      : LinkedJob(&run_queued), pool_(pool), word_(parties * kParty) {}
  ~SharedTask() = default;

  /// True: the caller runs the task, or sees to it that it does not run. It has seen before what it
  /// needs to see of the task.
  bool claim() noexcept {
    return (word_.fetch_or(kClaimed, std::memory_order_relaxed) & kClaimed) == 0;
  }

  /// It is over: posts what the handle goes on with, if it has said so, and tells a thread that
  /// rests until then.
  void tell_handle() noexcept;

  Latch latch_;  // for a thread that waits for the runner

 private:
  /// The runner: runs the task. True: it is over then, and the handle is to be told. False: the
  /// task itself tells when it is.
  virtual bool run_content() noexcept = 0;
  virtual void destroy_content() noexcept = 0;

  static bool end_and_tell(void* task, Worker& by) noexcept;
  static bool end_untold(void* task, Worker& by) noexcept;

  static JobEnd run_queued(Job& job, Worker& runner, bool on_empty_deque) noexcept;
  void ended(Worker& by) noexcept;
  static void free(SharedTask& task) noexcept { ::operator delete(&task, task.alignment_); }

  static constexpr std::uint32_t kClaimed = 1;
  static constexpr std::uint32_t kEmpty = 2;  // the content is gone
  static constexpr std::uint32_t kParty = 4;

  Pool& pool_;
  std::align_val_t alignment_{};
  // what the handle goes on with; the task itself once it is over
  Atomics::Atomic<LinkedJob*> continuation_{nullptr};
  // how many parties are left, and the two bits above
  Atomics::Atomic<std::uint32_t> word_;
};

/// The calling thread's seat in its pool (src/fork: Seats), from here to the end of the block:
/// one of its own, or a last one as soon as one is free. If `task` is over before, there is none.
class FURCA_API Seated {
 public:
  explicit Seated(const SharedTask& task) noexcept;
  ~Seated();
  Seated(const Seated&) = delete;
  Seated& operator=(const Seated&) = delete;

 private:
  Pool& pool_;
  bool takes_ = false;
};

}  // namespace furca::detail
