// A slot is read and written in one piece.
#include <furca/deque.hpp>

struct Small {
  int a;
  int b;
};

struct Large {
  long a[4];
};

int main() {
#ifdef MISTAKE
  furca::Deque<Large> deque;
#else
  furca::Deque<Small> deque;
#endif
}
