// tbb's tasks, arenas and controls: what a program that was written for oneTBB relies on. Also
// compiled with oneTBB's own headers, where all of this must hold too.
#if !defined(_WIN32)
#include "support/forked.hpp"
#endif

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <tbb/version.h>

#include "support/tracked.hpp"
#include "support/trials.hpp"

#include <csignal>

#if defined(FURCA_TBB)
#include <furca/broadcast.hpp>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/scope.hpp>
#include <furca/thread_pool.hpp>
#endif

namespace {

using furca::test::on_threads;
using furca::test::Tracked;
using Work = std::function<void()>;

/// What f() throws: its text; or "nothing".
std::string thrown_by(const Work& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
  tbb::task_group group;
  group.run([&a, n] { a = fib(n - 1); });
  b = fib(n - 2);
  group.wait();
  return a + b;
}

/// A task in whose middle a group waits for the next, so many deep.
int chain(int depth) {
  if (depth == 0) return 0;
  int below = 0;
  tbb::task_group group;
  group.run([&below, depth] { below = chain(depth - 1); });
  group.wait();
  return below + 1;
}

void grow(tbb::task_group& group, int depth, std::atomic<int>& nodes) {
  ++nodes;
  if (depth == 0) return;
  for (int child = 0; child < 2; ++child)
    group.run([&group, depth, &nodes] { grow(group, depth - 1, nodes); });
}

void wait_for(const std::atomic<bool>& flag) {
  while (!flag.load()) std::this_thread::yield();
}

/// Which threads ran some work that has enough of it for many.
std::set<std::thread::id> threads_that_work() {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  tbb::task_group group;
  for (int i = 0; i < 200; ++i) {
    group.run([&] {
      for (int turn = 0; turn < 20; ++turn) std::this_thread::yield();
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
  }
  group.wait();
  return seen;
}

/// As many iterations as threads, which go on when all of them have begun.
template <class Partitioner>
void meet(int threads, Partitioner&& partitioner) {
  std::atomic<int> begun{0};
  tbb::parallel_for(
      tbb::blocked_range<int>(0, threads, 1),
      [&](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i != range.end(); ++i) {
          ++begun;
          while (begun < threads) std::this_thread::yield();
        }
      },
      partitioner);
  CHECK(begun == threads);
}

}  // namespace

// First, while there are no other threads.

// Windows has no fork(). oneTBB's observer throws on the caller at its entry, and ends the program
// elsewhere; and oneTBB starts no more threads than there are processors.
#if defined(FURCA_TBB) && !defined(_WIN32)
namespace {

/// Throws at an entry, or at an exit.
class Thrower : public tbb::task_scheduler_observer {
 public:
  Thrower(tbb::task_arena& arena, bool at_entry)
      : task_scheduler_observer(arena), entry_(at_entry) {
    observe();
  }
  ~Thrower() override { observe(false); }
  void on_scheduler_entry(bool) override { throw_if(entry_); }
  void on_scheduler_exit(bool) override { throw_if(!entry_); }

 private:
  static void throw_if(bool now) {
    if (now) throw std::runtime_error("an observer");
  }
  const bool entry_;
};

}  // namespace

TEST_CASE("an observer that throws ends the program") {
  for (const bool at_entry : {true, false})
    CHECK(furca::test::in_forked_child([at_entry] {
            try {
              tbb::task_arena arena(1);
              const Thrower thrower(arena, at_entry);
              arena.execute([] {});
            } catch (const std::runtime_error&) {
              return 1;
            }
            return 2;
          }).signal == SIGABRT);
}

TEST_CASE("iterations of a program's first loop wait for each other") {
  const auto first_loop = [](auto partitioner) {
    return furca::test::in_forked_child([&partitioner] {
             for (int turn = 0; turn < 3; ++turn)
               meet(tbb::this_task_arena::max_concurrency(), partitioner);
             return 0;
           }).exit_code == 0;
  };
  CHECK(first_loop(tbb::static_partitioner()));
  CHECK(first_loop(tbb::simple_partitioner()));
  CHECK(first_loop(tbb::auto_partitioner()));
  CHECK(first_loop(tbb::affinity_partitioner()));
}
#endif

TEST_CASE("iterations of a loop wait for each other, no more of them than an arena has threads") {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 64);
  for (const int threads : {1, 2, 4, 64}) {
    tbb::affinity_partitioner affinity;
    for (int round = 0; round < 60 / threads + 2; ++round) {
      tbb::task_arena arena(threads);  // its threads begin with the first loop
      for (int turn = 0; turn < 3; ++turn)
        arena.execute([&] {
          meet(threads, tbb::static_partitioner());
          meet(threads, tbb::simple_partitioner());
          meet(threads, tbb::auto_partitioner());
          meet(threads, affinity);
          meet((threads + 1) / 2, tbb::simple_partitioner());
        });
    }
  }
}

TEST_CASE("a group's tasks have run when wait() returns") {
  tbb::task_group group;
  std::atomic<int> ran{0};
  for (int i = 0; i < 1000; ++i) group.run([&] { ++ran; });
  CHECK(group.wait() == tbb::complete);
  CHECK(ran == 1000);
  CHECK(group.wait() == tbb::complete);  // with nothing to wait for

  group.run([&] { ++ran; });  // and again
  CHECK(group.wait() == tbb::task_group_status::complete);
  CHECK(ran == 1001);
}

TEST_CASE("tasks start tasks in their group while another thread waits for it") {
  tbb::task_group group;
  std::atomic<int> nodes{0};
  group.run([&] { grow(group, 12, nodes); });
  group.wait();
  CHECK(nodes == (1 << 13) - 1);
}

TEST_CASE("groups in groups") {
  CHECK(fib(20) == 6765);
  CHECK(chain(1000) == 1000);
}

TEST_CASE("four threads start tasks in one group, and a fifth waits") {
  tbb::task_group group;
  std::atomic<int> ran{0};
  on_threads(4, [&](int) {
    for (int i = 0; i < 500; ++i) group.run([&] { ++ran; });
  });
  group.wait();
  CHECK(ran == 2000);
}

TEST_CASE("several threads wait for one group") {
  for (int round = 0; round < 50; ++round) {
    tbb::task_group group;
    std::atomic<int> ran{0};
    std::atomic<int> missed{0};
    for (int i = 0; i < 20; ++i) group.run([&] { ++ran; });
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        group.wait();
        if (ran != 20) ++missed;
      });
    }
    group.wait();
    for (std::thread& thread : threads) thread.join();
    CHECK(ran == 20);
    CHECK(missed == 0);
  }
}

