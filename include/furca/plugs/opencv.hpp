// OpenCV 4.5.2 and later on furca's threads. It needs opencv2/core.
#pragma once

#include <furca/plugs/jobs.hpp>

#include <opencv2/core/parallel/parallel_backend.hpp>

#include <algorithm>
#include <atomic>

namespace furca::plugs {

/// OpenCV's loops, cv::parallel_for_ among them, on a pool:
///
///   cv::parallel::setParallelForBackend(std::make_shared<furca::plugs::OpenCV>(), false);
///
/// (false: all of the pool's threads, whatever cv::setNumThreads was told before.)
/// OpenCV runs one loop at a time in parallel, and those that are nested in it, or begin meanwhile
/// on other threads, serially. What a body throws OpenCV passes on itself.
/// Thread-safety: OpenCV's. A pool of your own must outlive it: before the pool ends, set another
/// backend, as "threads" or an empty pointer.
class OpenCV : public cv::parallel::ParallelForAPI {
 public:
  /// Null: the pool that the caller of OpenCV is in.
  explicit OpenCV(ThreadPool* pool = nullptr) noexcept : pool_(pool) {}

  /// Stripes [0, tasks), a stretch at a time, sixteen a thread to even out what they cost.
  void parallel_for(int tasks, FN_parallel_for_body_cb_t body, void* data) override {
    run_on(pool_, [&] {
      const int lanes = std::min(getNumThreads(), tasks);
      const std::int64_t stretches = std::min<std::int64_t>(16 * lanes, tasks);
      for_lanes(stretches, lanes, [&](std::int64_t i, int lane) {
        const During in_lane(lane_, lane);
        body(static_cast<int>(tasks * i / stretches), static_cast<int>(tasks * (i + 1) / stretches),
             data);
      });
    });
  }

  /// Below getNumThreads(), and no other call's of the body at a time; 0 outside of OpenCV's loops.
  int getThreadNum() const override { return lane_; }

  int getNumThreads() const override {
    const int all = threads_of(pool_);
    const int limit = limit_.load(std::memory_order_relaxed);
    return limit > 0 ? std::min(limit, all) : all;
  }

  /// At most so many threads work on a loop; 0 or less, or more than the pool has: all. Returns
  /// what was set before.
  int setNumThreads(int threads) override {
    return limit_.exchange(threads, std::memory_order_relaxed);
  }

  const char* getName() const override { return "furca"; }

 private:
  static inline thread_local int lane_ = 0;

  ThreadPool* const pool_;
  std::atomic<int> limit_ = 0;
};

}  // namespace furca::plugs
