// One arm is wrong, and the others have results.
#include <furca/join.hpp>

int main() {
#ifdef MISTAKE
  auto [a, b] = furca::join([] { return 1; }, [](int i) { return i; });
#else
  auto [a, b] = furca::join([] { return 1; }, [] { return 2; });
  return a + b - 3;
#endif
}
