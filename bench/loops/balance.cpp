// Loops of 10,000 steps of which those named take nearly all the time, 20 ms in all: what one
// thread takes, and the ratio of two threads to that, in the first call of a body, in the third,
// and the median from the fourth on. A half is perfect. It takes no arguments.
#include <furca/furca.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t kSteps = 10'000;

using Clock = std::chrono::steady_clock;

std::uint64_t xorshift(std::uint64_t x, int turns) {
  for (int k = 0; k < turns; ++k) {
    x ^= x << 13U;
    x ^= x >> 7U;
    x ^= x << 17U;
  }
  return x;
}

struct Row {
  std::size_t first, count;  // of the expensive steps
};

/// Each row is another type, so that nothing is known of its body before.
template <int row>
double milliseconds(furca::ThreadPool& pool, Row expensive, int turns, std::uint64_t* out) {
  const Clock::time_point start = Clock::now();
  pool.install([=] {
    furca::parallel_for(std::size_t{0}, kSteps, [=](std::size_t i) {
      out[i] = xorshift(i + 1, i - expensive.first < expensive.count ? turns : 1);
    });
  });
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double turns_per_millisecond() {
  constexpr int kTurns = 10'000'000;
  const Clock::time_point start = Clock::now();
  volatile std::uint64_t result = xorshift(1, kTurns);
  (void)result;
  return kTurns / std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

int main() {
  const double turns = turns_per_millisecond() * 20;
  furca::ThreadPool one({.threads = 1});
  furca::ThreadPool two({.threads = 2});
  std::vector<std::uint64_t> out(kSteps);
  const auto compare = [&]<int row>(const char* name, std::size_t first, std::size_t count) {
    const int each = static_cast<int>(turns / static_cast<double>(count));
    std::vector<double> alone;
    std::vector<double> shared;
    for (int call = 0; call < 12; ++call) {
      alone.push_back(milliseconds<row>(one, {first, count}, each, out.data()));
      shared.push_back(milliseconds<row>(two, {first, count}, each, out.data()));
    }
    const double serial = median(alone);
    std::printf("%20s%10.2f%9.2f%9.2f%9.2f\n", name, serial, shared[0] / serial, shared[2] / serial,
                median({shared.begin() + 3, shared.end()}) / serial);
  };
  std::printf("%20s%10s%9s%9s%9s\n", "expensive", "one, ms", "call 1", "call 3", "later");
  compare.operator()<0>("the last 100", kSteps - 100, 100);
  compare.operator()<1>("the first 100", 0, 100);
  compare.operator()<2>("100 in the middle", kSteps / 2, 100);
  compare.operator()<3>("2 in the middle", kSteps / 2, 2);
  compare.operator()<4>("2 at a third", kSteps / 3, 2);
  compare.operator()<5>("the first 2", 0, 2);
  compare.operator()<6>("the first 4", 0, 4);
  compare.operator()<7>("the first 10", 0, 10);
  compare.operator()<8>("the first 30", 0, 30);
  compare.operator()<9>("the last 2", kSteps - 2, 2);
  compare.operator()<10>("the last 4", kSteps - 4, 4);
  compare.operator()<11>("the last 10", kSteps - 10, 10);
  compare.operator()<12>("the last 30", kSteps - 30, 30);
  compare.operator()<13>("all", 0, kSteps);
}
