// A short loop now and then, as in a program that draws frames or answers requests: idle threads
// must sleep, and be there soon.
#include "../busy_work.hpp"
#include "../statistics.hpp"
#include "probe.hpp"

#include <thread>

namespace bench {
namespace {

constexpr int kLoopsInASecond = 100;
constexpr auto kPeriod = std::chrono::milliseconds(10);
constexpr std::size_t kIterations = 500;
constexpr std::uint64_t kSpins = 50;  // all iterations together: some 50 us

struct Second {
  double processor_ms;
  double loop_us;  // median
};

/// A second with a loop every 10 ms.
template <class C>
Second spend_a_second(unsigned threads) {
  Second second{};
  C::kContender.enter(threads, [&] {
    std::vector<std::uint64_t> out(kIterations);
    const auto loop = [&out] {
      C::loop(kIterations, [&out](std::size_t i) { out[i] += busy_work(i, kSpins); });
    };
    for (int i = 0; i < 20; ++i) loop();
    std::vector<double> loop_us;
    std::this_thread::sleep_for(kPeriod);
    const double before = processor_ms();
    auto next = std::chrono::steady_clock::now();
    for (int i = 0; i < kLoopsInASecond; ++i) {
      const std::int64_t start = now_ns();
      loop();
      loop_us.push_back(1e-3 * static_cast<double>(now_ns() - start));
      std::this_thread::sleep_until(next += kPeriod);
    }
    second = {processor_ms() - before, median(loop_us)};
  });
  return second;
}

template <class C>
double processor_time(unsigned threads) {
  return spend_a_second<C>(threads).processor_ms;
}

const ProbeRegistration kProcessorTime(kLoopFamilies + ContenderList<Plain>{}, []<class C>() {
  return Probe{.group = Group::behaviour,
               .name = "mostly idle",
               .family = C::kContender.family,
               .variant = "",
               .unit = "ms",
               .summary = "processor time in a second with a loop of about 50 us every 10 ms",
               .measure = &processor_time<C>,
               .slow = true};
});

}  // namespace
}  // namespace bench
