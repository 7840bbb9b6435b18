// Pools, in use.
#include "../expect.hpp"

#include <furca/async.hpp>
#include <furca/broadcast.hpp>
#include <furca/parallel_for.hpp>
#include <furca/stats.hpp>
#include <furca/thread_pool.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <vector>

namespace {

void install() {
  //! [ThreadPool]
  furca::ThreadPool pool({.threads = 3});
  std::atomic<int> calls{0};
  // joins and loops in here run on this pool
  pool.install([&] { furca::parallel_for(0, 1000, [&](int) { ++calls; }); });
  furca::Task<int> answer = pool.spawn_task([] { return 6; });
  pool.spawn([&] { ++calls; });
  pool.wait_idle();
  //! [ThreadPool]
  examples::expect(pool.size() == 3 && calls == 1001 && answer.join() == 6, "everything has run");

  examples::expect(pool.stats().workers.size() >= 2, "two threads were started");
  std::vector<std::size_t> threads = pool.broadcast([] { return furca::thread_index(); });
  furca::sync_wait(
      [](furca::ThreadPool& there) -> furca::Async<> { co_await there.schedule(); }(pool));
  examples::expect(threads.size() == 3, "three threads");
}

void config() {
  std::atomic<int> failed{0};
  std::atomic<int> started{0};
  {
    //! [Config]
    furca::Config config;
    config.threads = 2;      // this thread and one more
    config.name = "render";  // which is called render-0
    config.stack_size = 1 << 20;
    config.wait = furca::WaitPolicy::own_subtree;
    config.start_hook = [&](std::size_t) { ++started; };
    config.exit_hook = [&](std::size_t) { --started; };
    config.exception_handler = [&](std::exception_ptr) { ++failed; };
    config.queue_capacity = 512;
    config.steal_attempts = 20;  // sleeps soon
    config.bind = true;          // and stays on its processor
    furca::ThreadPool pool(config);
    //! [Config]
    pool.spawn([] { throw std::runtime_error("nobody waits for me"); });
    pool.wait_idle();
  }
  examples::expect(failed == 1 && started == 0, "the handler was told, and both hooks were called");
}

void wait_policy() {
  //! [WaitPolicy]
  // no mutex across joins here
  furca::ThreadPool busy({.threads = 2, .wait = furca::WaitPolicy::greedy});
  furca::ThreadPool safe({.threads = 2, .wait = furca::WaitPolicy::own_subtree});  // the default
  //! [WaitPolicy]
  examples::expect(busy.size() == safe.size(), "two pools of two");
}

void numbers_of_threads() {
  //! [num_threads]
  const std::size_t threads = furca::num_threads();  // of the pool that this thread runs on
  //! [num_threads]
  //! [thread_index]
  // one outside thread: all numbers are below num_threads()
  std::vector<int> calls(furca::num_threads(), 0);
  furca::parallel_for(0, 1000, [&](int) { ++calls[furca::thread_index()]; });
  //! [thread_index]
  int sum = 0;
  for (const int each : calls) sum += each;
  examples::expect(threads == calls.size() && sum == 1000, "a table with an entry for each thread");
}

}  // namespace

int main() {
  install();
  config();
  wait_policy();
  numbers_of_threads();
  return examples::unexpected;
}
