// A call of another library, made wherever programs make them. Every library's test runs its own
// calls through it.
#pragma once

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN

#include <furca/furca.hpp>
#include <furca/plugs/pool.hpp>

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace everywhere {

/// How many threads this process has.
inline std::size_t threads_now() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

/// A thread that has ended may be listed for a moment.
inline bool threads_within(std::size_t most) {
  for (int tries = 0; tries < 2000 && threads_now() > most; ++tries) std::this_thread::yield();
  return threads_now() <= most;
}

/// True: call(pool) ends the program by std::terminate. In a process of its own.
template <class Call>
bool ends_program(const Call& call) {
  const pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] { std::_Exit(42); });
    try {
      furca::ThreadPool pool({.threads = 2});
      call(pool);
    } catch (...) {
    }
    std::_Exit(0);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

/// Calls work(pool), which says whether the result is right, many times: alone, in furca's loops,
/// joins and tasks, in loops that end early, on threads of the program's own, in pools of 1, 2, 3
/// and 64. There are no more threads then than the pool's. `tasks`: work spawns or schedules some,
/// for which a pool of one has one more.
template <class Work>
void call_everywhere(const Work& work, bool tasks = false) {
  furca::parallel_for(0, 100, [](int) {});  // the global pool is there
  const std::size_t in_global = tasks && furca::num_threads() == 1 ? 1 : 0;
  const std::size_t before = threads_now() + in_global;
  std::atomic<int> wrong = 0;
  const auto count = [&](furca::ThreadPool* pool) {
    if (!work(pool)) ++wrong;
  };
  for (int round = 0; round < 20; ++round) count(nullptr);
  CHECK(threads_within(before));
  furca::parallel_for(0, 40, [&](int) { count(nullptr); });
  furca::parallel_for(0, 6, [&](int) {
    furca::parallel_for(
        0, 3, [&](int) { furca::join([&] { count(nullptr); }, [&] { count(nullptr); }); });
  });
  CHECK(threads_within(before));
  std::stop_source stop;
  const auto until_stop = [&](int i) {
    if (i == 5) stop.request_stop();
    count(nullptr);
  };
  furca::parallel_for(0, 40, until_stop, {.stop = stop.get_token()});
  const auto until_throw = [&](int i) {
    count(nullptr);
    if (i == 7) throw i;
  };
  CHECK_THROWS_AS(furca::parallel_for(0, 40, until_throw), int);
  CHECK(threads_within(before));
  furca::spawn_task([&] { count(nullptr); }).join();
  // a pool of one has started a thread for that task
  const std::size_t after = before + (furca::num_threads() == 1 && !tasks ? 1 : 0);
  CHECK(wrong.load() == 0);
  for (const std::size_t size : {1U, 2U, 3U, 64U}) {
    CAPTURE(size);
    const std::size_t without = threads_now();
    furca::ThreadPool pool({.threads = size});
    for (int round = 0; round < 5; ++round) count(&pool);
    pool.install([&] { count(nullptr); });                  // the caller's pool
    furca::parallel_for(0, 8, [&](int) { count(&pool); });  // from another
    pool.install([&] { furca::parallel_for(0, 8, [&](int) { count(&pool); }); });  // within itself
    pool.install([&] { furca::parallel_for(0, 8, [&](int) { count(nullptr); }); });
    CHECK(threads_within(without + size - (size == 1 && tasks ? 0 : 1)));
    CHECK(wrong.load() == 0);
  }
  {
    const auto often = [&] {
      for (int round = 0; round < 10; ++round) count(nullptr);
    };
    std::thread one(often);
    std::thread other(often);
    one.join();
    other.join();
  }
  {
    const furca::ThreadLimit alone(1);
    count(nullptr);
    furca::parallel_for(0, 4, [&](int) { count(nullptr); });
  }
  CHECK(threads_within(after));
  CHECK(wrong.load() == 0);
}

/// The same of libraries that have one pool for all: another one is entered here.
template <class Work>
void call_everywhere_inside(const Work& work) {
  call_everywhere([&](furca::ThreadPool* pool) {
    bool right = false;
    furca::plugs::run_on(pool, [&] { right = work(); });
    return right;
  });
}

/// Thread numbers that a library is told: below `told`, and no two at a time the same.
class Numbers {
 public:
  explicit Numbers(std::size_t told) : inside_(told) {}

  /// A job that has this number, with a loop in it.
  void visit(std::size_t number) {
    if (number >= inside_.size() || inside_[number].fetch_add(1) != 0) {
      ++wrong_;
      return;
    }
    furca::parallel_for(0, 3, [](int) { std::this_thread::yield(); });
    inside_[number].fetch_sub(1);
  }
  bool right() const { return wrong_.load() == 0; }

 private:
  std::vector<std::atomic<int>> inside_;
  std::atomic<int> wrong_ = 0;
};

/// Calls from a static destructor: the global pool has stopped, and the library is still there.
template <class Work>
struct AtExit {
  explicit AtExit(Work work) : work_(work) {}
  ~AtExit() {
    if (!work_()) std::_Exit(3);
  }
  Work work_;
};

}  // namespace everywhere
