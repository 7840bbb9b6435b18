// How the pools come up: what the environment says, and what happens when threads cannot be created.
#include <furca/furca.hpp>

#include "observe.hpp"
#include "processors.hpp"
#include "subprocess.hpp"
#include "thread.hpp"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cerrno>
#include <memory>
#include <string>
#include <system_error>

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

using namespace furca::test;
using furca::ThreadPool;

namespace {

/// What the next calls of pthread_create do. Successes before the first failure, how many failures, and with what error.
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

// Where a sanitizer is linked statically, its own pthread_create stands behind this name and is overridden by ours.
extern "C" [[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);  // NOLINT

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  if (failures.count > 0 && failures.successes.fetch_sub(1) <= 0) {
    --failures.count;
    ++failures.seen;
    return failures.error;
  }
  static const Create real = __interceptor_pthread_create != nullptr ? &__interceptor_pthread_create
                                                                     : reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, attributes, run, argument);
}

namespace {

/// Prints what the tests below want to know of a process that uses the global pool.
const ChildProcess global_pool{"the global pool", [] {
  const ThreadIds before = thread_ids();
  const std::size_t promised = furca::num_threads();
  bool right = computes();
  std::atomic<bool> other{false};
  if (promised > 1)
    furca::join([&] { eventually([&] { return other.load(); }); }, [&] { other = true; });  // on another thread, or never
  right = right && computes() && furca::num_threads() == promised;
  std::printf("%zu threads, %zu started, %s fence\n", promised, threads_since(before).size(),
              furca::detail::asymmetric_fences() ? "adaptive" : "classic");
  return right ? 0 : 1;
}};

using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

Ending with(Variables environment) { return global_pool.run({.environment = std::move(environment)}); }

bool starts_with(const std::string& text, const std::string& prefix) { return text.compare(0, prefix.size(), prefix) == 0; }

}  // namespace

TEST_CASE("FURCA_NUM_THREADS is the size of the global pool") {
  for (const std::size_t size : {1U, 2U, 3U, 17U}) {
    const Ending ending = with({{"FURCA_NUM_THREADS", std::to_string(size)}});
    INFO(ending);
    CHECK(ending.cleanly(0));
    CHECK(starts_with(ending.output, std::to_string(size) + " threads, " + std::to_string(size - 1) + " started"));
  }
}

TEST_CASE("an unset or empty FURCA_NUM_THREADS means the default, without a word") {
  const Ending unset = with({{"FURCA_NUM_THREADS", std::nullopt}});
  INFO(unset);
  CHECK(unset.cleanly(0));
  CHECK(starts_with(unset.output, std::to_string(furca::num_threads()) + " threads, "));
  const Ending empty = with({{"FURCA_NUM_THREADS", ""}});
  INFO(empty);
  CHECK(empty.cleanly(0));
  CHECK(empty.output == unset.output);
}

TEST_CASE("a FURCA_NUM_THREADS that is no number from 1 to 4096 is reported once and ignored") {
  const std::string expected = with({{"FURCA_NUM_THREADS", std::nullopt}}).output;
  for (const char* value : {"0", "-2", "abc", "99999999999999999999", "4097", "2x", " 2", "+2", "1.5", "0x2"}) {
    const Ending ending = with({{"FURCA_NUM_THREADS", value}});
    INFO(ending);
    CHECK(ending.exit_code == 0);
    CHECK(ending.output == expected);
    CHECK(ending.error_lines() == 1);
    CHECK(ending.errors ==
          std::string("furca: FURCA_NUM_THREADS=") + value + " ignored: it must be a whole number from 1 to 4096\n");
  }
}

TEST_CASE("FURCA_FENCE chooses the fence") {
  const Ending unset = with({});
  INFO(unset);
  CHECK(unset.cleanly(0));
  const bool offered = unset.output.find("adaptive") != std::string::npos;

  const Ending classic = with({{"FURCA_FENCE", "classic"}});
  INFO(classic);
  CHECK(classic.cleanly(0));
  CHECK(classic.output == "3 threads, 2 started, classic fence\n");

  const Ending adaptive = with({{"FURCA_FENCE", "adaptive"}});
  INFO(adaptive);
  CHECK(adaptive.exit_code == 0);
  CHECK(adaptive.output == unset.output);
  CHECK(adaptive.error_lines() == (offered ? 0 : 1));
  if (!offered) CHECK(starts_with(adaptive.errors, "furca: FURCA_FENCE=adaptive: "));

  const Ending empty = with({{"FURCA_FENCE", ""}});
  CHECK(empty.cleanly(0));
  CHECK(empty.output == unset.output);

  const Ending nonsense = with({{"FURCA_FENCE", "nonsense"}});
  INFO(nonsense);
  CHECK(nonsense.exit_code == 0);
  CHECK(nonsense.output == unset.output);
  CHECK(nonsense.errors == "furca: FURCA_FENCE=nonsense ignored: it can be classic or adaptive\n");
}

