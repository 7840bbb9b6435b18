// libc++'s parallel algorithms by its own back end, which has one thread, or, with
// furca/plugs/libcxx.hpp before all, on furca's threads.
#include "timing.hpp"

#include <algorithm>
#include <execution>
#include <numeric>
#include <string>
#include <vector>

int main() {
  const auto& policy = std::execution::par;
  for (const int n : {1'000, 1'000'000}) {
    std::vector<float> in(static_cast<std::size_t>(n));
    unsigned x = 1;
    for (float& each : in) each = static_cast<float>((x = x * 1'664'525 + 1'013'904'223) >> 8);
    std::vector<float> out = in;
    const std::string size = n == 1'000 ? " 10^3" : " 10^6";
    time_of(("transform" + size).c_str(), [&] {
      std::transform(policy, in.begin(), in.end(), out.begin(),
                     [](float f) { return f * 0.5F + 1; });
    });
    float sum = 0;
    time_of(("reduce" + size).c_str(), [&] { sum += std::reduce(policy, in.begin(), in.end()); });
    time_of(("find" + size).c_str(),
            [&] { sum += std::find(policy, in.begin(), in.end(), -1.0F) == in.end() ? 1 : 0; });
    if (sum == 0) std::puts("");
    time_of(("copy, sort" + size).c_str(), [&] {
      out = in;
      std::sort(policy, out.begin(), out.end());
    });
  }
}
