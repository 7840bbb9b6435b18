// What install calls takes no arguments.
#include <furca/thread_pool.hpp>

void use(furca::ThreadPool& pool) {
#ifdef MISTAKE
  pool.install([](int) {});
#else
  pool.install([] {});
#endif
}
