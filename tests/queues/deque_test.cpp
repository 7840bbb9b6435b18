#include <furca/deque.hpp>

#include "support/forked.hpp"
#include "support/seams.hpp"

#include <csignal>

// --- memory that runs out on demand --------------------------------------------------------------

namespace {

struct Memory {
  long allocations = 0;
  long frees = 0;
  std::size_t bytes = 0;
  long until_failure = -1;  // allocations that still succeed; -1: all
};
thread_local constinit Memory memory;

void* allocate(std::size_t size) {
  if (memory.until_failure == 0) throw std::bad_alloc();
  if (memory.until_failure > 0) --memory.until_failure;
  void* const block = std::malloc(size > 0 ? size : 1);
  if (block == nullptr) throw std::bad_alloc();
  ++memory.allocations;
  memory.bytes += size;
  return block;
}

void release(void* block) noexcept {
  if (block != nullptr) ++memory.frees;
  std::free(block);
}

}  // namespace

// Weak: where a compiler links its sanitizer's own, strong, those are in use (memory_is_ours).
[[gnu::weak]] void* operator new(std::size_t size) { return allocate(size); }
[[gnu::weak]] void* operator new[](std::size_t size) { return allocate(size); }
[[gnu::weak]] void operator delete(void* block) noexcept { release(block); }
[[gnu::weak]] void operator delete[](void* block) noexcept { release(block); }
[[gnu::weak]] void operator delete(void* block, std::size_t) noexcept { release(block); }
[[gnu::weak]] void operator delete[](void* block, std::size_t) noexcept { release(block); }

namespace {

using furca::AdaptiveFence;
using furca::Deque;
using furca::SeqCstFence;
using furca::Stealer;
using furca::StealStatus;
using furca::test::ClassicModeFence;
using furca::test::SteppedAtomics;
using furca::test::Stepper;

bool memory_is_ours() {
  const long before = memory.allocations;
  ::operator delete(::operator new(8));
  return memory.allocations == before + 1;
}

/// Owner and thieves meet by a fence: each test of that is for all of them.
#define EVERY_POLICY SeqCstFence, AdaptiveFence, ClassicModeFence

/// True if the child aborts and says `message`.
[[maybe_unused]] bool aborts_with(const std::string& message, const std::function<void()>& doomed) {
  const furca::test::ForkedEnd end = furca::test::in_forked_child([&] { return doomed(), 0; });
  return end.signal == SIGABRT && end.said.find(message) != std::string::npos;
}

struct alignas(8) Small {
  std::int32_t a;
  std::int32_t b;
};
struct Large {
  std::array<std::int64_t, 4> words;
};
static_assert(furca::DequeItem<int> && furca::DequeItem<void*> && furca::DequeItem<Small>);
static_assert(!furca::DequeItem<std::string>, "a slot owns nothing");
static_assert(!furca::DequeItem<Large>, "a slot is one lock-free atomic");
static_assert(!std::is_copy_constructible_v<Deque<int>> &&
              !std::is_move_constructible_v<Deque<int>>);

}  // namespace

// --- order, capacity -----------------------------------------------------------------------------

TEST_CASE_TEMPLATE("pop on a fresh deque finds nothing", Fence, EVERY_POLICY) {
  Deque<int, Fence> deque;
  CHECK_FALSE(deque.pop().has_value());
  CHECK_FALSE(deque.pop().has_value());
  CHECK(deque.empty());
  CHECK(deque.size() == 0);
  CHECK(deque.steal().status == StealStatus::empty);
  deque.push(7);
  CHECK(deque.pop() == 7);
  CHECK_FALSE(deque.pop().has_value());
}

TEST_CASE_TEMPLATE("the owner is served last in, first out; thieves first in, first out", Fence,
                   EVERY_POLICY) {
  constexpr int kItems = 1000;
  Deque<int, Fence> deque;
  for (int i = 0; i < kItems; ++i) deque.push(i);
  for (int i = 0; i < kItems / 2; ++i) {
    REQUIRE(deque.pop() == kItems - 1 - i);
    const furca::Steal<int> got = deque.steal();
    REQUIRE(got.status == StealStatus::success);
    REQUIRE(got.item == i);
  }
  CHECK(deque.empty());
}

TEST_CASE("capacity is rounded up to a power of two") {
  CHECK(Deque<int>().capacity() == 64);
  CHECK(Deque<int>(0).capacity() == 1);
  CHECK(Deque<int>(1).capacity() == 1);
  CHECK(Deque<int>(2).capacity() == 2);
  CHECK(Deque<int>(3).capacity() == 4);
  CHECK(Deque<int>(1024).capacity() == 1024);
}

