// Calls run on the pool around them.
#include <furca/parallel_reduce.hpp>
#include <furca/thread_pool.hpp>

#include <functional>

int main() {
  furca::ThreadPool pool;
#ifdef MISTAKE
  const int sum = pool.parallel_reduce(0, 10, 0, [](int i) { return i; }, std::plus<>{});
#else
  const int sum = pool.install([] { return furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, std::plus<>{}); });
  return sum - 45;
#endif
}
