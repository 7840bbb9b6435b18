// Programs that run the shipped ThreadPool, Worker and join, whole: threads that look for work,
// fall asleep and are stopped, guests that come and go. Only in a build whose Atomics are the
// model's (machine/machine.hpp).
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"
#include "pool/pool.hpp"

#include <furca/async.hpp>
#include <furca/broadcast.hpp>
#include <furca/detail/base/local_values.hpp>
#include <furca/detail/fork/task_memory.hpp>
#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tbb/open_tasks.hpp>
#include <furca/join.hpp>
#include <furca/scope.hpp>
#include <furca/spawn.hpp>
#include <furca/thread_limit.hpp>
#include <furca/thread_pool.hpp>

#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <cxxabi.h>

namespace furca::model {

/// At the start of each program: every thread of the model has a current worker of its own,
/// remembers values of its own, and has exceptions of its own, as far as the compiler's library
/// knows. (Two words, in all that have Itanium's C++ ABI.)
inline void begin() {
  furca::detail::current_forks = nullptr;
  add_thread_local(&furca::detail::current_forks, sizeof(furca::detail::current_forks));
  furca::detail::local_values.clear();
  add_thread_local(&furca::detail::local_values, sizeof(furca::detail::local_values));
  constexpr std::size_t kBytes = 2 * sizeof(void*);
  void* const exceptions = abi::__cxa_get_globals();
  std::memset(exceptions, 0, kBytes);
  add_thread_local(exceptions, kBytes);
}

/// Programs that begin so.
inline std::vector<Program> on_pools(std::vector<Program> programs) {
  for (Program& program : programs)
    program.body = [body = std::move(program.body)] {
      begin();
      body();
    };
  return programs;
}

/// `body` in a pool.
template <class Body>
std::function<void()> in_a_pool(std::size_t threads, Body body) {
  return [threads, body] {
    ThreadPool pool({.threads = threads});
    pool.install(body);
  };
}

/// Work of one arm: done once, by somebody, and seen by who joins it.
class Piece {
 public:
  void run() {
    check(done_.get() == 0, "an arm ran twice");
    done_.set(1);
    by_.set(static_cast<int>(self()));
  }
  void check_not_begun() const { check(done_.get() == 0, "what was cancelled has run"); }
  void check_done() const { check(done_.get() == 1, "join returned before its arm was done"); }
  std::size_t by() const { return static_cast<std::size_t>(by_.get()); }

