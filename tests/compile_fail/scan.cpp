// Wrong calls of scan.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/scan.hpp>

#include <functional>
#include <vector>

struct Record {
  int key = 0;
};

void right(std::vector<double>& x) {
  furca::inclusive_scan(x, x);
  furca::exclusive_scan(x, x, 0.0);
}

void wrong(std::vector<double>& x, std::vector<int>& few, std::vector<Record>& r,
           std::vector<float>& floats, std::vector<bool>& bits) {
  // furca: sums have the type of the elements, or of the value to begin with, and lose digits here
  furca::inclusive_scan(x, few);
  // furca: sums have the type of the elements, or of the value to begin with, and lose digits here
  furca::inclusive_scan(x, floats, std::plus<>{});
  // furca: sums have the type of the elements, or of the value to begin with, and lose digits here
  furca::exclusive_scan(x, x, 0);
  // furca: sums have the type of the elements, or of the value to begin with, and lose digits here
  furca::exclusive_scan(x, few, 0.0);
  // furca: write inclusive_scan(v, out), or inclusive_scan(v, out, std::plus<>{}, &Record::value)
  furca::inclusive_scan(x, x.begin());
  // exclusive_scan(v, out, 0.0) begins with a value
  furca::inclusive_scan(x, x, std::plus<>{}, 1.0);
  // exclusive_scan(v, out, 0.0) begins with a value
  furca::inclusive_scan(x, 0.0, x);
  // furca: write inclusive_scan(v, out)
  furca::inclusive_scan(r, r);
  // furca: write inclusive_scan(v, out)
  furca::inclusive_scan(r, few, {}, 7);
  // furca: write inclusive_scan(v, out)
  furca::inclusive_scan(x, x, [](double a, double b, double c) { return a + b + c; });
  // furca: write inclusive_scan(v, out)
  furca::inclusive_scan(r, few, &Record::key);
  // furca: write inclusive_scan(v, out)
  furca::inclusive_scan(x);
  // with a value to begin with
  furca::exclusive_scan(x, x, std::plus<>{});
  // furca: write exclusive_scan(v, out, 0.0)
  furca::exclusive_scan(x, 0.0, x);
  // furca: write exclusive_scan(v, out, 0.0)
  furca::exclusive_scan(x, x);
  // furca: elements of a std::vector<bool> share bytes
  furca::exclusive_scan(bits, bits, false, [](bool a, bool b) { return a || b; });
}
