// Wrong calls of sets.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/sets.hpp>

#include <iterator>
#include <vector>

struct Record {
  int key = 0;
};

void right(const std::vector<int>& v, std::vector<int>& out) { furca::set_union(v, v, out); }

void wrong(std::vector<int>& v, const std::vector<Record>& r) {
  // furca: write set_union(v, w, out)
  furca::set_union(v, v, std::back_inserter(v));
  // furca: write includes(v, w), or includes(v, w, {}, &Record::key, &Record::key)
  furca::includes(r, r, &Record::key, &Record::key);
}
