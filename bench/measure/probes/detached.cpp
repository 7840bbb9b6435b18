// Tasks that nobody waits for on the spot: what one costs, how long it may wait, and how they get
// on with loops. Beside oneTBB's enqueue, and its task_group for what one costs.
#include "../busy_work.hpp"
#include "spawn_and_run.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

namespace bench {
namespace {

// --- pools ---------------------------------------------------------------------------------------

// A pool of so many threads, the caller's not among them. post(f) starts a task; inside(f) calls f
// on the caller's thread, as one more of the pool's.

class FurcaDetached : public Furca {
 public:
  explicit FurcaDetached(unsigned workers) : pool_({.threads = workers + 1}) {}

  template <class F>
  void post(F f) {
    pool_.spawn(f);
  }

  template <class F>
  void inside(F f) {
    pool_.install(f);
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
class TbbArena {
 public:
  explicit TbbArena(unsigned workers)
      : limit_(tbb::global_control::max_allowed_parallelism, workers + 1),
        arena_(static_cast<int>(workers + 1), 1) {}

  template <class F>
  void inside(F f) {
    arena_.execute(f);
  }

 protected:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

class TbbEnqueue : public TbbAuto, public TbbArena {
 public:
  using TbbArena::TbbArena;

  template <class F>
  void post(F f) {
    arena_.enqueue(f);
  }
};
#endif

// --- costs ---------------------------------------------------------------------------------------

/// A task of the pool posts empty tasks. The last one of them to run stops the clock, and starts
/// the next group.
template <class Pool, unsigned kWorkers>
class Groups {
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
  return Groups<Pool, kWorkers>().ns_per_task();
}

// --- under load ----------------------------------------------------------------------------------

/// About so long.
void work_us(std::uint64_t us) {
  const volatile std::uint64_t result = busy_work(us, 500 * us);
  static_cast<void>(result);
}

/// The longest time from post to begin, in microseconds, while an outside thread keeps the queue
/// long, and every task spawns a child.
template <class Pool>
double longest_wait_once() {
  constexpr int kPosts = 20'000;
  constexpr int kQueued = 1'000;
  constexpr auto kRest = std::chrono::microseconds(300);  // of 1,000 tasks some 100 begin meanwhile
  std::vector<std::int64_t> ns(kPosts);
  std::atomic<int> begun{0};
  std::latch ended(2 * kPosts);
  Pool pool(2);
  for (int i = 0; i < kPosts; ++i) {
    while (i - begun.load(std::memory_order_relaxed) >= kQueued) std::this_thread::sleep_for(kRest);
    pool.post([&, wait = &ns[static_cast<std::size_t>(i)], posted = now_ns()] {
      *wait = now_ns() - posted;
      begun.fetch_add(1, std::memory_order_relaxed);
      pool.post([&ended] {
        work_us(1);
        ended.count_down();
      });
      work_us(5);
      ended.count_down();
    });
  }
  ended.wait();
  return 1e-3 * static_cast<double>(*std::max_element(ns.begin(), ns.end()));
}

template <class Pool>
double longest_wait(unsigned) {
  constexpr int kRuns = 5;
  std::vector<double> found;
  for (int i = 0; i < kRuns; ++i) found.push_back(longest_wait_once<Pool>());
  return median(found);
}

/// Tasks of 5 us that each post another one like themselves, until they are told to stop.
template <class Pool>
class Flood {
 public:
  explicit Flood(Pool& pool) : pool_(pool) {
    for (int i = 0; i < kInFlight; ++i) post();
  }
  ~Flood() {
    stopping_.store(true, std::memory_order_relaxed);
    stopped_.wait();
  }
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

  /// So far.
  std::int64_t tasks() const { return tasks_.load(std::memory_order_relaxed); }

 private:
  static constexpr int kInFlight = 8;

  void post() {
    pool_.post([this] {
      work_us(5);
      tasks_.fetch_add(1, std::memory_order_relaxed);
      stopping_.load(std::memory_order_relaxed) ? stopped_.count_down() : post();
    });
  }

  Pool& pool_;
  std::atomic<std::int64_t> tasks_{0};
  std::atomic<bool> stopping_{false};
  std::latch stopped_{kInFlight};
};

struct Mixture {
  double loop;      // its time beside the flood, to the plain loop's without
  double detached;  // time for each task beside the loops, to that without
};

/// The caller runs loops in a row; the pool's other thread always has detached tasks to run.
template <class Pool>
Mixture mix() {
  constexpr int kTurns = 5;
  constexpr int kPlainLoops = 100;
  constexpr auto kTurn = std::chrono::milliseconds(50);
  constexpr std::uint64_t kSpins = 100;  // all iterations together: some 100 us
  std::vector<std::uint64_t> out(500);
  std::vector<double> plain;
  std::vector<double> beside;
  std::vector<double> slowdown;
  const auto body = [&out](std::size_t i) { out[i] += busy_work(i, kSpins); };
  Pool pool(1);
  pool.inside([&] {
    for (int i = 0; i < kPlainLoops; ++i) {
      const std::int64_t start = now_ns();
      for (std::size_t k = 0; k < out.size(); ++k) body(k);
      plain.push_back(static_cast<double>(now_ns() - start));
    }
    const Flood flood(pool);
    const auto ns_per_task = [&flood](auto meanwhile) {
      const std::int64_t tasks = flood.tasks();
      const std::int64_t start = now_ns();
      meanwhile(start);
      return static_cast<double>(now_ns() - start) / static_cast<double>(flood.tasks() - tasks);
    };
    for (int i = 0; i < kTurns; ++i) {
      const double alone = ns_per_task([&](std::int64_t) { std::this_thread::sleep_for(kTurn); });
      const double together = ns_per_task([&](std::int64_t start) {
        for (std::int64_t now = start; now - start < std::chrono::nanoseconds(kTurn).count();) {
          Pool::loop(out.size(), body);
          const std::int64_t end = now_ns();
          beside.push_back(static_cast<double>(end - now));
          now = end;
        }
      });
      slowdown.push_back(together / alone);
    }
  });
  return {median(beside) / median(plain), median(slowdown)};
}

template <class Pool, double Mixture::* kFigure>
double mixed(unsigned) {
  return mix<Pool>().*kFigure;
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

template <class Pool>
std::vector<Probe> under_load() {
  const auto probe = [](const char* name, const char* unit, const char* summary,
                        double (*measure)(unsigned)) {
    return Probe{.group = Group::behaviour,
                 .name = name,
                 .family = Pool::kContender.family,
                 .variant = "",
                 .unit = unit,
                 .summary = summary,
                 .measure = measure,
                 .slow = true};
  };
  return {
      probe("longest wait under load", "us",
            "of 20,000 tasks of 5 us, each of which spawns one of 1 us, with 1,000 in the queue: "
            "the longest time from post to begin",
            &longest_wait<Pool>),
      probe("detached tasks beside loops", "x",
            "8 tasks of 5 us that renew themselves, in a pool of two whose caller runs loops of "
            "100 us: time for each, to that without loops",
            &mixed<Pool, &Mixture::detached>),
      probe("loop beside detached tasks", "x",
            "the same: time of a loop, to that of the plain loop alone",
            &mixed<Pool, &Mixture::loop>),
  };
}

// Of oneTBB's figures the one without a variant is what furca's is compared with.

const ProbeRegistration kClassicFence({
    spawn_alone("furca", "classic fence", &post_and_count<FurcaDetached, 1>, {kClassic}),
    spawn_together("furca", "classic fence", &spawn_and_run<FurcaDetached, 2>, {kClassic}),
});
const ProbeRegistration kAdaptiveFence({
    spawn_alone("furca", "adaptive fence", &post_and_count<FurcaDetached, 1>, {kAdaptive}),
    spawn_together("furca", "adaptive fence", &spawn_and_run<FurcaDetached, 2>, {kAdaptive}),
});
const ProbeRegistration kFurcaUnderLoad(under_load<FurcaDetached>());
#ifdef FURCA_BENCH_TBB
const ProbeRegistration kTbbGroup({
    spawn_alone("oneTBB", "", &spawn_and_run<TbbGroup, 1>),
    spawn_together("oneTBB", "", &spawn_and_run<TbbGroup, 2>),
});
const ProbeRegistration kTbbEnqueue({
    spawn_alone("oneTBB", "enqueue", &post_and_count<TbbEnqueue, 1>),
    spawn_together("oneTBB", "enqueue", &post_and_count<TbbEnqueue, 2>),
});
const ProbeRegistration kTbbUnderLoad(under_load<TbbEnqueue>());
#endif

}  // namespace
}  // namespace bench