TEST_CASE("a task's callable may be moved in, and is destroyed") {
  Tracked::alive = 0;
  {
    tbb::task_group group;
    std::atomic<int> sum{0};
    const Tracked tracked;
    group.run([&sum, tracked] { sum += 1; });
    group.run([&sum, owned = std::make_unique<int>(2)] { sum += *owned; });
    group.wait();
    CHECK(sum == 3);
    CHECK(Tracked::alive == 1);
  }
  CHECK(Tracked::alive == 0);
}

TEST_CASE("an exception leaves wait(), and the group can be used again") {
  tbb::task_group group;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran{0};
    group.run([] { throw std::runtime_error("a task"); });
    for (int i = 0; i < 20; ++i) {
      group.run([&ran, i] {
        ++ran;
        if (i == 7) throw std::runtime_error("a task");
      });
    }
    CHECK(thrown_by([&] { group.wait(); }) == "a task");
    CHECK(ran <= 20);
    CHECK(group.wait() == tbb::complete);
    group.run([&] { ran = 100; });
    CHECK(group.wait() == tbb::complete);
    CHECK(ran == 100);
  }
}

TEST_CASE("an exception in a group in a task leaves both waits") {
  tbb::task_group outer;
  outer.run([] {
    tbb::task_group inner;
    inner.run([] { throw std::runtime_error("deep"); });
    inner.wait();
  });
  CHECK(thrown_by([&] { outer.wait(); }) == "deep");
}

TEST_CASE("cancel: tasks that have not begun are dropped, and the group can be used again") {
  Tracked::alive = 0;
  tbb::task_group group;
  std::atomic<bool> began{false};
  std::atomic<int> ran{0};
  group.run([&] {
    began = true;
    while (!tbb::is_current_task_group_canceling()) std::this_thread::yield();
    const Tracked tracked;
    for (int i = 0; i < 100; ++i) group.run([&ran, tracked] { ++ran; });
  });
  if (tbb::this_task_arena::max_concurrency() > 1) wait_for(began);
  group.cancel();
  CHECK(group.wait() == tbb::canceled);
  CHECK(ran == 0);
  CHECK(Tracked::alive == 0);

  group.run([&] { ++ran; });
  CHECK(group.wait() == tbb::complete);
  CHECK(ran == 1);
}

TEST_CASE("cancelling a group cancels what its tasks wait for, unless that is isolated") {
  tbb::task_group outer;
  bool below = false;
  bool isolated = true;
  outer.run_and_wait([&] {
    tbb::task_group inner;
    tbb::task_group_context apart(tbb::task_group_context::isolated);
    tbb::task_group island(apart);
    std::atomic<bool> first{false};
    inner.run_and_wait([&] {
      outer.cancel();
      below = tbb::is_current_task_group_canceling();
    });
    island.run_and_wait([&] {
      isolated = tbb::is_current_task_group_canceling();
      first = true;
    });
    CHECK(first);
  });
  CHECK(below);
  CHECK_FALSE(isolated);
}

TEST_CASE("cancelling a group leaves the one around it alone") {
  tbb::task_group outer;
  bool outer_goes_on = false;
  CHECK(outer.run_and_wait([&] {
    tbb::task_group inner;
    CHECK(inner.run_and_wait([&] {
      inner.cancel();
      CHECK(tbb::is_current_task_group_canceling());
    }) == tbb::canceled);
    outer_goes_on = !tbb::is_current_task_group_canceling();
  }) == tbb::complete);
  CHECK(outer_goes_on);
}

TEST_CASE("run_and_wait runs its task on this thread") {
  tbb::task_group group;
  std::atomic<bool> other{false};
  std::thread::id by;
  group.run([&] { other = true; });
  CHECK(group.run_and_wait([&] { by = std::this_thread::get_id(); }) == tbb::complete);
  CHECK(by == std::this_thread::get_id());
  CHECK(other);
  CHECK(thrown_by([&] { group.run_and_wait([] { throw std::runtime_error("here"); }); }) == "here");
}

