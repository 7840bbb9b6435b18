// The programs of not_faster.md.
#include "../expect.hpp"

#include <furca/furca.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace {

/// How many steps it takes from n to 1, where each halves an even number, and makes 3 n + 1 of an
/// odd one.
int steps(std::uint64_t n) {
  int count = 0;
  for (; n > 1; ++count) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return count;
}

using Row = std::vector<std::uint32_t>;
using Table = std::vector<Row>;

// --- a long iteration

long row_by_row(const Table& table) {
  const auto one = [](const Row& row) {
    return std::accumulate(row.begin(), row.end(), 0L,
                           [](long sum, std::uint32_t n) { return sum + steps(n); });
  };
  return furca::parallel_reduce(table, 0L, one, std::plus<>{});
}

long in_parts(const Table& table) {
  const auto one = [](const Row& row) {
    return furca::parallel_reduce(row, 0L, steps, std::plus<>{});
  };
  return furca::parallel_reduce(table, 0L, one, std::plus<>{});
}

void long_iteration() {
  Table table(200, Row(50));
  table[150].resize(10'000);
  for (Row& row : table) std::iota(row.begin(), row.end(), 1U);
  examples::expect(row_by_row(table) == in_parts(table), "the same sum");
}

// --- work between the loops

/// Each number follows from the one before, so a row cannot be made in parallel.
void read(Row& row, std::uint32_t& state) {
  for (std::uint32_t& each : row) {
    for (int i = 0; i < 40; ++i) state = state * 1'664'525 + 1'013'904'223;
    each = state >> 16;
  }
}

long one_after_the_other(int rows) {
  std::uint32_t state = 1;
  Row row(10'000);
  long sum = 0;
  for (int i = 0; i < rows; ++i) {
    read(row, state);
    sum += furca::parallel_reduce(row, 0L, steps, std::plus<>{});
  }
  return sum;
}

long beside_each_other(int rows) {
  std::uint32_t state = 1;
  Row row(10'000), next(row.size());
  read(row, state);
  long sum = 0;
  for (int i = 1; i < rows; ++i) {
    const auto add = [&] { return furca::parallel_reduce(row, 0L, steps, std::plus<>{}); };
    const auto [part] = furca::join(add, [&] { read(next, state); });
    sum += part;
    std::swap(row, next);
  }
  return sum + furca::parallel_reduce(row, 0L, steps, std::plus<>{});
}

void work_between() {
  examples::expect(one_after_the_other(5) == beside_each_other(5), "the same sum");
}

// --- a lock

using Bins = std::vector<int>;

Bins with_a_lock(const std::vector<unsigned>& keys) {
  Bins bins(64);
  std::mutex mutex;
  furca::parallel_for(keys, [&](unsigned key) {
    const std::lock_guard lock(mutex);
    ++bins[key % 64];
  });
  return bins;
}

Bins with_a_reduction(const std::vector<unsigned>& keys) {
  return furca::parallel_reduce(
      keys, Bins(64), [](Bins& some, unsigned key) { ++some[key % 64]; },
      [](Bins all, const Bins& more) {
        for (std::size_t i = 0; i < all.size(); ++i) all[i] += more[i];
        return all;
      });
}

void a_lock() {
  std::vector<unsigned> keys(200'000);
  std::iota(keys.begin(), keys.end(), 0U);
  const Bins bins = with_a_lock(keys);
  examples::expect(bins == Bins(64, 3125), "bins");
  examples::expect(with_a_reduction(keys) == bins, "the same bins");
}

}  // namespace

int main() {
  furca::broadcast([] {});  // the first call starts the threads
  long_iteration();
  work_between();
  a_lock();
  return examples::unexpected;
}
