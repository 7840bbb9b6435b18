// What install calls takes no arguments.
#include <furca/thread_pool.hpp>

int main() {
  furca::ThreadPool pool;
#ifdef MISTAKE
  pool.install([](int) {}, 1);
#else
  pool.install([i = 1] { (void)i; });
#endif
}
