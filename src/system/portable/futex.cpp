// Sleeping on a word: a table of mutexes and condition variables.
#include <furca/detail/base/atomics.hpp>

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

void StdAtomics::wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  Bucket& bucket = bucket_of(word);
  pthread_mutex_lock(&bucket.mutex);
  if (word.load(std::memory_order_relaxed) == expected)
    pthread_cond_wait(&bucket.woken, &bucket.mutex);
  pthread_mutex_unlock(&bucket.mutex);
}

void StdAtomics::wake(Atomic<std::uint32_t>& word, int) noexcept {
  Bucket& bucket = bucket_of(word);
  // a sleeper that still saw the old value is waiting once we have it
  pthread_mutex_lock(&bucket.mutex);
  pthread_mutex_unlock(&bucket.mutex);
  pthread_cond_broadcast(&bucket.woken);
}

}  // namespace furca::detail
