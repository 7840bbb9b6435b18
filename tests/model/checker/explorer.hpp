// Runs a program again and again, until it has taken every course that the memory model allows.
//
// Stateless depth-first search: a run is the list of its decisions, which thread goes on and which
// of the readable values a load returns. The next run repeats all but the last decision that has an
// alternative left. Of runs that differ only in the order of independent steps one is taken:
// dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson,
// Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014).
#pragma once

#include "memory.hpp"
#include "site.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace furca::model {

struct Options {
  /// one of all runs that differ in the order of independent steps only
  bool reduce = true;
  int preemptions = -1;  ///< at most so many, and no reduction; -1: any number
  /// at most so many loads of a run return an old value; 0: sequential consistency; -1: any number
  int stale = -1;
  std::uint64_t max_runs = 20'000'000;  ///< more than that: Result::exhaustive is false
  /// weak CASes and futex waits that end for no reason, in one run
  int spurious = 0;
  /// runs in which a thread calls yield() more often are left out
  int yields = 2;
  std::string replay;  ///< repeats the one run with these decisions
  /// a failure is looked for again with as few preemptions as will do
  bool minimise = true;
};

struct Failure {
  std::string what;
  std::string decisions;  ///< for Options::replay
  std::string trace;      ///< what happened, a column for each thread
};

struct Result {
  std::uint64_t runs = 0;       ///< that came to their end
  std::uint64_t redundant = 0;  ///< given up: an equal one was seen
  std::uint64_t discarded = 0;  ///< given up by assume()
  bool exhaustive = false;      ///< neither capped nor bounded in any way
  bool capped = false;          ///< Options::max_runs were not enough
  int preemptions = -1;         ///< Options::preemptions
  int stale = -1;               ///< Options::stale
  std::unique_ptr<Failure> failure;
  std::set<std::vector<int>> outcomes;  ///< of observe()
  std::size_t longest = 0;              ///< steps in a run
  int locations = 0;

  /// Every course was taken, and none failed.
  bool proven() const { return exhaustive && failure == nullptr; }
  std::string report() const;

 private:
  std::string bounds() const;
};

Result explore(const std::function<void()>& program, const Options& options = {});

// --- for the threads of the program; atomics.hpp has what is above these -------------------------

/// What a thread does next, as far as others may care.
struct Step {
  enum class Kind : std::uint8_t { local, load, write, fence, strike, join };
  Kind kind = Kind::local;
  int object = -1;  // a location, or the thread that is struck or joined
};

std::size_t self();
std::uint64_t steps();
Memory& memory();

/// Announces a step; returns when it is this thread's turn.
void arrive(Step step);
/// One of 0 .. options-1. The first is what a sequentially consistent machine would do.
int choose(int options);
/// Which of the readable values a load returns, counted from the newest, as long as the allowance
/// of Options::stale lasts.
int choose_value(int options);
/// Options::preemptions is given: what is explored is no proof.
bool bounded();
/// True in some runs, as long as the allowance of Options::spurious lasts.
bool spuriously();

std::size_t spawn(std::function<void()>* body);
void join(std::size_t thread);
/// Until another thread calls wake_up().
void block(int location);
/// Wakes up to `count` threads that are blocked on the location, any of them.
void wake_up(int location, int count);
/// Threads other than the caller that have begun: a bit for each.
unsigned others();
bool has_ended(std::size_t thread);

/// The caller waits for what somebody else does, and looks again. The others go on as if it never
/// did, so looking again and again is no circle.
void yield();

[[noreturn]] void fail(const char* what);
[[noreturn]] void discard();
void observe(int value);

/// What happened, for the trace.
struct Event {
  std::uint8_t thread;
  Access access;
  std::memory_order order;
  bool stale;
  bool failed;  // a CAS
  int location;
  std::int64_t read;
  std::int64_t written;
  Site site;
};
void note(const Event& event);

/// A variable that each thread has its own of, and that begins as zero bytes: swapped when threads
/// are, until the run ends.
void add_thread_local(void* variable, std::size_t bytes);

}  // namespace furca::model