TEST_CASE("wait() on another thread waits for what run_and_wait() runs") {
  for (int round = 0; round < 20; ++round) {
    tbb::task_group group;
    std::atomic<bool> begun{false};
    std::atomic<bool> waits{false};
    std::atomic<bool> ended{false};
    std::thread other([&] {
      group.run_and_wait([&] {
        begun = true;
        wait_for(waits);
        for (int turn = 0; turn < 1'000; ++turn) std::this_thread::yield();
        ended = true;
      });
    });
    wait_for(begun);
    waits = true;
    group.wait();
    CHECK(ended);
    other.join();
  }
}

#if defined(FURCA_TBB)
TEST_CASE("tasks that wait for a group nest so deep and no deeper") {
  constexpr int kTasks = 10'000;
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_group busy;
  tbb::task_group others;
  std::atomic<int> begun{0};
  std::atomic<int> most{0};
  busy.run_and_wait([&] {
    for (int i = 0; i < kTasks; ++i) {
      others.run([&] {
        ++begun;
        busy.wait();
      });
    }
    const auto settled = [&] {
      const int before = begun;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return before == begun;
    };
    while (!settled()) {
    }
    most = begun.load();
  });
  others.wait();
  CHECK(begun == kTasks);
  CHECK(most < kTasks / 2);
}
#endif

TEST_CASE("a deferred task runs when it is told to, or never") {
  Tracked::alive = 0;
  tbb::task_group group;
  std::atomic<int> ran{0};
  tbb::task_handle handle = group.defer([&] { ++ran; });
  CHECK(handle);
  CHECK_FALSE(handle == nullptr);
  CHECK(handle != nullptr);
  group.run([&] { ++ran; });
  group.run(std::move(handle));
  CHECK(group.wait() == tbb::complete);
  CHECK(ran == 2);

  CHECK(group.run_and_wait(group.defer([&] { ++ran; })) == tbb::complete);
  CHECK(ran == 3);

  {
    const Tracked tracked;
    tbb::task_handle dropped = group.defer([&ran, tracked] { ++ran; });
    tbb::task_handle moved = std::move(dropped);
    CHECK_FALSE(dropped);  // NOLINT(bugprone-use-after-move)
    moved = tbb::task_handle();
    CHECK(moved == nullptr);
  }
  CHECK(Tracked::alive == 0);
  CHECK(group.wait() == tbb::complete);
  CHECK(ran == 3);
}

TEST_CASE("wait() waits for deferred tasks, which another thread runs") {
  tbb::task_group group;
  std::atomic<bool> ran{false};
  tbb::task_handle handle = group.defer([&] { ran = true; });
  std::thread other([&] {
    std::this_thread::yield();
    group.run(std::move(handle));
    handle = tbb::task_handle();
  });
  group.wait();
  CHECK(ran);
  other.join();
}

TEST_CASE("a group that nobody has waited for says so") {
  std::atomic<bool> go{false};
  const auto forget = [&] {
    tbb::task_group group;
    std::atomic<bool> began{false};
    group.run([&] {
      began = true;
      wait_for(go);
    });
    if (tbb::this_task_arena::max_concurrency() > 1) wait_for(began);
    go = true;
    group.run([] {});
    tbb::task_handle pending = group.defer([] {});
    group.run(std::move(pending));
    throw std::runtime_error("on its way");  // and so it says nothing
  };
  CHECK(thrown_by(forget) == "on its way");
  CHECK_THROWS_AS(([] {
                    tbb::task_group group;
                    for (int i = 0; i < 100; ++i) group.run([] { std::this_thread::yield(); });
                    group.run([&group] {
                      for (int i = 0; i < 1000; ++i) group.run([] { std::this_thread::yield(); });
                    });
                    // so they have not all ended by then
                    group.run([] {
                      while (!tbb::is_current_task_group_canceling()) std::this_thread::yield();
                    });
                  }()),
                  tbb::missing_wait);
}

TEST_CASE("contexts: cancelled once, reset, bound or isolated") {
  tbb::task_group_context context;
  CHECK_FALSE(context.is_group_execution_cancelled());
  CHECK(context.cancel_group_execution());
  CHECK_FALSE(context.cancel_group_execution());
  CHECK(context.is_group_execution_cancelled());

  std::atomic<int> ran{0};
  {
    tbb::task_group group(context);
    group.run([&] { ++ran; });
    CHECK(group.wait() == tbb::canceled);
  }
  CHECK(ran == 0);
  context.reset();
  {
    tbb::task_group group(context);
    group.run([&] {
      ++ran;
      CHECK_FALSE(tbb::is_current_task_group_canceling());
      CHECK(tbb::task::current_context() != nullptr);
    });
    CHECK(group.wait() == tbb::complete);
  }
  CHECK(ran == 1);

  const tbb::task_group_context with_traits(
      tbb::task_group_context::isolated,
      tbb::task_group_context::fp_settings | tbb::task_group_context::concurrent_wait);
  CHECK(with_traits.traits() ==
        (tbb::task_group_context::fp_settings | tbb::task_group_context::concurrent_wait));
  CHECK(tbb::task_group_context(tbb::task_group_context::bound).traits() ==
        tbb::task_group_context::default_traits);
}

#if defined(FURCA_TBB)
// oneTBB tells of a change one by one those that are there, and so a reset() above does not reach
// those below.

/// Groups that run in each other, so deep.
void nest(int depth, const std::function<void()>& innermost) {
  if (depth == 0) return innermost();
  tbb::task_group group;
  group.run_and_wait([&] { nest(depth - 1, innermost); });
}

TEST_CASE(
    "contexts: what one says follows those around it, however deep it lies and however often it "
    "was asked") {
  tbb::task_group_context around;
  tbb::task_group outer(around);
  tbb::task_group_context* deep = nullptr;
  std::vector<bool> said;
  const auto ask = [&] { said.push_back(tbb::is_current_task_group_canceling()); };
  outer.run_and_wait([&] {
    nest(50, [&] {
      deep = tbb::task::current_context();
      ask();
      ask();
      around.cancel_group_execution();
      ask();
      ask();
      around.reset();
      ask();
      tbb::task_group middle;
      middle.run_and_wait([&] {
        nest(50, [&] {
          ask();
          deep->cancel_group_execution();
          ask();
        });
      });
      ask();
      deep->reset();
      ask();
      tbb::task_group_context other;
      other.cancel_group_execution();
      ask();
    });
    ask();
  });
  CHECK(said ==
        std::vector<bool>{false, false, true, true, false, false, true, true, false, false, false});
}

TEST_CASE(
    "contexts: cancelled and asked by several threads, a change is seen by who is told of it") {
  std::atomic<int> wrong{0};
  on_threads(3, [&](int) {
    for (int i = 0; i < 200; ++i) {
      tbb::task_group_context around;
      tbb::task_group outer(around);
      outer.run_and_wait([&] {
        tbb::task_group group;
        std::atomic<bool> told{false};
        for (int k = 0; k < 4; ++k) {
          group.run([&] {
            nest(5, [&] {
              const bool first = told;
              if (tbb::is_current_task_group_canceling() < first) ++wrong;
              around.cancel_group_execution();
              told = true;
              if (!tbb::is_current_task_group_canceling()) ++wrong;
            });
          });
        }
        group.wait();
      });
    }
  });
  CHECK(wrong == 0);
}

#endif

TEST_CASE("outside of tasks nothing is being cancelled") {
  CHECK_FALSE(tbb::is_current_task_group_canceling());
}

TEST_CASE("a group that was first used in a context which is gone is its own") {
  tbb::task_group group;
  std::atomic<int> ran{0};
  {
    tbb::task_group outer;
    outer.run_and_wait([&] {
      group.run([&] { ++ran; });
      group.wait();
      outer.cancel();
    });
  }
  CHECK(ran == 1);
  group.wait();
  group.run([&] { ++ran; });
  CHECK(group.wait() == tbb::complete);
  CHECK(ran == 2);
}

TEST_CASE("arena: execute returns and throws what its function does") {
  tbb::task_arena arena(2);
  CHECK_FALSE(arena.is_active());
  CHECK(arena.max_concurrency() == 2);
  CHECK(arena.execute([] { return 7; }) == 7);
  CHECK(arena.is_active());
  CHECK(*arena.execute([] { return std::make_unique<int>(9); }) == 9);
  CHECK(thrown_by([&] { arena.execute([] { throw std::runtime_error("inside"); }); }) == "inside");
  CHECK(arena.execute([] { return tbb::this_task_arena::max_concurrency(); }) == 2);
  CHECK(arena.execute([] { return fib(15); }) == 610);
}

TEST_CASE("arena: work in it runs on so many threads") {
  tbb::task_arena one(1);
  CHECK(one.execute([] { return threads_that_work(); }) == std::set{std::this_thread::get_id()});
  tbb::task_arena two(2);
  CHECK(two.execute([] { return threads_that_work(); }).size() <= 2);
  one.execute([&] {
    CHECK(two.execute([] { return tbb::this_task_arena::max_concurrency(); }) == 2);
    CHECK(tbb::this_task_arena::max_concurrency() == 1);
    CHECK(one.execute([] { return tbb::this_task_arena::max_concurrency(); }) == 1);
  });
}

TEST_CASE("arena: a group is started in it, and waited for later") {
  tbb::task_arena arenas[] = {tbb::task_arena(2), tbb::task_arena(1),
                              tbb::task_arena(tbb::task_arena::automatic)};
  for (tbb::task_arena& arena : arenas) {
    tbb::task_group group;
    std::atomic<int> ran{0};
    arena.execute([&] {
      for (int i = 0; i < 50; ++i) group.run([&] { ++ran; });
    });
    CHECK(arena.execute([&] { return group.wait(); }) == tbb::complete);
    CHECK(ran == 50);
  }
}

TEST_CASE("arena: enqueued work runs, though nobody waits for it") {
  tbb::task_arena arena(2);
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i) arena.enqueue([&] { ++ran; });
  while (ran < 20) std::this_thread::yield();
  tbb::task_group group;
  arena.enqueue(group.defer([&] { ++ran; }));
  CHECK(arena.execute([&] { return group.wait(); }) == tbb::complete);
  CHECK(ran == 21);
  arena.execute([&] { tbb::this_task_arena::enqueue([&] { ++ran; }); });
  while (ran < 22) std::this_thread::yield();
  arena.execute([&] {
    tbb::this_task_arena::enqueue(group.defer([&] { ++ran; }));
    group.wait();
  });
  CHECK(ran == 23);
  tbb::task_arena alone(1);
  alone.enqueue([&] { ++ran; });
  while (ran < 24) std::this_thread::yield();
}

