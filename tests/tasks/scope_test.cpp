#include <furca/compat/oneapi/tbb/task_group.h>
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>
#include <furca/scope.hpp>
#include <furca/thread_pool.hpp>

#include "support/pools.hpp"
#include "support/tracked.hpp"
#include "support/trials.hpp"

#include <stop_token>

using furca::join;
using furca::scope;
using furca::Scope;
using furca::test::on_every_pool;
using furca::test::Stubborn;
using furca::test::Tracked;

namespace {

void grow(Scope& s, int depth, std::atomic<int>& nodes) {
  nodes.fetch_add(1, std::memory_order_relaxed);
  if (depth == 0) return;
  for (int child = 0; child < 2; ++child)
    s.spawn([&s, depth, &nodes] { grow(s, depth - 1, nodes); });
}

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
  scope([&](Scope& s) {
    s.spawn([&a, n] { a = fib(n - 1); });
    b = fib(n - 2);
  });
  return a + b;
}

/// The number that `f` throws, or -1.
template <class F>
int thrown_by(F f) {
  try {
    f();
  } catch (int number) {
    return number;
  }
  return -1;
}

}  // namespace

TEST_CASE("a scope without tasks is a call: it returns what its body returns") {
  on_every_pool([] {
    int local = 7;
    CHECK(scope([](Scope&) { return 5; }) == 5);
    static_assert(std::is_void_v<decltype(scope([](Scope&) {}))>);
    static_assert(std::is_same_v<decltype(scope([&](Scope&) -> int& { return local; })), int&>);
    CHECK(&scope([&](Scope&) -> int& { return local; }) == &local);
    CHECK(*scope([](Scope&) { return std::make_unique<int>(3); }) == 3);
  });
}

TEST_CASE(
    "all tasks have run when the scope returns, those of tasks included, and they see the caller's "
    "locals") {
  on_every_pool([] {
    for (int round = 0; round < 20; ++round) {
      std::vector<int> done(1000);
      scope([&](Scope& s) {
        for (int& one : done) s.spawn([&one] { ++one; });
      });
      CHECK(done == std::vector<int>(1000, 1));

      std::atomic<int> nodes{0};
      scope([&](Scope& s) { grow(s, 9, nodes); });
      CHECK(nodes == 1023);
    }
  });
}

TEST_CASE("scopes nest as deep as one likes") {
  on_every_pool([] { CHECK(fib(16) == 987); });
}

TEST_CASE("one thread alone runs the body first, then the newest task") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    std::string order;
    scope([&](Scope& s) {
      s.spawn([&] { order += '1'; });
      s.spawn([&] {
        order += '2';
        s.spawn([&] { order += 'x'; });
      });
      s.spawn([&] { order += '3'; });
      order += 'b';
    });
    CHECK(order == "b32x1");
  });
}

TEST_CASE("scope_fifo: all tasks run; on one thread alone the body first, then the oldest task") {
  on_every_pool([] {
    std::atomic<int> done{0};
    const int result = furca::scope_fifo([&](furca::ScopeFifo& s) {
      for (int i = 0; i < 500; ++i)
        s.spawn([&s, &done, i] {
          ++done;
          if (i % 5 == 0) s.spawn([&done] { ++done; });
        });
      return 9;
    });
    CHECK(result == 9);
    CHECK(done == 600);
    CHECK(thrown_by([] {
            furca::scope_fifo([](furca::ScopeFifo& s) {
              for (int i = 1; i < 20; ++i) s.spawn([i] { throw i; });
            });
          }) == 1);
  });
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    std::string order;
    furca::scope_fifo([&](furca::ScopeFifo& s) {
      s.spawn([&] {
        order += '1';
        s.spawn([&] { order += 'x'; });
      });
      s.spawn([&] { order += '2'; });
      order += 'b';
    });
    CHECK(order == "b12x");
  });
}

TEST_CASE(
    "any callable: functions, move-only ones, large ones, and such as want to lie at a multiple of "
    "256") {
  on_every_pool([] {
    static std::atomic<int> called{0};
    called = 0;
    void (*const function)() = [] { ++called; };
    struct alignas(256) Aligned {
      std::uintptr_t misplaced = 0;
      void operator()() const {
        if (reinterpret_cast<std::uintptr_t>(this) % 256 == 0) ++called;
      }
    };
    scope([&](Scope& s) {
      s.spawn(function);
      s.spawn(*function);
      s.spawn([number = std::make_unique<int>(5)] { called += *number == 5 ? 1 : 0; });
      std::array<int, 500> large{};
      large[499] = 1;
      s.spawn([large] { called += large[499]; });
      s.spawn(Aligned{});
      auto named = [count = 0]() mutable { called += ++count; };
      s.spawn(named);
      s.spawn(named);  // each has a copy
      s.spawn([] { return 17; });
    });
    CHECK(called == 7);
  });
}

