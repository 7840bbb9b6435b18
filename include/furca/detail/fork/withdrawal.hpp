// Withdrawal of a forked job when the arm before it throws.
#pragma once

#include <furca/detail/fork/worker.hpp>

#include <exception>

namespace furca::detail {

/// While the arm before a forked job runs: if it throws, the job is withdrawn, and its outcome
/// dropped if it has one, since what comes later in program order does not matter then. Runs
/// outside of any handler, so that jobs which run meanwhile see no current exception.
template <class ForkedJob>
class Withdrawal {
 public:
  Withdrawal(Worker& self, Worker::Index at, ForkedJob& job) noexcept
      : self_(self), at_(at), job_(job) {}
  /// Inlined, so that what it would need stays in registers.
  FURCA_INLINE ~Withdrawal() {
    if (needed_ && (exceptions_before_ < 0 || std::uncaught_exceptions() > exceptions_before_))
      withdraw(self_, at_, job_);
  }
  Withdrawal(const Withdrawal&) = delete;
  Withdrawal& operator=(const Withdrawal&) = delete;

  void not_needed() noexcept { needed_ = false; }

  /// For a frame whose last step is the arm itself.
  void needed_only_when_unwinding() noexcept { exceptions_before_ = std::uncaught_exceptions(); }

 private:
  FURCA_COLD static void withdraw(Worker& self, Worker::Index at, ForkedJob& job) noexcept {
    if (self.withdraw(at, job.latch)) job.outcome.discard();
  }

  Worker& self_;
  Worker::Index at_;
  ForkedJob& job_;
  bool needed_ = true;
  int exceptions_before_ = -1;  // any number of them is more than that
};

}  // namespace furca::detail
