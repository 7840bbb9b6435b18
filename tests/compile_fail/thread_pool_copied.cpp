// A pool has one owner.
#include <furca/thread_pool.hpp>

void use(const furca::ThreadPool& pool) {
#ifdef MISTAKE
  furca::ThreadPool copy(pool);
#else
  const furca::ThreadPool& same(pool);
  (void)same;
#endif
}
