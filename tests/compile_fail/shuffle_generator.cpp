// A shuffle takes a seed.
#include <furca/permute.hpp>

#include <random>
#include <vector>

int main() {
  std::vector<int> v(10);
  std::mt19937 generator;
#ifdef MISTAKE
  furca::shuffle(v, generator);
#else
  furca::shuffle(v, generator());
#endif
}
