// A plugin that uses its host's furca, as one does that was linked with a shared libfurca. All of
// its functions are instrumented: see guest_plugin_test.cpp.
#include <furca/furca.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include <unistd.h>

#define FURCA_TEST_EXPORT extern "C" [[gnu::visibility("default")]]

namespace {

/// Until another thread has begun what the caller waits for; or not, if there is none free.
void meet(const std::atomic<bool>& begun) {
  for (int i = 0; i < 1'000 && !begun; ++i) usleep(50);
}

}  // namespace

FURCA_TEST_EXPORT bool guest_joins() {
  std::atomic<bool> begun{false};
  const auto [one, two] = furca::join(
      [&] {
        meet(begun);
        return 1;
      },
      [&] {
        begun = true;
        return 2;
      });
  return one == 1 && two == 2;
}

FURCA_TEST_EXPORT bool guest_loops() {
  std::atomic<int> sum{0};
  std::atomic<bool> begun{false};
  const std::thread::id me = std::this_thread::get_id();
  furca::parallel_for(0, 4, [&](int i) {
    if (std::this_thread::get_id() != me) begun = true;
    meet(begun);
    sum += i;
  });
  return sum == 6;
}

FURCA_TEST_EXPORT bool guest_reduces() {
  std::atomic<bool> begun{false};
  const std::thread::id me = std::this_thread::get_id();
  const int sum = furca::parallel_reduce(
      0, 4, 0,
      [&](int i) {
        if (std::this_thread::get_id() != me) begun = true;
        meet(begun);
        return i;
      },
      std::plus<>{});
  return sum == 6;
}

FURCA_TEST_EXPORT bool guest_scopes() {
  std::atomic<bool> begun{false};
  std::atomic<int> sum{0};
  furca::scope([&](furca::Scope& s) {
    s.spawn([&] {
      begun = true;
      s.spawn([&] { ++sum; });
      ++sum;
    });
    meet(begun);
  });
  furca::scope_fifo([&](furca::ScopeFifo& s) {
    for (int i = 0; i < 3; ++i) s.spawn([&] { ++sum; });
    usleep(200);
  });
  return sum == 5;
}

/// Joined while it runs elsewhere.
FURCA_TEST_EXPORT bool guest_joins_task() {
  std::atomic<bool> begun{false};
  auto task = furca::spawn_task([&] {
    begun = true;
    return 7;
  });
  meet(begun);
  return task.join() == 7;
}

/// Joined, as a rule, before anybody else has begun: an empty job stays in a queue.
FURCA_TEST_EXPORT bool guest_joins_task_at_once() {
  bool right = true;
  for (int i = 0; i < 10; ++i) right = right && furca::spawn_task([i] { return i; }).join() == i;
  auto cancelled = furca::spawn_task([] { return 8; });
  if (!cancelled.cancel()) right = right && cancelled.join() == 8;
  return right;
}

/// Found to be ready, and dropped.
FURCA_TEST_EXPORT bool guest_polls_task() {
  auto task = furca::spawn_task([] { return std::make_unique<int>(9); });
  while (!task.ready()) usleep(10);
  return true;
}

FURCA_TEST_EXPORT bool guest_waits_until_idle() {
  std::atomic<int> ran{0};
  for (int i = 0; i < 3; ++i) furca::spawn([&ran] { ++ran; });
  static_cast<void>(furca::spawn_task([&ran] { ++ran; }));  // dropped
  usleep(200);
  furca::wait_idle();
  return ran == 4;
}

FURCA_TEST_EXPORT bool guest_broadcasts() {
  std::atomic<std::size_t> calls{0};
  furca::broadcast([&calls] { ++calls; });
  return calls == furca::num_threads();
}
