// Wrong calls of pack.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/pack.hpp>

#include <iterator>
#include <vector>

struct Record {
  int key = 0;
};

void right(std::vector<int>& x) {
  static_cast<void>(furca::remove_if(x, [](int i) { return i > 0; }));
}

void wrong(std::vector<int>& x, const std::vector<int>& constant, std::vector<bool>& bits,
           std::vector<Record>& r) {
  const auto positive = [](int i) { return i > 0; };
  // furca: write copy_if(v, out, [](const auto& element) { return element > 0; })
  furca::copy_if(x, std::back_inserter(x), positive);
  // furca: write copy_if(v, out,
  furca::copy_if(x, r, positive);
  // furca: write copy_if(v, out,
  furca::copy_if(x, positive, x);
  // or filter(v, pred) for a new std::vector
  furca::copy_if(x, positive);
  // furca: write copy_if(v, out,
  furca::copy_if(x, x);
  // furca: elements of a std::vector<bool> share bytes
  furca::copy_if(x, bits, positive);
  // furca: elements of a std::vector<bool> share bytes
  furca::partition(bits, [](bool bit) { return bit; });
  // furca: write remove_if(v, [](const auto& element) { return element > 0; })
  static_cast<void>(furca::remove_if(x, 0));
  // and neither const, nor made of computed elements
  static_cast<void>(furca::remove_if(constant, positive));
  // furca: write unique(v)
  static_cast<void>(furca::unique(x.begin(), x.end()));
  // or unique(v, {}, &Record::key)
  static_cast<void>(furca::unique(r, &Record::key));
  // or unique(v, {}, &Record::key)
  static_cast<void>(furca::unique(r, {}, 7));
  // furca: write filter(v, [](const auto& element) { return element > 0; })
  static_cast<void>(furca::filter(x, 7));
  // nodiscard
  furca::unique(x);
}
