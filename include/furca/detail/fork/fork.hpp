// A fork: a job that lies in this frame, published for as long as the frame runs something else.
#pragma once

#include <furca/detail/base/config.hpp>
#include <furca/detail/fork/forks.hpp>

#include <concepts>

namespace furca::detail {

/// The life of a forked job, from its publication to the one of three ends that it has:
/// - taken back: take_back() is true, and the caller runs it, or drops it;
/// - awaited: take_back() is false, since a thief has it; after await(), or a collect() of the
///   job's own that waits in the same way, its outcome is there;
/// - withdrawn: what ran in this frame meanwhile has thrown. Then it is taken back and not run, or
///   awaited and its outcome dropped: what comes later in program order does not matter. Outside of
///   any handler, so that jobs which run meanwhile see no current exception.
///
/// `Forked` is a ForkedJob with discard(), which drops the outcome that a thief has left. It is
/// published on the thread's deque, or was published elsewhere: then `at` is a function that takes
/// it from there. Inlined, so that all this stays in registers.
template <class Forked, class At = Forks::Index>
class Fork {
 public:
  FURCA_INLINE Fork(Forks& self, Forked& job) noexcept : Fork(self, job, self.fork(job)) {}
  FURCA_INLINE Fork(Forks& self, Forked& job, At at) noexcept : self_(self), job_(job), at_(at) {}
  FURCA_INLINE ~Fork() {
    if (!settled_) withdraw(self_, at_, job_);
  }
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;

  /// No task was spawned above the job since: take_back() would run it first.
  bool lies_bare() const noexcept { return self_.level() == at_ + 1; }

  FURCA_INLINE bool take_back() noexcept {
    settled_ = true;
    return take(self_, at_);
  }

  void await() noexcept {
    Forks& self = self_;
    self.wait(job_.latch);
  }

 private:
  FURCA_INLINE static bool take(Forks& self, At at) noexcept {
    if constexpr (std::same_as<At, Forks::Index>) {
      return self.take(at);
    } else {
      return at();
    }
  }

  FURCA_COLD static void withdraw(Forks& self, At at, Forked& job) noexcept {
    if (take(self, at)) return job.dropped();
    self.wait(job.latch);
    job.discard();
  }

  Forks& self_;
  Forked& job_;
  const At at_;
  bool settled_ = false;
};

}  // namespace furca::detail
