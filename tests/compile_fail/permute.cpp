// Wrong calls of permute.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/permute.hpp>

#include <random>
#include <vector>

void right(std::vector<int>& v) { furca::shuffle(v, 42); }

void wrong(std::vector<int>& v, std::vector<bool>& bits, std::mt19937& generator) {
  // furca: write rotate(v, v.begin() + n)
  furca::rotate(v, 3);
  // threads could not share a generator
  furca::shuffle(v, generator);
  // furca: elements of a std::vector<bool> share bytes
  furca::reverse(bits);
  // std::span(first, last) for a part
  furca::reverse(v.begin(), v.end());
}
