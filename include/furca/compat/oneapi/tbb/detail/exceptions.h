// The exceptions of oneTBB's that programs catch.
#pragma once

#include <exception>
#include <new>

namespace tbb {

/// A thread that waited in a concurrent_bounded_queue was sent away by abort().
class user_abort : public std::exception {
 public:
  const char* what() const noexcept override {
    return "furca: concurrent_bounded_queue::abort() was called while this thread waited";
  }
};

/// Accepted: nothing of furca's throws it.
class bad_last_alloc : public std::bad_alloc {};

/// A task_group was destroyed while it had tasks that nobody had waited for.
class missing_wait : public std::exception {
 public:
  const char* what() const noexcept override {
    return "furca: a task_group was destroyed before wait() was called";
  }
};

/// finalize() was called where it would wait for its own thread.
class unsafe_wait : public std::exception {
 public:
  const char* what() const noexcept override {
    return "furca: tbb::finalize() in a task or loop would wait for itself; call it outside of "
           "them";
  }
};

}  // namespace tbb
