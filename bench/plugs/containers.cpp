// oneTBB's containers on two threads at once, and with the look-alike's headers furca's. In a call
// the threads share out 100,000 elements, and each takes one after the other.
#include "timing.hpp"

#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_map.h>
#include <tbb/concurrent_priority_queue.h>
#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_unordered_map.h>
#include <tbb/concurrent_vector.h>

#include <cstddef>
#include <optional>
#include <thread>

namespace {

using Number = std::size_t;
constexpr Number kElements = 100'000;

/// A container that is new for each call; f(it, number) is what a thread does with each number.
template <class Container, class F>
void row(const char* name, F f) {
  std::optional<Container> container;
  const auto share = [&](Number from, Number to) {
    for (Number i = from; i < to; ++i) f(*container, i);
  };
  const auto on_two = [&] {
    std::thread other(share, kElements / 2, kElements);
    share(0, kElements / 2);
    other.join();
  };
  time_of(name, on_two, [&] { container.emplace(); });
}

/// Numbers without an order, all different.
Number scattered(Number i) { return i * 0x9E3779B97F4A7C15U; }

}  // namespace

int main() {
  using HashMap = tbb::concurrent_hash_map<Number, Number>;
  const auto count = [](const char* name, Number keys) {
    row<HashMap>(name, [keys](HashMap& map, Number i) {
      HashMap::accessor at;
      map.insert(at, scattered(i % keys));
      ++at->second;
    });
  };
  const auto push_and_pop = [](auto& queue, Number i) {
    queue.push(i);
    queue.try_pop(i);
  };
  const auto insert_and_find = [](auto& map, Number i) {
    map.emplace(scattered(i), i);
    map.find(scattered(i / 2));
  };
  row<tbb::concurrent_vector<Number>>("vector", [](auto& all, Number i) { all.push_back(i); });
  row<tbb::concurrent_queue<Number>>("queue", push_and_pop);
  row<tbb::concurrent_bounded_queue<Number>>("bounded queue", push_and_pop);
  row<tbb::concurrent_priority_queue<Number>>("priority queue", push_and_pop);
  count("hash map, few keys", 16);
  count("hash map", kElements);
  row<tbb::concurrent_unordered_map<Number, Number>>("unordered map", insert_and_find);
  row<tbb::concurrent_map<Number, Number>>("map", insert_and_find);
}
