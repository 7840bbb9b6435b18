#include <furca/run_queue.hpp>

#include "support/trials.hpp"
#include "support/watchdog.hpp"

using furca::RunQueue;
using furca::Steal;
using furca::StealStatus;

namespace {

constexpr auto kNoOverflow = [](std::span<const int>) { FAIL("no room"); };

/// Where indices begin: at zero, and where 32 bits end in the middle of a test.
constexpr std::uint32_t kStarts[] = {
    0, 1, UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 3, UINT32_MAX - 100, UINT32_MAX / 2};

template <class Queue>
void push_numbers(Queue& queue, int first, int last) {
  for (int i = first; i < last; ++i) queue.push(i, kNoOverflow);
}

template <class Queue>
std::vector<int> drain(Queue& queue) {
  std::vector<int> items;
  while (const std::optional<int> item = queue.pop()) items.push_back(*item);
  return items;
}

std::vector<int> numbers(int first, int last) {
  std::vector<int> items;
  for (int i = first; i < last; ++i) items.push_back(i);
  return items;
}

}  // namespace

TEST_CASE("first in, first out, for more rounds than there are slots") {
  for (const std::uint32_t start : kStarts) {
    RunQueue<int, 8> queue(start);
    CHECK(queue.capacity() == 8);
    CHECK(queue.empty());
    CHECK_FALSE(queue.pop());
    for (int round = 0; round < 50; ++round) {
      push_numbers(queue, round, round + 8);
      CHECK(queue.size() == 8);
      CHECK(drain(queue) == numbers(round, round + 8));
      CHECK(queue.empty());
    }
  }
}

TEST_CASE(
    "a full queue: the older half goes to the sink, oldest first, and the new item after it") {
  for (const std::uint32_t start : kStarts) {
    RunQueue<int, 8> queue(start);
    push_numbers(queue, 0, 8);
    std::vector<int> sink;
    int calls = 0;
    queue.push(8, [&](std::span<const int> items) {
      ++calls;
      sink.assign(items.begin(), items.end());
    });
    CHECK(calls == 1);
    CHECK(sink == std::vector<int>{0, 1, 2, 3, 8});
    CHECK(queue.size() == 4);
    push_numbers(queue, 9, 13);
    CHECK(drain(queue) == std::vector<int>{4, 5, 6, 7, 9, 10, 11, 12});
  }
}

TEST_CASE("a queue of two") {
  RunQueue<int, 2> queue;
  push_numbers(queue, 0, 2);
  std::vector<int> sink;
  queue.push(2, [&](std::span<const int> items) { sink.assign(items.begin(), items.end()); });
  CHECK(sink == std::vector<int>{0, 2});
  RunQueue<int, 2> thief;
  const Steal<int> got = queue.steal_half_into(thief);
  CHECK(got.status == StealStatus::success);
  CHECK(got.item == 1);
  CHECK(thief.empty());
  CHECK(queue.empty());
}

TEST_CASE("what the sink throws goes through") {
  RunQueue<int, 4> queue;
  push_numbers(queue, 0, 4);
  CHECK_THROWS_AS(queue.push(4, [](std::span<const int>) { throw std::runtime_error("full"); }),
                  std::runtime_error);
  CHECK(drain(queue) == numbers(2, 4));
}

TEST_CASE("a thief gets the older half, rounded up: one to run, the rest in its queue") {
  for (const std::uint32_t start : kStarts) {
    for (int count = 0; count <= 16; ++count) {
      CAPTURE(start);
      CAPTURE(count);
      RunQueue<int, 16> queue(start);
      RunQueue<int, 16> thief(start + 3);
      push_numbers(queue, 0, count);
      const Steal<int> got = queue.steal_half_into(thief);
      if (count == 0) {
        CHECK(got.status == StealStatus::empty);
        continue;
      }
      REQUIRE(got.status == StealStatus::success);
      const int half = (count + 1) / 2;
      CHECK(got.item == 0);
      CHECK(drain(thief) == numbers(1, half));
      CHECK(drain(queue) == numbers(half, count));
      push_numbers(queue, 0, 16);  // all slots are free again
      CHECK(drain(queue) == numbers(0, 16));
    }
  }
}