TEST_CASE("arena: started, ended and started again") {
  tbb::task_arena arena;
  CHECK_FALSE(arena.is_active());
  arena.initialize(3, 1, tbb::task_arena::priority::high);
  CHECK(arena.is_active());
  CHECK(arena.max_concurrency() == 3);
  const tbb::task_arena copy(arena);
  CHECK_FALSE(copy.is_active());
  CHECK(copy.max_concurrency() == 3);
  arena.terminate();
  CHECK_FALSE(arena.is_active());
  arena.initialize();
  CHECK(arena.is_active());
  CHECK(arena.execute([] { return 1; }) == 1);

  tbb::task_arena hinted(tbb::task_arena::constraints().set_max_concurrency(2));
  CHECK(hinted.max_concurrency() == 2);
  CHECK(hinted.execute([] { return 2; }) == 2);

  tbb::task_arena with_reserved(3, 2);
  CHECK(with_reserved.execute([] { return threads_that_work(); }).size() <= 3);
}

TEST_CASE("arena: attached to the one that the thread is in") {
  tbb::task_arena two(2);
  two.execute([] {
    tbb::task_arena here{tbb::task_arena::attach()};
    CHECK(here.is_active());
    CHECK(here.execute([] { return tbb::this_task_arena::max_concurrency(); }) == 2);
    tbb::task_arena later;
    later.initialize(tbb::attach());
    CHECK(later.execute([] { return tbb::this_task_arena::max_concurrency(); }) == 2);
  });
  tbb::task_arena four(4, 2);
  four.execute([] {
    CHECK(tbb::task_arena(tbb::task_arena::attach()).max_concurrency() == 4);
    CHECK(tbb::this_task_arena::max_concurrency() == 4);
  });
}

TEST_CASE("arena: so many are in at a time") {
#if defined(FURCA_TBB)
  const int least = 1;
#else
  const int least = 2;  // oneTBB lets one more into an arena of one
#endif
  for (int threads = least; threads <= 3; ++threads) {
    CAPTURE(threads);
    tbb::task_arena arena(threads);
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    on_threads(6, [&](int) {
      for (int round = 0; round < 50; ++round) {
        arena.execute([&] {
          const int now = ++inside;
          for (int before = most; now > before && !most.compare_exchange_weak(before, now);) {
          }
          std::this_thread::yield();
          arena.execute([] {});  // it is in already
          --inside;
        });
      }
    });
    CHECK(most <= threads);
  }
  tbb::task_arena three(3);
  std::atomic<int> here{0};
  on_threads(3, [&](int) {
    three.execute([&] {
      ++here;
      while (here < 3) std::this_thread::yield();
    });
  });
}

#if defined(FURCA_TBB)
// With oneTBB 2021.8 on two processors it does not end.
TEST_CASE("arena: callers wait for those that found no place at first") {
  for (int threads = 1; threads <= 3; ++threads) {
    CAPTURE(threads);
    constexpr std::size_t kCallers = 8;
    tbb::task_arena arena(threads);
    tbb::task_arena around(threads);
    std::vector<tbb::task_group> groups(kCallers);
    std::vector<tbb::task_handle> next;  // what each caller waits for, and the next one does
    for (tbb::task_group& group : groups) next.push_back(group.defer([] {}));
    std::atomic<std::size_t> came{0};
    std::vector<std::thread> callers;
    for (std::size_t t = 0; t < kCallers; ++t) {
      const auto wait_in_arena = [&, t] {
        arena.execute([&, t] {
          ++came;
          if (t + 1 < kCallers) groups[t].wait();
          if (t > 0) groups[t - 1].run(std::move(next[t - 1]));
        });
      };
      if (t % 2 == 0) {
        callers.emplace_back(wait_in_arena);
      } else {
        callers.emplace_back([&, wait_in_arena] { around.execute(wait_in_arena); });
      }
      while (came <= t) std::this_thread::yield();
    }
    for (std::thread& caller : callers) caller.join();
    groups.back().run(std::move(next.back()));
    groups.back().wait();
  }
}

TEST_CASE("arena: without reserved places all its threads run what is enqueued") {
  tbb::task_arena arena(2, 0);
  std::atomic<int> here{0};
  std::atomic<int> met{0};
  for (int i = 0; i < 2; ++i) {
    arena.enqueue([&] {
      ++here;
      while (here < 2) std::this_thread::yield();
      const int index = tbb::this_task_arena::current_thread_index();
      if (index >= 0 && index < 2 && tbb::this_task_arena::max_concurrency() == 2) ++met;
    });
  }
  arena.terminate();
  CHECK(met == 2);
}

TEST_CASE("arena of one: what is enqueued runs one after the other, in order") {
  for (const unsigned reserved : {0U, 1U}) {
    std::vector<int> ran;
    tbb::task_arena arena(1, reserved);
    for (int i = 0; i < 200; ++i) arena.enqueue([&, i] { ran.push_back(i); });
#if defined(FURCA_TBB)  // oneTBB's says 2 with a reserved place
    CHECK(arena.max_concurrency() == 1);
#endif
    arena.terminate();
    CHECK(ran.size() == 200);
    CHECK(std::is_sorted(ran.begin(), ran.end()));
  }
}
TEST_CASE("arena: ended by a thread that is in it") {
  for (const bool enqueued : {false, true}) {
    auto* const arena = new tbb::task_arena(2);
    std::atomic<bool> ended{false};
    const auto end = [&ended, arena] {
      delete arena;
      ended = true;
    };
    enqueued ? arena->enqueue(end) : arena->execute(end);
    wait_for(ended);
  }
}
#endif

