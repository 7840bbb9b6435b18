#include <furca/furca.hpp>

#include <cstdio>

int main() {
  const auto [one, two] = furca::join([] { return 1; }, [] { return 2; });
  std::printf("%d\n", one + two);
}
