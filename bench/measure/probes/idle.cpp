// A pool that has nothing to do: what does it take from the rest of the machine?
#include "../busy_work.hpp"
#include "probe.hpp"

#include <thread>

namespace bench {
namespace {

/// Milliseconds of processor time that the process takes in one second without work, from 50 ms
/// after work on.
template <class C>
double idle(unsigned threads) {
  double spent = 0;
  C::kContender.enter(threads, [&] {
    std::vector<std::uint64_t> out(1000);
    for (int i = 0; i < 20; ++i)
      C::loop(out.size(), [&](std::size_t k) { out[k] += busy_work(k, 1000); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const double before = processor_ms();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    spent = processor_ms() - before;
  });
  return spent;
}

const ProbeRegistration kIdle(kLoopFamilies, []<class C>() {
  return Probe{.group = Group::behaviour,
               .name = "idle",
               .family = C::kContender.family,
               .variant = "",
               .unit = "ms",
               .summary = "processor time in a second without work",
               .measure = &idle<C>,
               .slow = true};
});

}  // namespace
}  // namespace bench
