// Options have names.
#include <furca/scope.hpp>

#include <stop_token>

int main() {
  const std::stop_source source;
#ifdef MISTAKE
  furca::scope([](furca::Scope&) {}, source.get_token());
#else
  furca::ScopeOptions options{.stop = source.get_token()};
  furca::scope([](furca::Scope&) {}, options);
  furca::scope_fifo([](furca::ScopeFifo&) {}, {.stop = source.get_token()});
#endif
}
