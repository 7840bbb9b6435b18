// The code of from_onetbb.md.
#include "../expect.hpp"

#include <furca/furca.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

namespace {

struct Item {
  int value = 0;
  std::vector<Item> more = {};
};

std::atomic<int> processed{0};
void process(const Item&) { ++processed; }
void prepare_left() { ++processed; }
void prepare_right() { ++processed; }

using Histogram = std::vector<long>;

void scaled(std::vector<double>& y, const std::vector<double>& x, double a) {
  furca::parallel_for(std::size_t{0}, y.size(), [&, a](std::size_t i) { y[i] += a * x[i]; });
}

double scalar_product(const std::vector<double>& x, const std::vector<double>& y) {
  return furca::parallel_reduce(
      std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i] * y[i]; }, std::plus<>{});
}

void table(std::vector<double>& cells, std::size_t rows, std::size_t columns) {
  furca::parallel_for(std::size_t{0}, rows, [&](std::size_t row) {
    furca::parallel_for(std::size_t{0}, columns,
                        [&, row](std::size_t column) { cells[row * columns + column] += 1; });
  });
}

void both() {
  furca::join([] { prepare_left(); }, [] { prepare_right(); });
}

void group(const std::vector<Item>& items) {
  furca::scope([&](furca::Scope& tasks) {
    for (const Item& item : items) tasks.spawn([&] { process(item); });
  });
}

void feed(const Item& item, furca::Scope& tasks) {
  process(item);
  for (const Item& next : item.more) tasks.spawn([&] { feed(next, tasks); });
}

void feeder(const std::vector<Item>& items) {
  furca::scope([&](furca::Scope& tasks) {
    for (const Item& item : items) tasks.spawn([&] { feed(item, tasks); });
  });
}

void arena(const std::vector<Item>& items) {
  static furca::ThreadPool pool({.threads = 4});
  pool.install([&] { furca::parallel_for(items, process); });
  pool.spawn([item = Item()] { process(item); });  // task_arena::enqueue
  // the task has run; the destructor of the pool waits for it too
  pool.wait_idle();
}

Histogram histogram(const std::vector<Item>& items, std::size_t bins) {
  furca::PerWorker<Histogram> partial{Histogram(bins)};
  furca::parallel_for(items, [&](const Item& item) {
    ++partial.local()[static_cast<std::size_t>(item.value) % bins];
  });
  return partial.combine([](Histogram all, const Histogram& some) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += some[i];
    return all;
  });
}

void cancelled(const std::vector<Item>& items) {
  std::stop_source enough;
  const auto body = [&](const Item& item) {
    if (item.value < 0) {
      enough.request_stop();
    } else {
      process(item);
    }
  };
  furca::parallel_for(items, body, {.stop = enough.get_token()});
}

}  // namespace

int main() {
  std::vector<double> x(1000, 2);
  std::vector<double> y(1000, 1);
  scaled(y, x, 3);
  examples::expect(y.front() == 7 && scalar_product(x, y) == 14'000, "loops and reductions");
  table(x, 10, 100);
  examples::expect(x.back() == 3, "a loop in a loop");
  both();
  examples::expect(processed == 2, "both arms");

  const std::vector<Item> items = {{1}, {2, {{3}, {4}}}, {5}};
  processed = 0;
  group(items);
  examples::expect(processed == 3, "a task for each item");
  feeder(items);
  examples::expect(processed == 8, "and for what they bring along");
  arena(items);
  examples::expect(processed == 12, "in a pool of its own");
  examples::expect(histogram(items, 3) == Histogram({0, 1, 2}), "a histogram");
  processed = 0;
  cancelled({{-1}, {1}});
  examples::expect(processed <= 1, "stopped, more or less at once");
  return examples::unexpected;
}
