// The first program of first_steps.md.
#include <furca/furca.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<double> x(1'000'000, 0.5);
  furca::parallel_for(x, [](double& each) { each *= each; });
  const double sum = furca::parallel_reduce(x, 0.0);
  std::printf("%g\n", sum);
  return sum == 250'000 ? 0 : 1;
}
