// Threads that the system does not grant: a ThreadPool throws and leaves nothing behind, the global
// pool does with those it has.
#include <furca/furca.hpp>

#include "support/allocations.hpp"
#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/trials.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace furca::test;
using furca::ThreadPool;

namespace {

/// What the next calls of pthread_create do. Successes before the first failure, how many failures,
/// and with what error.
struct Failures {
  std::atomic<int> successes{0};
  std::atomic<int> count{0};
  std::atomic<int> error{0};
  std::atomic<int> seen{0};  // failures so far

  void plan(int after, int how_many, int with) {
    successes = after;
    error = with;
    seen = 0;
    count = how_many;
  }
  void none() { count = 0; }
} failures;

constexpr int kAlways = 1'000'000;

using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

}  // namespace

// Where a sanitizer is linked statically, its own pthread_create stands behind this name and is
// overridden by ours.
// NOLINT
extern "C" [[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*,
                                                          void* (*)(void*), void*);

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*run)(void*), void* argument) {
  if (failures.count > 0 && failures.successes.fetch_sub(1) <= 0) {
    --failures.count;
    ++failures.seen;
    return failures.error;
  }
  static const Create real = __interceptor_pthread_create != nullptr
                                 ? &__interceptor_pthread_create
                                 : reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, attributes, run, argument);
}

namespace {

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

std::size_t open_files() {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd"))
    count += file.path().empty() ? 0U : 1U;
  return count;
}

/// What a pool could leave behind.
struct Belongings {
  ThreadIds threads = thread_ids();
  std::size_t files = open_files();
  long allocations = live_allocations();
};

/// Tries to make a pool that starts `threads` threads, of which the k-th cannot be had: what it
/// throws.
std::optional<std::system_error> failure_of(std::size_t threads, std::size_t k, int error) {
  failures.plan(static_cast<int>(k), kAlways, error);
  std::optional<std::system_error> thrown;
  try {
    const ThreadPool pool({.threads = threads + 1});
  } catch (const std::system_error& failure) {
    thrown = failure;
  }
  failures.none();
  return thrown;
}

}  // namespace

TEST_CASE(
    "a pool whose k-th thread cannot be created throws and leaves no thread, file or byte behind") {
  const Watchdog watchdog("failing threads", 120);
  const bool counted = allocations_are_counted();
  // A sanitizer's threads cost a millisecond each: not every k there.
  const std::size_t stride = kSanitized ? 7 : 1;
  constexpr int kErrors[] = {EAGAIN, EPERM, ENOMEM};
  std::size_t cases = 0;
  for (std::size_t threads = 1; threads <= 64; ++threads) {
    for (std::size_t k = threads % stride; k < threads; k += stride) {
      watchdog.feed();
      CAPTURE(threads);
      CAPTURE(k);
      const int error = kErrors[cases++ % 3];
      const Belongings before;
      long leaked = 0;
      {
        const std::optional<std::system_error> thrown = failure_of(threads, k, error);
        REQUIRE(thrown.has_value());
        CHECK(thrown->code() == std::error_code(error, std::generic_category()));
        CHECK(starts_with(thrown->what(),
                          "furca: cannot start thread furca-" + std::to_string(k) + " "));
        CHECK(std::string(thrown->what()).find("ulimit") != std::string::npos);
        wait_until_gone(before.threads);
      }
      if (counted) leaked = live_allocations() - before.allocations;
      CHECK(leaked == 0);
      CHECK(open_files() == before.files);
    }
  }
  std::printf("thread creation: %zu failures of the k-th of n threads, n up to 64\n", cases);
}

TEST_CASE(
    "no hook runs in a pool whose k-th thread cannot be created: one that waits for all threads "
    "would wait for ever") {
  const Watchdog watchdog("hooks in a pool that fails", 60);
  for (std::size_t k = 0; k < 4; ++k) {
    failures.plan(static_cast<int>(k), kAlways, EPERM);
    std::atomic<int> hooks{0};
    const auto hook = [&](std::size_t) {
      ++hooks;
      furca::broadcast([] {});
    };
    CHECK_THROWS_AS(ThreadPool({.threads = 5, .start_hook = hook, .exit_hook = hook}),
                    std::system_error);
    failures.none();
    CHECK(hooks == 0);
  }
}

TEST_CASE("a retry after a failure works") {
  const Watchdog watchdog("retries");
  const ThreadIds before = thread_ids();
  for (const std::size_t threads : {1U, 2U, 3U, 8U, 64U}) {
    for (const std::size_t k : {std::size_t{0}, threads / 2, threads - 1}) {
      CAPTURE(threads);
      CAPTURE(k);
      CHECK(failure_of(threads, k, EAGAIN).has_value());
      wait_until_gone(before);
      ThreadPool pool({.threads = threads + 1});
      CHECK(threads_since(before).size() == threads);
      CHECK(pool.install(computes));
    }
    wait_until_gone(before);
  }
}