TEST_CASE("size and empty follow every operation") {
  Deque<int> deque;
  const Stealer<int> thief = deque.stealer();
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(deque.size() == i);
    CHECK(thief.size() == i);
    CHECK(deque.empty() == (i == 0));
    CHECK(thief.empty() == (i == 0));
    deque.push(0);
  }
  deque.pop();
  CHECK(deque.size() == 9);
  deque.steal();
  CHECK(thief.size() == 8);
}

TEST_CASE("a stealer is as small as a pointer, and its copies steal from the same deque") {
  static_assert(sizeof(Stealer<int>) == sizeof(void*) &&
                std::is_trivially_copyable_v<Stealer<int>>);
  Deque<int> deque;
  deque.push(1);
  deque.push(2);
  const Stealer<int> first = deque.stealer();
  Stealer<int> second = first;
  CHECK(second.steal().item == 1);
  CHECK(first.steal().item == 2);
  CHECK_FALSE(first.steal());
  Deque<int> other;
  other.push(3);
  second = other.stealer();
  CHECK(second.steal().item == 3);
}

TEST_CASE("items of every size a slot can hold") {
  Deque<char> bytes(1);
  Deque<const void*> pointers(1);
  Deque<Small> pairs(1);
  for (int i = 0; i < 100; ++i) {
    bytes.push(static_cast<char>(i));
    pointers.push(&pairs);
    pairs.push({i, -i});
  }
  CHECK(bytes.steal().item == 0);
  CHECK(bytes.pop() == 99);
  CHECK(pointers.pop() == &pairs);
  CHECK(pairs.steal().item.b == 0);
  CHECK(pairs.pop()->b == -99);
}

// --- growth, wrap-around -------------------------------------------------------------------------

TEST_CASE("growth from capacity 1 keeps every item and its place") {
  Deque<int> deque(1);
  for (int i = 0; i < 1000; ++i) deque.push(i);
  CHECK(deque.capacity() == 1024);
  for (int i = 0; i < 500; ++i) REQUIRE(deque.steal().item == i);
  for (int i = 999; i >= 500; --i) REQUIRE(deque.pop() == i);
  CHECK(deque.empty());
}

TEST_CASE_TEMPLATE("growth of a ring whose items wrap around its end", Fence, EVERY_POLICY) {
  for (int offset = 0; offset <= 8; ++offset) {
    Deque<int, Fence> deque(8);
    for (int i = 0; i < offset; ++i) {
      deque.push(-1);
      REQUIRE(deque.steal());
    }
    for (int i = 0; i < 40; ++i) deque.push(i);
    REQUIRE(deque.capacity() == 64);
    for (int i = 0; i < 20; ++i) REQUIRE(deque.steal().item == i);
    for (int i = 39; i >= 20; --i) REQUIRE(deque.pop() == i);
  }
}

TEST_CASE("room that thieves made is used before the deque grows") {
  Deque<int> deque(4);
  for (int i = 0; i < 4; ++i) deque.push(i);
  for (int i = 4; i < 100; ++i) {
    REQUIRE(deque.steal().item == i - 4);
    deque.push(i);
    REQUIRE(deque.size() == 4);
  }
  CHECK(deque.capacity() == 4);
  deque.push(100);
  CHECK(deque.capacity() == 8);
}

TEST_CASE("indices may begin anywhere") {
  using Index = Deque<int>::Index;
  constexpr Index kOne = 1;
  for (const Index start : {Index{0}, (kOne << 15) - 8, (kOne << 31) - 8, (kOne << 32) - 8,
                            kOne << 62, INT64_MAX - 100}) {
    CAPTURE(start);
    Deque<int> deque(2, start);
    CHECK_FALSE(deque.pop().has_value());
    CHECK_FALSE(deque.steal());
    CHECK(deque.offer(0) == start);
    for (int i = 1; i < 30; ++i) REQUIRE(deque.offer(i) == start + i);
    CHECK(deque.size() == 30);
    CHECK(deque.capacity() == 32);
    for (int i = 0; i < 10; ++i) REQUIRE(deque.steal().item == i);
    for (int i = 29; i >= 20; --i) REQUIRE(deque.take(start + i));
    for (int i = 19; i >= 10; --i) REQUIRE(deque.pop() == i);
    CHECK(deque.empty());
    deque.skip_index();
    CHECK(deque.offer(1) == start + 12);  // the last item's index and the skipped one are used up
  }
}

// --- memory --------------------------------------------------------------------------------------

