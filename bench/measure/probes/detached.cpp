// Tasks that nobody waits for on the spot: what one costs. Beside oneTBB's enqueue and task_group.
#include "spawn_and_run.hpp"

#include <atomic>
#include <latch>

namespace bench {
namespace {

// --- pools ---------------------------------------------------------------------------------------

// A pool of so many threads, the caller's not among them. post(f) starts a task.

class FurcaDetached : public Furca {
 public:
  explicit FurcaDetached(unsigned workers) : pool_({.threads = workers + 1}) {}

  template <class F>
  void post(F f) {
    pool_.spawn(f);
  }

  /// See spawn_and_run.
  template <class Body>
  static void group(Body body) {
    body([](auto f) { furca::spawn(f); });
    furca::wait_idle();
  }

 private:
  furca::ThreadPool pool_;
};

#ifdef FURCA_BENCH_TBB
class TbbEnqueue : public TbbAuto {
 public:
  explicit TbbEnqueue(unsigned workers)
      : limit_(tbb::global_control::max_allowed_parallelism, workers + 1),
        arena_(static_cast<int>(workers + 1), 1) {}

  template <class F>
  void post(F f) {
    arena_.enqueue(f);
  }

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};
#endif

// --- costs ---------------------------------------------------------------------------------------

/// A task of the pool posts empty tasks. The last one of them to run stops the clock, and starts
/// the next group.
template <class Pool, unsigned kWorkers>
class TaskGroups {
 public:
  double ns_per_task() {
    pool_.post([this] { begin(); });
    done_.wait();
    return median(ns_);
  }

 private:
  void begin() {
    left_.store(kTasksInGroup, std::memory_order_relaxed);
    start_ = now_ns();
    for (int task = 0; task < kTasksInGroup; ++task) pool_.post([this] { end_task(); });
  }

  void end_task() {
    if (!was_last()) return;
    ns_.push_back(static_cast<double>(now_ns() - start_) / kTasksInGroup);
    if (ns_.size() < kGroups) {
      begin();
    } else {
      done_.count_down();
    }
  }

  /// One thread alone can count without an atomic step: that would be a good part of the cost.
  bool was_last() {
    if constexpr (kWorkers == 1) {
      const int left = left_.load(std::memory_order_relaxed) - 1;
      left_.store(left, std::memory_order_relaxed);
      return left == 0;
    } else {
      return left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }
  }

  std::atomic<int> left_{0};
  std::int64_t start_ = 0;
  std::vector<double> ns_;
  std::latch done_{1};
  Pool pool_{kWorkers};
};

template <class Pool, unsigned kWorkers>
double post_and_count(unsigned) {
  return TaskGroups<Pool, kWorkers>().ns_per_task();
}

// --- probes --------------------------------------------------------------------------------------

using Environment = std::vector<std::string>;

Probe spawn_alone(const char* family, const char* variant, double (*measure)(unsigned),
                  const Environment& environment = {}) {
  const char* const summary =
      "an empty detached task; one thread alone spawns 1,000, then runs them";
  return {Group::micro, "spawn detached and run", family, variant, "ns", summary, measure,
          environment};
}

Probe spawn_together(const char* family, const char* variant, double (*measure)(unsigned),
                     const Environment& environment = {}) {
  const char* const summary = "the same in a pool of two, whose other thread may steal";
  return {
      Group::micro, "spawn detached and run, 2 threads", family, variant, "ns", summary, measure,
      environment};
}

// Of oneTBB's figures the one without a variant is what furca's is compared with.

const ProbeRegistration kClassicDetached({
    spawn_alone("furca", "classic fence", &post_and_count<FurcaDetached, 1>, {kClassic}),
    spawn_together("furca", "classic fence", &spawn_and_run<FurcaDetached, 2>, {kClassic}),
});
const ProbeRegistration kAdaptiveDetached({
    spawn_alone("furca", "adaptive fence", &post_and_count<FurcaDetached, 1>, {kAdaptive}),
    spawn_together("furca", "adaptive fence", &spawn_and_run<FurcaDetached, 2>, {kAdaptive}),
});
#ifdef FURCA_BENCH_TBB
const ProbeRegistration kTbbGroup({
    spawn_alone("oneTBB", "", &spawn_and_run<TbbGroup, 1>),
    spawn_together("oneTBB", "", &spawn_and_run<TbbGroup, 2>),
});
const ProbeRegistration kTbbEnqueue({
    spawn_alone("oneTBB", "enqueue", &post_and_count<TbbEnqueue, 1>),
    spawn_together("oneTBB", "enqueue", &post_and_count<TbbEnqueue, 2>),
});
#endif

}  // namespace
}  // namespace bench
