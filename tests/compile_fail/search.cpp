// Wrong calls of search.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/search.hpp>

#include <list>
#include <memory>
#include <string>
#include <vector>

struct Record {
  int key = 0;
};

void right(const std::vector<double>& x) { static_cast<void>(furca::find(x, 3)); }

void wrong(const std::vector<double>& x, const std::vector<Record>& r, const std::list<int>& list,
           std::unique_ptr<double> limit) {
  // find_if(v, pred) for a function; v is one range, as a std::vector, or std::span(first, last)
  static_cast<void>(furca::find(x.begin(), x.end(), 3));
  // where an element has == with the value x
  static_cast<void>(furca::find(r, 3));
  // v is one range, as a std::vector
  static_cast<void>(furca::count(list, 2));
  // count_if(v, pred) for a function
  static_cast<void>(furca::count(x, [](double d) { return d > 0; }));
  // furca: write find_if(v, [](const auto& element) { return element > 0; })
  static_cast<void>(furca::find_if(x, 3.0));
  // furca: write find_if(v, [](const auto& element) { return element > 0; })
  static_cast<void>(furca::find_if(x, [](const std::string& s) { return s.empty(); }));
  // find_if(v, pred, &Record::key)
  static_cast<void>(furca::find_if(r, &Record::key, [](int i) { return i > 0; }));
  // answers true or false
  static_cast<void>(furca::find_if(x, [](double) {}));
  // with a function that can be copied
  furca::any_of(x, [limit = std::move(limit)](double d) { return d > *limit; });
  // furca: write equal(v, w)
  static_cast<void>(furca::equal(list, list));
  // equal(v, w, [](const auto& a, const auto& b) { return a.key == b.key; })
  static_cast<void>(furca::equal(r, r));
  // furca: write equal(v, w)
  static_cast<void>(furca::equal(x, x, [](double, double) {}));
  // furca: write min_element(v)
  static_cast<void>(furca::min_element(x, [](double a) { return a > 0; }));
  // min_element(v, {}, &Record::key)
  static_cast<void>(furca::min_element(r, &Record::key));
  // furca: write min_element(v)
  static_cast<void>(furca::min_element(r, {}, 7));
  // furca: write max_element(v)
  static_cast<void>(furca::max_element(r));
  // furca: write max(v)
  static_cast<void>(furca::max(3, 4));
  // nodiscard
  furca::any_of(x, [](double d) { return d > 2; });
}
