// Coroutines, in use.
#include "../expect.hpp"

#include <furca/async.hpp>

#include <coroutine>
#include <string>
#include <type_traits>
#include <utility>

namespace {

//! [Async]
furca::Async<int> length_of(std::string text) { co_return static_cast<int>(text.size()); }

furca::Async<int> lengths(furca::ThreadPool& pool) {
  co_await pool.schedule();              // from here on, on one of the pool's threads
  int sum = co_await length_of("fork");  // begins it, and goes on when it has ended
  furca::Async<int> another = length_of("join");
  sum += co_await std::move(another);
  co_return sum;
}
//! [Async]

//! [schedule]
furca::Async<> add_up(long n, long& sum) {
  for (long i = 1; i <= n; ++i) {
    sum += i;
    if (i % 1000 == 0) co_await furca::schedule();  // others may run now
  }
}
//! [schedule]

//! [co_await]
furca::Async<int> both(furca::ThreadPool& pool) {
  furca::Task<int> one = pool.spawn_task([] { return 20; });
  furca::Task<int> two = pool.spawn_task([] { return 22; });
  // both run meanwhile; no thread waits for them
  co_return co_await std::move(one) + co_await std::move(two);
}
//! [co_await]

static_assert(std::is_same_v<furca::Async<int>::value_type, int>);
static_assert(std::is_same_v<furca::Async<int>::promise_type,
                             std::coroutine_traits<furca::Async<int>>::promise_type>);

}  // namespace

int main() {
  furca::ThreadPool pool({.threads = 2});
  //! [sync_wait]
  const int sum = furca::sync_wait(lengths(pool));  // begins here, on this thread
  //! [sync_wait]
  examples::expect(sum == 8, "the lengths of both words");

  //! [spawned]
  const int again = pool.spawn_task(lengths(pool)).join();
  //! [spawned]
  examples::expect(again == 8, "the same as a task");

  examples::expect(furca::sync_wait(both(pool)) == 42, "what two tasks return");

  long total = 0;
  furca::sync_wait(add_up(10'000, total));
  examples::expect(total == 50'005'000, "a coroutine that gives way has everything added up");
  return examples::unexpected;
}
