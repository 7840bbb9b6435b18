// Limits of pools: the list of those that live. What a limit does is in Pool::limit_threads().
#include <furca/thread_limit.hpp>

#include <furca/detail/fork/worker.hpp>
#include <furca/thread_pool.hpp>

#include "global.hpp"
#include "pool.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace furca {

namespace detail {

/// Guarded by GlobalLock, as the global pool's start is: a limit may be older than the pool, and a
/// fork() finds the list whole.
///
/// Invariants:
/// - each live limit is in the list once; in a forked child the list is empty at first, and what
///   was made before the fork does nothing at its end;
/// - a pool's limit is the least of those in the list, after each change of the list and after the
///   global pool's start.
class Limits {
 public:
  static void add(Limit& limit) noexcept { limit.next_ = std::exchange(newest, &limit); }

  static void remove(const Limit& limit) noexcept {
    Limit** at = &newest;
    while (*at != &limit) at = &(*at)->next_;
    *at = limit.next_;
  }

  static std::size_t least(const Pool* pool) noexcept {
    std::size_t least = Limit::kNone;
    for (const Limit* limit = newest; limit != nullptr; limit = limit->next_)
      if (limit->pool_ == pool) least = std::min(least, limit->threads_);
    return least;
  }

  static void forget_all() noexcept { newest = nullptr; }

 private:
  static constinit Limit* newest;
};

constinit Limit* Limits::newest = nullptr;

namespace {

Pool* limited_pool(Pool* pool) noexcept {
  return pool != nullptr ? pool : global_pool_if_started();
}

Pool* pool_of_caller() noexcept {
  const Worker* const worker = Worker::if_any();
  return worker == nullptr || is_global_pool(worker->pool()) ? nullptr : &worker->pool();
}

}  // namespace

std::size_t least_limit(const Pool* pool) noexcept { return Limits::least(pool); }
void forget_limits() noexcept { Limits::forget_all(); }

Limit::Limit(Pool* pool, std::size_t threads)
    : pool_(pool), threads_(std::min(threads, kNone - 1)), generation_(process_generation()) {
  if (threads == 0)
    throw std::invalid_argument(
        "furca: a ThreadLimit of 0 threads: the caller is one of them, so the least is 1");
  Pool* limited = nullptr;
  {
    const GlobalLock lock;
    Limits::add(*this);
    limited = limited_pool(pool_);
    if (limited != nullptr) limited->limit_threads(Limits::least(pool_));
  }
  if (limited != nullptr) limited->await_limit();
}

Limit::~Limit() {
  if (generation_ != process_generation()) return;
  const GlobalLock lock;
  Limits::remove(*this);
  if (Pool* const limited = limited_pool(pool_)) limited->limit_threads(Limits::least(pool_));
}

std::size_t Limit::least(const Pool* pool) noexcept {
  const GlobalLock lock;
  return Limits::least(pool);
}

}  // namespace detail

namespace {

std::size_t not_negative(std::size_t threads) {
  if (threads > SIZE_MAX / 2)
    throw std::invalid_argument(
        "furca: a ThreadLimit of a negative number of threads; the least is 1");
  return threads;
}

}  // namespace

ThreadLimit::ThreadLimit(std::size_t threads)
    : limit_(detail::pool_of_caller(), not_negative(threads)) {}

std::size_t ThreadLimit::in_force() {
  return std::min(detail::Limit::least(detail::pool_of_caller()), num_threads());
}

}  // namespace furca
