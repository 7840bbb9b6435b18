// The end of pools, of threads and of the process.
#include <furca/furca.hpp>

#include "support/exits.hpp"
#include "support/trials.hpp"

#include <pthread.h>
#include <unistd.h>

using namespace furca::test;
using furca::ThreadPool;

namespace {

// --- destroying a pool that is in use ------------------------------------------------------------

std::unique_ptr<ThreadPool> doomed;

const ChildProcess destroyed_by_its_thread{
    "a pool destroyed by a thread of its own", [] {
      doomed = std::make_unique<ThreadPool>(furca::Config{.threads = 2});
      doomed->install([] { on_two_threads(compute_forever, [] { doomed.reset(); }); });
      return 0;
    }};

const ChildProcess destroyed_in_install{
    "a pool destroyed inside its install", [] {
      doomed = std::make_unique<ThreadPool>(furca::Config{.threads = 2});
      doomed->install([] { doomed.reset(); });
      return 0;
    }};

const ChildProcess destroyed_in_nested_install{
    "a pool destroyed inside another one's install inside its own", [] {
      ThreadPool other({.threads = 2});
      doomed = std::make_unique<ThreadPool>(furca::Config{.threads = 2});
      doomed->install([&] { other.install([] { doomed.reset(); }); });
      return 0;
    }};

const ChildProcess destroyed_while_in_use{
    "a pool destroyed while a thread is inside", [] {
      doomed = std::make_unique<ThreadPool>(furca::Config{.threads = 2});
      Meeting inside(2);
      std::thread user([&] {
        doomed->install([&] {
          inside.attend();
          compute_forever();
        });
      });
      inside.attend();
      doomed.reset();
      user.join();
      return 0;
    }};

// --- ways to exit --------------------------------------------------------------------------------

const ChildProcess never_used{"furca is never used", [] { return 7; }};

const ChildProcess main_returns{"main returns after use", [] { return computes() ? 7 : 1; }};

const ChildProcess exits_on_started{"exit in an arm on a started thread", [] {
                                      on_two_threads(compute_forever, [] { std::exit(7); });
                                      return 1;
                                    }};

const ChildProcess exits_in_loop{"exit in the body of a loop", [] {
                                   furca::parallel_for(0, 1'000'000, [](int i) {
                                     static std::atomic<bool> leaving{false};
                                     busy();
                                     if (i % 1000 == 500 && !leaving.exchange(true)) std::exit(7);
                                   });
                                   return 1;
                                 }};

/// The other arm is stolen at just about the time when the process exits, and never ends.
const ChildProcess exits_while_stealing{"exit while the other arm is being stolen", [] {
                                          const int delay =
                                              std::atoi(std::getenv("FURCA_TEST_DELAY"));
                                          furca::join([] {}, [] {});
                                          furca::join(
                                              [delay] {
                                                for (int i = 0; i < delay; ++i) wait_a_moment();
                                                std::exit(7);
                                              },
                                              [] { compute_forever(); });
                                          return 1;
                                        }};

const ChildProcess exits_at_once{"_exit in an arm on a started thread", [] {
                                   on_two_threads(compute_forever, [] { _exit(7); });
                                   return 1;
                                 }};

const ChildProcess exits_by_pthread{
    "main leaves through pthread_exit, another thread ends the process", [] {
      compute_or_die();
      std::thread([] {
        eventually(
            [] { return thread_status(std::to_string(getpid()), "State").starts_with("Z"); });
        compute_or_die();
        std::exit(7);
      }).detach();
      pthread_exit(nullptr);
      return 1;
    }};

// --- use before main, and after it ---------------------------------------------------------------

const char* const kStaticConstructor = "use in a static constructor";
const char* const kStaticDestructor = "first use in a static destructor";
const char* const kStaticDestructorAgain = "use in main, then in static destructors";

struct UsesInConstructor {
  UsesInConstructor() {
    if (ChildProcess::is_this(kStaticConstructor)) compute_or_die();
  }
};

struct UsesInDestructor {
  ~UsesInDestructor() {
    if (!ChildProcess::is_this(kStaticDestructor) && !ChildProcess::is_this(kStaticDestructorAgain))
      return;
    compute_or_die();
    pthread_key_t key{};  // after furca's end it may have the number that furca's key had
    if (pthread_key_create(&key, nullptr) != 0) _exit(98);
    std::thread([key] {
      compute_or_die();
      if (pthread_getspecific(key) != nullptr) _exit(97);
    }).join();
    pthread_key_delete(key);
    if (ThreadPool({.threads = 3}).install(computes) == false) _exit(98);
    std::fputs("used\n", stdout);
  }
};

// One before all other static objects of the program, furca's included, and one after most of them.
[[gnu::init_priority(101)]] UsesInConstructor first_constructor;
[[gnu::init_priority(102)]] UsesInDestructor last_destructor;
UsesInConstructor other_constructor;
UsesInDestructor other_destructor;

const ChildProcess static_constructor{kStaticConstructor, [] { return computes() ? 7 : 1; }};

const ChildProcess static_destructor{kStaticDestructor, [] { return 7; }};

const ChildProcess static_destructor_again{kStaticDestructorAgain, [] {
                                             static UsesInDestructor first_destructor;
                                             std::atexit([] {
                                               compute_or_die();
                                               std::fputs("used\n", stdout);
                                             });
                                             return computes() ? 7 : 1;
                                           }};

const ChildProcess static_pool{"a static ThreadPool", [] {
                                 static ThreadPool used({.threads = 3});
                                 static ThreadPool unused({.threads = 3});
                                 return used.install(computes) ? 7 : 1;
                               }};

const ChildProcess static_pool_in_destructor{"a static ThreadPool is used by a static destructor",
                                             [] {
                                               static ThreadPool pool({.threads = 3});
                                               static struct User {
                                                 ~User() {
                                                   if (!pool.install(computes)) _exit(99);
                                                   std::fputs("used\n", stdout);
                                                 }
                                               } user;
                                               return 7;
                                             }};

// --- the end of a thread -------------------------------------------------------------------------

struct UsesAtThreadEnd {
  ~UsesAtThreadEnd() {
    if (armed) compute_or_die();
    if (armed) ++ended;
  }
  bool armed = false;
  static inline std::atomic<int> ended{0};
};
thread_local UsesAtThreadEnd at_thread_end;

const ChildProcess thread_local_destructors{"use in thread_local destructors", [] {
                                              for (const bool used_before : {false, true}) {
                                                std::thread([used_before] {
                                                  at_thread_end.armed = true;
                                                  if (used_before) compute_or_die();
                                                }).join();
                                              }
                                              const bool right = UsesAtThreadEnd::ended == 2;
                                              at_thread_end.armed = true;  // main's own, at exit
                                              return right ? 7 : 1;
                                            }};

const ChildProcess key_destructors{
    "use in the destructors of pthread keys", [] {
      static std::atomic<int> ended{0};
      for (const bool key_first : {false, true}) {
        for (const bool used_before : {false, true}) {
          pthread_key_t key{};
          const auto make_key = [&key] {
            if (pthread_key_create(&key, [](void*) {
                  compute_or_die();
                  ++ended;
                }) != 0)
              _exit(98);
          };
          if (key_first) make_key();
          compute_or_die();
          if (!key_first) make_key();
          std::thread([key, used_before] {
            pthread_setspecific(key, &ended);
            if (used_before) compute_or_die();
          }).join();
          pthread_key_delete(key);
        }
      }
      // Nobody's place in the pool was lost: the next thread gets the number that the first one
      // had.
      std::size_t index = 0;
      std::thread([&index] { index = furca::thread_index(); }).join();
      return ended == 4 && index == furca::num_threads() ? 7 : 1;
    }};

/// Before furca's constructors run, the program takes all keys for thread-specific data. One would
/// tell furca of a thread's end.
const ChildProcess no_key_left{"no pthread key is left", [] {
                                 int refused = 0;
                                 for (int i = 0; i < 3; ++i) {
                                   try {
                                     furca::join([] {}, [] {});
                                   } catch (const std::bad_alloc&) {
                                     ++refused;
                                   }
                                 }
                                 ThreadPool pool({.threads = 2});
                                 return refused == 3 && pool.install(computes) ? 7 : 1;
                               }};

[[gnu::constructor(101)]] void take_all_keys() {
  pthread_key_t key{};
  while (ChildProcess::is_this("no pthread key is left") &&
         pthread_key_create(&key, nullptr) == 0) {
  }
}

}  // namespace

