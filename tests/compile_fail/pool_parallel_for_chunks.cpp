// Calls run on the pool around them.
#include <furca/chunks.hpp>
#include <furca/thread_pool.hpp>

int main() {
  furca::ThreadPool pool;
#ifdef MISTAKE
  pool.parallel_for_chunks(0, 10, [](int, int) {});
#else
  pool.install([] { furca::parallel_for_chunks(0, 10, [](int, int) {}); });
#endif
}
