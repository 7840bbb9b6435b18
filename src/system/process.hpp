// The process: its number, environment, files, first and last moments, and forks; and the end of a
// thread.
#pragma once

#include <cstdio>

namespace furca::detail {

/// As the system numbers it.
long process_id() noexcept;

/// The calling thread is the one that main runs on; false where the system does not tell.
bool is_first_thread() noexcept;

/// A variable of the environment; null if it is unset, or if the program runs with more rights than
/// its user has (setuid).
const char* trusted_variable(const char* name) noexcept;

/// A new file to write to, which programs that this one starts do not have open; null, with errno.
std::FILE* create_file(const char* name) noexcept;

/// Runs `install` at its first call in the process. Whoever calls meanwhile waits. A child that is
/// forked meanwhile has not called yet. The same function in all calls.
void run_once(void (*install)() noexcept) noexcept;

/// From here on these run around each fork(), where the system has one.
void at_fork(void (*before)() noexcept, void (*in_parent)() noexcept,
             void (*in_child)() noexcept) noexcept;

/// From here on `call` runs at the end of each thread that has a value that is not null, with that
/// value. False: there are too many who ask. Once, until ignore_thread_ends().
bool watch_thread_ends(void (*call)(void* value) noexcept) noexcept;

/// The calling thread's value. False: there is no memory.
bool set_value_at_end(void* value) noexcept;

/// The same value, where a thread's thread_local variables may be gone before destructors that call
/// in, and before the call at its end; elsewhere null.
void* value_after_locals() noexcept;

/// It is not called any more.
void ignore_thread_ends() noexcept;

/// The process ends, and the system has ended its other threads, wherever they were.
bool other_threads_are_gone() noexcept;

}  // namespace furca::detail
