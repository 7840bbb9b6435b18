// Bursts: 30 calls of y[i] += 2 * x[i] in a row after 1.2 ms of rest, in which the pool's threads
// fall asleep, plain and by furca in turns; and furca's alone in a row without end. When does the
// second thread come, and what does it cost until then? bursts [ELEMENTS...] prints for each size
// the microseconds of the first, second, third, tenth and last call, the median of 180 bursts, a
// call without end, the last call's ratio to that, and how much longer the first one takes than the
// plain one.
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

constexpr std::size_t kCalls = 30;
constexpr std::size_t kShown[] = {0, 1, 2, 9, kCalls - 1};
constexpr std::chrono::microseconds kRest(1200);

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
  std::printf("%8s", way);
  for (const std::size_t call : kShown) std::printf("%10.1f", median(rounds[call]));
}

void compare(std::size_t n) {
  std::vector<float> x(n, 1.0F);
  std::vector<float> y(n, 2.0F);
  const auto by_furca = [&] { parallel(y.data(), x.data(), n); };
  Rounds plain_times(kCalls);
  Rounds furca_times(kCalls);
  for (int burst = 0; burst < 180; ++burst) {
    std::this_thread::sleep_for(kRest);
    time_row(plain_times, [&] { plain(y.data(), x.data(), n); });
    std::this_thread::sleep_for(kRest);
    time_row(furca_times, by_furca);
  }
  for (const Clock::time_point start = Clock::now();
       Clock::now() - start < std::chrono::milliseconds(100);)
    by_furca();
  Rounds endless_times(1);
  for (const Clock::time_point start = Clock::now();
       Clock::now() - start < std::chrono::milliseconds(200);)
    time_row(endless_times, by_furca);
  const double endless = median(endless_times[0]);
  std::printf("%12zu", n);
  print("plain", plain_times);
  std::printf("\n%12s", "");
  print("furca", furca_times);
  std::printf("%10.1f%10.2f%15.1f\n", endless, median(furca_times[kCalls - 1]) / endless,
              median(furca_times[0]) - median(plain_times[0]));
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("%20s", "us a call");
  for (const std::size_t call : kShown) std::printf("   call %2zu", call + 1);
  std::printf("%10s%10s%15s\n", "endless", "last / it", "first - plain");
  for (int i = 1; i < argc; ++i) compare(std::strtoul(argv[i], nullptr, 10));
  if (argc > 1) return 0;
  for (const std::size_t n : {10'000U, 30'000U, 100'000U, 300'000U, 1'000'000U}) compare(n);
}
