// Strands, and the calls that they belong to.
#include "span.hpp"

#include "outermost.hpp"
#include "site.hpp"
#include "trace.hpp"

#include <furca/detail/base/atomics.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>

namespace furca::detail {

/// The state of an observed call.
class ObservedCall {
 public:
  ObservedCall(StolenAs as, const Site* called, RunningStrand* caller, void* on) noexcept
      : stolen_as(as), site(called), outer(caller), thread(on), began(ticks()) {}

  void ended(std::uint64_t strands_work, const Path& path) noexcept {
    lock();
    work += strands_work;
    if (path.length > longest.length) longest = path;
    unlock();
  }

  Path longest_up_to_now() noexcept {
    lock();
    const Path now = longest;
    unlock();
    return now;
  }

  const StolenAs stolen_as;
  const Site* const site;
  RunningStrand* const outer;  // null: no observed call made it
  void* const thread;          // the caller's, for comparison
  const std::uint64_t began;
  const Decision decided_around = begin_deciding();
  Path start;

  // For ended(), and when all has ended.
  std::uint64_t work = 0;
  Path longest;

 private:
  /// Checked by: tests/observing/trace_test.cpp ("observed or not, results and exceptions are the
  /// same")
  void lock() noexcept {
    // [span.O1] pairs with O2
    while (merging_.exchange(true, std::memory_order_acquire)) Atomics::yield();
  }
  // [span.O2] pairs with O1
  void unlock() noexcept { merging_.exchange(false, std::memory_order_release); }

  std::atomic<bool> merging_{false};
};

/// A strand from its beginning to its end.
class RunningStrand {
 public:
  RunningStrand(ObservedCall& of, const Path& from, RunningStrand* before) noexcept
      : call(of), outer(before), path(from) {
    start_clock();
  }

  void start_clock() noexcept { since_ = ticks(); }
  void stop_clock() noexcept;

  ObservedCall& call;
  RunningStrand* const outer;  // what ran on this thread before
  const std::uint64_t began = ticks();
  std::uint64_t work = 0;
  Path path;

 private:
  std::uint64_t since_ = 0;
};

namespace {

constinit thread_local RunningStrand* running_strand = nullptr;  // whose clock goes on this thread

constinit std::uint64_t clock_cost = 0;  // ticks between two readings with nothing in between

}  // namespace

/// Where there is no more room the shortest makes way for a longer one.
void Path::add(const Site* site, std::uint64_t ticks) noexcept {
  length += ticks;
  Share* const end = shares + used;
  Share* share = std::find_if(shares, end, [&](const Share& known) { return known.site == site; });
  if (share == end) {
    if (used < kShares) {
      ++used;
    } else {
      share = std::min_element(shares, end,
                               [](const Share& a, const Share& b) { return a.length < b.length; });
      if (share->length >= ticks) return;
    }
    *share = {site, 0};
  }
  share->length += ticks;
}

const Path::Share* Path::longest() const noexcept {
  return used == 0 ? nullptr
                   : std::max_element(shares, shares + used, [](const Share& a, const Share& b) {
                       return a.length < b.length;
                     });
}

ObservedCall* Observed::begin(StolenAs stolen_as, const SourceSite& site) noexcept {
  auto* const call = new (std::nothrow)
      ObservedCall(stolen_as, Site::of(site.call, site.file, site.function, site.line, site.column),
                   running_strand, &running_strand);
  if (call == nullptr) return nullptr;
  if (running_strand != nullptr) {
    running_strand->stop_clock();
    call->start = running_strand->path;
  } else {
    call->start.clear();
  }
  call->longest = call->start;
  running_strand = nullptr;
  return call;
}

void Observed::end(ObservedCall& ending) noexcept {
  const std::unique_ptr<ObservedCall> call(&ending);
  const std::uint64_t now = ticks();
  trace_event(TraceEvent::call, call->began, now, call->site, end_deciding(call->decided_around));
  running_strand = call->outer;
  if (!observing) return;  // in a forked child
  if (running_strand != nullptr) {
    running_strand->path = call->longest;
    running_strand->work += call->work;
    running_strand->start_clock();
  } else {
    const Worker* const worker = Worker::if_any();
    outermost_ended(call->site, now - call->began, worker != nullptr ? num_threads() : 1,
                    call->work, call->longest);
  }
}

RunningStrand* Strand::begin(ObservedCall& call, const Path* from) noexcept {
  RunningStrand* const before = running_strand;
  if (before != nullptr) before->stop_clock();
  auto* const strand =
      new (std::nothrow) RunningStrand(call, from != nullptr ? *from : call.start, before);
  if (strand != nullptr) running_strand = strand;
  return strand;
}

Strand strand_after_all(ObservedCall* call) noexcept {
  // a forked child: a thread of its parent's may have held the lock
  if (call == nullptr || !observing) return Strand(nullptr);
  const Path longest = call->longest_up_to_now();
  return Strand(call, &longest);
}

/// An arm or task that another thread has stolen of a join or scope is an event there. Of a loop it
/// is more than one strand: see StolenSteps.
void Strand::end(RunningStrand& ending) noexcept {
  const std::unique_ptr<RunningStrand> strand(&ending);
  ObservedCall& call = strand->call;
  strand->stop_clock();
  running_strand = strand->outer;
  if (!observing) return;
  if (call.thread != &running_strand && call.stolen_as == StolenAs::strands)
    trace_event(TraceEvent::stolen, strand->began, ticks(), call.site);
  call.ended(strand->work, strand->path);
  if (running_strand != nullptr) running_strand->start_clock();
}

void RunningStrand::stop_clock() noexcept {
  const std::uint64_t passed = ticks() - since_;
  if (passed <= clock_cost) return;
  work += passed - clock_cost;
  path.add(call.site, passed - clock_cost);
}

void path_to_here(Path& path, const ObservedCall& call) noexcept {
  if (running_strand == nullptr) {
    path = call.start;
    return;
  }
  running_strand->stop_clock();
  path = running_strand->path;
  running_strand->start_clock();
}

RunningStrand* PausedStrand::begin() noexcept {
  RunningStrand* const strand = running_strand;
  if (strand != nullptr) strand->stop_clock();
  running_strand = nullptr;
  return strand;
}

void PausedStrand::end(RunningStrand& strand) noexcept {
  running_strand = &strand;
  strand.start_clock();
}

void StolenSteps::begin() noexcept {
  began_ = ticks();
  outer_ = begin_deciding();
}

void StolenSteps::end() noexcept {
  trace_event(TraceEvent::stolen, began_, ticks(), call_->site, end_deciding(outer_));
}

void calibrate_strands() noexcept {
  clock_cost = UINT64_MAX;
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t before = ticks();
    clock_cost = std::min(clock_cost, ticks() - before);
  }
}

}  // namespace furca::detail
