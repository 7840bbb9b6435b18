// fork(): the child has one thread and no workers, and whatever furca was doing at that moment, it
// can compute.
#include <furca/compat/oneapi/tbb/task_arena.h>
#include <furca/compat/oneapi/tbb/task_group.h>
#include <furca/furca.hpp>

#include "support/exits.hpp"
#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/trials.hpp"

#include <cerrno>
#include <coroutine>
#include <csignal>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace furca::test;
using furca::ThreadPool;

namespace {

constinit bool is_forked_child = false;

}  // namespace

// LeakSanitizer looks for the parent's threads when a forked child exits, and may wait for them
// forever; so it looks at processes that began by themselves only. Without that sanitizer nobody
// asks.
extern "C" int __lsan_is_turned_off() { return is_forked_child ? 1 : 0; }  // NOLINT

extern "C" [[gnu::weak]] void __tsan_init();  // NOLINT: there if ThreadSanitizer is

namespace {

enum class Leaves { by_exit, at_once };

/// Forks; the child runs body() and exits, with 0 if it returned true. How it ended is for
/// succeeded() to find out.
template <class Body>
pid_t fork_and(Body body, Leaves leaves = Leaves::by_exit) {
  const pid_t child = fork();
  if (child != 0) return child;
  is_forked_child = true;
  const Watchdog watchdog("a forked child", 20);
  const int exit_code = body() ? 0 : 1;
  if (leaves == Leaves::at_once) _exit(exit_code);
  std::exit(exit_code);
}

bool succeeded(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  if (status == 0) return true;
  std::fprintf(stderr, "a child ended with exit code %d, signal %d\n",
               WIFEXITED(status) ? WEXITSTATUS(status) : -1,
               WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return false;
}

/// The child's own pool has as many threads as the parent's had, and uses them.
bool computes_on_three_threads() {
  Meeting meeting(3);
  join_all(3, [&meeting](std::size_t) { meeting.attend(); });
  return computes() && furca::num_threads() == 3;
}

int exit_code(bool right) { return right ? 7 : 1; }

const ChildProcess before_use{"fork before first use", [] {
                                const bool child = succeeded(fork_and(computes_on_three_threads));
                                return exit_code(child && computes_on_three_threads());
                              }};

const ChildProcess idle_pool{
    "fork with an idle pool", [] {
      bool right = true;
      for (int i = 0; i < 100; ++i) {
        right = right && computes_on_three_threads();
        right = right && succeeded(fork_and(computes_on_three_threads,
                                            i % 2 == 0 ? Leaves::by_exit : Leaves::at_once));
      }
      return exit_code(right && computes_on_three_threads());
    }};

/// Keeps a pool busy from threads of its own until it is destroyed.
class Load {
 public:
  explicit Load(ThreadPool* pool = nullptr, int threads = 2) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this, pool] {
        while (!enough_) {
          if (!(pool != nullptr ? pool->install(computes) : computes())) std::abort();
          ++done_;
        }
      });
    }
    eventually([this] { return done_.load() > 4; });
  }
  ~Load() {
    enough_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::atomic<bool> enough_{false};
  std::atomic<int> done_{0};
  std::vector<std::thread> threads_;
};

const ChildProcess busy_pool{
    "fork from a thread while others use the pool", [] {
      const Load load;
      bool right = true;
      for (std::uint64_t i = 0; i < rounds(100); ++i)
        right = right && succeeded(fork_and(computes_on_three_threads,
                                            i % 2 == 0 ? Leaves::by_exit : Leaves::at_once));
      return exit_code(right && computes());
    }};

/// A child that leaves with exit() runs destructors while the stack of its parent's call is still
/// there: it must not matter.
template <Leaves kLeaves>
int fork_in_bodies() {
  std::atomic<std::uint64_t> right{0};
  furca::parallel_for(std::uint64_t{0}, rounds(100), [&right](std::uint64_t) {
    busy();
    right += succeeded(fork_and(computes_on_three_threads, kLeaves)) ? 1U : 0U;
  });
  return exit_code(right == rounds(100) && computes());
}

const ChildProcess in_body{"fork in the bodies of a loop",
                           [] { return fork_in_bodies<Leaves::at_once>(); }};
const ChildProcess in_body_exit{"fork in the bodies of a loop, children leave through exit",
                                [] { return fork_in_bodies<Leaves::by_exit>(); }};

/// Forks on the caller and on a started thread, both in an arm of one join, at the same time.
const ChildProcess in_arms{"fork in two arms at once", [] {
                             bool right = true;
                             for (int i = 0; i < 20; ++i) {
                               Meeting both(2);
                               const auto arm = [&both] {
                                 both.attend();
                                 return succeeded(fork_and(computes_on_three_threads));
                               };
                               const auto [a, b] = furca::join(arm, arm);
                               right = right && a && b;
                             }
                             return exit_code(right);
                           }};

