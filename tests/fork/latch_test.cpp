#include <furca/detail/fork/latch.hpp>

#include "pool/pool.hpp"
#include "support/seams.hpp"
#include "support/trials.hpp"
#include "support/watchdog.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace {

using furca::detail::BasicLatch;
using furca::detail::Latch;
using furca::detail::Pool;
using furca::detail::StdAtomics;
using furca::detail::Worker;
using furca::test::Chaos;
using furca::test::rounds;
using furca::test::Watchdog;

/// Somebody to take a latch.
struct Takers {
  Pool pool{furca::Config{.threads = 1}, Pool::OnFailure::fail};
  Worker first{pool};
  Worker second{pool};
};

}  // namespace

TEST_CASE("open: not set, and nobody has it") {
  const Latch latch;
  CHECK_FALSE(latch.is_set());
  CHECK(latch.claimer() == nullptr);
}

TEST_CASE("taken: not set, and says by whom") {
  const Takers claimers;
  Latch one;
  Latch two;
  one.claim(claimers.first);
  two.claim(claimers.second);
  CHECK_FALSE(one.is_set());
  CHECK(one.claimer() == &claimers.first);
  CHECK(two.claimer() == &claimers.second);
}

TEST_CASE("set: done, and nobody has it any more") {
  const Takers claimers;
  Latch latch;
  latch.claim(claimers.first);
  latch.set();
  CHECK(latch.is_set());
  CHECK(latch.claimer() == nullptr);
}

TEST_CASE("a latch is one word") { static_assert(sizeof(Latch) == sizeof(void*)); }

// The oldest bug of this kind: set() that touches the latch after the waiter has left, and its
// frame with it. Here the latch is freed the moment it is seen set; AddressSanitizer sees any later
// touch, and what was written before set() must be there.
TEST_CASE_TEMPLATE("after set the latch may be gone", Atomics, StdAtomics, Chaos<StdAtomics>) {
  Watchdog watchdog("latch, after set");
  struct Frame {
    BasicLatch<Atomics> latch;
    int outcome = 0;
  };
  const Takers claimers;
  const auto count = static_cast<int>(rounds(200'000));
  std::atomic<Frame*> offered{nullptr};
  std::thread thief([&] {
    for (int i = 1; i <= count; ++i) {
      Frame* frame = nullptr;
      while ((frame = offered.exchange(nullptr, std::memory_order_acquire)) == nullptr)
        std::this_thread::yield();
      frame->latch.claim(claimers.first);
      frame->outcome = i;
      frame->latch.set();
    }
  });
  int wrong = 0;
  for (int i = 1; i <= count; ++i) {
    auto frame = std::make_unique<Frame>();
    offered.store(frame.get(), std::memory_order_release);
    for (int looks = 0; !frame->latch.is_set(); ++looks) {
      if (looks > 1000) std::this_thread::yield();
      const furca::detail::Worker* const claimer = frame->latch.claimer();
      wrong += claimer != nullptr && claimer != &claimers.first;
    }
    wrong += frame->outcome != i;
    if (i % 64 == 0) watchdog.feed();
  }
  thief.join();
  CHECK(wrong == 0);
}
