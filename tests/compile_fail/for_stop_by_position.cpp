// Options have names.
#include <furca/parallel_for.hpp>

#include <stop_token>

int main() {
  std::stop_source source;
#ifdef MISTAKE
  furca::parallel_for(0, 10, [](int) {}, source.get_token());
#else
  furca::parallel_for(0, 10, [](int) {}, {.stop = source.get_token()});
#endif
}
