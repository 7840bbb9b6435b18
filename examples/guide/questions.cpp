// The code of questions.md.
#include "../expect.hpp"

#include <furca/furca.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>

extern "C" int add_up(const double* x, std::size_t n, double* sum) {
  try {
    *sum = furca::parallel_reduce(std::span(x, n), 0.0);
    return 0;
  } catch (...) {
    return 1;
  }
}

namespace {

/// Whether all was done before the time was over.
template <class Body>
bool within(std::chrono::milliseconds time, std::size_t n, Body body) {
  std::stop_source late;
  const std::jthread timer([&late, time](std::stop_token done) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, done, time, [] { return false; });
    late.request_stop();
  });
  furca::parallel_for(std::size_t{0}, n, body, {.stop = late.get_token()});
  return !late.stop_requested();
}

void lower(std::atomic<double>& least, double value) {
  double seen = least.load(std::memory_order_relaxed);
  while (value < seen && !least.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

int answer_of_background() {
  furca::ThreadPool background({.threads = furca::num_threads() + 1, .name = "background"});
  furca::Task<int> answer = background.spawn_task([] { return 6 * 7; });
  return answer.join();
}

/// Reads the next one while one is written.
template <class Read, class Write>
void overlapped(int n, Read read, Write write) {
  if (n == 0) return;
  auto next = read(0);
  for (int i = 1; i <= n; ++i) {
    const auto current = std::move(next);
    furca::join(
        [&] {
          if (i < n) next = read(i);
        },
        [&] { write(current); });
  }
}

int patient_threads() {
  furca::ThreadPool patient(
      {.threads = 3, .start_hook = [](std::size_t) { setpriority(PRIO_PROCESS, 0, 10); }});
  std::atomic<int> started{0};
  patient.install(
      [&] { furca::broadcast([&] { started += getpriority(PRIO_PROCESS, 0) >= 10 ? 1 : 0; }); });
  return started;
}

}  // namespace

int main() {
  setenv("FURCA_NUM_THREADS", "4", 1);  // before the first call of furca
  examples::expect(furca::num_threads() == 4, "four threads");

  std::vector<double> x(1'000, 1.0);
  const auto doubles = [&x](std::size_t i) { x[i] *= 2; };
  examples::expect(within(std::chrono::hours(1), x.size(), doubles) && x.back() == 2, "in time");
  const auto slow = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  examples::expect(!within(std::chrono::milliseconds(1), 1'000'000, slow), "late");

  std::atomic<double> least{7};
  furca::parallel_for(0, 1'000, [&least](int i) { lower(least, 5 + i % 7); });
  examples::expect(least == 5, "the least");
  examples::expect(answer_of_background() == 42, "an answer");

  double sum = 0;
  examples::expect(add_up(x.data(), x.size(), &sum) == 0 && sum == 2'000, "a sum");
  std::vector<int> written;
  overlapped(5, [](int i) { return i * i; }, [&](int each) { written.push_back(each); });
  examples::expect(written == std::vector{0, 1, 4, 9, 16}, "all, in order");
  examples::expect(patient_threads() >= 2, "threads that may wait");
  return examples::unexpected;
}
