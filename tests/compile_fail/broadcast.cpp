// Wrong calls of broadcast.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/broadcast.hpp>

void right() {
  furca::broadcast([] {});
}

void wrong(furca::ThreadPool& pool) {
  // furca: write broadcast([&] { f(x); })
  furca::broadcast([](int) {});
  // furca: write pool.broadcast([&] { f(x); })
  pool.broadcast([](int) {});
  // and is no reference
  furca::broadcast([&pool]() -> furca::ThreadPool& { return pool; });
  // and is no reference
  pool.broadcast([&pool]() -> furca::ThreadPool& { return pool; });
}