TEST_CASE("arena: several threads in one") {
  tbb::task_arena arena(2, 2);
  std::atomic<long> sum{0};
  on_threads(4, [&](int) { sum += arena.execute([] { return fib(12); }); });
  CHECK(sum == 4 * 144);
}

TEST_CASE("threads have numbers, once they have called something") {
  std::thread([] {
    CHECK(tbb::this_task_arena::current_thread_index() == int{tbb::task_arena::not_initialized});
  }).join();
  tbb::task_arena arena(3);
  std::atomic<int> wrong{0};
  arena.execute([&] {
    tbb::task_group group;
    for (int i = 0; i < 100; ++i) {
      group.run([&] {
        const int index = tbb::this_task_arena::current_thread_index();
        if (index < 0 || index >= 3) ++wrong;
      });
    }
    group.wait();
  });
  CHECK(wrong == 0);
}

TEST_CASE("threads have numbers below max_concurrency, also where several call at once") {
  std::atomic<int> callers{0};
  std::atomic<int> wrong{0};
  on_threads(3, [&](int) {
    tbb::task_group group;
    group.run_and_wait([&] {
      if (tbb::this_task_arena::current_thread_index() != 0) ++wrong;  // the thread's first call
      ++callers;
      while (callers < 3) std::this_thread::yield();  // each is inside
    });
    tbb::parallel_for(0, 100, [&](int) {
      const int index = tbb::this_task_arena::current_thread_index();
      if (index < 0 || index >= tbb::this_task_arena::max_concurrency()) ++wrong;
    });
    tbb::task_arena attached{tbb::task_arena::attach()};
    attached.execute([&] {
      if (tbb::this_task_arena::current_thread_index() != 0) ++wrong;
    });
  });
  CHECK(wrong == 0);
}

TEST_CASE("a reduction in a fixed order is a thread's first call, and the thread has a number") {
  int index = -1;
  std::thread([&index] {
    tbb::parallel_deterministic_reduce(
        tbb::blocked_range<int>(0, 1), 0,
        [&index](const tbb::blocked_range<int>&, int) {
          return index = tbb::this_task_arena::current_thread_index();
        },
        [](int, int b) { return b; });
  }).join();
  CHECK(index == 0);
}

TEST_CASE("an arena that was attached to within another one has that one's numbers") {
  tbb::task_arena arena(4);
  std::atomic<tbb::task_arena*> attached{nullptr};
  std::atomic<bool> asked{false};
  int second = -1;
  std::thread caller([&] {
    while (attached.load() == nullptr) std::this_thread::yield();
    attached.load()->execute([&] { second = tbb::this_task_arena::current_thread_index(); });
    asked = true;
  });
  arena.execute([&] {
    tbb::task_arena here{tbb::task_arena::attach()};
    attached = &here;
    while (!asked) std::this_thread::yield();
    CHECK(tbb::this_task_arena::current_thread_index() == 0);
  });
  caller.join();
  CHECK(second > 0);
}

TEST_CASE("isolate: who waits in it runs nothing from outside of it") {
  static thread_local bool inside = false;
  CHECK(tbb::this_task_arena::isolate([] { return 3; }) == 3);
  CHECK(thrown_by([] {
          tbb::this_task_arena::isolate([] { throw std::runtime_error("alone"); });
        }) == "alone");

  std::atomic<int> wrong{0};
  std::atomic<int> ran{0};
  tbb::task_group outer;
  for (int i = 0; i < 100; ++i) {
    outer.run([&] {
      if (inside) ++wrong;
      inside = true;
      tbb::this_task_arena::isolate([&] {
        tbb::task_group inner;
        for (int k = 0; k < 10; ++k) {
          inner.run([&] {
            for (int turn = 0; turn < 3; ++turn) std::this_thread::yield();
            ++ran;
          });
        }
        inner.wait();
      });
      inside = false;
    });
  }
  outer.wait();
  CHECK(wrong == 0);
  CHECK(ran == 1000);
}

TEST_CASE("isolate: who has nothing to do there leaves other work alone") {
  tbb::task_arena arena(2);
  std::atomic<bool> began{false};
  std::atomic<bool> posted{false};
  std::atomic<int> intruded{0};
  std::atomic<int> ran{0};
  arena.execute([&] {
    const std::thread::id me = std::this_thread::get_id();
    tbb::this_task_arena::isolate([&] {
      tbb::task_group group;
      group.run([&] {
        began = true;
        wait_for(posted);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      });
      wait_for(began);  // on the other thread
      for (int i = 0; i < 5; ++i) {
        arena.enqueue([&, me] {
          if (std::this_thread::get_id() == me) ++intruded;
          ++ran;
        });
      }
      posted = true;
      group.wait();
      CHECK(intruded == 0);
    });
  });
  while (ran < 5) std::this_thread::yield();
}

TEST_CASE(
    "isolate: who waits below a fork runs its own tasks, which lie under that, and leaves other "
    "work alone") {
  tbb::task_arena arena(2);
  std::atomic<bool> occupied{false};
  std::atomic<bool> go{false};
  std::atomic<int> intruded{0};
  std::atomic<int> ran{0};
  std::atomic<int> own{0};
  arena.enqueue([&] {
    occupied = true;
    wait_for(go);
  });
  wait_for(occupied);
  arena.execute([&] {
    tbb::this_task_arena::isolate([&] {
      tbb::task_group group;
      for (int i = 0; i < 3; ++i) group.run([&] { ++own; });
      tbb::parallel_invoke(
          [&] {
            for (int i = 0; i < 5; ++i) {
              arena.enqueue([&] {
                if (!go) ++intruded;
                ++ran;
              });
            }
            group.wait();
            CHECK(own == 3);
          },
          [] {});
      CHECK(intruded == 0);
      go = true;
    });
  });
  while (ran < 5) std::this_thread::yield();
}

TEST_CASE("global_control: the least of those that live counts") {
  const auto value = [] {
    return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  };
  const std::size_t before = value();
  CHECK(before >= 1);
  {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    CHECK(value() == 1);
    CHECK(threads_that_work() == std::set{std::this_thread::get_id()});
    CHECK(fib(15) == 610);
    {
      const tbb::global_control more(tbb::global_control::max_allowed_parallelism, 1000);
      CHECK(value() == 1);
    }
    tbb::task_group group;
    std::atomic<int> ran{0};
    for (int i = 0; i < 10; ++i) group.run([&] { ++ran; });
    CHECK(group.wait() == tbb::complete);
    CHECK(ran == 10);
  }
  CHECK(value() == before);
  tbb::task_group group;
  std::atomic<int> ran{0};
  {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    for (int i = 0; i < 10; ++i) group.run([&] { ++ran; });
  }
  CHECK(group.wait() == tbb::complete);  // with more threads than it was started with
  CHECK(ran == 10);
}

