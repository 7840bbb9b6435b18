// libc++'s parallel algorithms and furca on one pool. Compile with clang++ -stdlib=libc++
// -fexperimental-library, furca's library as well.
#include <furca/plugs/libcxx.hpp>  // before all others

#include <furca/furca.hpp>

#include <algorithm>
#include <cstdio>
#include <execution>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> x(1'000'000);
  furca::parallel_for(0, 1'000'000, [&](int i) {
    x[static_cast<std::size_t>(i)] = static_cast<int>(i * 7'919LL % 1'000'003);
  });
  std::sort(std::execution::par, x.begin(), x.end());
  const long long sum = std::reduce(std::execution::par, x.begin(), x.end(), 0LL);
  std::printf("from %d to %d, the sum is %lld\n", x.front(), x.back(), sum);
}
