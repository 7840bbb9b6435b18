// Programs that run the shipped Event and OpenTasks: a thread sleeps, answers mail or works for a
// pool until another one has done its part, in the same pool or in another one. What it has waited
// for is gone right afterwards, and so may the pool be.
// Only in a build whose Atomics are the model's (machine/machine.hpp).
#pragma once

#include "pool_programs.hpp"

#include <furca/detail/tasks/event.hpp>
#include <furca/detail/tasks/pool_door.hpp>
#include <furca/detail/tbb/open_tasks.hpp>
#include <furca/join.hpp>
#include <furca/scope.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace furca::model {

/// What a broadcast sends, without its scope: a call for one worker alone.
template <class F>
class Letter : public furca::detail::LinkedJob {
 public:
  explicit Letter(F f) noexcept : LinkedJob(&read), f_(f) {}

  /// As broadcast() does.
  void send(furca::detail::Worker& to) {
    furca::detail::mail(to, *this);
    furca::detail::ring_all(to.pool());
  }

 private:
  static furca::detail::JobEnd read(furca::detail::Job& job, furca::detail::Worker&,
                                    bool) noexcept {
    auto& self = static_cast<Letter&>(job);
    self.f_();
    return furca::detail::JobEnd::of(self.nobody_);
  }

  F f_;
  furca::detail::Latch nobody_;
};

/// In the frame of who waits: gone when the wait returns.
class AwaitedEvent {
 public:
  void set() { event_->set(); }
  void await(furca::detail::Pool* pool) {
    event_->await(pool);
    event_.reset();
  }
  void await_with_mail(furca::detail::Worker& self) {
    event_->await_with_mail(self);
    event_.reset();
  }

 private:
  std::optional<furca::detail::Event> event_{std::in_place};
};

/// A pool of one, and a guest of it who waits while `other` runs on another thread.
template <class Wait, class... Others>
void guest_waits(Wait wait, Others... others) {
  ThreadPool pool({.threads = 1});
  pool.install([&] {
    furca::detail::Worker& self = furca::detail::Worker::current();
    Thread threads[] = {Thread([&, others] { others(self); })...};
    wait(self);
    for (Thread& thread : threads) thread.join();
  });
}

inline std::vector<Program> event_programs() {
  return on_pools({
      {"event: who waits with mail sleeps until it is set, and has seen what was done before",
       [] {
         Piece piece;
         AwaitedEvent event;
         guest_waits(
             [&](furca::detail::Worker& self) {
               event.await_with_mail(self);
               piece.check_done();
             },
             [&](furca::detail::Worker&) {
               piece.run();
               event.set();
             });
       }},
      {"event: who sees that it is set, and does not wait, has seen what was done before",
       [] {
         Piece piece;
         furca::detail::Event event;
         together(
             [&] {
               if (event.is_set()) piece.check_done();
             },
             [&] {
               piece.run();
               event.set();
             });
       }},
      {"event: a letter sets it",
       [] {
         Piece piece;
         AwaitedEvent event;
         Letter letter([&] {
           piece.run();
           event.set();
         });
         guest_waits([&](furca::detail::Worker& self) { event.await_with_mail(self); },
                     [&](furca::detail::Worker& self) { letter.send(self); });
         piece.check_done();
       }},
      {"event: who sets it waits for a letter that the waiter must answer",
       [] {
         Atomic<std::uint32_t> met(0);
         AwaitedEvent event;
         Letter letter([&] { meet_second(met); });
         guest_waits([&](furca::detail::Worker& self) { event.await_with_mail(self); },
                     [&](furca::detail::Worker& self) {
                       letter.send(self);
                       meet_first(met);
                       event.set();
                     });
       },
       with_preemptions(3, 1)},
      {"event: one sets it, another one sends a letter",
       [] {
         Atomic<std::uint32_t> met(0);
         AwaitedEvent event;
         Letter letter([&] { meet_second(met); });
         guest_waits([&](furca::detail::Worker& self) { event.await_with_mail(self); },
                     [&](furca::detail::Worker& self) { letter.send(self); },
                     [&](furca::detail::Worker&) {
                       meet_first(met);
                       event.set();
                     });
       },
       with_preemptions(2, 1)},
      {"event: who waits without a pool sleeps until it is set",
       [] {
         Piece piece;
         AwaitedEvent event;
         together(
             [&] {
               event.await(nullptr);
               piece.check_done();
             },
             [&] {
               piece.run();
               event.set();
             });
       }},
      {"event: who works for a pool meanwhile destroys the pool afterwards",
       [] {
         Piece piece;
         AwaitedEvent event;
         std::optional<ThreadPool> pool(small_config(1));
         furca::detail::Pool* there = nullptr;
         pool->install([&] { there = &furca::detail::Worker::current().pool(); });
         together(
             [&] {
               event.await(there);
               piece.check_done();
               pool.reset();
             },
             [&] {
               piece.run();
               event.set();
             });
       }},
  });
}