 private:
  Plain<int> done_{0};
  Plain<int> by_{-1};
};

/// Two arms, joined and checked.
inline void join_two() {
  Piece a;
  Piece b;
  furca::join([&] { a.run(); }, [&] { b.run(); });
  a.check_done();
  b.check_done();
}

/// Two that run at the same time, or never end: the first waits for the second.
inline void meet_first(Atomic<std::uint32_t>& met) {
  while (met.load(std::memory_order_relaxed) == 0) furca::detail::Atomics::wait(met, 0);
}
inline void meet_second(Atomic<std::uint32_t>& met) {
  met.store(1, std::memory_order_relaxed);
  furca::detail::Atomics::wake(met, 1);
}

/// Two such arms.
inline void meet() {
  Atomic<std::uint32_t> met(0);
  furca::join([&] { meet_first(met); }, [&] { meet_second(met); });
}

/// `work(pieces)` on some that are all done afterwards.
template <std::size_t n, class Work>
auto done(Work work) {
  return [work] {
    Piece pieces[n];
    work(pieces);
    for (const Piece& piece : pieces) piece.check_done();
  };
}

/// `body` in two guests of a pool.
template <class Body>
std::function<void()> in_two_guests(Body body) {
  return [body] {
    ThreadPool pool({.threads = 2});
    const auto guest = [&] { pool.install(body); };
    together(guest, guest);
  };
}

/// Two guests, each with such work, which nobody but itself and one other thread, the
/// pool's, runs.
template <std::size_t n, class Work>
auto two_guests(Work work) {
  return in_two_guests([work] {
    done<n>([work, me = self()](Piece(&pieces)[n]) {
      work(pieces);
      std::size_t started = 0;
      for (const Piece& piece : pieces) {
        if (piece.by() == me) continue;
        check(started == 0 || started == piece.by(), "a waiting guest ran the work of another");
        started = piece.by();
      }
    })();
  });
}

/// One started thread: it looks, steals or falls asleep, and is stopped.
inline std::vector<Program> started_thread_programs() {
  return on_pools({
      {"pool: started and stopped", [] { const ThreadPool pool({.threads = 2}); }},
      {"pool: a join, and a thread that may steal", in_a_pool(2, [] { join_two(); }),
       with_preemptions(2, 1)},
      {"pool: an arm that forks, joined by its forker",
       in_a_pool(2,
                 [] {
                   Piece first;
                   furca::join([&] { first.run(); }, [] { join_two(); });
                   first.check_done();
                 }),
       with_preemptions(2, 1)},
      {"pool: an arm waits for the other, which a started thread must run",
       in_a_pool(2, [] { meet(); }), with_preemptions(2, 1)},
      {"pool: again an arm waits for the other, after some sleep",
       [] {
         ThreadPool pool({.threads = 2});
         pool.install([] { meet(); });
         pool.install([] { meet(); });
       },
       with_preemptions(1, 1)},
      {"pool: a stolen arm waits for its own fork, which its forker must run",
       in_a_pool(2, [] { furca::join([] {}, [] { meet(); }); }), with_preemptions(1, 1)},
      {"pool: two rounds of work",
       [] {
         ThreadPool pool({.threads = 2});
         pool.install([] { join_two(); });
         pool.install([] { join_two(); });
       },
       with_preemptions(2, 1)},
      {"pool: while a guest waits for its arm it runs nobody else's",
       // Each guest's second arm may be stolen, and holds a fork that its own guest may help with;
       // the other one must not.
       two_guests<3>([](Piece(&pieces)[3]) {
         furca::join([&] { pieces[0].run(); },
                     [&] { furca::join([&] { pieces[1].run(); }, [&] { pieces[2].run(); }); });
         check(pieces[0].by() == self(), "the first arm ran elsewhere");
       }),
       with_preemptions(1, 1)},
  });
}

/// What the program's exit does with the global pool, whose threads may be in jobs that never end:
/// those it leaves alone. (Here detaching a thread is a failure.)
inline std::vector<Program> retired_programs() {
  return on_pools({
      {"retired: an arm that has been joined keeps no thread from being joined",
       [] {
         furca::detail::Pool pool({.threads = 2}, furca::detail::Pool::OnFailure::fail);
         {
           const furca::detail::Visit visit(pool, furca::detail::Visit::Deque::any);
           meet();
         }
         pool.retire();
       },
       with_preemptions(1, 1)},
  });
}

/// A scope with a task for each piece.
template <std::size_t n>
void spawn_all(Piece (&pieces)[n]) {
  furca::scope([&](Scope& s) {
    for (Piece& piece : pieces) s.spawn([&piece] { piece.run(); });
  });
}

/// The same, but that the first piece's task spawns those of the others.
template <std::size_t n>
void spawn_from_first(Piece (&pieces)[n]) {
  furca::scope([&](Scope& s) {
    s.spawn([&] {
      for (std::size_t i = 1; i < n; ++i) s.spawn([&, i] { pieces[i].run(); });
      pieces[0].run();
    });
  });
}

/// Scopes: tasks that anybody takes, and a thread that waits for all of them.
inline std::vector<Program> scope_programs() {
  return on_pools({
      {"scope: two tasks, and a thread that may steal them", in_a_pool(2, done<2>(spawn_all<2>)),
       with_preemptions(2, 1)},
      {"scope: a task that spawns another", in_a_pool(2, done<2>(spawn_from_first<2>)),
       with_preemptions(2, 1)},
      {"scope: an arm that leaves a task behind",
       in_a_pool(2,
                 [] {
                   Piece pieces[3];
                   furca::scope([&](Scope& s) {
                     furca::join(
                         [&] {
                           s.spawn([&] { pieces[0].run(); });
                           pieces[1].run();
                         },
                         [&] { pieces[2].run(); });
                     pieces[1].check_done();
                     pieces[2].check_done();
                   });
                   pieces[0].check_done();
                 }),
       with_preemptions(2, 1)},
      {"scope: the body waits for a task, which a started thread must run",
       in_a_pool(2,
                 [] {
                   Atomic<std::uint32_t> met(0);
                   furca::scope([&](Scope& s) {
                     s.spawn([&] { meet_second(met); });
                     meet_first(met);
                   });
                 }),
       with_preemptions(2, 1)},
      {"scope: a stolen task waits for its child, which the scope's thread must run",
       in_a_pool(2,
                 [] {
                   Atomic<std::uint32_t> met(0);
                   const std::size_t me = self();
                   furca::scope([&](Scope& s) {
                     s.spawn([&] {
                       if (self() == me) return;
                       s.spawn([&] { meet_second(met); });
                       meet_first(met);
                     });
                   });
                 }),
       with_preemptions(1, 1)},
      {"scope: while a guest waits for its scope it runs nobody else's",
       two_guests<2>(spawn_from_first<2>), with_preemptions(1, 1)},
      {"scope: of four tasks two are stolen at once", in_a_pool(2, done<4>(spawn_all<4>)),
       with_preemptions(1, 1)},
      {"scope: a thief spawns what another one steals, and ends first",
       in_a_pool(3, done<3>(spawn_from_first<3>)), with_preemptions(1, 0)},
      {"scope: the last of two tasks wakes the scope's thread", in_a_pool(3, done<2>(spawn_all<2>)),
       with_preemptions(1, 0)},
  });
}

/// A task of `tasks` that runs a piece.
inline auto running(Piece& piece) {
  return [&piece] { piece.run(); };
}

/// Open tasks: any thread spawns them, and any thread waits.
inline std::vector<Program> open_task_programs() {
  return on_pools({
      {"open tasks: spawned and awaited, and a thread that may steal",
       in_a_pool(2,
                 [] {
                   Piece pieces[2];
                   {
                     furca::detail::OpenTasks tasks;
                     for (Piece& piece : pieces) tasks.spawn(running(piece));
                     tasks.wait();
                   }
                   for (const Piece& piece : pieces) piece.check_done();
                 }),
       with_preemptions(1, 1)},
      {"open tasks: the waiting thread sleeps, and the last end wakes it",
       in_a_pool(2,
                 [] {
                   Atomic<std::uint32_t> met(0);
                   furca::detail::OpenTasks tasks;
                   tasks.spawn([&met] { meet_second(met); });
                   meet_first(met);
                   tasks.wait();
                 }),
       with_preemptions(1, 1)},
      {"open tasks: two threads wait",
       [] {
         Piece piece;
         ThreadPool pool({.threads = 1});
         furca::detail::OpenTasks tasks;
         furca::detail::OpenTask& task = tasks.defer(running(piece));
         together(
             [&] {
               pool.install([&] { tasks.wait(); });
               piece.check_done();
             },
             [&] {
               pool.install([&] {
                 tasks.spawn_deferred(task);
                 tasks.wait();
               });
               piece.check_done();
             });
       },
       with_preemptions(2, 1)},
      {"open tasks: a waiter destroys them while the thread that ended the last one but one is "
       "still at it",
       [] {
         ThreadPool pool({.threads = 1});
         Atomic<std::uint32_t> spawned(0);
         std::optional<furca::detail::OpenTasks> tasks(std::in_place);
         furca::detail::OpenTask& first = tasks->defer([] {});
         together([&] { first.drop(); },
                  [&] {
                    tasks->defer([] {}).drop();
                    meet_second(spawned);
                  },
                  [&] {
                    pool.install([&] { tasks->wait(); });
                    meet_first(spawned);
                    pool.install([&] { tasks->wait(); });
                    tasks.reset();
                  });
       },
       with_preemptions(2, 0)},
  });
}

/// From here on so many threads compute in the calling thread's pool.
inline constexpr std::size_t kNoLimit = furca::detail::Limit::kNone;
inline void limit_threads(std::size_t threads) {
  furca::detail::limit_threads(furca::detail::Worker::current().pool(), threads);
}

/// The same, and those who are too many have seen it.
inline void limit_threads_and_wait(std::size_t threads) {
  limit_threads(threads);
  furca::detail::Worker::current().pool().await_limit();
}

/// A pool whose rings are small.
inline Config small_config(std::size_t threads) {
  return {.threads = threads, .queue_capacity = 2};
}

/// A pool of which not all threads may compute. Each limit ends before its pool does.
inline std::vector<Program> limit_programs() {
  return on_pools({
      {"limits: a task under a limit of one",
       [] {
         Atomic<std::uint32_t> met(0);
         ThreadPool pool(small_config(2));
         pool.install([&] {
           limit_threads(1);
           furca::spawn([&] { meet_second(met); });
           meet_first(met);
           limit_threads(kNoLimit);
         });
       },
       with_preemptions(2, 1)},
      {"limits: a task from outside, and a limit of one",
       [] {
         Atomic<std::uint32_t> met(0);
         ThreadPool pool(small_config(2));
         pool.install([&] { limit_threads(1); });
         pool.spawn([&] { meet_second(met); });
         meet_first(met);
         pool.install([&] { limit_threads(kNoLimit); });
       },
       with_preemptions(1, 1)},
      {"limits: a task is older than the limit of one",
       [] {
         Atomic<std::uint32_t> met(0);
         ThreadPool pool(small_config(2));
         pool.install([&] {
           furca::spawn([&] { meet_second(met); });
           limit_threads(1);
           meet_first(met);
           limit_threads(kNoLimit);
         });
       },
       with_preemptions(1, 1)},
      {"limits: after a limit an arm waits for the other, which a started thread must run",
       in_a_pool(2,
                 [] {
                   limit_threads(1);
                   limit_threads(kNoLimit);
                   meet();
                 }),
       with_preemptions(1, 1)},
      {"limits: an arm ends the limit and waits for the other, which is older",
       [] {
         Atomic<std::uint32_t> met(0);
         ThreadPool pool({.threads = 2});
         pool.install([&] {
           limit_threads(1);
           furca::join(
               [&] {
                 limit_threads(kNoLimit);
                 meet_first(met);
               },
               [&] { meet_second(met); });
         });
       },
       with_preemptions(1, 1)},
      {"limits: of two threads that look, one rests, and the other must run the arm",
       in_a_pool(3,
                 [] {
                   limit_threads(2);
                   meet();
                   limit_threads(kNoLimit);
                 }),
       with_preemptions(1, 0)},
      {"limits: awaited, a limit of one leaves both arms to their caller",
       in_a_pool(2,
                 [] {
                   limit_threads_and_wait(1);
                   Piece a;
                   Piece b;
                   furca::join([&] { a.run(); }, [&] { b.run(); });
                   check(a.by() == self() && b.by() == self(),
                         "an arm ran on a thread that is too many");
                   limit_threads(kNoLimit);
                 }),
       with_preemptions(2, 1)},
      {"limits: mail for a thread that rests",
       in_a_pool(2,
                 [] {
                   limit_threads(1);
                   Piece pieces[2];
                   furca::broadcast([&] { pieces[furca::thread_index()].run(); });
                   for (const Piece& piece : pieces) piece.check_done();
                   limit_threads(kNoLimit);
                 }),
       with_preemptions(1, 1)},
  });
}

/// A coroutine that goes to a pool, and runs a piece there if there is one.
inline Async<int> go_to(ThreadPool& pool, Piece* piece = nullptr) {
  co_await pool.schedule();
  if (piece != nullptr) piece->run();
  co_return 7;
}

/// A coroutine that waits for a task.
inline Async<int> awaiting(Task<int> task) { co_return co_await std::move(task); }

/// Detached tasks: nobody waits for them on the spot, and all of them run.
inline std::vector<Program> task_programs() {
  return on_pools({
      {"tasks: one from outside wakes a sleeper, and the pool's end runs it",
       [] {
         Piece piece;
         {
           ThreadPool pool(small_config(2));
           pool.spawn([&] { piece.run(); });
         }
         piece.check_done();
       },
       with_preemptions(2, 1)},
      {"tasks: who posts waits for a task, which a started thread must run",
       [] {
         Atomic<std::uint32_t> met(0);
         ThreadPool pool(small_config(2));
         pool.spawn([&] { meet_second(met); });
         meet_first(met);
       },
       with_preemptions(2, 1)},
      {"tasks: a guest's ring, from which a started thread must take",
       [] {
         Atomic<std::uint32_t> met(0);
         ThreadPool pool(small_config(2));
         pool.install([&] {
           furca::spawn([&] { meet_second(met); });
           meet_first(met);
         });
       },
       with_preemptions(2, 1)},
      {"tasks: three of a guest's overflow a ring of two",
       [] {
         Piece pieces[3];
         {
           ThreadPool pool(small_config(2));
           pool.install([&] {
             for (Piece& piece : pieces) furca::spawn([&piece] { piece.run(); });
           });
         }
         for (const Piece& piece : pieces) piece.check_done();
       },
       with_preemptions(1, 1)},
      {"tasks: who waits until all have ended has seen what a child did",
       [] {
         ThreadPool pool(small_config(2));
         Piece piece;
         pool.spawn([&] { furca::spawn([&] { piece.run(); }); });
         pool.wait_idle();
         piece.check_done();
       },
       with_preemptions(2, 0)},
      {"tasks: a pool of one",
       [] {
         ThreadPool pool(small_config(1));
         Piece pieces[2];
         pool.spawn([&] {
           furca::spawn([&] { pieces[1].run(); });
           pieces[0].run();
         });
         pool.wait_idle();
         for (const Piece& piece : pieces) piece.check_done();
       },
       with_preemptions(2, 0)},
      {"tasks: a pool of one, where a guest waits for one task after the other",
       [] {
         Atomic<std::uint32_t> met(0);
         Atomic<std::uint32_t> met_again(0);
         ThreadPool pool(small_config(1));
         pool.install([&] {
           furca::spawn([&] { meet_second(met); });
           meet_first(met);
           furca::spawn([&] { meet_second(met_again); });
           meet_first(met_again);
         });
       },
       with_preemptions(1, 1)},
      {"seats: who sits down sees what was done there before",
       [] {
         furca::detail::Seats seats;
         Plain<int> done(0);
         const auto sit = [&] {
           if (!seats.claim()) return;
           done.set(done.get() + 1);
           seats.leave();
         };
         together(sit, sit);
         check(seats.claim(), "a seat was lost");
         check(done.get() > 0, "nobody sat down");
       }},
      {"seats: two wait, and one task runs at a time",
       [] {
         Plain<int> sum(0);
         ThreadPool pool(small_config(1));
         const auto spawn_and_wait = [&] {
           pool.spawn([&] { sum.set(sum.get() + 1); });
           pool.wait_idle();
         };
         together(spawn_and_wait, spawn_and_wait);
         check(sum.get() == 2, "a task was lost");
       },
       with_preemptions(1, 0)},
      {"seats: who leaves tells the task thread, which must run a task",
       [] {
         Atomic<std::uint32_t> over(0);
         Atomic<std::uint32_t> met(0);
         furca::detail::Pool pool({.threads = 1}, furca::detail::Pool::OnFailure::fail);
         const auto is_over = [&] { return over.load(std::memory_order_relaxed) == 1; };
         Thread other([&] { pool.waits.work_until(furca::detail::Until(is_over)); });
         const auto meet = [&] { meet_second(met); };
         furca::detail::Spawning<decltype(meet)>::spawn(pool, meet);
         over.store(1, std::memory_order_relaxed);
         pool.waits.tell();
         meet_first(met);
         other.join();
       },
       with_preemptions(1, 1)},
      {"seats: a handle is joined by a thread that rests until its task is over",
       [] {
         ThreadPool pool(small_config(1));
         Piece piece;
         Task<int> task = pool.spawn_task([&] {
           piece.run();
           return 7;
         });
         check(task.join() == 7, "another result");
         piece.check_done();
       },
       with_preemptions(1, 1)},
      {"tasks: the end of one that was only counted wakes who waits until all have ended",
       [] {
         furca::detail::Pool pool({.threads = 1}, furca::detail::Pool::OnFailure::fail);
         pool.count_begin();
         Thread other([&] { pool.count_end(); });
         pool.wait_idle();
         other.join();
       },
       with_preemptions(1, 1)},
      {"tasks: who waits for something of its own is told of it by a thread that is not in the "
       "pool",
       [] {
         Atomic<std::uint32_t> over(0);
         furca::detail::Pool pool({.threads = 1}, furca::detail::Pool::OnFailure::fail);
         Thread other([&] {
           over.store(1, std::memory_order_relaxed);
           pool.waits.tell();
         });
         const auto is_over = [&] { return over.load(std::memory_order_relaxed) == 1; };
         pool.waits.work_until(furca::detail::Until(is_over));
         other.join();
       },
       with_preemptions(1, 1)},
      {"tasks: who posts from outside may still be at it when the pool ends",
       [] {
         Atomic<std::uint32_t> met(0);
         std::optional<ThreadPool> pool(small_config(2));
         together([&] { pool->spawn([&] { meet_second(met); }); },
                  [&] {
                    meet_first(met);
                    pool.reset();
                  });
       },
       with_preemptions(1, 0)},
      {"tasks: joined while it is in the queue, runs, or has run",
       [] {
         ThreadPool pool(small_config(2));
         Piece piece;
         Task<int> task = pool.spawn_task([&] {
           piece.run();
           return 7;
         });
         check(task.join() == 7, "another result");
         piece.check_done();
       },
       with_preemptions(2, 1)},
      {"tasks: cancelled or not, a task runs once or never",
       [] {
         ThreadPool pool(small_config(2));
         Piece piece;
         Task<void> task = pool.spawn_task([&] { piece.run(); });
         const bool cancelled = task.cancel();
         if (!cancelled) task.join();
         pool.wait_idle();
         cancelled ? piece.check_not_begun() : piece.check_done();
       },
       with_preemptions(2, 0)},
      {"tasks: a coroutine goes to the pool and back",
       [] {
         ThreadPool pool(small_config(2));
         Piece piece;
         check(sync_wait(go_to(pool, &piece)) == 7, "another result");
         piece.check_done();
       },
       with_preemptions(2, 1)},
      {"tasks: a spawned coroutine is joined",
       [] {
         ThreadPool pool(small_config(2));
         check(pool.spawn_task(go_to(pool)).join() == 7, "another result");
       },
       with_preemptions(1, 0)},
      {"tasks: a coroutine awaits a task",
       [] {
         ThreadPool pool(small_config(2));
         Piece piece;
         Task<int> task = pool.spawn_task([&] {
           piece.run();
           return 7;
         });
         check(sync_wait(awaiting(std::move(task))) == 7, "another result");
         piece.check_done();
       },
       with_preemptions(3, 0)},
      {"tasks: a coroutine awaits a coroutine that was spawned",
       [] {
         ThreadPool pool(small_config(2));
         check(sync_wait(awaiting(pool.spawn_task(go_to(pool)))) == 7, "another result");
       },
       with_preemptions(1, 0)},
      {"tasks: dropped while it is in the queue, runs, or has run",
       [] {
         ThreadPool pool(small_config(2));
         Piece piece;
         static_cast<void>(pool.spawn_task([&] { piece.run(); }));
         pool.wait_idle();
         piece.check_done();
       },
       with_preemptions(2, 0)},
      {"tasks: while a thread is in its start_hook another one runs what that waits for",
       [] {
         Atomic<std::uint32_t> hook_goes_on(0);
         Atomic<std::uint32_t> met(0);
         Config config = small_config(3);
         config.start_hook = [&](std::size_t thread) {
           if (thread == 1) meet_first(hook_goes_on);
         };
         ThreadPool pool(config);
         pool.spawn([&] {
           meet_second(hook_goes_on);
           meet_second(met);
         });
         meet_first(met);
       },
       with_preemptions(1, 0)},
      {"tasks: a broadcast reaches a sleeper, and one that waits",
       [] {
         ThreadPool pool(small_config(2));
         Piece pieces[2];
         std::size_t calls = 0;
         pool.broadcast([&] { pieces[calls++].run(); });
         for (const Piece& piece : pieces) piece.check_done();
       },
       with_preemptions(1, 0)},
  });
}

/// Two started threads, and a fifth of the time of all programs: too long for every day.
inline std::vector<Program> long_task_programs() {
  return on_pools({
      {"tasks: a task waits for the one it spawned, which another thread must take out of its slot",
       [] {
         Atomic<std::uint32_t> met(0);
         ThreadPool pool(small_config(3));
         pool.spawn([&] {
           furca::spawn([&] { meet_second(met); });
           meet_first(met);
         });
       },
       with_preemptions(1, 0)},
      {"tasks: a task that has waited waits for another one, which a thread that sleeps must run",
       [] {
         Atomic<std::uint32_t> waited(0);
         Atomic<std::uint32_t> met(0);
         Atomic<std::uint32_t> met_by_both(0);
         ThreadPool pool(small_config(3));
         pool.spawn([&] {
           sync_wait(go_to(pool));
           meet_second(waited);
           meet_first(met);
         });
         meet_first(waited);
         pool.spawn([&] {
           meet_second(met);
           meet_second(met_by_both);
         });
         meet_first(met_by_both);
       },
       with_preemptions(1, 0)},
  });
}

/// What lies in a block of TaskMemory, and is destroyed by whoever has run it.
class InBlock {
 public:
  explicit InBlock(Plain<int>& ended) : ended_(ended) {}
  ~InBlock() { ended_.set(1); }
  InBlock(const InBlock&) = delete;
  InBlock& operator=(const InBlock&) = delete;

