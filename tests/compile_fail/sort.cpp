// Wrong calls of sort.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/sort.hpp>
#include <furca/stable_sort.hpp>
#include <furca/views.hpp>

#include <list>
#include <vector>

struct Record {
  int key = 0;
};

void right(std::vector<Record>& r) { furca::sort(r, {}, &Record::key); }

void wrong(std::vector<int>& v, const std::vector<int>& constant, std::vector<Record>& r,
           std::list<int>& list, std::vector<bool>& bits) {
  // v is one range, as a std::vector
  furca::sort(list);
  // and neither const, nor made of computed elements
  furca::sort(constant);
  // nor made of computed elements as zip and lazy
  furca::sort(furca::zip(v, v));
  // std::span(first, last) for a part
  furca::sort(v.begin(), v.end());
  // furca: elements of a std::vector<bool> share bytes
  furca::sort(bits);
  // furca: elements of a std::vector<bool> share bytes
  furca::sort_by_key(v, bits);
  // sort(v, [](const auto& a, const auto& b) { return a < b; })
  furca::sort(v, [](int a, int b) { static_cast<void>(a < b); });
  // sort(v, {}, &Record::key)
  furca::sort(r, {}, 7);
  // sort(v, {}, &Record::key)
  furca::sort(r, std::ranges::less{}, 7);
  // partial_sort(v, v.begin() + n, {}, &Record::key)
  furca::partial_sort(r, r.begin() + 5, &Record::key);
  // furca: write nth_element(v, v.begin() + n)
  furca::nth_element(v, 5);
  // furca: write stable_sort(v)
  furca::stable_sort(v, [](int a) { return a > 0; });
  // furca: write stable_sort(v)
  furca::stable_sort(constant);
  // furca: elements of a std::vector<bool> share bytes
  furca::stable_sort(bits);
}
