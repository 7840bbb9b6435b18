// Wrong calls of views.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/views.hpp>

#include <deque>
#include <vector>

void right(const std::vector<int>& x) {
  furca::parallel_for(furca::zip(x, x), [](auto) {});
}

void wrong(const std::vector<int>& x, const std::deque<int>& d) {
  // views hold no elements, so x is no temporary
  static_cast<void>(furca::chunks(std::vector<int>(9), 3));
  // views hold no elements, so x is no temporary
  static_cast<void>(furca::enumerate(std::vector<int>(9)));
  // furca: write zip(x, y), of as many ranges as there are parts; views hold no elements
  static_cast<void>(furca::zip(x, std::vector<int>(3)));
  // furca: write windows(x, 3), of elements side by side
  static_cast<void>(furca::windows(d, 3));
  // furca: write tiles(rows, columns, {64, 1024})
  static_cast<void>(furca::tiles(3));
  // furca: write lazy(n, [&x](std::size_t i) { return f(x[i]); })
  static_cast<void>(furca::lazy(3, [](std::size_t& i) { return ++i; }));
  // a function that is called as const, by several threads, and can be copied
  static_cast<void>(furca::lazy(3, [n = 0](std::size_t) mutable { return ++n; }));
}
