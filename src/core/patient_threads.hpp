// Threads that wait for something of their own, as idleness or a coroutine's end, and work for the pool meanwhile.
#pragma once

#include <furca/detail/atomics.hpp>

#include "search.hpp"

#include <atomic>
#include <cstdint>

namespace furca::detail {

class Participant;
class Pool;

/// Invariants:
/// - a thread is counted here from before it looks whether what it waits for has come about, until it has;
/// - meanwhile it counts as looking, asleep or active, like a started thread (sleep.hpp): who posts something may rely on it as long as it looks, and must
///   wake it if none looks;
/// - where half of a stack is taken no further wait works on top of it, as long as there is another thread to be had.
///
/// teller                                      who waits
///   makes it over                               patient + 1; [S1] asleep + 1
///   [Z3] fence                                  [S2] heavy fence
///   [Z4] somebody patient? tell all             [S3] is it over?
/// Checked by: tests/model/pool_programs.hpp ("tasks: a coroutine goes to the pool and back")
class PatientThreads {
 public:
  explicit PatientThreads(Pool& pool) noexcept : pool_(pool) {}
  PatientThreads(const PatientThreads&) = delete;
  PatientThreads& operator=(const PatientThreads&) = delete;

  /// The calling thread works for the pool until it is `over`. The thread that makes it over calls tell() afterwards. Throws std::bad_alloc.
  void work_until(const Until& over);

  /// The same on this stack and as `self`, which is the calling thread's current worker and has an empty deque.
  void work_as(Participant& self, const Until& over) noexcept;

  /// What some thread here waits for has come about.
  void tell() noexcept;

  /// A task has ended: perhaps it was the last.
  void tell_if_idle() noexcept;

 private:
  bool work_on_another_stack(Participant& host, const Until& over) noexcept;
  bool stand_in_for(Participant& host, const Until& over) noexcept;

  Pool& pool_;
  alignas(kCacheLine) Atomics::Atomic<std::uint32_t> patient_{0};
};

}  // namespace furca::detail