 private:
  Plain<int>& ended_;
};

/// Memory for tasks: the worker's blocks are all in use, until others give some of them back.
inline std::vector<Program> task_memory_programs() {
  return on_pools({
      {"task memory: a block that another thread gives back is used again only after what lay "
       "there has ended",
       [] {
         // as many as TaskMemory makes of a slab at a time; with another number no block would come
         // back
         constexpr std::size_t kBatch = 31;
         Plain<int> ended[2];
         Plain<int> never;
         Plain<int> elsewhere[2];
         furca::detail::TaskMemory own;
         furca::detail::TaskMemory others[2];
         furca::detail::TaskMemory third;
         const auto make = [&own](Plain<int>& end) -> InBlock& {
           return own.make<InBlock, true>(end);
         };
         InBlock* const first[2] = {&make(ended[0]), &make(ended[1])};
         for (std::size_t left = kBatch - 2; left > 0; --left) make(never);
         InBlock* const of_third[2] = {&third.make<InBlock, true>(elsewhere[0]),
                                       &third.make<InBlock, true>(elsewhere[1])};
         // a block goes back when one of another worker's comes to be kept
         const auto free_first = [&](std::size_t i) {
           own.free(*first[i], others[i]);
           third.free(*of_third[i], others[i]);
         };
         const auto use_again = [&] {
           const InBlock* const again = &make(never);
           for (std::size_t i = 0; i < 2; ++i)
             if (again == first[i])
               check(ended[i].get() == 1,
                     "a block is used again, and what lay there has not ended");
         };
         together([&] { free_first(0); }, [&] { free_first(1); },
                  [&] {
                    use_again();
                    use_again();
                  });
       }},
  });
}

/// Guests have each a number of their own while they are inside, and find what was left of the one
/// before them.
class Numbers {
 public:
  void taken(std::size_t number) {
    check(number < kMost, "a number far too high");
    check(!inside_[number], "two guests have the same number");
    inside_[number] = true;
    used_[number].set(1);  // a race if the one before did not leave before we came
  }
  void given_back(std::size_t number) { inside_[number] = false; }

