// Nobody gives a broadcast's f arguments.
#include <furca/broadcast.hpp>

int main() {
#ifdef MISTAKE
  furca::broadcast([](int) {});
#else
  furca::broadcast([] {});
#endif
}
