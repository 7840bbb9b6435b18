// The trace: events of each thread, in memory until the end; how they are written then:
// trace_file.hpp.
//
// Memory is bounded: a thread keeps so many events, and when there are more it forgets the shorter
// half, and from then on all that are as short. The rest is what can be seen on a screen. Of
// steals, which have no length, it keeps the latest.
#include "trace.hpp"

#include "../system/mutex.hpp"
#include "../system/process.hpp"
#include "trace_file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <vector>

namespace furca::detail {

namespace {

constexpr std::size_t kSlices = 65'536;  // a thread: 2.5 MiB
constexpr std::size_t kSteals = 16'384;  // a thread: 256 KiB
constexpr std::size_t kThreads = 1'024;  // in all; those that come later are not traced

/// One thread's events. Never freed: they are written when the thread may be gone.
class ThreadTrace {
 public:
  explicit ThreadTrace(std::size_t number) : number_(number) {
    slices_.reserve(kSlices);
    steals_.reserve(kSteals);
  }

  void add(const Slice& slice) noexcept {
    const std::lock_guard lock(mutex_);
    if (slice.length < shortest_) {
      ++forgotten_;
      return;
    }
    if (slices_.size() == kSlices) forget_shorter_half();
    slices_.push_back(slice);
  }

  void add(const TracedSteal& steal) noexcept {
    const std::lock_guard lock(mutex_);
    if (steals_.size() < kSteals) {
      steals_.push_back(steal);
    } else {
      steals_[oldest_++ % kSteals] = steal;
      ++forgotten_;
    }
  }

  void name(const char* name) noexcept {
    const std::lock_guard lock(mutex_);
    std::snprintf(name_, sizeof name_, "%s", name);
  }

  void write_to(TraceFile& to) noexcept {
    const std::lock_guard lock(mutex_);
    to.write({number_, name_, slices_, steals_, forgotten_});
  }

  ThreadTrace* next = nullptr;

 private:
  void forget_shorter_half() noexcept {
    const auto middle = slices_.begin() + kSlices / 2;
    std::nth_element(slices_.begin(), middle, slices_.end(),
                     [](const Slice& a, const Slice& b) { return a.length > b.length; });
    shortest_ = middle->length + 1;
    forgotten_ += static_cast<std::uint64_t>(slices_.end() - middle);
    slices_.erase(middle, slices_.end());
  }

  Mutex mutex_;
  const std::size_t number_;
  char name_[32] = "";
  std::vector<Slice> slices_;
  std::vector<TracedSteal> steals_;
  std::size_t oldest_ = 0;
  std::uint64_t shortest_ = 0;
  std::uint64_t forgotten_ = 0;
};

constinit Mutex traces_mutex;  // guards what follows
constinit ThreadTrace* traces = nullptr;
constinit std::size_t thread_count = 0;

constinit TraceFile trace_file;  // opened before the first call of any thread

constinit std::atomic<bool> tracing{false};  // no more at exit, when other threads may still run

constinit thread_local ThreadTrace* this_trace = nullptr;

/// The calling thread's; null: there is no trace, there are too many, or there is no memory.
ThreadTrace* trace_of_thread() noexcept {
  if (!tracing.load(std::memory_order_relaxed)) return nullptr;
  if (this_trace != nullptr) return this_trace;
  const std::lock_guard lock(traces_mutex);
  if (thread_count == kThreads) return nullptr;
  try {
    this_trace = new ThreadTrace(thread_count + 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  ++thread_count;
  this_trace->next = traces;
  traces = this_trace;
  if (is_first_thread()) this_trace->name("main thread");
  return this_trace;
}

}  // namespace

bool open_trace(const char* pattern) noexcept {
  if (!trace_file.open(pattern)) return false;
  tracing.store(true, std::memory_order_relaxed);
  return true;
}

void close_trace() noexcept {
  if (!trace_file.is_open()) return;
  tracing.store(false, std::memory_order_relaxed);
  trace_file.begin();
  {
    const std::lock_guard lock(traces_mutex);
    for (ThreadTrace* trace = traces; trace != nullptr; trace = trace->next)
      trace->write_to(trace_file);
  }
  trace_file.end();
}

void abandon_trace() noexcept {
  tracing.store(false, std::memory_order_relaxed);
  trace_file.abandon();
  this_trace = nullptr;
}

void trace_event(TraceEvent event, std::uint64_t began, std::uint64_t ended, const Site* site,
                 const Decision& decision) noexcept {
  if (ThreadTrace* const trace = trace_of_thread())
    trace->add(Slice{began, ended > began ? ended - began : 0, site, decision, event});
}

void trace_steal(std::size_t victim) noexcept {
  if (ThreadTrace* const trace = trace_of_thread()) trace->add(TracedSteal{ticks(), victim});
}

void trace_thread_name(const char* name) noexcept {
  if (ThreadTrace* const trace = trace_of_thread()) trace->name(name);
}

}  // namespace furca::detail
