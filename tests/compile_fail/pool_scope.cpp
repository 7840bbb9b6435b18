// Calls run on the pool around them.
#include <furca/scope.hpp>
#include <furca/thread_pool.hpp>

int main() {
  furca::ThreadPool pool;
#ifdef MISTAKE
  pool.scope([](furca::Scope&) {});
#else
  pool.install([] { furca::scope([](furca::Scope&) {}); });
#endif
}
