// A multiprocessor whose time is only counted. Its threads are fibers of one thread of the system,
// and each access of theirs to an atomic is a step; README.md says what is counted.
#pragma once

#include "costs.hpp"
#include "data.hpp"
#include "lines.hpp"
#include "thread.hpp"
#include "turns.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace counted {

/// One of the machine's, with the threads that want it.
struct Processor {
  int number = 0;
  Thread* running = nullptr;
  std::deque<Thread*> waiting;
  Time slice_ends = 0;
  Time taken_at = INT64_MAX;
  Time event = INT64_MAX;  // the first of these that matters
};

struct Counts {
  std::uint64_t accesses = 0;
  std::uint64_t transfers = 0;  // of lines
  std::uint64_t heavy_fences = 0;
  std::uint64_t naps = 0;
  std::uint64_t switches = 0;  // from fiber to fiber

  Counts& operator+=(const Counts& other) noexcept {
    accesses += other.accesses;
    transfers += other.transfers;
    heavy_fences += other.heavy_fences;
    naps += other.naps;
    switches += other.switches;
    return *this;
  }
};

class Machine {
 public:
  struct Setting {
    Costs costs;
    int processors = 1;
    bool asymmetric = true;  // it has heavy fences
    std::uint64_t seed = 0;  // of what is at random; 0: threads start and wake up in time
  };

  explicit Machine(const Setting& setting);
  ~Machine();

  /// Runs body() on the first processor, and what it starts on the others; returns when it has
  /// ended. False: all threads sleep, and a wake-up was lost.
  bool run(std::function<void()> body);

  // --- what the running thread does --------------------------------------------------------------

  enum class Access : std::uint8_t { read, write, exchange };
  void access(const void* address, Access access) noexcept;
  void offer_job(const void* job) noexcept;  // others see it from its next store on
  void see_job(const void* job) noexcept { running_->job = job; }
  void get_job() noexcept;  // the one seen last

  void fence() noexcept;
  void heavy_fence() noexcept;
  void pause() noexcept { running_->time += costs_.pause; }
  void yield() noexcept;
  void work(Time time) noexcept;
  void use(const void* address, std::size_t bytes, Data::Use use) noexcept;

  void sleep(const std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
  void wake(const std::atomic<std::uint32_t>& word, int count) noexcept;

  Thread& start(std::function<void()> body);
  void join(Thread& thread) noexcept;
  Thread& thread(std::size_t number) noexcept { return *threads_[number]; }

  Time read_clock() noexcept { return running_->time += costs_.clock; }

  // --- what is asked from outside of its time ----------------------------------------------------

  Time now() const noexcept { return running_->time; }
  const Thread& running() const noexcept { return *running_; }
  const Costs& costs() const noexcept { return costs_; }
  bool asymmetric() const noexcept { return asymmetric_; }
  std::size_t processors() const noexcept { return processors_.size(); }

  /// All other threads have come as far as the running one.
  void catch_up() noexcept { turn(); }

  /// Counts, and where time went, since the call before.
  Counts take_counts() noexcept;
  Spent take_spent() noexcept;

 private:
  static void bottom_of_stack();

  int core(const Processor& processor) const noexcept { return processor.number % cores_; }

  /// Before a step: others may be earlier.
  void turn() noexcept {
    if (running_->time >= running_->processor->event) [[unlikely]]
      disturb();
    if (turns_.before(*running_)) go(turns_.exchange(*running_));
  }
  void go(Thread& to) noexcept;
  void block() noexcept;  // the running thread has no processor now
  void disturb() noexcept;

  void place(Thread& thread) noexcept;  // it can run: on a processor, or waits for one
  void run_on(Processor& processor, Thread& thread) noexcept;
  void leave_processor() noexcept;
  bool give_way() noexcept;
  Processor& least_busy(Processor& first) noexcept;
  Time at_random(Time average) noexcept;
  Time late(Time time) noexcept;

  const Costs costs_;
  const int cores_;
  const bool asymmetric_;
  const bool seeded_;
  std::uint64_t random_;
  std::vector<Processor> processors_;
  std::vector<std::unique_ptr<Thread>> threads_;
  Turns turns_;
  Thread* running_ = nullptr;
  Fiber host_;
  bool lost_ = false;
  Lines lines_;
  Data data_;
  std::unordered_map<const void*, std::deque<Thread*>> asleep_;  // by word
  Time kernel_free_ = 0;                                         // of heavy fences
  Counts counts_;
};

/// That runs; null: none, and time does not go on.
extern constinit Machine* machine;

}  // namespace counted
