// A deque has no spans.
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>

#include <deque>
#include <vector>

int main() {
  std::vector<int> x = {1, 2, 3};
#ifdef MISTAKE
  std::deque<int> d(9);
  furca::parallel_for(furca::windows(d, 3), [](auto) {});
#else
  std::vector<int> d(9);
  furca::parallel_for(furca::windows(d, 3), [](auto) {});
#endif
  return x.empty() ? 1 : 0;
}