 private:
  static constexpr std::size_t kMost = 4;
  bool inside_[kMost] = {};
  Plain<int> used_[kMost];
};

inline void visit(ThreadPool& pool, Numbers& numbers) {
  pool.install([&] {
    const std::size_t number = furca::thread_index();
    numbers.taken(number);
    join_two();
    numbers.given_back(number);
  });
}

inline std::vector<Program> guest_programs() {
  return on_pools({
      {"guests: two at a time",
       [] {
         ThreadPool pool({.threads = 1});
         Numbers numbers;
         const auto guest = [&] { visit(pool, numbers); };
         together(guest, guest);
       }},
      {"guests: one comes twice, beside another",
       [] {
         ThreadPool pool({.threads = 1});
         Numbers numbers;
         together(
             [&] {
               visit(pool, numbers);
               visit(pool, numbers);
             },
             [&] { visit(pool, numbers); });
       }},
  });
}

inline std::vector<Program> large_guest_programs() {
  return on_pools({
      {"guests: three for two places",
       [] {
         ThreadPool pool({.threads = 1});
         Numbers numbers;
         const auto guest = [&] { visit(pool, numbers); };
         together(guest, guest);
         together(guest, guest, guest);
       },
       with_preemptions(2, 1)},
      {"guests: a thief must find both", in_two_guests([] { meet(); }), with_preemptions(1, 1)},
      {"guests: one leaves and one comes, under the eyes of a thief",
       [] {
         ThreadPool pool({.threads = 2});
         Numbers numbers;
         const auto guest = [&] { visit(pool, numbers); };
         together(guest, guest);
       },
       with_preemptions(1, 1)},
  });
}

}  // namespace furca::model
