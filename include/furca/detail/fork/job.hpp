// A job, one function pointer and what it needs, and the outcome of a stolen one.
#pragma once

#include <furca/detail/fork/latch.hpp>

#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace furca::detail {

class Worker;

/// Who must be told of the end of a job. A job's body returns it, and its worker tells, in the
/// library's own code: who is told may unload the body's.
class JobEnd {
 public:
  /// A function of the library. Returns whether a thread that waits may have stolen below the job.
  using Tell = bool (*)(void* whom, Worker& by) noexcept;

  JobEnd(Tell how, void* whom) noexcept : tell_(how), whom_(whom) {}

  /// A forked job's: its forker, in whose frame it is.
  static JobEnd of(Latch& latch) noexcept { return {&tell_forker, &latch}; }
  /// A detached task's without a handle: threads that wait until the pool is idle.
  static JobEnd of_detached() noexcept { return JobEnd(); }

  bool is_counted_only() const noexcept { return tell_ == nullptr; }
  bool tell(Worker& by) const noexcept { return tell_(whom_, by); }

 private:
  JobEnd() noexcept = default;

  FURCA_API static bool tell_forker(void* latch, Worker& by) noexcept;

  Tell tell_ = nullptr;
  void* whom_ = nullptr;
};

/// Work that a thread may run that does not know what it is: by a function of the derived type's.
/// Who forked a job knows its type, and runs it without.
class Job {
 public:
  /// `runner`: the calling thread's worker. `on_empty_deque`: its deque was empty when it got this
  /// job, as it is for each fork; tasks of scopes, and open tasks, ask. It says nothing of the
  /// stack: that of a waiter, which steals below, has frames that the job descends from.
  using Body = JobEnd (*)(Job& self, Worker& runner, bool on_empty_deque) noexcept;

  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Runs the work, and returns who must be told. After this, *this may be gone, but for that.
  [[nodiscard]] JobEnd run(Worker& runner, bool on_empty_deque) noexcept {
    return body_(*this, runner, on_empty_deque);
  }

 protected:
  explicit Job(Body body) noexcept : body_(body) {}
  ~Job() = default;

 private:
  Body body_;
};

/// A job that queues of tasks link through itself: tasks, mail, continuations.
class LinkedJob : public Job {
 public:
  LinkedJob* next = nullptr;

 protected:
  using Job::Job;
  ~LinkedJob() = default;
};

/// An item of a worker's deque: a job, and whether it follows the one just below, as a task follows
/// another one of its scope (ChainDeque).
class FURCA_API QueuedJob {
 public:
  static constexpr std::int64_t kMostAtOnce = 32;

  QueuedJob() = default;
  explicit QueuedJob(Job& job, bool follows = false) noexcept
      : address_(reinterpret_cast<std::byte*>(&job) + static_cast<int>(follows)) {}

  Job& job() const noexcept {
    return *reinterpret_cast<Job*>(address_ - static_cast<int>(follows()));
  }
  bool follows() const noexcept { return (reinterpret_cast<std::uintptr_t>(address_) & 1U) != 0; }
  static_assert(alignof(Job) > 1);

 private:
  std::byte* address_;  // of the job, and one more if it follows
};

/// Stands in for void where a value is needed.
struct Unit {};

/// Calls f; void becomes Unit, so that results can be stored and passed on alike.
template <class F, class... Args>
constexpr decltype(auto) call(F&& f, Args&&... args) {
  if constexpr (std::is_void_v<std::invoke_result_t<F, Args...>>) {
    std::forward<F>(f)(std::forward<Args>(args)...);
    return Unit{};
  } else {
    return std::forward<F>(f)(std::forward<Args>(args)...);
  }
}

/// The outcome of a stolen job: a value or an exception, written by `fill` in the thief and emptied
/// by `get` in the forker, each once, with the latch between them. Else untouched, and free.
template <class T>
class Outcome {
  using Stored =
      std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, std::remove_cv_t<T>>;

 public:
  Outcome() noexcept {}  // NOLINT: nothing to initialise
  ~Outcome() {}          // NOLINT: get() destroys what fill() made

  Outcome(const Outcome&) = delete;
  Outcome& operator=(const Outcome&) = delete;

  template <class F>
  void fill(F&& make) noexcept {
    try {
      set_to(make);
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// In the place of fill(): what `make` throws leaves, and there is no outcome.
  template <class F>
  void set_to(F& make) {
    if constexpr (std::is_reference_v<T>) {
      auto&& result = make();
      ::new (&value_) Stored(__builtin_addressof(result));
    } else {
      ::new (static_cast<void*>(__builtin_addressof(value_))) Stored(make());
    }
    failed_ = false;
  }

  /// In the place of fill().
  void fail(std::exception_ptr error) noexcept {
    ::new (&error_) std::exception_ptr(std::move(error));
    failed_ = true;
  }

  /// The value, or throws what the job threw.
  T get() {
    if (failed_) {
      const std::exception_ptr error = std::move(error_);
      error_.~exception_ptr();
      std::rethrow_exception(error);
    }
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*value_);
    } else {
      struct Destroy {
        Stored& value;
        ~Destroy() { value.~Stored(); }
      } destroy{value_};
      return std::move(value_);
    }
  }

  /// Drops the value or the exception: an arm that comes before in program order has thrown.
  void discard() noexcept {
    if (failed_) {
      error_.~exception_ptr();
    } else {
      value_.~Stored();
    }
  }

 private:
  union {
    Stored value_;
    std::exception_ptr error_;
  };
  bool failed_;
};

}  // namespace furca::detail
