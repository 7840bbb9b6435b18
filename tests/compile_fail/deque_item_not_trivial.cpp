// A thief may read a slot while the owner writes it, and throws away what it read.
#include <furca/deque.hpp>

#include <string>

int main() {
#ifdef MISTAKE
  furca::Deque<std::string> deque;
#else
  furca::Deque<const std::string*> deque;
#endif
}
