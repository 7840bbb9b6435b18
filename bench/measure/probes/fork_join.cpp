// What one fork costs: nobody steals it, or somebody does and the forker waits for its end.
#include "../statistics.hpp"
#include "probe.hpp"
#include "processors.hpp"

#include <atomic>
#include <future>

namespace bench {
namespace {

/// Calls f in a pool of two, whose other thread is kept away by an arm that waits in the system.
template <class F>
void with_other_thread_away(F f) {
  std::promise<void> away;
  std::promise<void> back;
  furca::ThreadPool({.threads = 2}).install([&] {
    furca::join(
        [&] {
          away.get_future().wait();
          f();
          back.set_value();
        },
        [&] {
          away.set_value();
          back.get_future().wait();
        });
  });
}

long forked_fib(long n) {
  if (n < 2) return n;
  const auto [a, b] =
      furca::join([n] { return forked_fib(n - 1); }, [n] { return forked_fib(n - 2); });
  return a + b;
}

double fork_join(unsigned) {
  constexpr long kN = 23;
  constexpr double kForks = 46'367;  // fib(kN + 1) - 1
  std::vector<double> ns;
  with_other_thread_away([&ns] {
    for (int i = 0; i < 100; ++i) {
      const std::int64_t start = now_ns();
      const volatile long result = forked_fib(kN);
      static_cast<void>(result);
      ns.push_back(static_cast<double>(now_ns() - start) / kForks);
    }
  });
  return median(ns);
}

void spin_until(const std::atomic<bool>& flag) {
  while (!flag.load(std::memory_order_acquire)) {
  }
}

/// From the end of a stolen arm until its join returns. The forker is back from the other arm by
/// then, and spins.
double join_stolen(unsigned) {
  constexpr std::int64_t kHeadStartNs =
      2'000;  // for the forker to begin its wait; not long enough for it to fall asleep
  std::vector<double> ns;
  furca::ThreadPool({.threads = 2}).install([&ns] {
    stay_on_processor(0);
    for (int i = 0; i < 500; ++i) {
      std::atomic<bool> stolen{false};
      std::atomic<bool> waiting{false};
      std::int64_t end = 0;
      furca::join(
          [&] {
            spin_until(stolen);
            waiting.store(true, std::memory_order_release);
          },
          [&] {
            stay_on_processor(1);
            stolen.store(true, std::memory_order_release);
            spin_until(waiting);
            const std::int64_t start = now_ns();
            do {
              end = now_ns();
            } while (end - start < kHeadStartNs);
          });
      ns.push_back(static_cast<double>(now_ns() - end));
    }
  });
  return median(ns);
}

std::vector<Probe> probes_of(const char* variant, const char* environment) {
  const auto probe = [=](const char* name, const char* summary, double (*measure)(unsigned)) {
    return Probe{Group::micro, name, "furca", variant, "ns", summary, measure, {environment}};
  };
  return {
      probe("fork and join",
            "a fork in fib that nobody steals, its share of the recursion included", &fork_join),
      probe("join of a stolen arm",
            "from the arm's end until its join returns; both threads awake, each on a processor of "
            "its own",
            &join_stolen)};
}

const ProbeRegistration kClassicFence(probes_of("classic fence", kClassic));
const ProbeRegistration kAdaptiveFence(probes_of("adaptive fence", kAdaptive));

}  // namespace
}  // namespace bench