TEST_CASE("callables are destroyed once they have run or were skipped") {
  on_every_pool([] {
    scope([](Scope& s) {
      for (int i = 0; i < 100; ++i) s.spawn([tracked = Tracked()] {});
    });
    CHECK(Tracked::alive == 0);
    CHECK(thrown_by([] {
            scope([](Scope& s) {
              for (int i = 0; i < 100; ++i)
                s.spawn([tracked = Tracked(), large = std::array<char, 300>()] {
                  static_cast<void>(large);
                });
              throw 1;
            });
          }) == 1);
    CHECK(Tracked::alive == 0);
  });
}

TEST_CASE("what is thrown: the body's exception, else that of the task that was spawned first") {
  on_every_pool([] {
    for (int round = 0; round < 50; ++round) {
      CHECK(thrown_by([] {
              scope([](Scope& s) {
                for (int i = 1; i <= 50; ++i)
                  s.spawn([i] {
                    if (i % 7 == 3) throw i;
                  });
              });
            }) == 3);
      CHECK(thrown_by([] {
              scope([](Scope& s) {
                for (int i = 1; i <= 50; ++i) s.spawn([i] { throw i; });
                throw 0;
              });
            }) == 0);
    }
    int fine = 0;
    scope([&](Scope& s) { s.spawn([&] { ++fine; }); });
    CHECK(fine == 1);
  });
}

TEST_CASE(
    "tasks before the one that throws run; a scope that throws has waited for those that had "
    "begun") {
  on_every_pool([] {
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> before{0};
      std::atomic<int> inside{0};
      CHECK(thrown_by([&] {
              scope([&](Scope& s) {
                for (int i = 0; i < 10; ++i) s.spawn([&] { ++before; });
                s.spawn([] { throw 10; });
                for (int i = 0; i < 10; ++i)
                  s.spawn([&] {
                    ++inside;
                    furca::test::spin(1000);
                    --inside;
                  });
              });
            }) == 10);
      CHECK(before == 10);
      CHECK(inside == 0);
    }
  });
}

TEST_CASE(
    "after a stop no task begins: it is destroyed, and the scope returns what its body returned") {
  on_every_pool([] {
    std::stop_source before;
    before.request_stop();
    std::atomic<int> ran{0};
    CHECK(scope(
              [&](Scope& s) {
                for (int i = 0; i < 100; ++i) s.spawn([&ran, tracked = Tracked()] { ++ran; });
                return 7;
              },
              {.stop = before.get_token()}) == 7);
    CHECK(ran == 0);
    CHECK(Tracked::alive == 0);
    CHECK(furca::scope_fifo(
              [&](furca::ScopeFifo& s) {
                s.spawn([&] { ++ran; });
                return 8;
              },
              {.stop = before.get_token()}) == 8);
    CHECK(ran == 0);

    std::stop_source later;
    std::atomic<int> begun{0};
    scope(
        [&](Scope& s) {
          for (int i = 0; i < 1000; ++i) {
            s.spawn([&begun, &later, &s] {
              begun += later.stop_requested() ? 0 : 1;
              later.request_stop();
              for (int child = 0; child < 10; ++child)
                s.spawn([&begun, tracked = Tracked()] { begun += 1000; });
            });
          }
        },
        {.stop = later.get_token()});
    CHECK(begun >= 1);
    CHECK(begun <= 16);  // those that had begun on other threads
    CHECK(Tracked::alive == 0);
  });
}

TEST_CASE(
    "a scope that can be stopped and is not runs all, and throws what it would; so does one that "
    "was stopped after that") {
  on_every_pool([] {
    std::stop_source source;
    std::atomic<int> nodes{0};
    furca::ScopeOptions options{.stop = source.get_token()};
    scope([&](Scope& s) { grow(s, 9, nodes); }, options);
    CHECK(nodes == 1023);
    scope([&](Scope& s) { grow(s, 1, nodes); }, {.stop = std::stop_token()});
    CHECK(nodes == 1026);
    CHECK(thrown_by([&] {
            scope(
                [&](Scope& s) {
                  s.spawn([&source] {
                    source.request_stop();
                    throw 5;
                  });
                },
                options);
          }) == 5);
    CHECK(thrown_by([&] { scope([](Scope&) { throw 6; }, options); }) == 6);
  });
}

