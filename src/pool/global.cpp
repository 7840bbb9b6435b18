#include "global.hpp"

#include <furca/detail/base/local_values.hpp>
#include <furca/detail/tasks/pool_door.hpp>
#include <furca/thread_limit.hpp>

#include "../observing/observe.hpp"
#include "../observing/report.hpp"
#include "../system/environment.hpp"
#include "../system/mutex.hpp"
#include "../system/placement.hpp"
#include "../system/process.hpp"
#include "../system/processors.hpp"
#include "pool.hpp"

#include <atomic>
#include <new>
#include <utility>

namespace furca::detail {

constinit Relaxed<std::uint64_t> known_generation{0};

namespace {

// Everything here is constant-initialised: a static constructor elsewhere may call in before this
// file's own have run.
// Checked by: tests/pool/lifecycle_test.cpp ("use in a static constructor", "use in main and in
// static destructors")
// Checked by: tests/pool/process_fork_test.cpp ("a child forked while another thread uses furca
// for the first time computes")
constinit std::atomic<Pool*> global_pool{nullptr};
constinit std::atomic<bool> exiting{false};
// kept in reach: a lost pool cannot be destroyed, its threads are the parent's
constinit Pool* lost_pools = nullptr;
constinit Mutex starting;
constinit bool watching = false;  // guarded by `starting`, once the hooks are installed

/// Runs at the end of an attached thread, after its thread_local destructors, which may still have
/// called in. Open tasks that it has spawned, and that nobody has stolen, run now.
void detach_thread(void* attached) noexcept {
  Worker& worker = *static_cast<Worker*>(attached);
  const Worker* const here = Worker::if_any();
  const bool mine = here != nullptr ? here == &worker : value_after_locals() == &worker;
  if (mine) {
    Worker::become(&worker);
    worker.run_spawned(0);
  }
  Pool::leave(worker);
  if (mine) Worker::become(nullptr);
}

void before_fork() noexcept {
  starting.lock();
  lock_pool_list();
}

void after_fork_in_parent() noexcept {
  unlock_pool_list();
  starting.unlock();
}

void after_fork_in_child() noexcept {
  known_generation.add(1);
  if (Pool* const lost = global_pool.exchange(nullptr, std::memory_order_relaxed)) {
    lost->lost_before = lost_pools;
    lost_pools = lost;
  }
  observe_no_more();
  current_forks = nullptr;
  observed_worker = nullptr;
  local_values.clear();
  forget_limits();
  unbind();
  unlock_pool_list_in_child();
  starting.unlock_in_child();
}

void install_hooks() noexcept {
  at_fork(before_fork, after_fork_in_parent, after_fork_in_child);
  observe_from_environment();
  watching = watch_thread_ends(detach_thread);
}

/// Its constructor runs when the program, or the shared library with furca inside, is loaded: hooks
/// installed at first use instead would be left out of a fork() that is under way just then, and
/// its child would wait for the parent's threads.
/// Its destructor runs among the static destructors, and when the library is unloaded. Calls before
/// the one install the hooks themselves; calls after the other still work, on their own thread
/// alone.
struct Lifetime {
  Lifetime() noexcept { run_once(install_hooks); }
  ~Lifetime() {
    // [global.E1] pairs with E2
    exiting = true;
    // nobody is left to wait for, and locks may be held for ever
    if (other_threads_are_gone()) return;
    if (Pool* const pool = global_pool_if_started()) {
      pool->print_end();
      pool->retire();
    }
    observe_end();
    const GlobalLock lock;
    if (std::exchange(watching, false)) ignore_thread_ends();
  }
} lifetime;

/// The calling thread gives its place back when it ends. The lock: ends may be ignored from the
/// same moment on, and the system's key to the value is soon another library's.
bool gives_back_at_end(Worker& guest) noexcept {
  const GlobalLock lock;
  return watching && set_value_at_end(&guest);
}

/// Who the calling thread was before its thread_local variables were gone. Null: nobody, or they
/// are there.
Worker* known_at_end() noexcept {
  const GlobalLock lock;
  return watching ? static_cast<Worker*>(value_after_locals()) : nullptr;
}

Pool& start_global_pool() {
  const GlobalLock lock;
  if (Pool* const pool = global_pool_if_started()) return *pool;
  const std::size_t threads = exiting ? 1 : default_thread_count();  // [global.E2]
  auto* const pool =
      new Pool({.threads = threads, .bind = bind_from_environment()}, Pool::OnFailure::smaller);
  if (display_from_environment()) print_start("global pool", pool->size(), false, pool->is_bound());
  if (const std::size_t most = least_limit(nullptr); most != Limit::kNone) {
    pool->limit_threads(most);
    pool->await_limit();
  }
  // [global.E2] it starts no thread for tasks either
  if (exiting) pool->retire();
  global_pool.store(pool, std::memory_order_release);  // [global.W1] pairs with W2
  return *pool;
}

}  // namespace

GlobalLock::GlobalLock() noexcept { starting.lock(); }
GlobalLock::~GlobalLock() { starting.unlock(); }

std::uint64_t process_generation() noexcept {
  run_once(install_hooks);
  return known_generation.read();
}

bool is_global_pool(const Pool& pool) noexcept { return &pool == global_pool_if_started(); }

Pool& started_global_pool() {
  run_once(install_hooks);
  Pool* const started = global_pool_if_started();
  return started != nullptr ? *started : start_global_pool();
}

// [global.W2]
Pool* global_pool_if_started() noexcept { return global_pool.load(std::memory_order_acquire); }

std::size_t global_pool_size() noexcept {
  const Pool* const pool = global_pool_if_started();
  return pool != nullptr ? pool->size() : default_thread_count();
}

Forks& Forks::attach() {
  if (observed_worker != nullptr) return *observed_worker;
  if (Worker* const known = known_at_end()) {
    Worker::become(known);
    return *known;
  }
  Pool& pool = started_global_pool();
  Worker& guest = pool.enter().worker;
  // [global.E2] at exit it need not, and ends are not watched
  if (!gives_back_at_end(guest) && !exiting) {
    Pool::leave(guest);
    throw std::bad_alloc();
  }
  Worker::become(&guest);
  return guest;
}

}  // namespace furca::detail