const ChildProcess generations{
    "fork in a child in a child", [] {
      const auto descend = [](const auto& self, int depth) -> bool {
        if (!computes_on_three_threads()) return false;
        if (depth > 0 && !succeeded(fork_and([&] { return self(self, depth - 1); }))) return false;
        return computes_on_three_threads();
      };
      bool right = descend(descend, 5);
      // And once from the middle of a call in each generation.
      const auto dive = [](const auto& self, int depth) -> bool {
        const auto [a, b] = furca::join(
            [] { return computes(); },
            [&] {
              return depth == 0 || succeeded(fork_and([&] { return self(self, depth - 1); }));
            });
        return a && b && computes_on_three_threads();
      };
      right = right && dive(dive, 5);
      return exit_code(right);
    }};

const ChildProcess pool_in_child{
    "a ThreadPool of the parent's, in the child", [] {
      bool right = true;
      for (int i = 0; i < 20; ++i) {
        auto pool = std::make_unique<ThreadPool>(furca::Config{.threads = 3});
        if (i % 2 == 0) right = right && pool->install(computes);
        right = right && succeeded(fork_and([&pool] {
                  const bool ok = pool->install(computes) && pool->size() == 3;
                  pool.reset();
                  return ok && computes() &&
                         ThreadPool({.threads = 3}).install(computes_on_three_threads);
                }));
        right = right && succeeded(fork_and([&pool] {
                  pool.reset();
                  return computes();
                }));
        right = right && pool->install(computes);
      }
      return exit_code(right);
    }};

const ChildProcess busy_pool_in_child{
    "a busy ThreadPool of the parent's, in the child", [] {
      bool right = true;
      for (int i = 0; i < 20; ++i) {
        auto pool = std::make_unique<ThreadPool>(furca::Config{.threads = 3});
        const Load load(pool.get());
        right = right &&
                succeeded(fork_and([&pool] { return pool->install(computes); }, Leaves::at_once));
        right = right && succeeded(fork_and(
                             [&pool] {
                               pool.reset();
                               return true;
                             },
                             Leaves::at_once));
      }
      return exit_code(right);
    }};

const ChildProcess forked_in_install{
    "a ThreadPool, forked inside its install", [] {
      bool right = computes();
      for (int i = 0; i < 20; ++i) {
        auto pool = std::make_unique<ThreadPool>(furca::Config{.threads = 3});
        pid_t child = -1;
        pool->install([&] {
          furca::join([] {}, [] {});
          child = fork();
        });
        if (child == 0) {
          is_forked_child = true;
          const Watchdog watchdog("a forked child", 20);
          const bool ok = computes() && pool->install(computes);
          pool.reset();
          std::exit(ok && computes() ? 0 : 1);
        }
        right = right && succeeded(child);
      }
      return exit_code(right);
    }};

/// What is initialised at first use is being initialised on one thread while another forks.
const ChildProcess during_first_use{
    "fork during first use", [] {
      const int delay = std::atoi(std::getenv("FURCA_TEST_DELAY"));
      Meeting both(2);
      bool first = false;
      std::thread user([&] {
        both.attend();
        first = computes();
      });
      both.attend();
      for (int i = 0; i < delay; ++i) wait_a_moment();
      const bool child = succeeded(fork_and(computes_on_three_threads, Leaves::at_once));
      user.join();
      return exit_code(child && first);
    }};

/// The same at the one moment that no waiting finds: fork() is under way already, and the other
/// thread's first use comes and goes.
const ChildProcess first_use_in_fork{"first use during a fork", [] {
                                       static std::atomic<bool> forking{false};
                                       static std::atomic<bool> used{false};
                                       std::thread user([] {
                                         eventually([] { return forking.load(); });
                                         if (!computes()) std::abort();
                                         used = true;
                                       });
                                       pthread_atfork(
                                           [] {
                                             forking = true;
                                             eventually([] { return used.load(); });
                                           },
                                           nullptr, nullptr);
                                       const bool child =
                                           succeeded(fork_and(computes_on_three_threads));
                                       user.join();
                                       return exit_code(child && computes_on_three_threads());
                                     }};