TEST_CASE("no handler's exception is current in a task, whatever has failed before") {
  on_every_pool([] {
    std::atomic<bool> seen{false};
    thrown_by([&] {
      scope([&](Scope& s) {
        s.spawn([&] { seen = seen || std::current_exception() != nullptr; });
        s.spawn([] { throw 1; });
        throw 2;
      });
    });
    CHECK_FALSE(seen);
  });
}

TEST_CASE("a callable that cannot be moved makes spawn throw, and no task") {
  on_every_pool([] {
    bool ran = false;
    scope([&](Scope& s) {
      s.spawn([&] { ran = true; });
      const Stubborn stubborn;
      CHECK_THROWS_AS(s.spawn(stubborn), std::runtime_error);
      s.spawn([] {});
    });
    CHECK(ran);
  });
}

TEST_CASE("tasks spawned in arms and in loops: joins and loops still get what they forked") {
  on_every_pool([] {
    for (int round = 0; round < 30; ++round) {
      std::atomic<int> tasks{0};
      int left = 0;
      int right = 0;
      std::atomic<int> steps{0};
      const auto task = [&] { ++tasks; };  // out here: tasks outlive the body
      const auto [sum, twice] = scope([&](Scope& s) {
        s.spawn(task);
        join(
            [&] {
              s.spawn(task);
              s.spawn([&] { s.spawn(task); });
              left = 1;
              join([&] { s.spawn(task); }, [&] { s.spawn(task); }, [&] { s.spawn(task); });
            },
            [&] {
              right = 1;
              s.spawn(task);
            });
        furca::parallel_for(0, 100,
                            [&](int) {
                              s.spawn(task);
                              ++steps;
                            },
                            {.grain = 1});
        s.spawn([&] { join([&] { s.spawn(task); }, [&] { s.spawn(task); }); });
        return join([&] { return left + right; }, [] { return 2; });
      });
      CHECK(sum == 2);
      CHECK(twice == 2);
      CHECK(steps == 100);
      CHECK(tasks == 109);
    }
  });
}

TEST_CASE("an arm that throws leaves its tasks to the scope") {
  on_every_pool([] {
    std::atomic<int> tasks{0};
    CHECK(thrown_by([&] {
            scope([&](Scope& s) {
              CHECK(thrown_by([&] {
                      join(
                          [&] {
                            s.spawn([&] { ++tasks; });
                            throw 3;
                          },
                          [] {});
                    }) == 3);
              s.spawn([&] { ++tasks; });
            });
          }) == -1);
    CHECK(tasks == 2);
  });
}

TEST_CASE("a task may be spawned into the scope around the one it is in") {
  on_every_pool([] {
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> outer_tasks{0};
      std::atomic<int> inner_tasks{0};
      scope([&](Scope& outer) {
        scope([&](Scope& inner) {
          outer.spawn([&] { ++outer_tasks; });
          inner.spawn([&] {
            outer.spawn([&] { ++outer_tasks; });
            ++inner_tasks;
          });
          inner.spawn([&] { ++inner_tasks; });
        });
        CHECK(inner_tasks == 2);
      });
      CHECK(outer_tasks == 2);
    }
  });
}

TEST_CASE(
    "a stolen task of an inner scope leaves one to the outer scope, which forks when the inner one "
    "is long gone") {
  furca::ThreadPool pool({.threads = 3});
  pool.install([] {
    for (std::uint64_t round = 0; round < furca::test::rounds(2'000); ++round) {
      std::atomic<int> outer_tasks{0};
      scope([&](Scope& outer) {
        const auto inner_call = [&] {
          std::atomic<bool> stolen{false};
          scope([&](Scope& inner) {
            inner.spawn([&] {
              stolen = true;
              outer.spawn([&] {
                join([] { furca::test::spin(300); },
                     [&] { join([] { furca::test::spin(100); }, [&] { ++outer_tasks; }); },
                     [] { furca::test::spin(100); });
              });
            });
            for (int i = 0; i < 10'000 && !stolen; ++i) std::this_thread::yield();
          });
        };
        inner_call();
        inner_call();
      });
      REQUIRE(outer_tasks == 2);
    }
  });
}

TEST_CASE(
    "tasks run on other threads, and a scope that waits helps with what they fork and spawn") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    // The task runs on the started thread and can only end if the caller, who waits for it, and
    // may be long asleep, comes to help.
    const auto meet = [](auto fork_two, int milliseconds) {
      std::atomic<int> here{0};
      std::atomic<bool> stolen{false};
      const auto caller = std::this_thread::get_id();
      scope([&](Scope& s) {
        s.spawn([&] {
          if (std::this_thread::get_id() == caller) return;  // too late
          stolen = true;
          std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
          const auto arrive = [&here] {
            ++here;
            while (here < 2) std::this_thread::yield();
          };
          fork_two(s, arrive);
        });
        while (!stolen) std::this_thread::yield();
      });
      CHECK(here == 2);
    };
    for (const int milliseconds : {0, 50}) {
      meet([](Scope&, auto arrive) { join(arrive, arrive); }, milliseconds);
      meet(
          [](Scope& s, auto arrive) {
            s.spawn(arrive);
            arrive();
          },
          milliseconds);
      meet(
          [](Scope&, auto arrive) {
            scope([&](Scope& inner) {
              inner.spawn(arrive);
              arrive();
            });
          },
          milliseconds);
    }
  });
}