#if defined(FURCA_TBB)
TEST_CASE("global_control: of n threads and one caller each has a number below n") {
  for (std::size_t threads = 1;
       threads <= tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
       ++threads) {
    CAPTURE(threads);
    const tbb::global_control some(tbb::global_control::max_allowed_parallelism, threads);
    REQUIRE(tbb::this_task_arena::max_concurrency() == static_cast<int>(threads));
    std::vector<std::atomic<int>> calls(threads + 1);
    tbb::parallel_for(0, 1000, [&](int) {
      ++calls[std::min(static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()),
                       threads)];
    });
    CHECK(calls[threads] == 0);
    CHECK(tbb::this_task_arena::current_thread_index() == 0);
  }
}

TEST_CASE("global_control: arenas that are made under it have no more threads") {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena arena(4);
  CHECK(arena.execute([] { return threads_that_work(); }).size() <= 2);
  CHECK(arena.execute([] { return tbb::this_task_arena::max_concurrency(); }) <= 2);
}

#endif

TEST_CASE("global_control: enqueued work runs under a limit of one") {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  std::atomic<int> ran{0};
  tbb::task_arena arena;
  for (int i = 0; i < 20; ++i) arena.enqueue([&] { ++ran; });
  while (ran < 20) std::this_thread::yield();
}

TEST_CASE("global_control: other parameters are accepted") {
  const tbb::global_control stack(tbb::global_control::thread_stack_size, 1U << 20U);
  CHECK(tbb::global_control::active_value(tbb::global_control::thread_stack_size) == 1U << 20U);
  tbb::task_arena arena(2);
  CHECK(arena.execute([] { return fib(10); }) == 55);
  const tbb::global_control no_end(tbb::global_control::terminate_on_exception, 0);
}

TEST_CASE("the scheduler may be waited for") {
  tbb::task_scheduler_handle handle{tbb::attach()};
  CHECK(handle);
  tbb::task_scheduler_handle other = std::move(handle);
  CHECK_FALSE(handle);  // NOLINT(bugprone-use-after-move)
  CHECK(other);
  other.release();
  CHECK_FALSE(other);
}

TEST_CASE("a deferred task that an arena runs may start its own group from within another") {
  tbb::task_arena arena(2);
  tbb::task_group group;
  std::atomic<int> ran{0};
  arena.enqueue(group.defer([&] {
    tbb::task_group inner;
    inner.run([&] {
      group.run([&] { ++ran; });
      ++ran;
    });
    inner.wait();
  }));
  group.wait();
  CHECK(ran == 2);
}

TEST_CASE("enqueued work is not in the context of what it runs on top of") {
  std::atomic<int> ran{0};
  std::atomic<bool> began{false};
  std::atomic<bool> posted{false};
  std::atomic<bool> cancelled{false};
  std::atomic<bool> done{false};
  tbb::task_arena arena(2);
  arena.execute([&] {
    tbb::task_group outer;
    outer.run_and_wait([&] {
      tbb::task_group slow;
      slow.run([&] {
        began = true;
        while (!posted) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        outer.cancel();
        cancelled = true;
      });
      // oneTBB may have no second thread for it
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(2);
      while (!began && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
      arena.enqueue([&, limit] {
        while (!cancelled && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
        tbb::task_group unrelated;
        unrelated.run([&] { ++ran; });
        unrelated.wait();
        done = true;
      });
      posted = true;
      slow.wait();
    });
  });
  while (!done) std::this_thread::yield();
  CHECK(ran == 1);
}

TEST_CASE("a group that is done does not wait for what its tasks have started elsewhere") {
  std::atomic<bool> busy{false};
  std::atomic<bool> flag{false};
  std::atomic<bool> ended{false};
  tbb::task_arena arena(2);
  arena.enqueue([&] {
    busy = true;
    while (!flag) std::this_thread::yield();
    ended = true;
  });
  while (!busy) std::this_thread::yield();
  arena.execute([&] {
    tbb::task_group background;
    tbb::task_group group;
    group.run([&] {
      background.run([&] {
        while (!flag) std::this_thread::yield();
      });
    });
    group.wait();
    flag = true;
    background.wait();
  });
  CHECK(flag);
  while (!ended) std::this_thread::yield();
}

TEST_CASE("an exception after cancel() is not thrown") {
  tbb::task_group group;
  CHECK(group.run_and_wait([&] {
    group.cancel();
    throw std::runtime_error("given up");
  }) == tbb::canceled);
}

TEST_CASE("an arena that ends runs what its last tasks enqueue") {
  std::atomic<int> left{5};
  tbb::task_arena arena(2);
  Work next = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (--left > 0) arena.enqueue(next);
  };
  arena.enqueue(next);
  arena.terminate();
  CHECK_FALSE(arena.is_active());
  while (left > 0) std::this_thread::yield();
}

#if defined(FURCA_TBB)
TEST_CASE("controls that furca does not have say so") {
  const auto control = [](tbb::global_control::parameter which, std::size_t value) {
    return thrown_by([&] { const tbb::global_control refused(which, value); });
  };
  CHECK(control(tbb::global_control::max_allowed_parallelism, 0).find("at least 1") !=
        std::string::npos);
  CHECK(control(tbb::global_control::terminate_on_exception, 1).find("not supported") !=
        std::string::npos);
  CHECK(control(tbb::global_control::parameter_max, 1).find("no such parameter") !=
        std::string::npos);
  CHECK(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) >= 1);
}

TEST_CASE("arena: execute returns references") {
  tbb::task_arena arena(2);
  int x = 0;
  arena.execute([&]() -> int& { return x; }) = 5;
  CHECK(x == 5);
}

