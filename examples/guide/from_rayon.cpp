// The code of from_rayon.md.
#include "../expect.hpp"

#include <furca/collect.hpp>
#include <furca/furca.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace {

void par_iter_mut(std::vector<float>& v) {
  furca::parallel_for(v, [](float& x) { x *= 2; });
}

double sum_of_squares(const std::vector<double>& v) {
  return furca::parallel_reduce(v, 0.0, [](double x) { return x * x; }, std::plus<>{});
}

std::vector<int> positive(const std::vector<int>& v) {
  return furca::filter(v, [](int x) { return x > 0; });
}

std::uint64_t fib(std::uint64_t n) {
  if (n < 2) return n;
  auto [a, b] = furca::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

void chunks(std::vector<int>& v, std::size_t size) {
  const std::size_t count = (v.size() + size - 1) / size;
  furca::parallel_for(std::size_t{0}, count, [&, size](std::size_t k) {
    const auto chunk = std::span(v).subspan(k * size, std::min(size, v.size() - k * size));
    std::sort(chunk.begin(), chunk.end());
  });
}

struct TreeNode {
  int value = 0;
  std::vector<TreeNode> children = {};
};

void visit(const TreeNode& node, std::atomic<int>& sum, furca::Scope& s) {
  sum += node.value;
  for (const TreeNode& child : node.children) s.spawn([&] { visit(child, sum, s); });
}

int sum_of(const TreeNode& root) {
  std::atomic<int> sum{0};
  furca::scope([&](furca::Scope& s) { visit(root, sum, s); });
  return sum;
}

bool any_negative(const std::vector<int>& v) {
  std::stop_source found;
  furca::parallel_for(v,
                      [&](int x) {
                        if (x < 0) found.request_stop();
                      },
                      {.stop = found.get_token()});
  return found.stop_requested();
}

std::uint64_t in_a_pool() {
  furca::ThreadPool pool({.threads = 4});
  return pool.install([] { return fib(20); });
}

}  // namespace

int main() {
  std::vector<float> v(100, 1);
  par_iter_mut(v);
  examples::expect(v == std::vector<float>(100, 2), "every element is changed");
  examples::expect(sum_of_squares({1, 2, 3}) == 14, "a reduction");
  examples::expect(positive({1, -1, 2}) == std::vector<int>({1, 2}),
                   "filter and collect, in order");
  std::vector<int> numbers = {3, 1, 2, 9, 8};
  chunks(numbers, 3);
  examples::expect(numbers == std::vector<int>({1, 2, 3, 8, 9}), "chunks are sorted");
  examples::expect(sum_of({1, {{2}, {4, {{8}}}}}) == 15, "a tree");
  examples::expect(any_negative({1, -1}) && !any_negative({1}), "any");
  examples::expect(in_a_pool() == 6765, "in a pool");
  return examples::unexpected;
}