TEST_CASE("an affinity mask of one processor means one thread") {
  if (built_portable()) return;
  // The mask goes from this thread to the child and to nobody else.
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  int processor = 0;
  while (!CPU_ISSET(processor, &before)) ++processor;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(furca::detail::processors_in_affinity_mask() == 1);
  const Ending ending = with({{"FURCA_NUM_THREADS", std::nullopt}});
  const Ending more = with({{"FURCA_NUM_THREADS", "4"}});  // a wish beyond the mask is granted, and works
  sched_setaffinity(0, sizeof before, &before);
  INFO(ending);
  CHECK(ending.cleanly(0));
  CHECK(starts_with(ending.output, "1 threads, 0 started"));
  INFO(more);
  CHECK(more.cleanly(0));
  CHECK(starts_with(more.output, "4 threads, 3 started"));
}

TEST_CASE("a pool whose k-th thread cannot be created throws, leaves nothing behind, and a retry works") {
  const Watchdog watchdog("failing threads");
  const ThreadIds before = thread_ids();
  for (const int error : {EAGAIN, EPERM, ENOMEM}) {
    for (int threads = 1; threads <= 8; ++threads) {
      for (int k = 0; k < threads; ++k) {
        CAPTURE(threads);
        CAPTURE(k);
        failures.plan(k, kAlways, error);
        std::string message;
        try {
          ThreadPool pool({.threads = static_cast<std::size_t>(threads) + 1});
        } catch (const std::system_error& failure) {
          message = failure.what();
          CHECK(failure.code() == std::error_code(error, std::generic_category()));
        }
        failures.none();
        CHECK(starts_with(message, "furca: cannot start thread furca-" + std::to_string(k)));
        CHECK(message.find("ulimit") != std::string::npos);
        wait_until_gone(before);

        ThreadPool pool({.threads = static_cast<std::size_t>(threads) + 1});
        CHECK(threads_since(before).size() == static_cast<std::size_t>(threads));
        CHECK(pool.install(computes));
      }
      wait_until_gone(before);
    }
  }
}

TEST_CASE("a spurious EAGAIN is tried again, other errors are not") {
  const Watchdog watchdog("EAGAIN");
  const ThreadIds before = thread_ids();
  for (int k = 0; k < 3; ++k) {
    for (int times = 1; times <= 2; ++times) {
      failures.plan(k, times, EAGAIN);
      ThreadPool pool({.threads = 4});
      CHECK(failures.seen == times);
      failures.none();
      CHECK(threads_since(before).size() == 3);
      CHECK(pool.install(computes));
    }
    wait_until_gone(before);
  }
  failures.plan(0, 1, EPERM);
  CHECK_THROWS_AS(ThreadPool({.threads = 4}), std::system_error);
  failures.none();

  failures.plan(0, kAlways, EAGAIN);
  CHECK_THROWS_AS(ThreadPool({.threads = 4}), std::system_error);
  CHECK(failures.seen > 1);
  CHECK(failures.seen < 100);  // it gives up
  failures.none();
  wait_until_gone(before);
}

TEST_CASE("the signal mask survives a failure") {
  const std::string mask = thread_status(std::to_string(getpid()), "SigBlk");
  failures.plan(1, kAlways, EAGAIN);
  CHECK_THROWS_AS(ThreadPool({.threads = 4}), std::system_error);
  failures.none();
  CHECK(thread_status(std::to_string(getpid()), "SigBlk") == mask);
}

namespace {

const ChildProcess smaller_pool{"a global pool that cannot have all its threads", [] {
  const Watchdog watchdog("smaller global pool");
  const int started = std::atoi(std::getenv("FURCA_TEST_STARTED"));
  const ThreadIds before = thread_ids();
  failures.plan(started, kAlways, EAGAIN);
  const bool right = computes() && computes();
  failures.none();
  const std::size_t size = furca::num_threads();
  std::set<std::size_t> indices;
  std::atomic<std::size_t> index[8] = {};
  Meeting meeting(size);
  join_all(size, [&](std::size_t arm) {
    meeting.attend();
    index[arm] = furca::thread_index();
  });
  for (std::size_t arm = 0; arm < size; ++arm) indices.insert(index[arm]);
  std::printf("%zu threads, %zu started, %zu indices up to %zu\n", size, threads_since(before).size(), indices.size(), *indices.rbegin());
  return right ? 0 : 1;
}};

}  // namespace

TEST_CASE("a global pool that cannot have all its threads works with those it has, and says so once") {
  for (int started = 0; started < 8; ++started) {
    const Ending ending = smaller_pool.run(
        {.environment = {{"FURCA_NUM_THREADS", "8"}, {"FURCA_TEST_STARTED", std::to_string(started)}}});
    INFO(ending);
    CHECK(ending.exit_code == 0);
    const std::string size = std::to_string(started + 1);
    const std::string expected = started < 7 ? "furca: cannot start thread " + std::to_string(started) + " of the global pool; going on with " + size + ": " : "";
    CHECK(ending.output == size + " threads, " + std::to_string(started) + " started, " + size + " indices up to " + std::to_string(started) + "\n");
    CHECK(starts_with(ending.errors, expected));
    CHECK(ending.error_lines() == (started < 7 ? 1 : 0));
  }
}

int main(int argc, char** argv) {
  if (const auto exit_code = run_as_child()) return *exit_code;
  return doctest::Context(argc, argv).run();
}
