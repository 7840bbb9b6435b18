// Wrong calls of merge.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/merge.hpp>

#include <vector>

void right(const std::vector<int>& v, std::vector<int>& out) { furca::merge(v, v, out); }

void wrong(std::vector<int>& v, std::vector<std::vector<int>>& other, std::vector<bool>& bits) {
  // furca: write inplace_merge(v, v.begin() + n)
  furca::inplace_merge(v, 3);
  // furca: write merge(v, w, out)
  furca::merge(v, v, v.begin());
  // elements of v and w have an order with each other
  furca::merge(v, other, v);
  // comparison, then projections
  furca::merge(v, v, v, {}, 7);
  // furca: elements of a std::vector<bool> share bytes
  furca::merge(v, v, bits);
}
