// What the plugs have in common: the pool that a call of another library runs on. It needs none of
// these libraries.
#pragma once

#include <furca/thread_pool.hpp>
#include <furca/threads.hpp>

/// furca behind the interfaces that other libraries have for a program's own threads.
namespace furca::plugs {

/// Calls f() on `pool`. Null: on the pool that the caller is in, as all of furca's calls do: inside
/// install() that one, otherwise the global pool.
template <class F>
void run_on(ThreadPool* pool, F&& f) {
  if (pool != nullptr)
    pool->install(std::forward<F>(f));
  else
    std::forward<F>(f)();
}

/// How many threads compute there, one caller included.
inline int threads_of(const ThreadPool* pool) {
  return static_cast<int>(pool != nullptr ? pool->size() : num_threads());
}

/// A variable of this thread has another value, from here to the end of the block.
template <class T>
class During {
 public:
  During(T& variable, T value) noexcept
      : variable_(variable), before_(std::exchange(variable, value)) {}
  ~During() { variable_ = before_; }
  During(const During&) = delete;
  During& operator=(const During&) = delete;

 private:
  T& variable_;
  const T before_;
};

}  // namespace furca::plugs