/// Words that furca sleeps on share what the system has for them where there is no futex: here all
/// of it is in use.
const ChildProcess many_sleepers{
    "fork while the threads of many pools sleep", [] {
      std::vector<std::unique_ptr<ThreadPool>> pools;
      bool right = true;
      const ThreadIds before = thread_ids();
      for (int i = 0; i < 200; ++i) {
        pools.push_back(std::make_unique<ThreadPool>(furca::Config{.threads = 2}));
        right = right && pools.back()->install([] { return fib(3); }) == 2;
      }
      const ThreadIds sleepers = threads_since(before);
      for (const std::string& id : sleepers) eventually([&id] { return is_asleep(id); });
      for (int i = 0; i < 5; ++i) {
        right = right && succeeded(fork_and(
                             [] {
                               bool ok = true;
                               for (int round = 0; round < 20; ++round)
                                 ok = ok &&
                                      ThreadPool({.threads = 3}).install(computes_on_three_threads);
                               return ok && computes_on_three_threads();
                             },
                             Leaves::at_once));
      }
      return exit_code(right);
    }};

// --- children that go where they must not --------------------------------------------------------

/// A child that goes back into the call that it was forked in. What the call waits for is with
/// threads that the child does not have.
class Stray {
 public:
  /// In the parent this returns when the child has ended. In the child at once: the caller returns
  /// into furca.
  void fork_and_return() {
    const pid_t child = fork();
    if (child == 0) {
      is_forked_child = true;
      alarm(20);
      return;
    }
    while (waitpid(child, &status_, 0) < 0) {
    }
    ended_ = true;
  }

  void await_end() const {
    eventually([this] { return ended_.load(); });
  }

  /// Of this process: what the child said if it came to an end of its own, 7 if it was aborted.
  int exit_code() const {
    if (is_forked_child) return 98;
    return WIFEXITED(status_) ? WEXITSTATUS(status_)
                              : ::exit_code(WTERMSIG(status_) == SIGABRT && computes());
  }

 private:
  int status_ = 0;
  std::atomic<bool> ended_{false};
};

/// What is the parent's alone, and is there to be run.
void is_for_the_parent() {
  if (is_forked_child) _exit(97);
}

const ChildProcess returns_into_join{"a child returns into a join whose other arm was stolen", [] {
                                       Stray stray;
                                       on_two_threads([&] { stray.fork_and_return(); },
                                                      [&] { stray.await_end(); });
                                       return stray.exit_code();
                                     }};

/// There is nobody to return the result to.
const ChildProcess returns_into_worker{"a child returns from a stolen arm", [] {
                                         Stray stray;
                                         on_two_threads([&] { stray.await_end(); },
                                                        [&] { stray.fork_and_return(); });
                                         return stray.exit_code();
                                       }};

const ChildProcess returns_to_stale_arms{
    "a child returns from a stolen arm while another arm is published", [] {
      Stray stray;
      std::atomic<bool> published{false};
      on_two_threads(
          [&] {
            furca::join(
                [&] {
                  published = true;
                  stray.await_end();
                },
                is_for_the_parent);
          },
          [&] {
            eventually([&] { return published.load(); });
            stray.fork_and_return();
          });
      return stray.exit_code();
    }};

/// Two levels: the thief waits for another arm itself, and could go on helping.
const ChildProcess returns_to_waiter{
    "a child returns from an arm that a waiting thread has stolen", [] {
      Stray stray;
      std::atomic<bool> stolen{false};
      std::atomic<bool> published{false};
      // then this thread waits for the other arm, and helps with it
      furca::join([&] { eventually([&] { return stolen.load(); }); },
                  [&] {
                    stolen = true;
                    furca::join(
                        [&] {
                          furca::join(
                              [&] {
                                published = true;
                                stray.await_end();
                              },
                              is_for_the_parent);
                        },
                        [&] {
                          eventually([&] { return published.load(); });
                          stray.fork_and_return();
                        });
                  });
      return stray.exit_code();
    }};

const ChildProcess returns_to_stale_tasks{
    "a child returns from a stolen arm that has spawned a task", [] {
      Stray stray;
      on_two_threads([&] { stray.await_end(); },
                     [&] {
                       furca::spawn(is_for_the_parent);
                       stray.fork_and_return();
                     });
      furca::wait_idle();
      return stray.exit_code();
    }};

/// Waits for somebody who resumes it.
struct Parked {
  std::atomic<void*>& place;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) const noexcept { place = handle.address(); }
  void await_resume() const noexcept {}
};

furca::Async<void> parked(std::atomic<void*>& place) { co_await Parked{place}; }

/// The thread waits for a coroutine that another thread will resume, and works meanwhile. Of the
/// two threads no other one is there for the task.
const ChildProcess returns_to_coroutine{
    "a child returns from a task to a thread that waits for a coroutine", [] {
      Stray stray;
      Meeting both(2);
      std::atomic<void*> place{nullptr};
      ThreadPool pool({.threads = 2});
      pool.install([&] {
        furca::join(
            [&] {
              both.attend();
              furca::spawn([&] { stray.fork_and_return(); });
              furca::sync_wait(parked(place));
            },
            [&] {
              both.attend();
              stray.await_end();
              eventually([&] { return place.load() != nullptr; });
              std::coroutine_handle<>::from_address(place).resume();
            });
      });
      return stray.exit_code();
    }};

