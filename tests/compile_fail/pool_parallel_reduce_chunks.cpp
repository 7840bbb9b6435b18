// Calls run on the pool around them.
#include <furca/chunks.hpp>
#include <furca/thread_pool.hpp>

#include <functional>

int main() {
  furca::ThreadPool pool;
  const auto fold = [](long& sum, int lo, int hi) { sum += hi - lo; };
#ifdef MISTAKE
  const long sum = pool.parallel_reduce_chunks(0, 10, 0L, fold, std::plus<>{});
#else
  const long sum = pool.install([&] { return furca::parallel_reduce_chunks(0, 10, 0L, fold, std::plus<>{}); });
#endif
  (void)sum;
}
