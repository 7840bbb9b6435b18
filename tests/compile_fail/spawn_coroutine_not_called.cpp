// What makes a coroutine is not one.
#include <furca/async.hpp>

furca::Async<> work() { co_return; }

int main() {
#ifdef MISTAKE
  furca::spawn(work);
#else
  furca::spawn(work());
#endif
}
