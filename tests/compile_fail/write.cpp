// Wrong calls of write.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/write.hpp>

#include <utility>
#include <vector>

void right(const std::vector<bool>& bits, std::vector<char>& chars) { furca::copy(bits, chars); }

void wrong(std::vector<int>& x, std::vector<int>& y, std::vector<bool>& bits) {
  // furca: write copy(v, out); v and out are ranges
  furca::copy(x.begin(), x.end(), y.begin());
  // out is neither const nor a std::vector<bool>
  furca::copy(x, std::as_const(y));
  // furca: elements of a std::vector<bool> share bytes
  furca::copy(x, bits);
  // furca: write fill(v, x), where x can be assigned to an element
  furca::fill(x, "seven");
  // furca: elements of a std::vector<bool> share bytes
  furca::fill(bits, true);
  // furca: elements of a std::vector<bool> share bytes
  furca::for_each(bits, [](auto bit) { bit = true; });
  // parallel_for(v, body, {.grain = 64}) where there are options
  furca::for_each(x, [](int& v) { v = 0; }, furca::LoopOptions{.grain = 64});
  // parallel_for(v, body, {.grain = 64}) where there are options
  furca::for_each(x, [](int& v) { v = 0; }, 64, {});
  // furca: write generate(v, [] { return ...; })
  furca::generate(x, [](std::size_t i) { return static_cast<int>(i); });
  // furca: elements of a std::vector<bool> share bytes
  furca::transform(x, bits, [](int v) { return v > 0; });
  // furca: elements of a std::vector<bool> share bytes
  furca::transform(x, y, bits, [](int v, int w) { return v > w; });
  // furca: write transform(v, out, [](const auto& element) { return ...; })
  furca::transform(x, [](int v) { return v + 1; });
}