TEST_CASE("a mutex may be held across a scope: who waits runs nothing of others") {
  furca::ThreadPool pool({.threads = 4});
  pool.install([] {
    std::mutex mutex;
    std::atomic<int> tasks{0};
    scope([&](Scope& s) {
      for (int i = 0; i < 200; ++i) {
        s.spawn([&] {
          const std::lock_guard lock(mutex);  // taken twice by one thread it would hang
          scope([&](Scope& inner) {
            for (int j = 0; j < 4; ++j)
              inner.spawn([&] {
                furca::test::spin(500);
                ++tasks;
              });
          });
        });
      }
    });
    CHECK(tasks == 800);
  });
}

TEST_CASE("another thread's call, and one from inside another pool, runs on the spot") {
  furca::ThreadPool pool({.threads = 3});
  furca::ThreadPool other({.threads = 2});
  pool.install([&] {
    std::thread::id foreign;
    std::thread::id in_other;
    scope([&](Scope& s) {
      std::thread([&] {
        s.spawn([&] { foreign = std::this_thread::get_id(); });
        CHECK(foreign == std::this_thread::get_id());
      }).join();
      other.install([&] {
        s.spawn([&] { in_other = std::this_thread::get_id(); });
        CHECK(in_other == std::this_thread::get_id());
      });
    });
    CHECK(thrown_by([&] {
            scope([&](Scope& s) { other.install([&] { s.spawn([] { throw 4; }); }); });
          }) == 4);
  });
}

TEST_CASE(
    "an arm beside a scope, and another thread in the pool, spawn into it: nothing is lost, and "
    "nothing hangs") {
  for (const std::size_t threads : {2U, 3U}) {
    furca::ThreadPool pool({.threads = threads});
    for (std::uint64_t round = 0; round < furca::test::rounds(200); ++round) {
      std::atomic<Scope*> shared{nullptr};
      std::atomic<int> spawned{0};
      std::atomic<int> done{0};
      const auto spawn_some = [&] {
        while (shared == nullptr) std::this_thread::yield();
        for (int i = 0; i < 20; ++i) shared.load()->spawn([&] { ++done; });
        ++spawned;
      };
      std::thread guest([&] { pool.install(spawn_some); });
      pool.install([&] {
        join(
            [&] {
              scope([&](Scope& s) {
                s.spawn([&] { ++done; });
                shared = &s;
                while (spawned < 2) std::this_thread::yield();
              });
            },
            spawn_some, [&] { join([] {}, [] {}); });
      });
      guest.join();
      REQUIRE(done == 41);
    }
  }
}

TEST_CASE("each of many small tasks runs once, whoever steals how many of them") {
  for (const std::size_t threads : {1U, 2U, 4U, 7U}) {
    furca::ThreadPool pool({.threads = threads});
    pool.install([] {
      for (std::uint64_t round = 0; round < furca::test::rounds(300); ++round) {
        std::vector<std::atomic<int>> runs(1 + static_cast<std::size_t>(round * 7 % 500));
        scope([&](Scope& s) {
          for (std::atomic<int>& count : runs)
            s.spawn([&count] { count.fetch_add(1, std::memory_order_relaxed); });
        });
        for (const std::atomic<int>& count : runs) REQUIRE(count == 1);
      }
    });
  }
}

