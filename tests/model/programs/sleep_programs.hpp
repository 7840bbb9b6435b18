// Programs that run the shipped sleep protocol and bell. A lost wake-up is a deadlock.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "fork/sleep.hpp"

#include <string>
#include <vector>

namespace furca::model {

/// Started threads, each of which looks for one job and ends; and somebody who posts jobs.
template <class Machine>
class SleepyPool {
 public:
  explicit SleepyPool(int threads) {
    for (; threads > 0; --threads) sleep_.start_looking();
  }

  /// Forks::fork.
  void post() {
    jobs_[posted_by_me_].set(1);
    posted_.store(++posted_by_me_, std::memory_order_release);
    Machine::light_fence();
    if (!bell_.wants_attention()) return;
    bell_.attend();
    bell_.forget_sleepers();
    if (sleep_.must_wake()) sleep_.wake();
  }

  /// WorkSearch::find_job: looks once before it falls asleep. False: the pool stops.
  bool work() {
    for (;;) {
      if (sleep_.stopping()) return false;
      if (const int job = take(); job >= 0) {
        if (sleep_.stop_looking()) sleep_.wake();
        check(jobs_[job].get() == 1, "a job that was not posted");
        return true;
      }
      sleep_.fall_asleep([this] { bell_.mark_sleepers(); },
                         [this] { return sleep_.stopping() || !empty(); });
    }
  }

  furca::detail::BasicSleep<Machine>& sleep() { return sleep_; }

 private:
  /// As the deque's.
  bool empty() const {
    return taken_.load(std::memory_order_relaxed) >= posted_.load(std::memory_order_relaxed);
  }

  int take() {
    if (empty()) return -1;
    int next = taken_.load(std::memory_order_relaxed);
    if (next >= posted_.load(std::memory_order_acquire)) return -1;
    return taken_.compare_exchange_strong(next, next + 1, std::memory_order_relaxed,
                                          std::memory_order_relaxed)
               ? next
               : -1;
  }

