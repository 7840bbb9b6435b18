// Programs that run the shipped latch, bell and deque together, as a join whose second arm is
// stolen does. What the library does with them (fork, run, steal_below and the wait: src/fork) is
// repeated here, line for line, without its backoff.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "fork/sleep.hpp"

#include <furca/deque.hpp>
#include <furca/detail/fork/latch.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace furca::model {

struct StolenJob;

/// What the deques of these programs hold.
struct JobPointer {
  using earned_by_cas = void;
  StolenJob* job = nullptr;
};

/// In the forker's frame.
struct StolenJob {
  furca::detail::BasicLatch<ModelAtomics<true>> latch;
  Plain<int> outcome{0};
  std::function<void()>* body = nullptr;
};

/// A worker as far as its deque and bell.
template <class Machine>
class Participant {
 public:
  Plain<int> made{1};  // by the worker's own thread; whoever is told of the worker may look

  void fork(StolenJob& job) {
    deque_.push({&job});
    Machine::light_fence();
    if (bell_.wants_attention()) bell_.attend();
  }

  bool take_newest() { return deque_.pop().has_value(); }

  void run(StolenJob& job) {
    job.latch.claim(as_worker());
    job.outcome.set(1);
    if (job.body != nullptr) (*job.body)();
    job.latch.set();
    Machine::light_fence();
    if (bell_.wants_attention()) bell_.attend();
    deque_.skip_index();
  }

  StolenJob* steal() {
    const Steal<JobPointer> got = deque_.steal();
    return got ? got.item.job : nullptr;
  }

  static StolenJob* steal_below(const furca::detail::BasicLatch<ModelAtomics<true>>& latch,
                                Participant& claimer) {
    const Steal<JobPointer> got = claimer.deque_.steal_if([&latch] { return !latch.is_set(); });
    return got ? got.item.job : nullptr;
  }

  void wait(furca::detail::BasicLatch<ModelAtomics<true>>& latch) {
    while (!latch.is_set()) {
      Participant* const claimer = named_by(latch);
      if (StolenJob* const job = claimer != nullptr ? steal_below(latch, *claimer) : nullptr) {
        run(*job);
      } else if (claimer != nullptr) {
        claimer->bell_.listen([&] { return latch.is_set() || !claimer->deque_.empty(); });
      } else {
        assume(false);  // it yields: the claimer is about to name itself
      }
    }
  }

  /// The latch only knows addresses of workers, and never looks behind them.
  static Participant* named_by(const furca::detail::BasicLatch<ModelAtomics<true>>& latch) {
    return reinterpret_cast<Participant*>(latch.claimer());
  }

 private:
  const furca::detail::Worker& as_worker() const {
    return reinterpret_cast<const furca::detail::Worker&>(*this);
  }

  Deque<JobPointer, furca::detail::BasicSeqCstFence<Machine>> deque_{2};
  furca::detail::BasicBell<Machine> bell_;
};

using Participant1 = Participant<ModelAtomics<true>>;

/// The frame of a join, gone when the join returns.
inline void await_and_leave(std::unique_ptr<StolenJob> job) {
  assume(job->latch.is_set());
  check(job->outcome.get() == 1, "the job was not done");
}

template <class Machine>
std::vector<Program> join_programs_on(const std::string& machine) {
  using P = Participant<Machine>;
  return {
      {machine + "a stolen arm, awaited asleep",
       [] {
         P forker;
         P thief;
         auto job = std::make_unique<StolenJob>();
         forker.fork(*job);
         together(
             [&] {
               if (!forker.take_newest()) {
                 forker.wait(job->latch);
                 check(job->outcome.get() == 1, "the job was not done");
               }
               job.reset();  // the frame is gone
             },
             [&] {
               if (StolenJob* const stolen = forker.steal()) thief.run(*stolen);
             });
       }},
      {machine + "the thief forks below the arm",
       [] {
         P forker;
         P thief;
         StolenJob below;
         StolenJob arm;
         std::function<void()> body = [&] {
           thief.fork(below);
           if (thief.take_newest()) return;
           assume(below.latch.is_set());
           check(below.outcome.get() == 1, "the job below was not done");
         };
         arm.body = &body;
         together(
             [&] {
               P* const claimer = P::named_by(arm.latch);
               if (StolenJob* const job =
                       claimer != nullptr ? P::steal_below(arm.latch, *claimer) : nullptr)
                 forker.run(*job);
             },
             [&] { thief.run(arm); });
       }},
      {machine + "the thief goes on to a stranger's job",
       [] {
         P thief;
         auto stranger = std::make_unique<StolenJob>();
         StolenJob arm;
         together(
             [&] {
               if (P* const claimer = P::named_by(arm.latch))
                 check(P::steal_below(arm.latch, *claimer) == nullptr,
                       "a stranger's job was stolen by a waiter");
             },
             [&] {
               thief.run(arm);
               thief.fork(*stranger);  // in some other job that it has found
             });
       }},
      {machine + "from below the arm to a stranger's job",
       [] {
         P thief;
         StolenJob below;
         StolenJob stranger;
         StolenJob arm;
         std::function<void()> body = [&] {
           thief.fork(below);
           thief.take_newest();
         };
         arm.body = &body;
         together(
             [&] {
               if (P* const claimer = P::named_by(arm.latch))
                 check(P::steal_below(arm.latch, *claimer) != &stranger,
                       "a stranger's job was stolen by a waiter");
             },
             [&] {
               thief.run(arm);
               thief.fork(stranger);
             });
       }},
  };
}

/// Too many courses for every day.
template <class Machine>
std::vector<Program> large_join_programs_on(const std::string& machine) {
  using P = Participant<Machine>;
  return {
      {machine + "the arm ends only when its fork was stolen",
       [] {
         P forker;
         P thief;
         Atomic<std::uint32_t> met(0);
         StolenJob below;
         StolenJob arm;
         std::function<void()> body_below = [&] {
           met.store(1, std::memory_order_relaxed);
           Machine::wake(met, 1);
         };
         std::function<void()> body = [&] {
           thief.fork(below);
           while (met.load(std::memory_order_relaxed) == 0) Machine::wait(met, 0);
         };
         below.body = &body_below;
         arm.body = &body;
         together([&] { forker.wait(arm.latch); }, [&] { thief.run(arm); });
       },
       with_preemptions(2)},
  };
}

inline std::vector<Program> large_join_programs() {
  std::vector<Program> programs = large_join_programs_on<ModelAtomics<true>>("join: ");
  for (Program& program : large_join_programs_on<ModelAtomics<false>>("join, classic: "))
    programs.push_back(std::move(program));
  return programs;
}

inline std::vector<Program> latch_programs() {
  std::vector<Program> programs = {
      {"latch: the frame is gone once it is set",
       [] {
         auto job = std::make_unique<StolenJob>();
         StolenJob* const seen_by_thief = job.get();
         Participant1 thief;
         together([&] { await_and_leave(std::move(job)); }, [&] { thief.run(*seen_by_thief); });
       }},
      {"latch: the claimer is known with all that it made",
       [] {
         StolenJob job;
         together(
             [&] {
               if (Participant1* const claimer = Participant1::named_by(job.latch))
                 claimer->made.get();
             },
             [&] { (new Participant1)->run(job); });
       }},
  };
  for (Program& program : join_programs_on<ModelAtomics<true>>("join: "))
    programs.push_back(std::move(program));
  for (Program& program : join_programs_on<ModelAtomics<false>>("join, classic: "))
    programs.push_back(std::move(program));
  return programs;
}

}  // namespace furca::model
