// What a pool is made of has a name.
#include <furca/thread_pool.hpp>

int main() {
#ifdef MISTAKE
  furca::ThreadPool pool(4);
#else
  furca::ThreadPool pool({.threads = 4});
#endif
}
