// libc++'s parallel algorithms by its own back end, which has one thread, or, with
// furca/plugs/libcxx.hpp before all, on furca's threads.
#include "timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <execution>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

int main() {
  const auto& policy = std::execution::par;
  for (int digits = 3; digits <= 6; ++digits) {
    const std::string size = " 10^" + std::to_string(digits);
    const auto time = [&](const char* name, auto call) { time_of((name + size).c_str(), call); };
    std::vector<float> in(static_cast<std::size_t>(std::pow(10, digits)));
    unsigned x = 1;
    for (float& each : in) each = static_cast<float>((x = x * 1'664'525 + 1'013'904'223) >> 8);
    std::vector<float> out = in;
    time("transform", [&] {
      std::transform(policy, in.begin(), in.end(), out.begin(),
                     [](float f) { return f * 0.5F + 1; });
    });
    time("in place", [&] {
      std::transform(policy, out.begin(), out.end(), out.begin(),
                     [](float f) { return f * 0.5F + 1; });
    });
    time("add", [&] {
      std::transform(policy, in.begin(), in.end(), in.begin(), out.begin(), std::plus<>());
    });
    time("add to", [&] {
      std::transform(policy, in.begin(), in.end(), out.begin(), out.begin(),
                     [](float f, float g) { return f + g * 0.5F; });
    });
    float sum = 0;
    time("reduce", [&] { sum += std::reduce(policy, in.begin(), in.end()); });
    time("find",
         [&] { sum += std::find(policy, in.begin(), in.end(), -1.0F) == in.end() ? 1 : 0; });
    const auto negative = [](float f) { return f < 0; };
    time("count if",
         [&] { sum += static_cast<float>(std::count_if(policy, in.begin(), in.end(), negative)); });
    if (sum == 0) std::puts("");
    time("copy, sort", [&] {
      std::copy(policy, in.begin(), in.end(), out.begin());
      std::sort(policy, out.begin(), out.end());
    });
  }
}