/// Open tasks whose waiter is gone from where it waited, with all that was there, as soon as the
/// wait has returned.
inline std::vector<Program> awaited_open_task_programs() {
  using furca::detail::OpenTask;
  using furca::detail::OpenTasks;
  using furca::detail::Worker;
  const auto last_one_ends = [](bool isolated) {
    Piece piece;
    std::optional<OpenTasks> tasks(std::in_place);
    OpenTask& task = tasks->defer([] {});
    guest_waits(
        [&](Worker& self) {
          if (isolated) {
            tasks->wait({&self, self.deque().end()});
          } else {
            tasks->wait();
          }
          piece.check_done();
          tasks.reset();
        },
        [&](Worker&) {
          piece.run();
          task.drop();
        });
  };
  return on_pools({
      {"open tasks: the last one ends while a thread comes to wait, and destroys them",
       [=] { last_one_ends(false); }, with_preemptions(3, 1)},
      {"open tasks: the last one ends while a thread comes to wait, isolated, and destroys them",
       [=] { last_one_ends(true); }, with_preemptions(3, 1)},
      {"open tasks: who sees that all have ended, and does not wait, has seen what they did",
       [] {
         Piece piece;
         OpenTasks tasks;
         OpenTask& task = tasks.defer([] {});
         guest_waits([&](Worker& self) { tasks.wait({&self, self.deque().end()}); },
                     [&](Worker&) {
                       piece.run();
                       task.drop();
                     },
                     [&](Worker&) {
                       if (tasks.done()) piece.check_done();
                     });
       },
       with_preemptions(2, 1)},
      {"open tasks: who waits for them, isolated, ends the last one in answer to a letter",
       [] {
         Piece piece;
         std::optional<OpenTasks> tasks(std::in_place);
         OpenTask& task = tasks->defer([] {});
         Letter letter([&] {
           piece.run();
           task.drop();
         });
         guest_waits(
             [&](Worker& self) {
               tasks->wait({&self, self.deque().end()});
               piece.check_done();
               tasks.reset();
             },
             [&](Worker& self) { letter.send(self); });
       },
       with_preemptions(3, 1)},
      {"open tasks: what lies there when a thread leaves its pool another one runs, which sleeps "
       "in its own",
       [] {
         Piece piece;
         ThreadPool one(small_config(1));
         ThreadPool other(small_config(1));
         OpenTasks tasks;
         OpenTask& task = tasks.defer(running(piece));
         together([&] { one.install([&] { tasks.spawn_deferred(task); }); },
                  [&] {
                    other.install([&] { tasks.wait(); });
                    piece.check_done();
                  });
       },
       with_preemptions(2, 1)},
      {"open tasks: two threads wait, each in a pool of its own, which it destroys",
       [] {
         Piece piece;
         std::optional<ThreadPool> one(small_config(1));
         std::optional<ThreadPool> other(small_config(1));
         OpenTasks tasks;
         OpenTask& task = tasks.defer(running(piece));
         together(
             [&] {
               one->install([&] {
                 tasks.spawn_deferred(task);
                 tasks.wait();
               });
               piece.check_done();
               one.reset();
             },
             [&] {
               other->install([&] { tasks.wait(); });
               piece.check_done();
               other.reset();
             });
       },
       with_preemptions(2, 0)},
      {"open tasks: spawned in one pool, awaited in another one, which is destroyed",
       [] {
         Piece piece;
         Atomic<std::uint32_t> stolen(0);
         ThreadPool one(small_config(2));
         std::optional<ThreadPool> other(small_config(1));
         std::optional<OpenTasks> tasks(std::in_place);
         one.install([&] {
           tasks->spawn([&] {
             meet_second(stolen);
             piece.run();
           });
           meet_first(stolen);
           other->install([&] { tasks->wait(); });
           piece.check_done();
           tasks.reset();
           other.reset();
         });
       },
       with_preemptions(1, 1)},
  });
}

/// A thread that runs a stolen task of a scope, and waits in it for open tasks: it works for its
/// pool meanwhile, on top of that task. `other` runs beside it, as a guest, and ends what it waits
/// for. Then the scope's thread must run what the task spawns.
template <class Other>
void stolen_task_waits(Other other) {
  ThreadPool pool({.threads = 2});
  furca::detail::OpenTasks awaited;
  furca::detail::OpenTask& last = awaited.defer([] {});
  std::size_t owner = 0;  // the scope's thread
  bool waits = false;
  together(
      [&] {
        owner = self();
        pool.install([&] {
          Atomic<std::uint32_t> met(0);
          furca::scope([&](Scope& s) {
            s.spawn([&] {
              if (self() == owner) return;
              waits = true;
              awaited.wait();
              waits = false;
              s.spawn([&] { meet_second(met); });
              meet_first(met);
            });
          });
        });
      },
      [&] {
        const auto strange = [&] {
          check(self() != owner || waits, "a scope's thread ran what its task does not wait for");
        };
        pool.install([&] { other(last, strange); });
      });
}

/// What src/fork/scope_help.hpp says of a thread that serves a scope.
inline std::vector<Program> serving_programs() {
  using furca::detail::OpenTask;
  return on_pools({
      {"scope: a stolen task waits for open tasks, and its thread runs another scope's task on top "
       "of it",
       [] {
         stolen_task_waits([](OpenTask& last, auto strange) {
           furca::scope([&](Scope& s) {
             s.spawn([&, strange] {
               strange();
               last.drop();
             });
           });
         });
       },
       with_preemptions(1, 0)},
      {"scope: a stolen task waits for open tasks, and its thread runs a stranger's arm on top of "
       "it, which forks",
       [] {
         stolen_task_waits([](OpenTask& last, auto strange) {
           furca::join([] {}, [&] { furca::join([&] { last.drop(); }, strange); });
         });
       },
       with_preemptions(1, 0)},
  });
}

}  // namespace furca::model