TEST_CASE("tasks of two scopes that lie in one deque: each scope waits for its own") {
  furca::ThreadPool pool({.threads = 3});
  pool.install([] {
    for (std::uint64_t round = 0; round < furca::test::rounds(1'000); ++round) {
      std::atomic<int> outer_done{0};
      scope([&](Scope& outer) {
        const auto spawn_some = [&](Scope& s, std::atomic<int>& done) {
          for (int i = 0; i < 5; ++i)
            s.spawn([&done] { done.fetch_add(1, std::memory_order_relaxed); });
        };
        spawn_some(outer, outer_done);
        std::atomic<int> inner_done{0};
        scope([&](Scope& inner) {
          spawn_some(inner, inner_done);
          spawn_some(outer, outer_done);
          spawn_some(inner, inner_done);
          join([&] { spawn_some(inner, inner_done); }, [&] { spawn_some(outer, outer_done); });
        });
        REQUIRE(inner_done == 15);
        spawn_some(outer, outer_done);
      });
      REQUIRE(outer_done == 20);
    }
  });
}

TEST_CASE("tasks that were stolen together and spawn others: all are counted") {
  furca::ThreadPool pool({.threads = 4});
  pool.install([] {
    for (std::uint64_t round = 0; round < furca::test::rounds(300); ++round) {
      std::atomic<int> done{0};
      scope([&](Scope& s) {
        for (int i = 0; i < 40; ++i) {
          s.spawn([&] {
            for (int j = 0; j < 40; ++j)
              s.spawn([&] { done.fetch_add(1, std::memory_order_relaxed); });
          });
        }
      });
      REQUIRE(done == 1'600);
    }
  });
}

TEST_CASE("of many tasks that throw, the exception of the one that was spawned first counts") {
  furca::ThreadPool pool({.threads = 4});
  pool.install([] {
    for (std::uint64_t round = 0; round < furca::test::rounds(300); ++round) {
      const int first = static_cast<int>(round % 50);
      std::atomic<int> before{0};
      REQUIRE(thrown_by([&] {
                scope([&](Scope& s) {
                  for (int i = 0; i < 100; ++i) {
                    s.spawn([&before, i, first] {
                      if (i >= first) throw i;
                      before.fetch_add(1, std::memory_order_relaxed);
                    });
                  }
                });
              }) == first);
      REQUIRE(before == first);
    }
  });
}

TEST_CASE("a stop skips the tasks that were stolen together and have not begun") {
  furca::ThreadPool pool({.threads = 3});
  pool.install([] {
    for (std::uint64_t round = 0; round < furca::test::rounds(300); ++round) {
      std::stop_source source;
      std::atomic<int> begun{0};
      std::atomic<int> after{0};
      scope(
          [&](Scope& s) {
            for (int i = 0; i < 200; ++i) {
              s.spawn([&] {
                if (source.stop_requested()) after.fetch_add(1, std::memory_order_relaxed);
                if (begun.fetch_add(1, std::memory_order_relaxed) == 20) source.request_stop();
              });
            }
          },
          {.stop = source.get_token()});
      REQUIRE(begun > 20);
      REQUIRE(after <= 3);  // of each thread one that has begun, but not looked
    }
  });
}

// Classic fences, or a thief, make the owner take its oldest task where several may be stolen at
// once.
TEST_CASE("a wait that is over runs no task of another group below tasks of a scope") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    std::atomic<bool> busy{false};
    std::atomic<bool> go_on{false};
    std::atomic<int> ran{0};
    bool early = false;
    scope([&](Scope& s) {
      s.spawn([&] {  // keeps the other thread from stealing
        busy = true;
        while (!go_on) furca::detail::Atomics::yield();
      });
      while (!busy) furca::detail::Atomics::yield();
      tbb::task_group group;
      tbb::task_group other;
      bool other_ran = false;
      group.run([&] {
        other.run([&] { other_ran = true; });
        for (int i = 0; i < 3; ++i) s.spawn([&] { ++ran; });
      });
      group.wait();
      early = other_ran;
      other.wait();
      CHECK(other_ran);
      go_on = true;
    });
    CHECK_FALSE(early);
    CHECK(ran == 3);
  });
}

TEST_CASE("trees of random shape, many times") {
  for (const std::size_t threads : {2U, 3U, 5U}) {
    furca::ThreadPool pool({.threads = threads});
    pool.install([] {
      for (std::uint64_t round = 0; round < furca::test::rounds(2'000); ++round) {
        std::atomic<int> nodes{0};
        scope([&](Scope& s) {
          const int depth = static_cast<int>(round % 9);
          grow(s, depth, nodes);
          if (round % 3 == 0)
            join([&] { grow(s, depth / 2, nodes); }, [&] { grow(s, depth / 2, nodes); });
        });
        const int depth = static_cast<int>(round % 9);
        REQUIRE(nodes == (2 << depth) - 1 + (round % 3 == 0 ? 2 * ((2 << depth / 2) - 1) : 0));
      }
    });
  }
}
