// Sleeping on a word: the futex system call on Linux, a table of mutexes and condition variables
// elsewhere.
#include <furca/detail/base/atomics.hpp>

#if defined(__linux__) && !defined(FURCA_PORTABLE)

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
              std::atomic<std::uint32_t>::is_always_lock_free);

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) noexcept {
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG,
                 value, nullptr, nullptr, 0);
}

}  // namespace

// Not a value any more, interrupted by a signal: every error is a reason to look again, which is
// what callers do.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  futex(word, FUTEX_WAIT, expected);
}

void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept {
  futex(word, FUTEX_WAKE, static_cast<std::uint32_t>(count));
}

}  // namespace furca::detail

#else

#include <pthread.h>

namespace furca::detail {

namespace {

struct Bucket {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
};

constexpr std::size_t kBuckets = 64;
constinit Bucket buckets[kBuckets];  // never destroyed: threads may sleep past main

/// Several words may share a bucket, so everybody there is woken and looks again.
Bucket& bucket_of(const std::atomic<std::uint32_t>& word) noexcept {
  return buckets[reinterpret_cast<std::uintptr_t>(&word) / kCacheLine % kBuckets];
}

}  // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  Bucket& bucket = bucket_of(word);
  pthread_mutex_lock(&bucket.mutex);
  if (word.load(std::memory_order_relaxed) == expected)
    pthread_cond_wait(&bucket.woken, &bucket.mutex);
  pthread_mutex_unlock(&bucket.mutex);
}

void futex_wake(std::atomic<std::uint32_t>& word, int) noexcept {
  Bucket& bucket = bucket_of(word);
  // a sleeper that still saw the old value is waiting once we have it
  pthread_mutex_lock(&bucket.mutex);
  pthread_mutex_unlock(&bucket.mutex);
  pthread_cond_broadcast(&bucket.woken);
}

}  // namespace furca::detail

#endif
