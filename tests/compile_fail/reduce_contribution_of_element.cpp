// The same over a range: the function is called with an element.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <string>
#include <vector>

int main() {
  const std::vector<std::string> words{"a", "b"};
#ifdef MISTAKE
  (void)furca::parallel_reduce(words, 0, [](int number) { return number; }, std::plus<>{});
#else
  (void)furca::parallel_reduce(words, 0, [](const std::string& word) { return static_cast<int>(word.size()); }, std::plus<>{});
#endif
}
