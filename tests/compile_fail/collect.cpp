// Wrong calls of collect.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/collect.hpp>

#include <list>
#include <vector>

void right(const std::vector<int>& x) {
  static_cast<void>(furca::map(x, [](int v) { return v; }));
  static_cast<void>(furca::tabulate<furca::Vector>(3, [](std::size_t i) { return i; }));
}

void wrong(std::vector<int>& x, const std::list<int>& list) {
  // furca: write collect<T>(v, [](const auto& element, std::vector<T>& out) { out.push_back(...);
  const auto returns = furca::collect<int>(x, [](int v) { return v; });
  // furca: write collect<T>(v,
  const auto no_type = furca::collect(x, [](int v, std::vector<int>& out) { out.push_back(v); });
  // with char for bool
  furca::collect_rows<bool>(x, [](int v, std::vector<bool>& out) { out.push_back(v > 0); });
  // furca: write flatten(lists), a range whose elements are ranges
  const auto flat = furca::flatten(x);
  // v is one range, as a std::vector
  const auto all = furca::map(list, [](int v) { return v; });
  // furca: write map(v, [](const auto& element) { return ...; })
  furca::map(x, [](int& v) { v = 0; });
  // furca: write map(v, [](const auto& element) { return ...; })
  furca::map<furca::Vector>(x, [](int& v) { v = 0; });
  // furca: write tabulate(n, [&](std::size_t i) { return ...; })
  const auto numbers = furca::tabulate(3, [] { return 1; });
  // furca: write tabulate(n, [&](std::size_t i) { return ...; })
  const auto vector = furca::tabulate<furca::Vector>(3, [] { return 1; });
  // nodiscard
  furca::map(x, [](int v) { return v; });
}
