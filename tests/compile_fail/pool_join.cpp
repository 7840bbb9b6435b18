// Calls run on the pool around them.
#include <furca/join.hpp>
#include <furca/thread_pool.hpp>

int main() {
  furca::ThreadPool pool;
#ifdef MISTAKE
  pool.join([] {}, [] {});
#else
  pool.install([] { furca::join([] {}, [] {}); });
#endif
}
