// The adaptive fence, step by step: one thread plays the owner, and the thieves who come between
// two of its instructions.
#include <furca/fence.hpp>

#include "support/seams.hpp"

namespace {

/// A machine that counts its fences, has a clock to be set, and lets a test in at every fence.
struct Lab : furca::detail::StdAtomics {
  static inline std::uint64_t now = 0;
  static inline std::uint64_t fences = 0;
  static inline std::uint64_t heavy = 0;
  static inline furca::detail::FenceTuning tuning{1024, 100'000};
  static inline std::function<void()> at_next_fence;
  static inline std::function<void()> at_next_heavy_fence;
  static inline std::uint64_t pauses = 0;
  static inline std::function<void()> at_next_pause;

  static bool asymmetric() noexcept { return true; }
  static void fence() noexcept {
    ++fences;
    if (const auto visit = std::exchange(at_next_fence, nullptr)) visit();
  }
  static void heavy_fence() noexcept {
    ++heavy;
    if (const auto visit = std::exchange(at_next_heavy_fence, nullptr)) visit();
  }
  static void relax() noexcept {
    ++pauses;
    if (const auto visit = std::exchange(at_next_pause, nullptr)) visit();
  }
  static std::uint64_t nanoseconds() noexcept { return now; }
  static furca::detail::FenceTuning fence_tuning() noexcept { return tuning; }

  static void reset() {
    now = kLong;
    tuning = {1024, 100'000};
    fences = heavy = pauses = 0;
    at_next_fence = nullptr;
    at_next_heavy_fence = nullptr;
    at_next_pause = nullptr;
  }

  static constexpr std::uint64_t kLong = 1'000'000'000;
};

struct ClassicLab : Lab {
  static bool asymmetric() noexcept { return false; }
};

using Fence = furca::detail::BasicAdaptiveFence<Lab>;
constexpr std::uint64_t kPatience = 1024;

void steal(Fence& fence) {
  REQUIRE(fence.enter());
  fence.leave();
}

/// True if this pop paid for a fence.
bool pop_fences(Fence& fence) {
  const std::uint64_t before = Lab::fences;
  fence.before_look();
  return Lab::fences > before;
}

/// Pops until one costs nothing; how many paid.
std::uint64_t pops_until_quiet(Fence& fence) {
  for (std::uint64_t fenced = 0; fenced < 1'000'000; ++fenced)
    if (!pop_fences(fence)) return fenced;
  FAIL("it never goes quiet");
  return 0;
}

}  // namespace

TEST_CASE("quiet: pops are free of fences") {
  Lab::reset();
  Fence fence;
  for (int i = 0; i < 100'000; ++i) fence.before_look();
  CHECK(Lab::fences == 0);
  CHECK(Lab::heavy == 0);
  CHECK(fence.heavy_fences() == 0);
}

TEST_CASE("the first thief pays for a heavy fence, those who come while armed do not") {
  Lab::reset();
  Fence fence;
  steal(fence);
  CHECK(Lab::heavy == 1);
  for (int i = 0; i < 1000; ++i) steal(fence);
  CHECK(Lab::heavy == 1);
  CHECK(fence.heavy_fences() == 1);
}

TEST_CASE(
    "a thief fences between its announcement and its look at the mode, also when it finds armed") {
  Lab::reset();
  Fence fence;
  steal(fence);
  const std::uint64_t before = Lab::fences;
  steal(fence);
  CHECK(Lab::fences == before + 1);
}

TEST_CASE("armed: pops fence, until the owner has had patience for so many") {
  Lab::reset();
  Fence fence;
  steal(fence);
  CHECK(pops_until_quiet(fence) == kPatience);
  for (int i = 0; i < 10'000; ++i) REQUIRE_FALSE(pop_fences(fence));
  CHECK(Lab::heavy == 1);
  steal(fence);
  CHECK(Lab::heavy == 2);
  CHECK(pop_fences(fence));
}

TEST_CASE("heavy fences are bounded by pops / 1024, plus one, however often thieves come") {
  Lab::reset();
  Fence fence;
  constexpr std::uint64_t kPops = 300 * kPatience;
  for (std::uint64_t i = 0; i < kPops; ++i) {
    steal(fence);
    fence.before_look();
    Lab::now += Lab::kLong;
  }
  CHECK(fence.heavy_fences() == Lab::heavy);
  CHECK(fence.heavy_fences() <= kPops / kPatience + 1);
  CHECK(fence.heavy_fences() >= kPops / kPatience - 1);  // it does go quiet between two thieves
}

TEST_CASE("how patient an owner is, and what is soon, is asked each time that a thief has come") {
  Lab::reset();
  Fence fence;
  Lab::tuning = {300, 5'000};
  steal(fence);
  CHECK(pops_until_quiet(fence) == 300);
  Lab::now += 5'001;
  Lab::tuning.patience = 700;
  steal(fence);
  CHECK(pops_until_quiet(fence) == 700);
  Lab::now += 4'999;
  steal(fence);
  CHECK(pops_until_quiet(fence) == 1'400);
  Lab::now += 4'999;
  Lab::tuning.patience = 5'000;
  steal(fence);
  CHECK(pops_until_quiet(fence) == 5'000);
}

TEST_CASE(
    "armed again soon: the patience doubles, up to a limit; after a long quiet it is what it was") {
  Lab::reset();
  Fence fence;
  std::uint64_t expected = kPatience;
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    steal(fence);
    CHECK(pops_until_quiet(fence) == expected);
    if (expected < 64 * kPatience) expected *= 2;
  }
  CHECK(fence.heavy_fences() == 10);
  Lab::now += Lab::kLong;
  steal(fence);
  CHECK(pops_until_quiet(fence) == kPatience);
  steal(fence);
  CHECK(pops_until_quiet(fence) == 2 * kPatience);
}

TEST_CASE("what counts as soon is the time of quiet, not the time that it was armed") {
  Lab::reset();
  Fence fence;
  steal(fence);
  fence.before_look();
  Lab::now += Lab::kLong;  // while armed
  CHECK(pops_until_quiet(fence) == kPatience - 1);
  steal(fence);
  CHECK(pops_until_quiet(fence) == 2 * kPatience);
}

TEST_CASE("a thief who is there at the time of going quiet keeps it armed") {
  Lab::reset();
  Fence fence;
  REQUIRE(fence.enter());
  for (std::uint64_t i = 0; i < 3 * kPatience; ++i) REQUIRE(pop_fences(fence));
  CHECK(Lab::heavy == 1);
  steal(fence);  // a second one finds it armed
  CHECK(Lab::heavy == 1);
  fence.leave();
  CHECK(pops_until_quiet(fence) == kPatience);
}

TEST_CASE("every thief counts: one of two leaves, and it stays armed") {
  Lab::reset();
  Fence fence;
  REQUIRE(fence.enter());
  REQUIRE(fence.enter());
  fence.leave();
  for (std::uint64_t i = 0; i < 2 * kPatience; ++i) REQUIRE(pop_fences(fence));
  fence.leave();
  CHECK(pops_until_quiet(fence) <= kPatience);
}

TEST_CASE("another thief who sees the arming must try again, and leaves no trace") {
  Lab::reset();
  Fence fence;
  bool let_in = true;
  Lab::at_next_heavy_fence = [&] { let_in = fence.enter(); };
  steal(fence);
  CHECK_FALSE(let_in);
  CHECK(fence.heavy_fences() == 1);
  CHECK(pops_until_quiet(fence) == kPatience);  // no thief was left behind
}

TEST_CASE(
    "a thief who is kept off while it arms keeps the others off for a while only: then one of them "
    "arms") {
  Lab::reset();
  Fence fence;
  bool let_in_soon = true;
  bool let_in_late = false;
  bool fenced = false;
  Lab::at_next_heavy_fence = [&] {
    Lab::now += Lab::tuning.soon;
    let_in_soon = fence.enter();
    ++Lab::now;
    let_in_late = fence.enter();
    fenced = pop_fences(fence);
  };
  steal(fence);
  CHECK_FALSE(let_in_soon);
  CHECK(let_in_late);
  CHECK(fenced);
  CHECK(Lab::heavy == 2);
  CHECK(fence.heavy_fences() == 2);
  fence.leave();
  CHECK(pops_until_quiet(fence) == kPatience - 1);
}

TEST_CASE(
    "of the thieves that find one kept off while it arms, one arms in its place; a second one if "
    "that one is kept off as well") {
  Lab::reset();
  Fence fence;
  bool let_in_with_it = true;
  bool let_in_after_it = false;
  Lab::at_next_heavy_fence = [&] {
    Lab::now += Lab::tuning.soon + 1;
    Lab::at_next_heavy_fence = [&] {
      Lab::now += Lab::tuning.soon;
      let_in_with_it = fence.enter();
      ++Lab::now;
      let_in_after_it = fence.enter();
    };
    steal(fence);
  };
  steal(fence);
  CHECK_FALSE(let_in_with_it);
  CHECK(let_in_after_it);
  CHECK(Lab::heavy == 3);
  fence.leave();
  CHECK(pops_until_quiet(fence) == kPatience);
}

TEST_CASE("a clock that is behind the one of the thread that arms: nobody arms in its place") {
  Lab::reset();
  Fence fence;
  bool let_in = true;
  Lab::at_next_heavy_fence = [&] {
    --Lab::now;
    let_in = fence.enter();
  };
  steal(fence);
  CHECK_FALSE(let_in);
  CHECK(Lab::heavy == 1);
}

TEST_CASE("an owner who pops while a thief is arming fences") {
  Lab::reset();
  Fence fence;
  bool fenced = false;
  Lab::at_next_heavy_fence = [&] { fenced = pop_fences(fence); };
  steal(fence);
  CHECK(fenced);
  CHECK(pops_until_quiet(fence) == kPatience - 1);
}

TEST_CASE(
    "an owner who pops while a thief waits arms its deque itself: nobody needs a heavy fence") {
  Lab::reset();
  Lab::tuning.asks = 5;
  Fence fence;
  bool fenced = false;
  Lab::at_next_pause = [&] { Lab::at_next_pause = [&] { fenced = pop_fences(fence); }; };
  REQUIRE(fence.enter());
  CHECK(fenced);
  CHECK(Lab::pauses == 2);
  CHECK(Lab::heavy == 0);
  CHECK(fence.heavy_fences() == 0);
  // the thief is there still
  for (std::uint64_t i = 0; i < 2 * kPatience; ++i) REQUIRE(pop_fences(fence));
  steal(fence);  // a second one finds it armed
  CHECK(Lab::pauses == 2);
  fence.leave();
  CHECK(pops_until_quiet(fence) <= kPatience);
  CHECK(Lab::heavy == 0);
}

TEST_CASE(
    "an owner who expects thieves while one waits arms its deque, and stays so as if it had "
    "answered") {
  Lab::reset();
  Lab::tuning.asks = 5;
  Fence fence;
  Lab::at_next_pause = [&] { fence.expect(); };
  steal(fence);
  CHECK(Lab::pauses == 1);
  CHECK(Lab::heavy == 0);
  CHECK(fence.asked() == 1);
  steal(fence);  // finds it armed
  CHECK(fence.asked() == 1);
  CHECK(pops_until_quiet(fence) == Lab::tuning.asks);
}

TEST_CASE("an owner who has answered is patient for as many pops as a thief asks, each time") {
  Lab::reset();
  Lab::tuning.asks = 50;
  Fence fence;
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    Lab::at_next_pause = [&] { fence.before_look(); };
    steal(fence);
    CHECK(pops_until_quiet(fence) == 49);
  }
  CHECK(Lab::heavy == 0);
  steal(fence);  // no answer
  CHECK(Lab::heavy == 1);
  CHECK(pops_until_quiet(fence) == kPatience);
}

TEST_CASE(
    "an owner who does not pop is waited for as long as it is worth, and then a heavy fence is") {
  Lab::reset();
  Lab::tuning.asks = 5;
  Fence fence;
  bool other_let_in = true;
  Lab::at_next_pause = [&] { other_let_in = fence.enter(); };
  steal(fence);
  CHECK_FALSE(other_let_in);
  CHECK(Lab::pauses == 5);
  CHECK(Lab::heavy == 1);
  CHECK(pops_until_quiet(fence) == kPatience);
}

TEST_CASE("an owner who answers while the heavy fence is under way is armed once") {
  Lab::reset();
  Lab::tuning.asks = 5;
  Fence fence;
  Lab::at_next_heavy_fence = [&] { REQUIRE(pop_fences(fence)); };
  steal(fence);
  CHECK(Lab::heavy == 1);
  CHECK(pops_until_quiet(fence) == 4);
}

TEST_CASE(
    "an owner who answers while the heavy fence is under way learns of it at the next thief") {
  Lab::reset();
  Lab::tuning.asks = 5;
  Fence fence;
  for (std::uint64_t round = 0; round < 20; ++round) {
    CAPTURE(round);
    Lab::at_next_heavy_fence = [&] { fence.before_look(); };
    steal(fence);
    CHECK(Lab::heavy == round + 1);
    const std::uint64_t fenced = pops_until_quiet(fence);
    if (round > 0) CHECK(fenced >= kPatience - 1);
    Lab::now += Lab::kLong;
  }
}

TEST_CASE("a thief arms for longer than the owner's patience: it goes quiet only after that") {
  Lab::reset();
  Fence fence;
  std::uint64_t fenced = 0;
  Lab::at_next_heavy_fence = [&] {
    for (std::uint64_t i = 0; i < 3 * kPatience; ++i) fenced += pop_fences(fence);
  };
  REQUIRE(fence.enter());
  CHECK(fenced == 3 * kPatience);
  CHECK(pop_fences(fence));  // it asks again, and finds the thief
  CHECK(pop_fences(fence));
  fence.leave();
  CHECK(pops_until_quiet(fence) <= kPatience);
  CHECK(Lab::heavy == 1);
}

TEST_CASE(
    "without asymmetric fences it is the classic fence: every pop fences, every thief is let in, "
    "none is heavy") {
  Lab::reset();
  furca::detail::BasicAdaptiveFence<ClassicLab> fence;
  for (std::uint64_t i = 1; i <= 3 * kPatience; ++i) {
    fence.before_look();
    REQUIRE(Lab::fences == i);
  }
  REQUIRE(fence.enter());
  REQUIRE(fence.enter());
  fence.leave();
  fence.leave();
  CHECK(Lab::heavy == 0);
  CHECK(fence.heavy_fences() == 0);
  fence.before_look();
  CHECK(Lab::fences == 3 * kPatience + 1);
}

TEST_CASE("SeqCstFence fences in every pop, and lets everybody in") {
  Lab::reset();
  furca::detail::BasicSeqCstFence<Lab> fence;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    fence.before_look();
    REQUIRE(Lab::fences == i);
  }
  CHECK(fence.enter());
  fence.leave();
  CHECK(Lab::heavy == 0);
}

TEST_CASE("the shipped policy counts what it asks of the system") {
  furca::AdaptiveFence fence;
  REQUIRE(fence.enter());
  fence.leave();
  CHECK(fence.heavy_fences() == (furca::detail::StdAtomics::asymmetric() ? 1 : 0));
}
