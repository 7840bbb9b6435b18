// Calls run on the pool around them.
#include <furca/parallel_for.hpp>
#include <furca/thread_pool.hpp>

int main() {
  furca::ThreadPool pool;
#ifdef MISTAKE
  pool.parallel_for(0, 10, [](int) {});
#else
  pool.install([] { furca::parallel_for(0, 10, [](int) {}); });
#endif
}