/// A tree of groups, joins, loops and scopes, of a shape that depends on `seed`; `late` is a group
/// that is waited for at the end. Returns how many tasks it has started.
int mix(unsigned seed, int depth, std::atomic<int>& ran, tbb::task_group& late) {
  if (depth == 0) return 0;
  const auto below = [&, seed, depth](unsigned child) {
    return mix(seed * 5 + child, depth - 1, ran, late);
  };
  std::atomic<int> started{0};
  const auto task = [&ran] { ++ran; };
  tbb::task_group group;
  switch (seed % 6) {
    case 0:
      for (unsigned child = 0; child < 3; ++child)
        group.run([&started, below, child] { started += below(child); });
      break;
    case 1:
      group.run(task);
      late.run(task);
      furca::join([&] { started += below(1); }, [&] { group.wait(); },
                  [&] { started += below(2); });
      started += 2;
      break;
    case 2:
      furca::parallel_for(0, 8,
                          [&](int) {
                            group.run(task);
                            late.run(task);
                          },
                          {.grain = 1});
      started += 16 + below(3);
      break;
    case 3:
      furca::scope([&](furca::Scope& scope) {
        group.run(task);
        scope.spawn([&] { started += below(1); });
        scope.spawn([&] { group.run([&] { started += below(2); }); });
        late.run(task);
      });
      started += 2;
      break;
    case 4:
      tbb::this_task_arena::isolate([&] {
        for (int i = 0; i < 4; ++i) group.run(task);
        started += 4 + below(4);
        group.wait();
      });
      break;
    default:
      try {
        group.run([&] {
          started += below(0);
          throw std::runtime_error("mix");
        });
        group.wait();
      } catch (const std::runtime_error&) {
      }
  }
  group.wait();
  return started;
}

TEST_CASE("groups among joins, loops and scopes, on every size of arena") {
  for (const int threads : {1, 2, 3, 8}) {
    tbb::task_arena arena(threads);
    for (unsigned seed = 0; seed < 100; ++seed) {
      CAPTURE(threads);
      CAPTURE(seed);
      std::atomic<int> ran{0};
      int started = 0;
      arena.execute([&] {
        tbb::task_group late;
        started = mix(seed, 6, ran, late);
        late.wait();
      });
      CHECK(ran == started);
    }
  }
}

TEST_CASE("finalize waits for enqueued tasks, but not for itself") {
  std::atomic<bool> ran{false};
  tbb::this_task_arena::enqueue([&] { ran = true; });
  tbb::task_scheduler_handle handle{tbb::attach()};
  CHECK(tbb::finalize(handle, std::nothrow));
  CHECK(ran);
  CHECK_FALSE(handle);
  tbb::task_arena arena(2);
  arena.execute([] {
    tbb::task_scheduler_handle inside{tbb::attach()};
    CHECK_THROWS_AS(tbb::finalize(inside), tbb::unsafe_wait);
  });
}

TEST_CASE("only the last of several handles finalizes") {
  tbb::task_scheduler_handle first{tbb::attach()};
  {
    tbb::task_scheduler_handle moved = tbb::task_scheduler_handle{tbb::attach()};
    tbb::task_scheduler_handle second;
    second = std::move(moved);
    CHECK_FALSE(tbb::finalize(second, std::nothrow));
    CHECK_FALSE(second);
    const tbb::task_scheduler_handle ends{tbb::attach()};
  }
  CHECK(tbb::finalize(first, std::nothrow));
}

TEST_CASE("a task that was left out since its group lay in a cancelled one is remembered") {
  std::unique_ptr<tbb::task_group> inner;
  bool ran = false;
  tbb::task_group outer;
  outer.run_and_wait([&] {
    inner = std::make_unique<tbb::task_group>();
    outer.cancel();
    inner->run([&] { ran = true; });
  });
  const bool complete = inner->wait() == tbb::complete;
  CHECK(complete == ran);
}

TEST_CASE(
    "isolate: under a limit of one, jobs that lie below each other on one thread wait for one "
    "group") {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  for (int round = 0; round < 20; ++round) {
    tbb::this_task_arena::isolate([] {
      tbb::task_group group;
      const auto wait = [&] { group.wait(); };
      tbb::parallel_invoke(
          [&] {
            group.run([] {});
            tbb::parallel_invoke(wait, [] {});
          },
          wait);
    });
  }
}

TEST_CASE("isolate: a call to all threads is answered") {
  furca::ThreadPool pool({.threads = 3});
  std::atomic<bool> done{false};
  pool.spawn([&] {
    std::atomic<bool> began{false};
    tbb::task_group group;
    tbb::this_task_arena::isolate([&] {
      group.run([&] {
        began = true;
        furca::broadcast([] {});
      });
      while (!began) std::this_thread::yield();
      group.wait();
    });
    done = true;
  });
  while (!done) std::this_thread::yield();
}
#endif

namespace {

/// Which threads are in an arena, and what they were told.
class Watcher : public tbb::task_scheduler_observer {
 public:
  Watcher() { observe(); }
  explicit Watcher(tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(); }
  ~Watcher() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override {
    const std::lock_guard lock(mutex_);
    CHECK(inside_.insert(std::this_thread::get_id()).second);
    if (is_worker) workers_.insert(std::this_thread::get_id());
  }
  void on_scheduler_exit(bool is_worker) override {
    const std::lock_guard lock(mutex_);
    CHECK(inside_.erase(std::this_thread::get_id()) == 1);
    CHECK(workers_.count(std::this_thread::get_id()) == (is_worker ? 1 : 0));
  }

  bool has(std::thread::id thread) {
    const std::lock_guard lock(mutex_);
    return inside_.count(thread) == 1;
  }
  bool knows_this_one() { return has(std::this_thread::get_id()); }
  bool is_worker(std::thread::id thread) {
    const std::lock_guard lock(mutex_);
    return workers_.count(thread) == 1;
  }

 private:
  std::mutex mutex_;
  std::set<std::thread::id> inside_;
  std::set<std::thread::id> workers_;
};

}  // namespace

