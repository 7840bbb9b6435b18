// Heavy fences that several threads share.
#include "system/shared_fence.hpp"

#include <furca/detail/base/atomics.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace {

/// Counts, and takes as long as the test wants.
struct Counted : furca::detail::StdAtomics {
  static void heavy_fence() noexcept {
    const int number = ++begun;
    while (held || number == never) yield();
    ++ended;
  }
  static inline std::atomic<int> begun{0};
  static inline std::atomic<int> ended{0};
  static inline std::atomic<bool> held{false};  // all of them wait
  static inline std::atomic<int> never{0};      // this one waits
};

using Fence = furca::detail::BasicSharedFence<Counted>;
using PatientFence = furca::detail::BasicSharedFence<Counted, 1'000'000'000>;

}  // namespace

TEST_CASE("alone each call has a fence of its own") {
  Fence fence;
  Counted::begun = 0;
  for (int i = 0; i < 10; ++i) fence.pass();
  CHECK(Counted::begun == 10);
}

TEST_CASE("all who come while one is under way share the next") {
  PatientFence fence;
  Counted::begun = Counted::ended = 0;
  Counted::held = true;
  std::thread first([&] { fence.pass(); });
  while (Counted::begun == 0) std::this_thread::yield();
  constexpr int kOthers = 8;
  std::atomic<int> come{0};
  std::vector<std::thread> others;
  for (int i = 0; i < kOthers; ++i) {
    others.emplace_back([&] {
      ++come;
      fence.pass();
    });
  }
  while (come < kOthers) std::this_thread::yield();
  // they have asked for the next by now, or a few of them need a third
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(Counted::begun == 1);
  Counted::held = false;
  first.join();
  for (std::thread& other : others) other.join();
  CHECK(Counted::begun >= 2);
  CHECK(Counted::begun < 1 + kOthers);
  CHECK(Counted::ended == Counted::begun);
}

TEST_CASE("no call returns before a fence has ended that began after it") {
  Fence fence;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      int wrong = 0;
      for (int round = 0; round < 5'000; ++round) {
        const int begun = Counted::begun;
        fence.pass();
        // Of those that had begun before the call, which are at most four, none counts.
        wrong += Counted::begun == begun;
      }
      CHECK(wrong == 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("a fence that never ends holds up nobody, as in the child of a fork") {
  Fence fence;
  Counted::begun = 0;
  Counted::ended = 0;
  Counted::never = 1;
  std::thread first([&] { fence.pass(); });
  while (Counted::begun == 0) std::this_thread::yield();
  const auto passed = [&](int calls) {
    const int before = Counted::begun;
    for (int i = 0; i < calls; ++i) fence.pass();
    return Counted::begun - before;
  };
  CHECK(passed(1) == 1);
  CHECK(passed(100) == 100);  // and nobody waits for it any more
  CHECK(Counted::ended == 101);
  Counted::never = 0;
  first.join();
}
