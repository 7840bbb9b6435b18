// Options keep a StopToken, which does not become a std::stop_token again.
#include <furca/options.hpp>

#include <stop_token>

int main() {
  std::stop_source source;
  const furca::LoopOptions options = {.stop = source.get_token()};
#ifdef MISTAKE
  std::stop_token token = options.stop;
#else
  std::stop_token token = source.get_token();
#endif
  return token.stop_requested() || options.stop.stop_requested();
}
