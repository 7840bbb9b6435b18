// A body is called with an element of this range.
#include <furca/parallel_for.hpp>

#include <string>
#include <vector>

int main() {
  std::vector<std::string> words{"a", "b"};
#ifdef MISTAKE
  furca::parallel_for(words, [](int) {});
#else
  furca::parallel_for(words, [](std::string&) {});
#endif
}
