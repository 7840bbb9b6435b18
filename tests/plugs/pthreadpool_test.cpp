// pthreadpool, which XNNPACK computes by, on furca's threads.
#include "everywhere.hpp"

#include <furca/plugs/pthreadpool.hpp>

#include <pthreadpool.h>
#include <cstddef>
#include <vector>

namespace {

pthreadpool_executor furca_executor{furca::plugs::borrowed_threads, furca::plugs::borrow};

class Threads {
 public:
  explicit Threads(furca::ThreadPool* pool, std::size_t most = 64)
      : threads_(pthreadpool_create_v2(&furca_executor, pool, most)) {}
  ~Threads() { pthreadpool_destroy(threads_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  pthreadpool_t get() const { return threads_; }

  /// Each index once, and `job` in each call.
  template <class Job>
  bool covers(const Job& job, std::uint32_t flags = 0) const {
    struct Data {
      const Job& job;
      std::vector<std::atomic<int>> seen;
    } data{job, std::vector<std::atomic<int>>(500)};
    pthreadpool_parallelize_1d(
        threads_,
        [](void* context, std::size_t i) {
          auto& self = *static_cast<Data*>(context);
          ++self.seen[i];
          self.job();
        },
        &data, data.seen.size(), flags);
    for (const auto& count : data.seen)
      if (count.load() != 1) return false;
    return true;
  }
  bool covers() const {
    return covers([] {});
  }

 private:
  const pthreadpool_t threads_;
};

TEST_CASE("pthreadpool's loops everywhere") {
  const Threads global(nullptr);
  CHECK(pthreadpool_get_threads_count(global.get()) == furca::num_threads());
  everywhere::call_everywhere([&](furca::ThreadPool*) { return global.covers(); });
}

TEST_CASE("own pools, of one thread to 64") {
  for (const std::size_t size : {1, 2, 3, 64}) {
    const std::size_t before = everywhere::threads_now();
    furca::ThreadPool pool({.threads = size});
    {
      const Threads threads(&pool);
      CHECK(pthreadpool_get_threads_count(threads.get()) == size);
      std::atomic<int> wrong = 0;
      for (int round = 0; round < 50; ++round) wrong += !threads.covers();
      for (int round = 0; round < 50; ++round)
        wrong += !threads.covers([] {}, PTHREADPOOL_FLAG_DONT_SPIN_WORKERS);
      pool.install([&] {
        furca::parallel_for(0, 20, [&](int) { wrong += !threads.covers(); });
        furca::join([&] { wrong += !threads.covers(); }, [&] { wrong += !threads.covers(); });
      });
      furca::parallel_for(0, 20, [&](int) { wrong += !threads.covers(); });
      wrong += !threads.covers(
          [] { furca::parallel_for(0, 10, [](int) { std::this_thread::yield(); }); });
      auto task = pool.spawn_task([&] { return threads.covers(); });
      wrong += !task.join();
      CHECK(wrong.load() == 0);
    }
    // a pool of one has a thread for the task that was spawned above
    CHECK(everywhere::threads_within(before + (size > 1 ? size - 1 : 1)));
  }
}

TEST_CASE("many pthreadpools at a time, made and destroyed") {
  std::atomic<int> wrong = 0;
  for (int round = 0; round < 20; ++round) {
    const Threads one(nullptr);
    const Threads other(nullptr);
    furca::join([&] { wrong += !one.covers(); }, [&] { wrong += !other.covers(); });
    // a loop on one in a loop on the other
    wrong += !one.covers([&] { wrong += !other.covers(); });
  }
  CHECK(wrong.load() == 0);
  CHECK_NOTHROW(furca::wait_idle());
}

TEST_CASE("two threads come into use") {
  furca::ThreadPool pool({.threads = 2});
  const Threads threads(&pool);
  std::atomic<int> here = 0;
  pthreadpool_parallelize_1d(
      threads.get(),
      [](void* context, std::size_t) {
        auto& count = *static_cast<std::atomic<int>*>(context);
        ++count;
        while (count.load() < 2) std::this_thread::yield();
      },
      &here, 2, 0);
  CHECK(here.load() == 2);
}

}  // namespace
