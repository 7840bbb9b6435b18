// A scope is not copied.
#include <furca/scope.hpp>

int main() {
#ifdef MISTAKE
  furca::scope([](furca::Scope) {});
#else
  furca::scope([](furca::Scope&) {});
#endif
}
