#include <furca/injector.hpp>

#include "support/trials.hpp"
#include "support/watchdog.hpp"

namespace {

struct Item {
  Item* next = nullptr;
  std::size_t producer = 0;
  std::uint64_t number = 0;
  std::atomic<int> taken{0};
};

using Injector = furca::Injector<Item>;

}  // namespace

TEST_CASE("first in, first out") {
  Injector injector;
  std::vector<Item> items(100);
  CHECK(injector.empty());
  CHECK(injector.pop() == nullptr);
  for (int round = 0; round < 3; ++round) {
    for (Item& item : items) injector.push(item);
    CHECK_FALSE(injector.empty());
    for (Item& item : items) CHECK(injector.pop() == &item);
    CHECK(injector.pop() == nullptr);
    CHECK(injector.empty());
  }
}

TEST_CASE("what comes while others wait in the outbox comes after them") {
  Injector injector;
  Item items[4];
  injector.push(items[0]);
  injector.push(items[1]);
  CHECK(injector.pop() == &items[0]);
  injector.push(items[2]);
  injector.push(items[3]);
  for (int i = 1; i < 4; ++i) CHECK(injector.pop() == &items[i]);
}

TEST_CASE("a chain goes in as one, its oldest first to come out") {
  Injector injector;
  Item items[5];
  injector.push(items[0]);
  items[3].next = &items[2];
  items[2].next = &items[1];
  injector.push_chain(items[3], items[1]);
  injector.push(items[4]);
  for (Item& item : items) CHECK(injector.pop() == &item);
  CHECK(injector.empty());
}

TEST_CASE("producers and consumers: nothing lost, nothing twice, each producer's order kept") {
  constexpr std::size_t kProducers = 3;
  constexpr std::size_t kConsumers = 3;
  const auto each = static_cast<std::size_t>(furca::test::rounds(300'000));
  const furca::test::Watchdog watchdog("injector");
  Injector injector;
  std::vector<std::vector<Item>> items;
  for (std::size_t producer = 0; producer < kProducers; ++producer) items.emplace_back(each);
  std::atomic<std::uint64_t> left{each * kProducers};
  std::atomic<std::uint64_t> disorder{0};
  std::vector<std::thread> threads;
  for (std::size_t producer = 0; producer < kProducers; ++producer) {
    threads.emplace_back([&, producer] {
      for (std::size_t number = 0; number < each; ++number) {
        Item& item = items[producer][number];
        item.producer = producer;
        item.number = number + 1;
        injector.push(item);
      }
    });
  }
  for (std::size_t consumer = 0; consumer < kConsumers; ++consumer) {
    threads.emplace_back([&] {
      std::uint64_t last[kProducers] = {};
      while (left.load(std::memory_order_relaxed) > 0) {
        Item* const item = injector.pop();
        if (item == nullptr) {
          std::this_thread::yield();
          continue;
        }
        if (item->number <= last[item->producer]) ++disorder;
        last[item->producer] = item->number;
        item->taken.fetch_add(1, std::memory_order_relaxed);
        left.fetch_sub(1, std::memory_order_relaxed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::uint64_t wrong = 0;
  for (const std::vector<Item>& of_producer : items)
    for (const Item& item : of_producer) wrong += item.taken.load(std::memory_order_relaxed) != 1;
  CHECK(wrong == 0);
  CHECK(disorder == 0);
  CHECK(injector.empty());
}