TEST_CASE("a thief takes no more than it has room for") {
  for (int held = 0; held <= 16; ++held) {
    CAPTURE(held);
    RunQueue<int, 16> queue;
    RunQueue<int, 16> thief;
    push_numbers(queue, 0, 16);
    push_numbers(thief, 100, 100 + held);
    const Steal<int> got = queue.steal_half_into(thief);
    REQUIRE(got.status == StealStatus::success);
    CHECK(got.item == 0);
    const int more = std::min(7, 16 - held);
    std::vector<int> expected = numbers(100, 100 + held);
    for (const int item : numbers(1, 1 + more)) expected.push_back(item);
    CHECK(drain(thief) == expected);
    CHECK(drain(queue) == numbers(1 + more, 16));
  }
}

TEST_CASE(
    "one owner and thieves that pass on to each other: nothing lost, nothing twice, each "
    "producer's order kept") {
  constexpr std::size_t kThieves = 3;
  const std::uint64_t items = furca::test::rounds(2'000'000);
  const furca::test::Watchdog watchdog("run queue");
  for (const std::uint32_t start : {0U, UINT32_MAX - 1000U}) {
    std::vector<std::atomic<std::uint8_t>> times(static_cast<std::size_t>(items));
    const auto took = [&](std::uint64_t item) {
      times[static_cast<std::size_t>(item)].fetch_add(1, std::memory_order_relaxed);
    };
    struct alignas(256) Own {
      RunQueue<std::uint64_t, 16> queue;
    };
    RunQueue<std::uint64_t, 16> queue(start);
    std::vector<std::unique_ptr<Own>> own;
    for (std::size_t i = 0; i < kThieves; ++i) own.push_back(std::make_unique<Own>());
    std::atomic<bool> done{false};
    std::atomic<std::uint64_t> disorder{0};
    std::vector<std::thread> thieves;
    for (std::size_t me = 0; me < kThieves; ++me) {
      thieves.emplace_back([&, me] {
        std::uint64_t turn = me;
        while (true) {
          const bool last = done.load(std::memory_order_acquire);
          RunQueue<std::uint64_t, 16>& victim =
              ++turn % 4 == 0 ? own[(me + 1) % kThieves]->queue : queue;
          const Steal<std::uint64_t> got = victim.steal_half_into(own[me]->queue);
          if (got) {
            took(got.item);
            std::uint64_t before = got.item;
            while (const std::optional<std::uint64_t> item = own[me]->queue.pop()) {
              if (*item <= before) ++disorder;
              before = *item;
              took(*item);
            }
          } else if (last && queue.empty() && own[(me + 1) % kThieves]->queue.empty()) {
            return;
          } else if (got.status == StealStatus::empty) {
            std::this_thread::yield();
          }
        }
      });
    }
    std::uint64_t last_popped = 0;
    for (std::uint64_t item = 0; item < items; ++item) {
      queue.push(item, [&](std::span<const std::uint64_t> batch) {
        for (const std::uint64_t one : batch) took(one);
      });
      if (item % 3 == 0) {
        if (const std::optional<std::uint64_t> popped = queue.pop()) {
          if (*popped < last_popped) ++disorder;
          last_popped = *popped;
          took(*popped);
        }
      }
    }
    done.store(true, std::memory_order_release);
    for (std::thread& thief : thieves) thief.join();
    while (const std::optional<std::uint64_t> item = queue.pop()) took(*item);
    std::uint64_t wrong = 0;
    for (const auto& count : times) wrong += count.load(std::memory_order_relaxed) != 1;
    CHECK(wrong == 0);
    CHECK(disorder == 0);
  }
}