TEST_CASE("to destroy a pool from one of its own threads is a diagnosed error") {
  for (const ChildProcess* child :
       {&destroyed_by_its_thread, &destroyed_in_install, &destroyed_in_nested_install}) {
    const Ending ending = child->run();
    INFO(ending);
    CHECK(ending.failed_saying("destroyed by one of its own threads"));
    CHECK(ending.error_lines() == 1);
  }
}

TEST_CASE("to destroy a pool while a thread is inside is a diagnosed error") {
  const Ending ending = destroyed_while_in_use.run();
  INFO(ending);
  CHECK(ending.failed_saying("destroyed while a thread is inside"));
  CHECK(ending.error_lines() == 1);
}

TEST_CASE("a process that never used furca exits") { check_exit(never_used); }
TEST_CASE("return from main") { check_exit(main_returns, 20); }
TEST_CASE("exit in an arm on a started thread, while the other never ends") {
  check_exit(exits_on_started, 20);
}
TEST_CASE("exit in the body of a loop") { check_exit(exits_in_loop, 20); }
TEST_CASE("_exit") { check_exit(exits_at_once, 5); }
TEST_CASE("pthread_exit in main") { check_exit(exits_by_pthread, 5); }
TEST_CASE("use in a static constructor") { check_exit(static_constructor, 5); }
TEST_CASE("first use in a static destructor") { check_exit(static_destructor, 5, "used\nused\n"); }
TEST_CASE("use in main and in static destructors") {
  check_exit(static_destructor_again, 5, "used\nused\nused\nused\n");
}
TEST_CASE("a static ThreadPool") { check_exit(static_pool, 5); }
TEST_CASE("a static ThreadPool used by a static destructor") {
  check_exit(static_pool_in_destructor, 5, "used\n");
}
TEST_CASE("use in thread_local destructors") { check_exit(thread_local_destructors, 5); }
TEST_CASE("use in the destructors of pthread keys") { check_exit(key_destructors, 5); }

TEST_CASE("a thread whose end furca would not hear of cannot call in; it can into a ThreadPool") {
  check_exit(no_key_left);
}

TEST_CASE("exit while the other arm is being stolen") {
  for (int delay = 0; delay < 4000; delay += furca::test::few_cases() ? 100 : 10) {
    const Ending ending = exits_while_stealing.run(
        {.environment = {{"FURCA_TEST_DELAY", std::to_string(delay)}}, .seconds = 120});
    INFO(delay);
    INFO(ending);
    REQUIRE(ending.cleanly(7));
  }
}

TEST_CASE("a thread that used the global pool gives its place back when it ends") {
  const Watchdog watchdog("threads that end");
  compute_or_die();
  const std::size_t expected = furca::num_threads();  // this thread has the number below
  for (int i = 0; i < 1000; ++i) {
    std::size_t index = 0;
    std::thread([&index] {
      index = furca::thread_index();
      if (fib(10) != 55) index = 0;
    }).join();
    REQUIRE(index == expected);
  }
}
