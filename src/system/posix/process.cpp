#include "../process.hpp"

#include <furca/detail/base/atomics.hpp>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace furca::detail {

namespace {

pthread_once_t ran_once = PTHREAD_ONCE_INIT;
pthread_key_t end_key;

}  // namespace

void StdAtomics::yield() noexcept { sched_yield(); }

long process_id() noexcept { return static_cast<long>(getpid()); }

std::FILE* create_file(const char* name) noexcept { return std::fopen(name, "we"); }

void run_once(void (*install)() noexcept) noexcept { pthread_once(&ran_once, install); }

void at_fork(void (*before)() noexcept, void (*in_parent)() noexcept,
             void (*in_child)() noexcept) noexcept {
  pthread_atfork(before, in_parent, in_child);
}

bool watch_thread_ends(void (*call)(void* value) noexcept) noexcept {
  return pthread_key_create(&end_key, call) == 0;
}
bool set_value_at_end(void* value) noexcept { return pthread_setspecific(end_key, value) == 0; }
void* value_after_locals() noexcept { return nullptr; }
void ignore_thread_ends() noexcept { pthread_key_delete(end_key); }

bool other_threads_are_gone() noexcept { return false; }

}  // namespace furca::detail
