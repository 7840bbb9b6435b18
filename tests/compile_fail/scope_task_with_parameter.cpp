// Nobody gives a task arguments.
#include <furca/scope.hpp>

int main() {
  furca::scope([](furca::Scope& s) {
#ifdef MISTAKE
    s.spawn([](int) {});
#else
    s.spawn([] {});
#endif
  });
}
