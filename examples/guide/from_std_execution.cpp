// The code of from_std_execution.md.
#include <furca/execution.hpp>

#include "../expect.hpp"

#include <furca/furca.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <execution>
#include <functional>
#include <list>
#include <ranges>
#include <string>
#include <vector>

namespace {

bool sorted_as_it_is(std::vector<double>& x) {
  std::sort(std::execution::par, x.begin(), x.end());
  return std::is_sorted(std::execution::par, x.begin(), x.end());
}

void for_each(std::vector<double>& x) {
  furca::parallel_for(x, [](double& each) { each = std::sqrt(each); });
}

void transform(const std::vector<double>& x, const std::vector<double>& y, std::vector<double>& z) {
  furca::parallel_for(std::size_t{0}, z.size(), [&](std::size_t i) { z[i] = x[i] * y[i]; });
}

double transform_reduce(const std::vector<double>& x, const std::vector<double>& y) {
  return furca::parallel_reduce(
      std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i] * y[i]; }, std::plus<>{});
}

std::string joined(const std::vector<std::string>& words) {
  return furca::parallel_reduce(words, std::string());
}

void over_a_list(std::list<int>& numbers) {
  std::vector<int*> addresses;
  for (int& number : numbers) addresses.push_back(&number);
  furca::parallel_for(addresses, [](int* number) { *number *= 2; });
}

}  // namespace

int main() {
  std::vector<double> x(1000, 4);
  for_each(x);
  examples::expect(x.front() == 2, "square roots");
  std::vector<double> z(1000);
  transform(x, x, z);
  examples::expect(z.back() == 4 && transform_reduce(x, x) == 4000, "products and their sum");
  examples::expect(joined({"one ", "after ", "the other"}) == "one after the other",
                   "in their order");
  std::list<int> numbers = {1, 2, 3};
  over_a_list(numbers);
  examples::expect(numbers == std::list<int>({2, 4, 6}), "a list, by way of addresses");
  std::vector<double> falling = {3, 2, 1};
  examples::expect(sorted_as_it_is(falling) && falling.front() == 1, "in order");
  return examples::unexpected;
}
