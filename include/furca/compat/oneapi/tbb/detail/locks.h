// oneTBB's mutexes by those of the standard library, and their scoped_lock.
#pragma once

#include "../version.h"

#include <condition_variable>
#include <mutex>
#include <shared_mutex>

namespace tbb::detail {

/// Holds a mutex until release() or its end.
template <class Mutex>
class ScopedLock {
 public:
  ScopedLock() = default;
  explicit(false) ScopedLock(Mutex& mutex) { acquire(mutex); }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;
  ~ScopedLock() {
    if (mutex_ != nullptr) release();
  }

  void acquire(Mutex& mutex) {
    mutex.lock();
    mutex_ = &mutex;
  }
  bool try_acquire(Mutex& mutex) {
    const bool done = mutex.try_lock();
    if (done) mutex_ = &mutex;
    return done;
  }
  void release() {
    mutex_->unlock();
    mutex_ = nullptr;
  }

 private:
  Mutex* mutex_ = nullptr;
};

/// The same for one writer or many readers.
template <class Mutex>
class SharedScopedLock {
 public:
  SharedScopedLock() = default;
  explicit(false) SharedScopedLock(Mutex& mutex, bool write = true) { acquire(mutex, write); }
  SharedScopedLock(const SharedScopedLock&) = delete;
  SharedScopedLock& operator=(const SharedScopedLock&) = delete;
  ~SharedScopedLock() {
    if (mutex_ != nullptr) release();
  }

  void acquire(Mutex& mutex, bool write = true) {
    write ? mutex.lock() : mutex.lock_shared();
    mutex_ = &mutex;
    writer_ = write;
  }
  bool try_acquire(Mutex& mutex, bool write = true) {
    const bool done = write ? mutex.try_lock() : mutex.try_lock_shared();
    if (done) {
      mutex_ = &mutex;
      writer_ = write;
    }
    return done;
  }
  void release() {
    writer_ ? mutex_->unlock() : mutex_->unlock_shared();
    mutex_ = nullptr;
  }

  /// False: it was released meanwhile, so others may have written. A SharedMutex can do no better.
  bool upgrade_to_writer() {
    if (writer_) return true;
    Mutex& mutex = *mutex_;
    release();
    acquire(mutex, true);
    return Mutex::is_recursive_mutex;  // a null mutex: there is nothing to be released
  }
  bool downgrade_to_reader() {
    if (!writer_) return true;
    Mutex& mutex = *mutex_;
    release();
    acquire(mutex, false);
    return Mutex::is_recursive_mutex;
  }
  bool is_writer() const { return writer_; }

 private:
  Mutex* mutex_ = nullptr;
  bool writer_ = false;
};

/// A mutex of a type of its own.
template <class Self, class Std>
class BasicMutex {
 public:
  using scoped_lock = ScopedLock<Self>;
  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;

  constexpr BasicMutex() noexcept = default;
  BasicMutex(const BasicMutex&) = delete;
  BasicMutex& operator=(const BasicMutex&) = delete;

  void lock() { mutex_.lock(); }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }

 protected:
  Std mutex_;
};

/// A std::shared_mutex whose readers wait for writers that wait, so a thread that has it as a
/// reader must not take it again.
class WritersFirstMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    ++waiting_writers_;
    changed_.wait(lock, [this] { return users_ == 0; });
    --waiting_writers_;
    users_ = kWriter;
  }
  bool try_lock() {
    const std::lock_guard lock(mutex_);
    if (users_ != 0) return false;
    users_ = kWriter;
    return true;
  }
  void unlock() { leave(); }
  void lock_shared() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return reader_may_enter(); });
    ++users_;
  }
  bool try_lock_shared() {
    const std::lock_guard lock(mutex_);
    if (!reader_may_enter()) return false;
    ++users_;
    return true;
  }
  void unlock_shared() { leave(); }

 private:
  static constexpr int kWriter = -1;

  bool reader_may_enter() const noexcept { return users_ != kWriter && waiting_writers_ == 0; }
  void leave() {
    const std::lock_guard lock(mutex_);
    users_ = users_ == kWriter ? 0 : users_ - 1;
    if (users_ == 0) changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int users_ = 0;  // readers, or kWriter
  int waiting_writers_ = 0;
};

// The standard one is a pthread_rwlock_t: that of winpthreads lets in two writers, where several
// threads are the first to lock it.
#if defined(WIN_PTHREADS_H)
using SharedMutex = WritersFirstMutex;
#else
using SharedMutex = std::shared_mutex;
#endif

template <class Self>
class BasicSharedMutex : public BasicMutex<Self, SharedMutex> {
 public:
  using scoped_lock = SharedScopedLock<Self>;
  static constexpr bool is_rw_mutex = true;

  void lock_shared() { this->mutex_.lock_shared(); }
  bool try_lock_shared() { return this->mutex_.try_lock_shared(); }
  void unlock_shared() { this->mutex_.unlock_shared(); }
};

/// Excludes nobody.
template <class Lock, bool shared>
class NullMutex {
 public:
  using scoped_lock = Lock;
  static constexpr bool is_rw_mutex = shared;
  static constexpr bool is_recursive_mutex = true;
  static constexpr bool is_fair_mutex = true;

  constexpr NullMutex() noexcept = default;
  NullMutex(const NullMutex&) = delete;
  NullMutex& operator=(const NullMutex&) = delete;

  void lock() {}
  bool try_lock() { return true; }
  void unlock() {}
  void lock_shared()
    requires shared
  {}
  bool try_lock_shared()
    requires shared
  {
    return true;
  }
  void unlock_shared()
    requires shared
  {}
};

}  // namespace tbb::detail
