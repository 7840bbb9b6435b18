// Bursts: so many calls of y[i] += 2 * x[i] in a row after a rest, plain and by furca in turns; and
// furca's alone in a row without end. main ELEMENTS REST CALLS BURSTS prints, for each way, the
// microseconds of each call: the median of the bursts.
#include <furca/furca.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Rounds = std::vector<std::vector<double>>;  // of each call

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

[[gnu::noinline]] void plain(float* y, const float* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += 2 * x[i];
}

[[gnu::noinline]] void parallel(float* y, const float* x, std::size_t n) {
  furca::parallel_for(std::size_t{0}, n, [=](std::size_t i) { y[i] += 2 * x[i]; });
}

template <class Call>
void time_row(Rounds& rounds, Call call) {
  for (std::vector<double>& times : rounds) {
    const Clock::time_point start = Clock::now();
    call();
    times.push_back(microseconds(Clock::now() - start));
  }
}

void print(const char* way, Rounds& rounds) {
  std::printf("%s", way);
  for (std::vector<double>& times : rounds) std::printf("\t%.3f", median(times));
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto n = static_cast<std::size_t>(std::atol(argv[1]));
  const std::chrono::microseconds rest(std::atol(argv[2]));
  const auto calls = static_cast<std::size_t>(std::atol(argv[3]));
  const int bursts = std::atoi(argv[4]);
  std::vector<float> x(n, 1.0F);
  std::vector<float> y(n, 2.0F);
  const auto by_furca = [&] { parallel(y.data(), x.data(), n); };
  Rounds plain_times(calls);
  Rounds furca_times(calls);
  for (int burst = 0; burst < bursts; ++burst) {
    std::this_thread::sleep_for(rest);
    time_row(plain_times, [&] { plain(y.data(), x.data(), n); });
    std::this_thread::sleep_for(rest);
    time_row(furca_times, by_furca);
  }
  for (const Clock::time_point start = Clock::now();
       Clock::now() - start < std::chrono::milliseconds(100);)
    by_furca();
  Rounds endless(1);
  for (const Clock::time_point start = Clock::now();
       Clock::now() - start < std::chrono::milliseconds(200);)
    time_row(endless, by_furca);
  print("plain", plain_times);
  print("furca", furca_times);
  print("endless", endless);
  return 0;
}