TEST_CASE("a spurious EAGAIN is tried again, another error at most once") {
  const Watchdog watchdog("EAGAIN");
  const ThreadIds before = thread_ids();
  for (int k = 0; k < 3; ++k) {
    for (int times = 1; times <= 2; ++times) {
      wait_until_gone(before);
      failures.plan(k, times, EAGAIN);
      ThreadPool pool({.threads = 4});
      CHECK(failures.seen == times);
      failures.none();
      CHECK(threads_since(before).size() == 3);
      CHECK(pool.install(computes));
    }
  }
  failures.plan(0, 2, EPERM);  // also for a thread that may begin where its starter does
  CHECK_THROWS_AS(ThreadPool({.threads = 4}), std::system_error);
  failures.none();

  failures.plan(0, kAlways, EAGAIN);
  CHECK_THROWS_AS(ThreadPool({.threads = 4}), std::system_error);
  CHECK(failures.seen > 1);
  CHECK(failures.seen < 100);  // it gives up
  failures.none();
  wait_until_gone(before);
}

namespace {

/// Every thread of the pool takes part, and has an index of its own. Returns how many there are, 0
/// if that is not so.
std::size_t threads_that_take_part() {
  const std::size_t size = furca::num_threads();
  std::set<std::size_t> indices;
  std::vector<std::atomic<std::size_t>> index(size);
  Meeting meeting(size);
  join_all(size, [&](std::size_t arm) {
    meeting.attend();
    index[arm] = furca::thread_index();
  });
  for (const auto& each : index) indices.insert(each);
  return indices.size() == size && *indices.rbegin() == size - 1 ? size : 0;
}

const ChildProcess smaller_pool{
    "a global pool that cannot have all its threads", [] {
      const Watchdog watchdog("smaller global pool");
      const ThreadIds before = thread_ids();
      failures.plan(std::atoi(std::getenv("FURCA_TEST_STARTED")), kAlways, EAGAIN);
      const bool right =
          computes() && computes() && furca::stats().workers.size() == furca::num_threads();
      failures.none();
      std::printf("%zu threads take part, %zu started\n", threads_that_take_part(),
                  threads_since(before).size());
      return right ? 0 : 1;
    }};

}  // namespace

TEST_CASE(
    "a global pool that cannot have all its threads works with those it has, and says so once") {
  constexpr int kWanted = 8;
  for (int started = 0; started < kWanted; ++started) {
    const Ending ending =
        smaller_pool.run({.environment = {{"FURCA_NUM_THREADS", std::to_string(kWanted)},
                                          {"FURCA_TEST_STARTED", std::to_string(started)}}});
    INFO(ending);
    CHECK(ending.exit_code == 0);
    const std::string size = std::to_string(started + 1);
    const bool smaller = started < kWanted - 1;
    CHECK(ending.output == size + " threads take part, " + std::to_string(started) + " started\n");
    const std::string complaint = "furca: cannot start thread " + std::to_string(started) +
                                  " of the global pool; going on with " + size + ": ";
    CHECK(starts_with(ending.errors, smaller ? complaint : ""));
    CHECK(ending.error_lines() == (smaller ? 1 : 0));
  }
}

namespace {

/// Root is above the limit on threads, so it becomes somebody who is not, if it may.
bool become_limited() {
  constexpr uid_t kNobodyInParticular = 61'843;
  if (geteuid() != 0) return true;
  return setresuid(kNobodyInParticular, kNobodyInParticular, kNobodyInParticular) == 0 &&
         prctl(PR_SET_DUMPABLE, 1) == 0;
}

bool can_be_limited() {
  const pid_t child = fork();
  if (child == 0) _exit(become_limited() ? 0 : 1);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

const ChildProcess limited{"a system limit on threads", [] {
                             const Watchdog watchdog("RLIMIT_NPROC");
                             const ThreadIds before = thread_ids();
                             rlimit limit{};
                             getrlimit(RLIMIT_NPROC, &limit);
                             const rlimit tight{std::min<rlim_t>(before.size() + 3, limit.rlim_max),
                                                limit.rlim_max};
                             if (!become_limited() || setrlimit(RLIMIT_NPROC, &tight) != 0)
                               return 6;
                             try {
                               const ThreadPool pool({.threads = 8});
                               return 1;
                             } catch (const std::system_error& error) {
                               if (error.code() != std::error_code(EAGAIN, std::generic_category()))
                                 return 2;
                             }
                             wait_until_gone(before);
                             if (!computes()) return 3;  // the global pool
                             if (threads_that_take_part() != threads_since(before).size() + 1)
                               return 4;
                             const ThreadIds with_global = thread_ids();
                             setrlimit(RLIMIT_NPROC, &limit);
                             ThreadPool pool({.threads = 8});
                             if (threads_since(with_global).size() != 7 || !pool.install(computes))
                               return 5;
                             std::printf("%zu of 8 threads\n", furca::num_threads());
                             return 0;
                           }};

}  // namespace

TEST_CASE("the system's limit on threads is met like any other failure" *
          doctest::skip(!can_be_limited())) {
  const Ending ending = limited.run({.environment = {{"FURCA_NUM_THREADS", "8"}}});
  INFO(ending);
  CHECK(ending.exit_code == 0);
  CHECK(starts_with(ending.errors, "furca: cannot start thread "));
  CHECK(ending.error_lines() == 1);
  std::printf("thread creation: under RLIMIT_NPROC the global pool has %s", ending.output.c_str());
}
