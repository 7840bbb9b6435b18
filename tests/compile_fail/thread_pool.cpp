// Wrong calls of thread_pool.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/thread_pool.hpp>

#include <functional>

void right() {
  furca::ThreadPool pool({.threads = 4});
  pool.install([] {});
}

void wrong(furca::ThreadPool& pool) {
  // furca: what a pool is made of has names: write ThreadPool({.threads = 4})
  furca::ThreadPool number(4);
  // furca: what a pool is made of has names: write ThreadPool({.threads = 4})
  furca::ThreadPool braces{4};
  // furca: the number of threads is called so: write ThreadPool({.threads = 4})
  furca::ThreadPool name({.num_threads = 4});
  // delete
  furca::ThreadPool copy(pool);
  // furca: write pool.install([&] { return f(x); })
  pool.install([](int) {});
  // furca: write pool.install([&] { return f(x); })
  pool.install([](int) {}, 1);
  // furca: a call runs on the pool that it is made in: write pool.install([&] { return
  pool.parallel_for(0, 10, [](int) {}, {});
  // furca: a call runs on the pool that it is made in
  pool.parallel_for_chunks(0, 10, [](int, int) {});
  // furca: a call runs on the pool that it is made in
  const int sum = pool.parallel_reduce(0, 10, 0, [](int i) { return i; }, std::plus<>{});
  // furca: a call runs on the pool that it is made in
  const int chunks = pool.parallel_reduce_chunks(0, 10, 0, [](int&, int, int) {}, std::plus<>{});
  // furca: a call runs on the pool that it is made in
  pool.join([] {}, [] {});
  // furca: a call runs on the pool that it is made in
  pool.scope([](int) {});
  // furca: write pool.spawn_task(f)
  pool.submit([] {});
  // furca: spawn is in <furca/spawn.hpp>: include it
  pool.spawn([] {});
  // furca: spawn_task is in <furca/spawn.hpp>: include it
  pool.spawn_task([] { return 1; }).join();
  // furca: broadcast is in <furca/broadcast.hpp>: include it
  pool.broadcast([] {});
  static_cast<void>(sum + chunks);
}
