// Wrong calls of spawn.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/async.hpp>
#include <furca/spawn.hpp>

struct Immovable {
  Immovable() = default;
  Immovable(const Immovable&) = delete;
  Immovable& operator=(const Immovable&) = delete;
};

furca::Async<void> work();

void right() {
  furca::spawn([] {});
  furca::spawn(work());
  furca::spawn_task([] { return 1; }).join();
}

void wrong(furca::ThreadPool& pool, furca::Task<int>& other) {
  // furca: write spawn([f, x] { f(x); })
  furca::spawn([](int) {});
  // furca: write spawn([f, x] { f(x); })
  furca::spawn([](int) {}, 1);
  // of a coroutine spawn what it returns, spawn(f())
  furca::spawn(work);
  // furca: spawn(f) starts a task that nobody waits for, and returns no handle
  auto handle = furca::spawn([] {});
  // furca: spawn(f) starts a task that nobody waits for, and returns no handle
  furca::Task<int> assigned = furca::spawn([] { return 1; });
  // furca: spawn(f) starts a task that nobody waits for, and returns no handle
  furca::spawn([] {}).join();
  // furca: write spawn_task([f, x] { return f(x); })
  furca::spawn_task([](int) {}).join();
  // furca: write spawn_task([f, x] { return f(x); })
  furca::spawn_task([](int i) { return i; }, 1).join();
  // and what it returns can be moved
  furca::spawn_task([] { return Immovable(); }).join();
  // furca: write pool.spawn([f, x] { f(x); })
  pool.spawn([](int) {});
  // furca: write pool.spawn_task([f, x] { return f(x); })
  pool.spawn_task([](int) {}).join();
  // furca: a Task belongs to one thread, and is not copied
  furca::Task<int> copy = other;
  // furca: a Task belongs to one thread, and is not copied
  other = copy;
  // furca: a Task belongs to one thread, and is not copied
  static_cast<void>([other] {});
  // furca: a Task has join()
  const int one = other.get();
  // furca: a Task has join()
  other.wait();
}

furca::Async<> wrong_coroutine(furca::Async<int> async, furca::Task<int> task,
                               const furca::Async<int>& constant, const furca::Task<int>& fixed) {
  // furca: an Async runs once, and is not copied
  furca::sync_wait(async);
  // furca: an Async runs once, and is not copied
  furca::Async<int> copy = async;
  // furca: an Async runs once, and is not copied
  copy = async;
  // furca: write co_await std::move(async)
  co_await async;
  // furca: write co_await std::move(async)
  co_await constant;
  // furca: write co_await std::move(task)
  co_await task;
  // furca: write co_await std::move(task)
  co_await fixed;
}
