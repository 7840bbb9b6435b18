// furca-real: the rows of furca-counted on the machine at hand, whose bodies compute for so long as
// they say there; and what that machine's steps cost.
#include <furca/detail/base/atomics.hpp>
#include <furca/thread_pool.hpp>

#include "../measure/arguments.hpp"
#include "measuring/costs.hpp"

#include "counted.hpp"
#include "rows.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

namespace {

double nanoseconds_now() noexcept {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void turn(std::uint64_t times) noexcept {
  for (; times > 0; --times) __asm__ __volatile__("" : "+r"(times));
}

template <class F>
double taken(F f) {
  const double began = nanoseconds_now();
  f();
  return nanoseconds_now() - began;
}

/// Of so many samples.
template <class F>
double median(int samples, F sample) {
  std::vector<double> all;
  for (int i = 0; i < samples; ++i) all.push_back(sample());
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

/// Turns a nanosecond: the most of some tries.
double turns_per_ns() {
  constexpr std::uint64_t kTurns = 300'000;
  double best = 0;
  for (int i = 0; i < 20; ++i) best = std::max(best, kTurns / taken([] { turn(kTurns); }));
  return best;
}

double rate = 0;

// --- costs --------------------------------------------------------------------------------------

/// f() on a thread that has begun, beside what runs meanwhile.
template <class F, class Meanwhile>
void beside(F f, Meanwhile meanwhile) {
  std::atomic<bool> begun{false};
  std::thread other([&] {
    begun = true;
    f();
  });
  while (!begun) {
  }
  meanwhile();
  other.join();
}

/// A line's way to a core that wants it alone: each of two threads turns what the other turned.
double way() {
  constexpr int kRounds = 2'000;
  return median(30, [] {
    alignas(64) std::atomic<int> ball{0};
    const auto play = [&ball](int mine) {
      for (int i = 0; i < kRounds; ++i)
        for (int seen = mine; !ball.compare_exchange_strong(seen, 1 - mine); seen = mine) {
        }
    };
    double time = 0;
    beside([&] { play(1); }, [&] { time = taken([&] { play(0); }); });
    return time / (2 * kRounds);
  });
}

double system_fence() {
  constexpr int kFences = 200;
  return taken([] {
           for (int i = 0; i < kFences; ++i) furca::detail::StdAtomics::heavy_fence();
         }) /
         kFences;
}

struct HeavyFence {
  double alone;
  double with_another;
  double interrupt;  // of the other
};

HeavyFence heavy_fence() {
  HeavyFence costs{median(9, &system_fence), 0, 0};
  std::vector<double> lost;
  costs.with_another = median(9, [&] {
    constexpr std::uint64_t kTurns = 2'000;
    std::atomic<bool> over{false};
    double time = 0;
    double other = 0;
    std::uint64_t rounds = 0;
    double fence = 0;
    beside(
        [&] {
          other = taken([&] {
            for (; !over.load(std::memory_order_relaxed); ++rounds) turn(kTurns);
          });
        },
        [&] {
          time = taken([&] { fence = system_fence(); });
          over = true;
        });
    lost.push_back((other - static_cast<double>(rounds * kTurns) / rate) / time * fence);
    return fence;
  });
  std::sort(lost.begin(), lost.end());
  costs.interrupt = std::max(lost[lost.size() / 2], 0.0);
  return costs;
}

struct WakeUp {
  double call;
  double latency;
};

/// Of a thread that has slept for a millisecond.
WakeUp wake_up() {
  constexpr int kWakes = 60;
  std::atomic<std::uint32_t> word{0};
  std::array<std::atomic<double>, kWakes> woken{};
  WakeUp costs{0, 0};
  std::vector<double> latencies;
  beside(
      [&] {
        for (std::uint32_t i = 0; i < kWakes; ++i) {
          while (word.load() == i) furca::detail::StdAtomics::wait(word, i);
          woken[i].store(nanoseconds_now());
        }
      },
      [&] {
        costs.call = median(kWakes, [&] {
          turn(static_cast<std::uint64_t>(rate * 1e6));
          const double began = nanoseconds_now();
          const std::uint32_t i = word.fetch_add(1);
          furca::detail::StdAtomics::wake(word, 1);
          const double called = nanoseconds_now() - began;
          while (woken[i].load() == 0) {
          }
          latencies.push_back(woken[i].load() - began);
          return called;
        });
      });
  std::sort(latencies.begin(), latencies.end());
  costs.latency = latencies[latencies.size() / 2];
  return costs;
}

double system_call() {
  return median(9, [] {
    return taken([] {
             for (int i = 0; i < 1'000; ++i) syscall(SYS_getppid);
           }) /
           1'000;
  });
}

void print_costs() {
  furca::detail::measured_costs.measure();
  const furca::detail::Costs costs = furca::detail::measured_costs.get();
  const double line = way();
  const HeavyFence heavy = heavy_fence();
  const WakeUp wake = wake_up();
  const double call = system_call();
  std::printf("near %.1f\ntransfer %.1f\nfar %.1f\n", line, line, line);
  std::printf("fence %.1f\nclock %.1f\npause %.1f\nyield %.1f\n", static_cast<double>(costs.fence),
              static_cast<double>(costs.clock), static_cast<double>(costs.pause),
              static_cast<double>(costs.yield));
  std::printf("heavy-base %.0f\nheavy-each %.0f\ninterrupt %.0f\n", heavy.alone,
              std::max(heavy.with_another - heavy.alone, 0.0), heavy.interrupt);
  std::printf("syscall %.0f\nwake-call %.0f\nwake-up %.0f\n", call, std::max(wake.call - call, 0.0),
              std::max(wake.latency - call, 0.0));
}

// --- rows ---------------------------------------------------------------------------------------

/// Nanoseconds of a call, on average over half a second or so; after the first.
double time_row(const counted::Row& row, std::size_t threads, bool rested) {
  constexpr double kLong = 1e8;
  furca::ThreadPool pool({.threads = threads});
  double time = 0;
  int calls = 0;
  pool.install([&] {
    row.call();
    row.call();
    for (const double end = nanoseconds_now() + kLong; calls < 3 || nanoseconds_now() < end;
         ++calls) {
      if (rested) counted::work(1e6);
      time += taken(row.call);
    }
  });
  return time / calls;
}

}  // namespace

namespace counted {

void work(double ns) noexcept { turn(static_cast<std::uint64_t>(ns * rate + 0.5)); }
void measured(const std::function<void()>& f) { f(); }
void read(const void*, std::size_t) noexcept {}
void write(const void*, std::size_t) noexcept {}

}  // namespace counted

int main(int argc, char** argv) {
  rate = turns_per_ns();
  if (argc == 2 && argv[1] == std::string("--costs")) {
    print_costs();
    return 0;
  }
  if (argc != 4) bench::refuse("furca-real --costs, or furca-real ROW THREADS awake|rested");
  for (const counted::Row& row : counted::rows())
    if (row.name == std::string(argv[1])) {
      const auto threads = bench::parse_number("THREADS", argv[2], 1, 1'024);
      std::printf("%.1f\n", time_row(row, threads, argv[3] == std::string("rested")));
      return 0;
    }
  bench::refuse(std::string("there is no row ") + argv[1]);
}
