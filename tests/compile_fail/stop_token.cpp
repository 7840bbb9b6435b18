// Wrong calls of stop_token.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/stop_token.hpp>

#include <stop_token>

void right() { furca::StopToken token = std::stop_token(); }

void wrong(const furca::StopToken& token) {
  // StopToken
  std::stop_token back = token;
}