  furca::detail::BasicSleep<Machine> sleep_;
  // stands for the poster's: where light fences are nothing, it has the real one
  furca::detail::BasicBell<Machine> bell_;
  Atomic<int> posted_{0};
  Atomic<int> taken_{0};
  Plain<int> jobs_[3];
  int posted_by_me_ = 0;  // the poster's
};

template <class Machine>
std::vector<Program> sleep_programs_on(const std::string& machine) {
  Options spurious;
  spurious.spurious = 1;
  return {
      {machine + "one falls asleep, one posts",
       [] {
         SleepyPool<Machine> pool(1);
         together([&] { pool.work(); }, [&] { pool.post(); });
       },
       spurious},
      {machine + "one falls asleep, a guest comes and forks twice",
       [] {
         furca::detail::BasicSleep<Machine> sleep;
         furca::detail::BasicBell<Machine> bell;  // the guest's
         Atomic<furca::detail::BasicBell<Machine>*> guest(nullptr);
         Atomic<int> job(0);
         sleep.start_looking();
         const auto after_fork = [&] {
           Machine::light_fence();
           if (!bell.wants_attention()) return;
           bell.attend();
           bell.forget_sleepers();
           if (sleep.must_wake()) sleep.wake();
         };
         together(
             [&] {
               sleep.fall_asleep(
                   [&] {
                     if (auto* there = guest.load(std::memory_order_acquire))
                       there->mark_sleepers();
                   },
                   [&] {
                     return guest.load(std::memory_order_acquire) != nullptr &&
                            job.load(std::memory_order_relaxed) != 0;
                   });
             },
             [&] {
               guest.store(&bell, std::memory_order_release);
               after_fork();  // the first job: taken back, unseen
               job.store(1, std::memory_order_release);
               after_fork();
             });
       }},
      {machine + "one falls asleep for something of its own, and is told",
       [] {
         furca::detail::BasicSleep<Machine> sleep;
         Atomic<int> come_about(0);
         sleep.start_looking();
         together(
             [&] {
               const auto mine = [&] { return come_about.load(std::memory_order_relaxed) != 0; };
               sleep.fall_asleep([] {}, mine, mine);
             },
             [&] {
               come_about.store(1, std::memory_order_relaxed);
               Machine::fence();
               sleep.all_look_again();
             });
         check(sleep.sleepers() == 0, "somebody is counted as asleep");
       }},
      {machine + "one falls asleep, the pool stops",
       [] {
         SleepyPool<Machine> pool(1);
         together([&] { pool.work(); }, [&] { pool.sleep().stop(); });
         check(pool.sleep().sleepers() == 0, "somebody is counted as asleep");
       },
       spurious},
      {machine + "a waiter and the bell",
       [] {
         furca::detail::BasicBell<Machine> bell;
         Plain<int> outcome(0);
         Atomic<int> done(0);
         together(
             [&] {
               while (done.load(std::memory_order_acquire) == 0)
                 bell.listen([&] { return done.load(std::memory_order_acquire) != 0; });
               outcome.get();
             },
             [&] {
               outcome.set(1);
               done.store(1, std::memory_order_release);
               Machine::light_fence();
               if (bell.wants_attention()) bell.attend();
             });
       },
       spurious},
      {machine + "a bell that rings twice",
       [] {
         furca::detail::BasicBell<Machine> bell;
         Atomic<int> done(0);
         together(
             [&] {
               while (done.load(std::memory_order_acquire) < 2)
                 bell.listen([&] { return done.load(std::memory_order_acquire) == 2; });
             },
             [&] {
               for (const int step : {1, 2}) {
                 done.store(step, std::memory_order_release);
                 Machine::light_fence();
                 if (bell.wants_attention()) bell.attend();
               }
             });
       }},
  };
}

/// Three threads, or two rounds.
template <class Machine>
std::vector<Program> large_sleep_programs_on(const std::string& machine) {
  return {
      {machine + "one falls asleep twice, two jobs are posted",
       [] {
         SleepyPool<Machine> pool(1);
         together(
             [&] {
               pool.work();
               pool.sleep().start_looking();
               pool.work();
             },
             [&] {
               pool.post();
               pool.post();
             });
         check(pool.sleep().sleepers() == 0, "somebody is counted as asleep");
       },
       with_preemptions(3)},
      {machine + "two fall asleep, two jobs are posted",
       [] {
         SleepyPool<Machine> pool(2);
         together([&] { pool.work(); }, [&] { pool.work(); },
                  [&] {
                    pool.post();
                    pool.post();
                  });
       },
       with_preemptions(1)},
      {machine + "two fall asleep, the pool stops",
       [] {
         SleepyPool<Machine> pool(2);
         together([&] { pool.work(); }, [&] { pool.work(); }, [&] { pool.sleep().stop(); });
       },
       with_preemptions(2)},
      {machine + "two fall asleep, one is woken, the pool stops",
       [] {
         SleepyPool<Machine> pool(2);
         together([&] { pool.work(); }, [&] { pool.work(); },
                  [&] {
                    pool.sleep().wake(1, 2);
                    pool.sleep().stop();
                  });
         check(pool.sleep().sleepers() == 0, "somebody is counted as asleep");
       },
       with_preemptions(2)},
      {machine + "two wait for one bell",
       [] {
         furca::detail::BasicBell<Machine> bell;
         Atomic<int> done(0);
         const auto waiter = [&] {
           while (done.load(std::memory_order_acquire) == 0)
             bell.listen([&] { return done.load(std::memory_order_acquire) != 0; });
         };
         together(waiter, waiter, [&] {
           done.store(1, std::memory_order_release);
           Machine::light_fence();
           if (bell.wants_attention()) bell.attend();
         });
       },
       with_preemptions(2)},
  };
}

/// On a machine with asymmetric fences, and on one without.
inline std::vector<Program> sleep_programs() {
  std::vector<Program> programs = sleep_programs_on<ModelAtomics<true>>("sleep: ");
  for (Program& program : sleep_programs_on<ModelAtomics<false>>("sleep, classic: "))
    programs.push_back(std::move(program));
  return programs;
}

inline std::vector<Program> large_sleep_programs() {
  std::vector<Program> programs = large_sleep_programs_on<ModelAtomics<true>>("sleep: ");
  for (Program& program : large_sleep_programs_on<ModelAtomics<false>>("sleep, classic: "))
    programs.push_back(std::move(program));
  return programs;
}

}  // namespace furca::model
