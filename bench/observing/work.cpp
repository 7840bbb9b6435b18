// What bench/observing/run.py times: one kind of work, for about a second, checked. observing-work
// fib|loops|tasks; prints seconds.
#include <furca/furca.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

long fib(long n) {
  if (n < 2) return n;
  auto [left, right] = furca::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return left + right;
}

/// A fork for every addition.
bool forks(int scale) {
  bool right = true;
  for (int i = 0; i < scale; ++i) right = fib(30) == 832'040 && right;
  return right;
}

/// Loops of some 20 microseconds each.
bool loops(int scale) {
  std::vector<double> y(20'000, 1.0);
  for (int round = 0; round < 200 * scale; ++round)
    furca::parallel_for(0, static_cast<int>(y.size()),
                        [&y](int i) { y[static_cast<std::size_t>(i)] += 0.5; });
  return y.front() == 1.0 + 0.5 * 200 * scale && y.back() == y.front();
}

/// Tasks of a scope, and detached ones.
bool tasks(int scale) {
  std::atomic<long> sum{0};
  const auto add = [&sum] { sum.fetch_add(1, std::memory_order_relaxed); };
  for (int round = 0; round < 100 * scale; ++round) {
    furca::scope([&](furca::Scope& s) {
      for (int i = 0; i < 500; ++i) s.spawn(add);
    });
    for (int i = 0; i < 500; ++i) furca::spawn(add);
    furca::wait_idle();
  }
  return sum == 100'000L * scale;
}

}  // namespace

int main(int argc, char** argv) {
  struct Kind {
    const char* name;
    bool (*run)(int scale);
    int scale;
  };
  constexpr Kind kKinds[] = {{"fib", forks, 40}, {"loops", loops, 50}, {"tasks", tasks, 20}};
  for (const Kind& kind : kKinds) {
    if (argc != 3 || std::strcmp(argv[1], kind.name) != 0) continue;
    const int scale = std::strcmp(argv[2], "full") == 0 ? kind.scale : 1;
    if (!kind.run(1)) return 1;  // threads are up, costs are known
    const auto start = std::chrono::steady_clock::now();
    if (!kind.run(scale)) return 1;
    std::printf(
        "%.9f\n",
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / scale);
    return 0;
  }
  std::fprintf(stderr, "usage: observing-work fib|loops|tasks full|short\n");
  return 2;
}
