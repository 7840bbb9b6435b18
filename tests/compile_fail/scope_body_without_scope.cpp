// The body gets the scope.
#include <furca/scope.hpp>

int main() {
#ifdef MISTAKE
  furca::scope([] {});
#else
  furca::scope([](furca::Scope&) {});
#endif
}
