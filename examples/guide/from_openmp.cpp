// The code of from_openmp.md.
#include "../expect.hpp"

#include <furca/furca.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <stop_token>
#include <vector>

namespace {

void axpy(int n, double a, const double* x, double* y) {
  furca::parallel_for(0, n, [=](int i) { y[i] += a * x[i]; });
}

double sum_of(const std::vector<double>& x) { return furca::parallel_reduce(x, 0.0); }

struct Counts {
  int even = 0;
  int odd = 0;
};

Counts parities(const std::vector<int>& numbers) {
  return furca::parallel_reduce(
      numbers, Counts(),
      [](Counts& some, int number) { ++(number % 2 == 0 ? some.even : some.odd); },
      [](Counts a, Counts b) { return Counts{a.even + b.even, a.odd + b.odd}; });
}

void multiplication_table(int rows, int columns, int* products) {
  furca::parallel_for(0, rows * columns, [=](int cell) {
    const int i = cell / columns;
    const int j = cell % columns;
    products[cell] = i * j;
  });
}

struct Tree {
  int weight = 1;
  Tree* left = nullptr;
  Tree* right = nullptr;
};

int weigh(const Tree* tree) {
  if (tree == nullptr) return 0;
  auto [left, right] =
      furca::join([=] { return weigh(tree->left); }, [=] { return weigh(tree->right); });
  return tree->weight + left + right;
}

struct Cell {
  std::atomic<int> visits{0};
  Cell* next = nullptr;
};

void visit_all(Cell* first) {
  furca::scope([&](furca::Scope& tasks) {
    for (Cell* cell = first; cell != nullptr; cell = cell->next)
      tasks.spawn([cell] { ++cell->visits; });
  });
}

void with_scratch(const std::vector<std::vector<int>>& rows, std::vector<int>& medians) {
  furca::PerWorker<std::vector<int>> scratch;
  furca::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    std::vector<int>& mine = scratch.local();
    mine = rows[i];
    std::nth_element(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(mine.size() / 2),
                     mine.end());
    medians[i] = mine[mine.size() / 2];
  });
}

void on_two_threads(int n, double* x) {
  static furca::ThreadPool pool({.threads = 2});
  pool.install([=] { furca::parallel_for(0, n, [=](int i) { x[i] = 2; }); });
}

int first_negative(const std::vector<int>& numbers) {
  std::atomic<int> found{std::numeric_limits<int>::max()};
  std::stop_source done;
  const auto body = [&](int i) {
    if (numbers[static_cast<std::size_t>(i)] >= 0) return;
    int least = found;
    while (i < least && !found.compare_exchange_weak(least, i)) {
    }
    done.request_stop();
  };
  furca::parallel_for(0, static_cast<int>(numbers.size()), body, {.stop = done.get_token()});
  return found;
}

}  // namespace

int main() {
  std::vector<double> x(1000, 2);
  std::vector<double> y(1000, 1);
  axpy(1000, 3, x.data(), y.data());
  examples::expect(y.back() == 7 && sum_of(y) == 7000, "a loop and a sum");
  const Counts counts = parities({1, 2, 3});
  examples::expect(counts.even == 1 && counts.odd == 2, "two counts in one reduction");
  std::vector<int> products(100);
  multiplication_table(10, 10, products.data());
  examples::expect(products[99] == 81, "both loops are one");

  Tree leaves[2];
  Tree root{2, &leaves[0], &leaves[1]};
  examples::expect(weigh(&root) == 4, "recursion");
  Cell cells[3];
  cells[0].next = &cells[1];
  cells[1].next = &cells[2];
  visit_all(cells);
  examples::expect(cells[0].visits == 1 && cells[2].visits == 1, "tasks for a list");
  std::vector<int> medians(2);
  with_scratch({{3, 1, 2}, {9, 9, 1}}, medians);
  examples::expect(medians == std::vector<int>({2, 9}), "scratch memory for each thread");
  on_two_threads(1000, x.data());
  examples::expect(x == std::vector<double>(1000, 2), "in a pool of two");
  examples::expect(first_negative({1, 2, -3}) == 2, "the negative one");
  return examples::unexpected;
}
