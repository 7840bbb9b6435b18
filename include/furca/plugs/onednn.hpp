// oneDNN on furca's threads. It needs oneDNN's headers, and a oneDNN that was built with
// DNNL_CPU_RUNTIME=THREADPOOL.
#pragma once

#include <furca/plugs/jobs.hpp>

#include <cstdint>  // which oneDNN's header forgets
#include <functional>
#include <oneapi/dnnl/dnnl_threadpool_iface.hpp>

namespace furca::plugs {

/// The threads of a stream:
///
///   furca::plugs::OneDnnPool threads;
///   dnnl::stream stream = dnnl::threadpool_interop::make_stream(engine, &threads);
///
/// A primitive runs its parts on the pool, and returns when they are done.
/// Exceptions: as furca::join. Thread-safety: any number of streams may share it. It must outlive
/// them, and the pool must outlive it.
// Nothing is marked `override`: newer interfaces have functions that older ones have not.
class OneDnnPool : public dnnl::threadpool_interop::threadpool_iface {
 public:
  /// Null: the pool that the caller of oneDNN is in.
  explicit OneDnnPool(ThreadPool* pool = nullptr) noexcept : pool_(pool) {}
  virtual ~OneDnnPool() = default;

  virtual int get_num_threads() const { return threads_of(pool_); }

  /// In a part of a primitive, where oneDNN then works serially. A thread in a loop of furca's is
  /// not: a primitive there is parallel.
  virtual bool get_in_parallel() const { return in_part_; }

  /// Calls part(i, n) for 0 <= i < n.
  virtual void parallel_for(int n, const std::function<void(int, int)>& part) {
    run_on(pool_, [&] {
      for_jobs(0, n, [&](int i) {
        const During in_part(in_part_, true);
        part(i, n);
      });
    });
  }

  /// Not asynchronous.
  virtual std::uint64_t get_flags() const { return 0; }

  /// There is nothing to wait for.
  virtual void wait() {}

 private:
  static inline thread_local bool in_part_ = false;
  ThreadPool* const pool_;
};

}  // namespace furca::plugs
