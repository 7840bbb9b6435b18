// oneTBB's containers on as many threads at once as there are processors, two at least: containers
// CONTAINER ELEMENTS MILLISECONDS prints the nanoseconds of a call, the median of those that fit
// into the time. In a call the threads share out the elements, and each takes one after the other.
//
// The same program runs on oneTBB, or with the look-alike's headers on furca.
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_map.h>
#include <tbb/concurrent_priority_queue.h>
#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_unordered_map.h>
#include <tbb/concurrent_vector.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Number = std::size_t;

struct Row {
  std::function<void()> before;                       // each call; not timed
  std::function<void(Number from, Number to)> share;  // of one thread
};

/// A container that is new for each call; f(it, number) is what a thread does with each number.
template <class Container, class F>
Row on(F f) {
  const auto container = std::make_shared<std::unique_ptr<Container>>();
  return {[container] { *container = std::make_unique<Container>(); },
          [container, f](Number from, Number to) {
            for (Number i = from; i < to; ++i) f(**container, i);
          }};
}

/// Numbers without an order, all different.
Number scattered(Number i) { return i * 0x9E3779B97F4A7C15U; }

const std::map<std::string, Row>& rows() {
  using HashMap = tbb::concurrent_hash_map<Number, Number>;
  const auto count = [](Number keys) {
    return on<HashMap>([keys](HashMap& map, Number i) {
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
  static const std::map<std::string, Row> rows{
      {"vector", on<tbb::concurrent_vector<Number>>([](auto& v, Number i) { v.push_back(i); })},
      {"queue", on<tbb::concurrent_queue<Number>>(push_and_pop)},
      {"bounded_queue", on<tbb::concurrent_bounded_queue<Number>>(push_and_pop)},
      {"priority_queue", on<tbb::concurrent_priority_queue<Number>>(push_and_pop)},
      {"hash_map_few", count(16)},
      {"hash_map_many", count(~Number{0})},
      {"unordered_map", on<tbb::concurrent_unordered_map<Number, Number>>(insert_and_find)},
      {"map", on<tbb::concurrent_map<Number, Number>>(insert_and_find)},
  };
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4)
    return std::fputs("usage: containers CONTAINER ELEMENTS MILLISECONDS\n", stderr), 2;
  const auto row = rows().find(argv[1]);
  if (row == rows().end()) return std::fprintf(stderr, "no container %s\n", argv[1]), 2;
  const auto n = static_cast<Number>(std::strtoull(argv[2], nullptr, 10));
  const std::chrono::milliseconds patience(std::strtol(argv[3], nullptr, 10));
  const Number threads = std::max(2U, std::thread::hardware_concurrency());
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < 7 || Clock::now() - begin < patience) {
    row->second.before();
    const auto start = Clock::now();
    std::vector<std::thread> others;
    for (Number t = 1; t < threads; ++t)
      others.emplace_back(row->second.share, n * t / threads, n * (t + 1) / threads);
    row->second.share(0, n / threads);
    for (std::thread& each : others) each.join();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  std::printf("%.1f\n", times[times.size() / 2]);
}
