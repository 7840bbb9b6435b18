// Wrong calls of deque.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/deque.hpp>

#include <string>

struct Small {
  int a;
  int b;
};

struct Large {
  long a[4];
};

void right() { furca::Deque<Small> deque; }

void wrong() {
  // Deque
  furca::Deque<std::string> strings;
  // Deque
  furca::Deque<Large> large;
}
