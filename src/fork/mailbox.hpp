// Jobs for one worker alone: what a broadcast sends.
#pragma once

#include <furca/detail/fork/job.hpp>
#include <furca/injector.hpp>

namespace furca::detail {

/// Invariants:
/// - what lies here is run by the worker's own thread, and by no other;
/// - a worker that is nested in another one, its host, is on the same thread, and looks into the
///   host's mailbox too: the host's mail does not wait until the nested worker has ended.
class Mailbox {
 public:
  /// Anybody. The worker is to be rung afterwards.
  void put(LinkedJob& job) noexcept { jobs_.push(job); }

  /// Owner: something lies here, or further down the stack.
  bool has_mail() const noexcept {
    for (const Mailbox* box = this; box != nullptr; box = box->host_)
      if (!box->jobs_.empty()) return true;
    return false;
  }

  /// Owner: the oldest, the nearest mailbox first; or null.
  Job* receive() noexcept {
    for (Mailbox* box = this; box != nullptr; box = box->host_)
      if (Job* const job = box->jobs_.pop()) return job;
    return nullptr;
  }

  /// Anybody, an estimate: nothing lies in this one.
  bool empty() const noexcept { return jobs_.empty(); }

  /// Owner: receive() also gets from `other`.
  bool opens(const Mailbox& other) const noexcept {
    for (const Mailbox* box = this; box != nullptr; box = box->host_)
      if (box == &other) return true;
    return false;
  }

  /// Owner: from here on the worker is nested in the one that has `host`; null: in none.
  void lie_on(Mailbox* host) noexcept { host_ = host; }

 private:
  Injector<LinkedJob> jobs_;
  Mailbox* host_ = nullptr;
};

}  // namespace furca::detail