TEST_CASE("a push that finds no memory leaves the deque as it was") {
  if (!memory_is_ours()) return;
  using Index = Deque<int>::Index;
  for (long succeeding = 0; succeeding < 2; ++succeeding) {  // the ring, its slots
    Deque<int> deque(4);
    deque.push(-1);
    deque.steal();
    for (int i = 0; i < 4; ++i) deque.push(i);

    const Memory before = memory;
    memory.until_failure = succeeding;
    const Index refused = deque.offer(4);
    const bool taken = deque.take(refused);  // what was not published cannot be stolen
    bool thrown = false;
    memory.until_failure = succeeding;
    try {
      deque.push(4);
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    memory.until_failure = -1;

    CHECK(refused == Deque<int>::kNotPublished);
    CHECK(taken);
    CHECK(thrown);
    CHECK(memory.allocations - before.allocations == memory.frees - before.frees);
    CHECK(deque.capacity() == 4);
    CHECK(deque.size() == 4);
    CHECK(deque.steal().item == 0);
    CHECK(deque.pop() == 3);
    CHECK(deque.offer(5) == 4);  // 2 are left: no growth, no memory
    for (int i = 6; i < 10; ++i) deque.push(i);
    CHECK(deque.capacity() == 8);
    for (int i = 9; i >= 5; --i) CHECK(deque.pop() == i);
    CHECK(deque.pop() == 2);
    CHECK(deque.pop() == 1);
    CHECK(deque.empty());
  }
}

TEST_CASE("a constructor that finds no memory throws, and leaks nothing") {
  if (!memory_is_ours()) return;
  for (long succeeding = 0; succeeding < 2; ++succeeding) {
    const Memory before = memory;
    bool thrown = false;
    memory.until_failure = succeeding;
    try {
      const Deque<int> deque;
      // or a compiler may leave it out, allocations and all
      __asm__ __volatile__("" : : "r"(&deque) : "memory");
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    memory.until_failure = -1;
    CHECK(thrown);
    CHECK(memory.allocations - before.allocations == memory.frees - before.frees);
  }
}

TEST_CASE("pushes into a ring with room allocate nothing") {
  if (!memory_is_ours()) return;
  Deque<int> deque(64);
  const Memory before = memory;
  for (int i = 0; i < 1000; ++i) {
    for (int k = 0; k < 64; ++k) deque.push(k);
    for (int k = 0; k < 32; ++k) deque.steal();
    for (int k = 0; k < 32; ++k) deque.pop();
  }
  CHECK(memory.allocations == before.allocations);
}

TEST_CASE(
    "destructors: a deque frees its rings, and the outgrown ones are never more than the newest") {
  if (!memory_is_ours()) return;
  const Memory before = memory;
  {
    Deque<void*> deque(1);
    for (int i = 0; i < 1 << 16; ++i) deque.push(nullptr);
    constexpr std::size_t kNewest = (std::size_t{1} << 16) * sizeof(void*);
    CHECK(memory.bytes - before.bytes < 2 * kNewest + 4096);
    CHECK(memory.frees == before.frees);
  }
  CHECK(memory.allocations - before.allocations == memory.frees - before.frees);
  CHECK(memory.allocations > before.allocations);
}

// --- take, skip_index, steal_if ------------------------------------------------------------------

TEST_CASE_TEMPLATE("take gets the newest item while it is there", Fence, EVERY_POLICY) {
  Deque<int, Fence> deque(2);
  const auto a = deque.offer(1);
  const auto b = deque.offer(2);
  const auto c = deque.offer(3);
  CHECK(deque.take(c));
  CHECK(deque.size() == 2);
  CHECK(deque.take(b));
  CHECK(deque.take(a));  // the last: settled by the CAS
  CHECK(deque.empty());
  CHECK(deque.offer(4) == a + 1);  // the CAS used a's index up
  CHECK(deque.pop() == 4);
}

TEST_CASE_TEMPLATE("take fails when the item was stolen, and leaves the deque empty and usable",
                   Fence, EVERY_POLICY) {
  Deque<int, Fence> deque(2);
  const auto a = deque.offer(1);
  const auto b = deque.offer(2);
  REQUIRE(deque.steal().item == 1);
  CHECK(deque.take(b));
  CHECK(deque.empty());
  CHECK_FALSE(deque.take(a));
  CHECK(deque.empty());
  CHECK(deque.size() == 0);
  CHECK(deque.offer(3) == b + 1);
  CHECK(deque.steal().item == 3);
  CHECK(deque.empty());
}

TEST_CASE_TEMPLATE("take fails when many above it were stolen as well; the bottom is right again",
                   Fence, EVERY_POLICY) {
  for (int stolen = 1; stolen <= 20; ++stolen) {
    CAPTURE(stolen);
    Deque<int, Fence> deque(4, 100);
    const auto first = deque.offer(0);
    for (int i = 1; i < stolen; ++i) deque.push(i);
    for (int i = 0; i < stolen; ++i) REQUIRE(deque.steal().item == i);
    REQUIRE_FALSE(deque.take(first));  // the bottom goes `stolen` below the top, and back
    REQUIRE(deque.empty());
    REQUIRE(deque.size() == 0);
    REQUIRE_FALSE(deque.steal());
    REQUIRE(deque.offer(50) == first + stolen);
    REQUIRE(deque.offer(51) == first + stolen + 1);
    REQUIRE(deque.steal().item == 50);
    REQUIRE(deque.pop() == 51);
    REQUIRE_FALSE(deque.pop().has_value());
    REQUIRE_FALSE(deque.take(first + stolen + 1));
  }
}

TEST_CASE_TEMPLATE("takes in the order of joins: every inner one first, whatever was stolen", Fence,
                   EVERY_POLICY) {
  for (int stolen = 0; stolen <= 6; ++stolen) {
    Deque<int, Fence> deque(1);
    std::vector<typename Deque<int, Fence>::Index> at;
    for (int i = 0; i < 6; ++i) at.push_back(deque.offer(i));
    for (int i = 0; i < stolen; ++i) REQUIRE(deque.steal().item == i);
    for (int i = 5; i >= 0; --i) {
      REQUIRE(deque.take(at[static_cast<std::size_t>(i)]) == (i >= stolen));
      REQUIRE(deque.size() == static_cast<std::size_t>(i > stolen ? i - stolen : 0));
    }
    REQUIRE(deque.offer(9) == at[0] + (stolen == 6 ? 6 : stolen + 1));
  }
}

TEST_CASE("skip_index leaves the deque empty, one index on") {
  Deque<int> deque(1);
  CHECK(deque.offer(1) == 0);
  CHECK(deque.pop() == 1);
  for (int i = 0; i < 100; ++i) deque.skip_index();
  CHECK(deque.empty());
  CHECK(deque.size() == 0);
  CHECK_FALSE(deque.pop().has_value());
  CHECK_FALSE(deque.steal());
  CHECK(deque.offer(2) == 101);
  CHECK(deque.capacity() == 1);
  CHECK(deque.steal().item == 2);
}

TEST_CASE("steal_if takes nothing when told it is not wanted") {
  Deque<int> deque;
  deque.push(1);
  CHECK(deque.steal_if([] { return false; }).status == StealStatus::empty);
  CHECK(deque.size() == 1);
  CHECK(deque.steal_if([] { return true; }).item == 1);
  bool asked = false;
  CHECK(deque.steal_if([&] { return asked = true; }).status == StealStatus::empty);
  CHECK_FALSE(asked);  // an empty deque needs no question
}

TEST_CASE_TEMPLATE(
    "steal_if that was told \"wanted\" takes nothing pushed after the answer changed", Fence,
    furca::detail::BasicSeqCstFence<SteppedAtomics>,
    furca::detail::BasicAdaptiveFence<SteppedAtomics>) {
  constexpr int kFirstJob = 1;
  constexpr int kSecondJob = 2;
  int reached = 0;
  for (bool interrupted = true; interrupted; reached += interrupted) {
    CAPTURE(reached);
    Deque<int, Fence> deque;
    deque.push(kFirstJob);
    bool first_runs = true;
    Stepper::interrupt_at(static_cast<std::uint64_t>(reached) + 1, [&] { deque.pop(); });
    const furca::Steal<int> got = deque.steal_if([&] {
      const bool answer = first_runs;
      // between the answer and the CAS the owner ends the first job and begins the second
      if (deque.empty()) {
        first_runs = false;
        deque.skip_index();
        deque.push(kSecondJob);
      }
      return answer;
    });
    interrupted = Stepper::interrupted();
    if (got) REQUIRE(got.item == kFirstJob);
  }
  CHECK(reached > 5);
}

// --- one owner -----------------------------------------------------------------------------------

TEST_CASE("hand_over: another thread becomes the owner") {
  Deque<int> deque(1);
  deque.push(1);
  deque.push(2);
  deque.hand_over();
  std::optional<int> got;
  std::thread([&] {
    got = deque.pop();
    deque.push(3);
    deque.hand_over();
  }).join();
  CHECK(got == 2);
  CHECK(deque.pop() == 3);
  CHECK(deque.steal().item == 1);
}

#ifndef NDEBUG
TEST_CASE("a second thread that thinks it is the owner is caught") {
  const std::string message = "push and pop belong to one thread, the owner";
  using D = Deque<int>;
  const std::function<void(D&)> misuses[] = {
      [](D& deque) { deque.push(2); },
      [](D& deque) { deque.pop(); },
      [](D& deque) { deque.take(0); },
      [](D& deque) {
        deque.steal();
        deque.skip_index();
      },
  };
  for (const auto& misuse : misuses) {
    CHECK(aborts_with(message, [&] {
      D deque;
      deque.push(1);
      std::thread([&] { misuse(deque); }).join();
    }));
    CHECK_FALSE(aborts_with(message, [&] {
      D deque;
      deque.push(1);
      misuse(deque);
    }));
  }
}
#endif
