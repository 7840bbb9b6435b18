// A thread's membership in a pool: its forks, what is spawned in a frame; and its organs, which
// headers know by name alone.
#pragma once

#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/fork/forks.hpp>

#include <cstddef>
#include <cstdint>

namespace furca::detail {

class DetachedTasks;
class LoopRow;
class Mailbox;
class Pool;
class ScopeHelp;
class ScopeState;
class StepCosts;
class TaskMemory;
class Team;
class Thief;
class Visit;
class WorkSearch;
enum class Serial : std::uint64_t;
struct Counters;
struct OpenTasksHere;
template <class A, class Portion>
class BasicPlace;
using Place = BasicPlace<Atomics, ForkedJob>;

/// A started thread, or an outside thread while it calls in. What is off the fast path are its
/// organs: each has invariants of its own.
///
/// Invariants:
/// - it belongs to the thread whose `current_forks` are its own, or were further down the stack;
/// - what is spawned in a job or in a scope's body is taken back before the frame of its runner
///   ends, in a scope also before its end is told; what an arm spawns, before the next arm is;
/// - a worker that waits and helps has an empty deque: thieves steal the oldest first, so with the
///   newest all others are gone;
/// - hence what its deque holds while it runs a stolen job was forked or spawned below that job, or
///   is a task of the same scope that was stolen with it;
/// - a job is counted (`jobs`) from before it runs until it has ended, but not while its end is
///   told: an exit waits for threads in no job.
class FURCA_API alignas(kCacheLine) Worker : public Forks {
 public:
  /// Throws std::bad_alloc.
  explicit Worker(Team& team);
  ~Worker();

  /// The calling thread's, or null; and null while furca observes itself.
  static Worker* if_unobserved() noexcept { return static_cast<Worker*>(current_forks); }

  /// The calling thread's, or null.
  static Worker* if_any() noexcept {
    Worker* const worker = if_unobserved();
    return worker != nullptr ? worker : observed_worker;
  }

  /// The calling thread's; see attach().
  static Worker& current() {
    Worker* const worker = if_unobserved();
    return worker != nullptr ? *worker : static_cast<Worker&>(attach());
  }

  /// From here on it is the calling thread's; null: none is.
  static void become(Worker* worker) noexcept;

  // --- spawn, in a job or a scope's body ---------------------------------------------------------

  /// A frame below will run in time what is spawned on this thread now.
  bool has_open_frame() const noexcept { return frames_ > 0; }

  /// A frame that takes back what was spawned above it.
  void open_frame() noexcept {
    ++frames_;
    scope_end_ = -1;
  }

  /// Takes back, and runs, what was spawned since the deque's end was `end`.
  void close_frame(Index end) noexcept {
    if (deque_.end() > end) [[unlikely]]
      run_spawned(end);
    leave_frame();
  }
  void leave_frame() noexcept { --frames_; }

  /// Publishes a spawned task, or runs it if there is no memory for that.
  void spawn(Job& task) noexcept {
    if (fork(task) == Deque::kNotPublished) [[unlikely]]
      run_on_top(task);
  }

  /// Runs what was spawned since the deque's end was `end` and was not stolen, newest first.
  void run_spawned(Index end) noexcept;

  /// Runs a job that lay in the deque or is not in it, on top of what runs now.
  void run_on_top(Job& job) noexcept;

  /// Runs the newest that lies at `end` or above. False: there is none. Inline:
  /// src/fork/run.hpp.
  inline bool run_one_spawned(Index end) noexcept;

  /// A job runs on this thread from here on; and has ended.
  void begin_job() noexcept { jobs.write(jobs.read() + 1); }
  void end_job() noexcept { jobs.write(jobs.read() - 1); }

  // --- who it is ---------------------------------------------------------------------------------

  /// No other thread will ever steal from here.
  bool alone() const noexcept { return alone_; }

  /// Marsaglia's xorshift: no more random than victims need, and loops that are timed or not.
  std::uint32_t random() noexcept {
    random_ ^= random_ << 13U;
    random_ ^= random_ >> 17U;
    random_ ^= random_ << 5U;
    return random_;
  }

  Pool& pool() const noexcept { return *pool_; }
  Team& team() const noexcept { return *team_; }

  /// Its thread's number in the pool.
  std::size_t index() const noexcept { return index_; }
  /// As the index, one thread's in one pool; and never another one's in the process.
  Serial serial() const noexcept { return serial_; }
  /// Its own: never another worker's. While it is nested its index is another one.
  std::size_t number() const noexcept { return number_; }
  void set_number(std::size_t number) noexcept;

  /// The calling thread takes it over; nested in `host`, another worker of that thread's, if there
  /// is one. `alone`: the pool has no started thread.
  void take_over(Worker* host, bool alone, bool greedy) noexcept;

 private:
  friend ScopeState;
  struct Organs;

  std::uint32_t random_ = 1;
  Pool* const pool_;
  Team* const team_;
  std::size_t number_ = 0;
  std::size_t index_ = 0;  // a nested guest has its host's, and likewise
  Serial serial_;
  std::uint64_t order_ = 0;  // so many tasks has it spawned into scopes of other threads
  // The deque's end after the newest push of a task of this scope; -1 if a task was popped since,
  // or a frame opened. A task that is pushed there follows that one.
  Index scope_end_ = -1;
  const ScopeState* newest_scope_ = nullptr;
  ScopeState* served_ = nullptr;     // see ScopeState::serve_on()
  std::int64_t counts_in_hand_ = 0;  // of that scope
  std::uint32_t frames_ = 0;         // see open_frame()
  bool alone_ = false;

 public:
  /// The innermost visit that has made it its thread's current worker; null: none, the thread is
  /// the pool's own, or attached for good.
  const Visit* visit = nullptr;
  // On this thread's stack; kEnded once it has ended, until another one goes on in its place.
  SeamRelaxed<std::uint32_t> jobs{0};
  static constexpr std::uint32_t kEnded = UINT32_MAX;
  std::uint32_t tasks_running = 0;  // detached ones, on this thread's stack; see RunningTask
  std::uint32_t loops = 0;          // that this thread is in; see InLoop

 private:
  alignas(kCacheLine) Organs* const organs_;  // never changed: thieves read this line

 public:
  TaskMemory& task_memory;
  OpenTasksHere& open_tasks;
  StepCosts& step_costs;
  LoopRow& row;
  ScopeHelp& scope_help;
  WorkSearch& search;
  Thief& thief;
  Mailbox& mailbox;
  DetachedTasks& detached;
  Place& place;
  Counters& counters;
};

inline Worker& Forks::worker() noexcept { return static_cast<Worker&>(*this); }

}  // namespace furca::detail
