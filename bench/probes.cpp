// What no time per call shows: processor time of an idle pool, and heap allocations.
#include "allocations.hpp"
#include "busy_work.hpp"
#include "contenders.hpp"

#include <chrono>
#include <ctime>
#include <thread>

namespace bench {
namespace {

double processor_ms() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Milliseconds of processor time that the process takes in one second without work, from 50 ms after work on.
template <class C>
double idle(unsigned threads) {
  double spent = 0;
  C::kContender.enter(threads, [&] {
    std::vector<std::uint64_t> out(1000);
    for (int i = 0; i < 20; ++i) C::loop(out.size(), [&](std::size_t k) { out[k] += busy_work(k, 1000); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const double before = processor_ms();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    spent = processor_ms() - before;
  });
  return spent;
}

/// Allocations for each call of f, after it was called often enough for what is allocated once.
template <class C, class F>
double allocations_per(unsigned threads, double operations, F f) {
  constexpr int kRounds = 200;
  C::kContender.enter(threads, [&] {
    for (int i = 0; i < kRounds; ++i) f();
    count_allocations(true);
    for (int i = 0; i < kRounds; ++i) f();
    count_allocations(false);
  });
  return static_cast<double>(allocations_counted()) / (kRounds * operations);
}

template <class C>
std::uint64_t forks(unsigned depth) {
  if (depth == 0) return busy_work(1, 200);
  const auto [a, b] = C::join([depth] { return forks<C>(depth - 1); }, [depth] { return forks<C>(depth - 1); });
  return a + b;
}

template <class C>
double allocations_per_join(unsigned threads) {
  std::uint64_t sum = 0;
  return allocations_per<C>(threads, (1U << 10U) - 1, [&] { sum += forks<C>(10); });
}

// Long enough to be shared: some hundred microseconds.
constexpr std::size_t kIterations = 1000;

template <class C>
double allocations_per_loop(unsigned threads) {
  std::vector<std::uint64_t> out(kIterations);
  return allocations_per<C>(threads, 1, [&] { C::loop(kIterations, [&](std::size_t i) { out[i] += busy_work(i, 200); }); });
}

template <class C>
double allocations_per_reduce(unsigned threads) {
  std::uint64_t sum = 0;
  return allocations_per<C>(threads, 1, [&] {
    sum += C::reduce(
        kIterations, std::uint64_t{0}, [](std::size_t i) { return busy_work(i, 200); }, std::plus<>{});
  });
}

struct Registrations {
  Registrations() { add(Runtimes{}); }

  template <class... C>
  static void add(ContenderList<C...>) {
    (probes().push_back({"idle", C::kContender.family, &idle<C>}), ...);
    // furca alone: oneTBB allocates past operator new, from a pool of its own, and would look free.
    probes().push_back({"allocations per join", Furca::kContender.family, &allocations_per_join<Furca>});
    probes().push_back({"allocations per loop", Furca::kContender.family, &allocations_per_loop<Furca>});
    probes().push_back({"allocations per reduce", Furca::kContender.family, &allocations_per_reduce<Furca>});
  }
};

const Registrations kRegistrations;

}  // namespace
}  // namespace bench
