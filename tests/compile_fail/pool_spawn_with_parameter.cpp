// Nobody gives a task arguments.
#include <furca/spawn.hpp>

int main() {
  furca::ThreadPool pool;
#ifdef MISTAKE
  pool.spawn([](int) {});
#else
  pool.spawn([] {});
#endif
}
