// The deque by itself, without a pool, with either fence policy.
#include "../statistics.hpp"
#include "probe.hpp"

#include <furca/deque.hpp>

#include <atomic>
#include <thread>

namespace bench {
namespace {

template <class Fence>
using IntDeque = furca::Deque<int, Fence>;

double ns_since(std::int64_t start, double operations) {
  return static_cast<double>(now_ns() - start) / operations;
}

template <class Fence>
double push_pop(unsigned) {
  constexpr int kPairs = 100'000;
  IntDeque<Fence> deque;
  deque.push(0);  // stays: the last item is the rare case, in which pop takes the slow way
  std::vector<double> ns;
  for (int round = 0; round < 50; ++round) {
    const std::int64_t start = now_ns();
    for (int i = 0; i < kPairs; ++i) {
      deque.push(i);
      deque.pop();
    }
    ns.push_back(ns_since(start, kPairs));
  }
  return median(ns);
}

template <class Fence>
double steal(unsigned) {
  constexpr int kItems = 4'096;
  IntDeque<Fence> deque(kItems);
  std::vector<double> ns;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < kItems; ++i) deque.push(i);
    std::jthread([&deque, &ns] {
      const std::int64_t start = now_ns();
      while (deque.steal()) {
      }
      ns.push_back(ns_since(start, kItems));
    });
  }
  return median(ns);
}

/// Nanoseconds for each push, pop or steal that moved an item; looks at an empty deque are paid for
/// and not counted. The owner pushes and pops eight at a time, all the time, and a thief comes for
/// one item every microsecond.
template <class Fence>
double beside_thief(unsigned) {
  constexpr int kBursts = 20'000;
  constexpr int kBurst = 8;
  constexpr std::int64_t kPauseNs = 1'000;
  std::vector<double> ns;
  for (int round = 0; round < 25; ++round) {
    IntDeque<Fence> deque;
    std::atomic<bool> ready{false};
    std::atomic<bool> over{false};
    int moved = 0;
    int stolen = 0;
    std::jthread thief([&] {
      ready = true;
      while (!over.load(std::memory_order_relaxed)) {
        if (deque.steal()) ++stolen;
        const std::int64_t until = now_ns() + kPauseNs;
        while (now_ns() < until) {
        }
      }
    });
    while (!ready) std::this_thread::yield();
    const std::int64_t start = now_ns();
    for (int burst = 0; burst < kBursts; ++burst) {
      for (int i = 0; i < kBurst; ++i) deque.push(i);
      moved += kBurst;
      while (deque.pop()) ++moved;
    }
    const std::int64_t end = now_ns();
    over = true;
    thief.join();
    ns.push_back(static_cast<double>(end - start) / (moved + stolen));
  }
  return median(ns);
}

template <class Fence>
std::vector<Probe> deque_probes(const char* variant, const char* environment) {
  const auto probe = [=](const char* name, const char* summary, double (*measure)(unsigned)) {
    return Probe{Group::micro, name, "furca", variant, "ns", summary, measure, {environment}};
  };
  return {
      probe("push and pop", "a pair of them, on a deque that nobody steals from", &push_pop<Fence>),
      probe("steal", "from a deque whose owner is quiet", &steal<Fence>),
      probe("operation beside a thief",
            "a push, pop or steal; the owner is always at it, and a thief comes every microsecond",
            &beside_thief<Fence>)};
}

const ProbeRegistration kClassicDeque(deque_probes<furca::SeqCstFence>("classic fence", kClassic));
const ProbeRegistration kAdaptiveDeque(deque_probes<furca::AdaptiveFence>("adaptive fence",
                                                                          kAdaptive));

}  // namespace
}  // namespace bench