/// All threads rest, and the first of them runs tasks.
const ChildProcess returns_to_rest{"a child returns from a task under a limit of one thread", [] {
                                     Stray stray;
                                     furca::broadcast([] {});
                                     {
                                       const furca::ThreadLimit limit(1);
                                       furca::spawn([&] { stray.fork_and_return(); });
                                       stray.await_end();
                                     }
                                     furca::wait_idle();
                                     return stray.exit_code();
                                   }};

/// The thread waits in an isolation, in which it runs nothing but what is isolated, and answers
/// calls to all threads.
const ChildProcess returns_to_isolation{
    "a child returns from a call to all threads into a wait for isolated tasks", [] {
      Stray stray;
      std::atomic<bool> done{false};
      furca::spawn([&] {
        const std::size_t waiter = furca::thread_index();
        std::atomic<bool> began{false};
        tbb::task_group group;
        tbb::this_task_arena::isolate([&] {
          group.run([&] {
            began = true;
            furca::broadcast([&] {
              if (furca::thread_index() == waiter) stray.fork_and_return();
            });
          });
          eventually([&] { return began.load(); });
          group.wait();
        });
        done = true;
      });
      eventually([&] { return done.load(); });
      return stray.exit_code();
    }};

/// ThreadSanitizer takes a thread that a forked child starts on a stack of its parent's for that
/// thread of the parent's, and gives up ("dup thread"). AddressSanitizer forks while other threads
/// hold the locks of its allocator, until GCC 14 and LLVM 17;
/// a child that allocates may wait for them forever. Under these, children of a process with
/// threads cannot be asked to compute.
bool children_can_compute() {
#if defined(__clang__)
#if __has_feature(address_sanitizer) && __clang_major__ < 17
  return false;
#endif
#elif defined(__SANITIZE_ADDRESS__) && __GNUC__ < 14
  return false;
#endif
  return __tsan_init == nullptr;
}

void check_fork(const ChildProcess& scenario) {
  const Ending ending = scenario.run({.seconds = static_cast<int>(120 * std::max(1.0, scale()))});
  INFO(ending);
  CHECK(ending.cleanly(7));
}

}  // namespace

TEST_CASE("a child of a process that has not used furca yet computes") { check_fork(before_use); }
TEST_CASE("a parent's busy ThreadPool can be used and destroyed in the child" *
          doctest::skip(!children_can_compute())) {
  check_fork(busy_pool_in_child);
}

TEST_CASE("a child of a process with threads computes on threads of its own" *
          doctest::skip(!children_can_compute())) {
  SUBCASE("the pool is idle") { check_fork(idle_pool); }
  SUBCASE("the pool is busy") { check_fork(busy_pool); }
  SUBCASE("forked in the bodies of a loop") { check_fork(in_body); }
  SUBCASE("forked in the bodies of a loop, the child leaves through exit") {
    check_fork(in_body_exit);
  }
  SUBCASE("forked in two arms at once") { check_fork(in_arms); }
  SUBCASE("children of children") { check_fork(generations); }
  SUBCASE("a parent's ThreadPool is used and destroyed") { check_fork(pool_in_child); }
  SUBCASE("forked inside install, which the child leaves") { check_fork(forked_in_install); }
  SUBCASE("furca is first used while the fork is under way") { check_fork(first_use_in_fork); }
  SUBCASE("the threads of many pools sleep in the parent") { check_fork(many_sleepers); }
}

TEST_CASE("a child forked while another thread uses furca for the first time computes" *
          doctest::skip(!children_can_compute())) {
  for (int delay = 0; delay < 40'000; delay += 50) {
    const Ending ending =
        during_first_use.run({.environment = {{"FURCA_TEST_DELAY", std::to_string(delay)}}});
    INFO(delay);
    INFO(ending);
    REQUIRE(ending.cleanly(7));
  }
}

TEST_CASE("a child that goes back into the call that it was forked from aborts with a message") {
  for (const ChildProcess* scenario :
       {&returns_into_join, &returns_into_worker, &returns_to_stale_arms, &returns_to_waiter,
        &returns_to_stale_tasks, &returns_to_coroutine, &returns_to_rest, &returns_to_isolation}) {
    for (int i = 0; i < 15; ++i) {  // one turn in thirteen is that of others' forks
      const Ending ending = scenario->run();
      INFO(ending);
      CHECK(ending.exit_code == 7);
      CHECK(ending.error_lines() == 1);
      CHECK(ending.errors.starts_with(
          "furca: a forked child went back into the parallel call that it was forked from"));
    }
  }
}
