// Nobody gives a task arguments, not even who spawns it.
#include <furca/scope.hpp>

int main() {
#ifdef MISTAKE
  furca::scope([](furca::Scope& s) { s.spawn([](int) {}, 1); });
#else
  furca::scope([](furca::Scope& s) { s.spawn([i = 1] { (void)i; }); });
#endif
}