TEST_CASE("an observer is called on each thread before it works, and when it leaves") {
  Watcher everywhere;
  CHECK(everywhere.knows_this_one());
  tbb::parallel_for(0, 10'000, [&](int) { CHECK(everywhere.knows_this_one()); });
  std::thread other([&] {
    CHECK(!everywhere.knows_this_one());
    tbb::parallel_invoke([] {}, [] {});
  });
  const std::thread::id gone = other.get_id();
  other.join();
  CHECK(!everywhere.has(gone));

  tbb::parallel_invoke([&] { CHECK(everywhere.knows_this_one()); },
                       [&] { CHECK(everywhere.knows_this_one()); });

  tbb::task_arena arena(3);
  std::atomic<bool> enqueued{false};
  std::thread::id ran_it;
  {
    Watcher inside(arena);
    CHECK(!inside.knows_this_one());
    arena.execute([&] {
      CHECK(inside.knows_this_one());
      CHECK(!inside.is_worker(std::this_thread::get_id()));
      tbb::task_group group;
      for (int i = 0; i < 1000; ++i) group.run([&] { CHECK(inside.knows_this_one()); });
      group.wait();
    });
    CHECK(!inside.knows_this_one());
    arena.enqueue([&] {
      CHECK(inside.knows_this_one());
      ran_it = std::this_thread::get_id();
      CHECK(inside.is_worker(ran_it));
      enqueued = true;
    });
    wait_for(enqueued);
    CHECK(inside.is_observing());
    inside.observe(false);
    CHECK(!inside.is_observing());
  }
  arena.execute([] { tbb::parallel_for(0, 100, [](int) {}); });  // nobody is told
  everywhere.observe(false);
  everywhere.observe(false);
}

namespace {

/// Counts outside threads. A pool's own threads come in when they wake, at any time.
class Counter : public tbb::task_scheduler_observer {
 public:
  Counter() { observe(); }
  ~Counter() override { observe(false); }
  void on_scheduler_entry(bool is_worker) override { entries += is_worker ? 0 : 1; }
  void on_scheduler_exit(bool is_worker) override { exits += is_worker ? 0 : 1; }
  std::atomic<int> entries{0};
  std::atomic<int> exits{0};
};

struct LoopsAtEnd {
  ~LoopsAtEnd() {
    tbb::parallel_for(0, 10, [](int) {});
  }
};

}  // namespace

#if defined(FURCA_TBB)  // oneTBB 2021.8 does not tell it
TEST_CASE("an observer is told of a thread that has the id of one which looped at its end") {
  Counter counter;
  for (int i = 0; i < 10; ++i) {
    std::thread([] {
      static thread_local const LoopsAtEnd at_end;
      tbb::parallel_for(0, 10, [](int) {});
    }).join();
    counter.entries = counter.exits = 0;
    std::thread([] { tbb::parallel_for(0, 10, [](int) {}); }).join();
    CHECK(counter.entries == 1);
    CHECK(counter.exits == 1);
  }
}
#endif

TEST_CASE("a pipeline's serial filters see one item at a time, in order") {
  constexpr int kItems = 2000;
  for (const tbb::filter_mode first :
       {tbb::filter_mode::serial_in_order, tbb::filter_mode::serial_out_of_order}) {
    for (const std::size_t tokens : {std::size_t{1}, std::size_t{3}, ~std::size_t{0}}) {
      int made = 0;
      std::atomic<std::size_t> living{0};
      std::atomic<std::size_t> most{0};
      std::atomic<int> inside{0};
      std::vector<int> seen;
      long sum = 0;
      const auto make = [&](tbb::flow_control& control) {
        if (made == kItems) {
          control.stop();
          return std::unique_ptr<int>();
        }
        const std::size_t now = ++living;
        if (now > most) most = now;
        return std::make_unique<int>(made++);
      };
      const auto add = [&](std::unique_ptr<int> item) {
        CHECK(++inside == 1);
        sum += *item;
        --inside;
        return Tracked();
      };
      const auto end = [&](int) {
        seen.push_back(static_cast<int>(seen.size()));
        --living;
      };
      using Item = std::unique_ptr<int>;
      tbb::parallel_pipeline(
          tokens,
          tbb::make_filter<void, Item>(first, make) &
              tbb::filter<Item, Tracked>(tbb::filter_mode::serial_out_of_order, add),
          tbb::make_filter<Tracked, int>(tbb::filter_mode::parallel, [](Tracked) { return 1; }) &
              tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, end));
      CHECK(seen.size() == kItems);
      CHECK(sum == 1L * kItems * (kItems - 1) / 2);
      CHECK(most <= tokens);
      CHECK(Tracked::alive == 0);
    }
  }

  std::atomic<int> made{0};
  std::vector<int> in_order;
  tbb::parallel_pipeline(
      4,
      tbb::filter(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) -> int {
        if (made == kItems) control.stop();
        return made++;
      }) & tbb::filter(tbb::filter_mode::parallel, [](int i) {
        for (int turn = 0; turn < i % 7; ++turn) std::this_thread::yield();
        return i;
      }) & tbb::filter(tbb::filter_mode::serial_in_order, [&](int i) { in_order.push_back(i); }));
  CHECK(in_order.size() == kItems);
  CHECK(std::is_sorted(in_order.begin(), in_order.end()));

  std::atomic<int> left{1000};
  std::atomic<int> ended{0};
  tbb::parallel_pipeline(
      8,
      tbb::make_filter<void, int>(tbb::filter_mode::parallel,
                                  [&](tbb::flow_control& control) {
                                    const int i = left--;
                                    if (i <= 0) control.stop();
                                    return i;
                                  }),
      tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int) { ++ended; }));
  CHECK(ended == 1000);
}

TEST_CASE("an exception or a cancelled context ends a pipeline, and every item") {
  for (const bool throws : {true, false}) {
    tbb::task_group_context context;
    std::atomic<int> passed{0};
    using Item = std::shared_ptr<Tracked>;
    const auto make = [](tbb::flow_control&) { return std::make_shared<Tracked>(); };
    const auto end = [&](const Item&) {
      if (++passed != 100) return;
      if (throws) throw std::runtime_error("enough");
      context.cancel_group_execution();
    };
    const auto run = [&] {
      tbb::parallel_pipeline(
          16, tbb::make_filter<void, Item>(tbb::filter_mode::serial_in_order, make),
          tbb::make_filter<Item, Item>(tbb::filter_mode::parallel, [](Item item) { return item; }),
          tbb::make_filter<Item, void>(tbb::filter_mode::serial_in_order, end), context);
    };
    CHECK(thrown_by(run) == (throws ? "enough" : "nothing"));
    CHECK(passed >= 100);
    CHECK(context.is_group_execution_cancelled());
#if defined(FURCA_TBB)  // oneTBB forgets items that wait for their turn
    CHECK(Tracked::alive == 0);
#endif
  }
}

TEST_CASE("a pipeline that is cancelled asks its source no more") {
  for (const bool throws : {true, false})
    for (const std::size_t tokens : {std::size_t{1}, std::size_t{4}}) {
      tbb::task_group_context context;
      std::atomic<long> made{0};
      const auto make = [&](tbb::flow_control& control) {
        if (made == 10'000'000) control.stop();
        return ++made;
      };
      const auto end = [&](long item) {
        if (item != 10) return;
        if (throws) throw std::runtime_error("enough");
        context.cancel_group_execution();
      };
      const auto run = [&] {
        tbb::parallel_pipeline(
            tokens, tbb::make_filter<void, long>(tbb::filter_mode::serial_in_order, make),
            tbb::make_filter<long, void>(tbb::filter_mode::parallel, end), context);
      };
      CHECK(thrown_by(run) == (throws ? "enough" : "nothing"));
      CHECK(made < 10'000'000);
    }
}
