// The trees. Their shapes are those of the workloads of furca-bench; the times of their nodes were
// rounded from its results.
#include "tree_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>

namespace simulator {
namespace {

template <class T>
T by_size(Size size, T tiny, T quick, T normal) {
  return size == Size::tiny ? tiny : size == Size::quick ? quick : normal;
}

/// fib(n) by its definition: node.a is n.
class Fib : public Tree {
 public:
  explicit Fib(std::uint64_t n)
      : Tree("fib", "fib(" + std::to_string(n) + ") without cut-off, 2 ns a call"), n_(n) {}
  Node root() const override { return {n_, 1, 0, 0, 0, 0}; }
  Plan plan(const Node& node) const override {
    if (node.a < 2) return work(2);
    Plan plan;
    plan.kind = Plan::Kind::fork;
    plan.before = 1;
    plan.after = 1;
    plan.first = {node.a - 1, scatter(2 * node.b), 0, 0, node.level + 1, 0};
    plan.second = {node.a - 2, scatter(2 * node.b + 1), 0, 0, node.level + 1, 0};
    return plan;
  }

 private:
  std::uint64_t n_;
};

/// Nodes with any number of children, forked in halves as the benchmark's spawn does, or as join
/// makes it of many arms: each of them a job but the first, the last one published first. So that
/// forks nest to the left.
class Spawning : public Tree {
 public:
  enum class Arms : std::uint8_t { halved, each };

  Spawning(std::string name, std::string summary, Arms arms)
      : Tree(std::move(name), std::move(summary)), arms_(arms) {}

  Plan plan(const Node& node) const final {
    if (node.last != 0) {
      if (node.last - node.first > 1) return fork(node, node.first, node.last);
      return plan(below(node, node.first));
    }
    const std::uint32_t count = children(node);
    Plan plan = work(time(node));
    if (count > 1) {
      plan = fork(node, 0, count);
      plan.before = time(node);
    } else if (count == 1) {
      plan.kind = Plan::Kind::sequence;
      plan.count = 1;
    }
    return plan;
  }

  Node child(const Node& node, std::uint64_t i) const final {
    return below(node, static_cast<std::uint32_t>(i));
  }

 private:
  virtual std::uint32_t children(const Node& node) const = 0;
  virtual Node below(const Node& node, std::uint32_t i) const = 0;
  virtual Time time(const Node& node) const = 0;

  Plan fork(const Node& node, std::uint32_t first, std::uint32_t last) const {
    const std::uint32_t middle = arms_ == Arms::halved ? first + (last - first) / 2 : last - 1;
    Plan plan;
    plan.kind = Plan::Kind::fork;
    plan.first = plan.second = node;
    plan.first.first = first;
    plan.first.last = plan.second.first = middle;
    plan.second.last = last;
    return plan;
  }

  Arms arms_;
};

class Skynet : public Spawning {
 public:
  explicit Skynet(std::uint32_t levels)
      : Spawning("skynet", "fan-out 10, " + std::to_string(levels) + " levels, 3 ns a node",
                 Arms::each),
        levels_(levels) {}
  Node root() const override { return {}; }

 private:
  std::uint32_t children(const Node& node) const override { return node.level < levels_ ? 10 : 0; }
  Node below(const Node& node, std::uint32_t i) const override {
    return {10 * node.a + i, 0, 0, 0, node.level + 1, 0};
  }
  Time time(const Node&) const override { return 3; }

  std::uint32_t levels_;
};

/// node.a: the columns taken, node.b: both kinds of diagonals, as the row sees them.
class Queens : public Spawning {
 public:
  explicit Queens(std::uint32_t n, Time column = 10)
      : Spawning("nqueens",
                 std::to_string(n) + " queens, a fork for every safe column, " +
                     std::to_string(column) + " ns a column",
                 Arms::halved),
        n_(n),
        column_(column) {}
  Node root() const override { return {}; }

 private:
  std::uint64_t safe(const Node& node) const {
    return ~(node.a | node.b | (node.b >> 32U)) & ((std::uint64_t{1} << n_) - 1);
  }
  std::uint32_t children(const Node& node) const override {
    return node.level == n_ ? 0 : static_cast<std::uint32_t>(std::popcount(safe(node)));
  }
  Node below(const Node& node, std::uint32_t i) const override {
    std::uint64_t columns = safe(node);
    for (; i > 0; --i) columns &= columns - 1;
    const std::uint64_t queen = columns & (~columns + 1);
    const std::uint64_t left = (((node.b & 0xFFFFFFFFU) | queen) << 1U) & 0xFFFFFFFFU;
    const std::uint64_t right = ((node.b >> 32U) | queen) >> 1U;
    return {node.a | queen, left | (right << 32U), 0, 0, node.level + 1, 0};
  }
  Time time(const Node&) const override { return column_ * n_; }

  std::uint32_t n_;
  Time column_;
};

/// Unbalanced Tree Search (Olivier et al., LCPC 2006), with other random numbers. Geometric: 4
/// children on average down to a depth. Binomial: below the root 8 children with probability
/// 0.124875, else none.
class Uts : public Spawning {
 public:
  Uts(bool binomial, std::uint32_t size, std::uint64_t seed)
      : Spawning(binomial ? "uts-binomial" : "uts-geometric",
                 std::to_string(size) + (binomial ? " children of the root" : " levels") +
                     ", 350 ns a node",
                 Arms::halved),
        binomial_(binomial),
        size_(size),
        seed_(seed) {}
  Node root() const override { return {seed_, 0, 0, 0, 0, 0}; }

 private:
  std::uint32_t children(const Node& node) const override {
    if (binomial_) return node.level == 0 ? size_ : uniform(node.a) < 0.124875 ? 8 : 0;
    if (node.level >= size_) return 0;
    return static_cast<std::uint32_t>(std::min(std::log(uniform(node.a)) / std::log(0.8), 100.0));
  }
  Node below(const Node& node, std::uint32_t i) const override {
    return {scatter(node.a + i + 1), 0, 0, 0, node.level + 1, 0};
  }
  Time time(const Node&) const override { return 350; }

  bool binomial_;
  std::uint32_t size_;
  std::uint64_t seed_;
};

/// node.a: keys, node.b: where its random number comes from. A partition is serial, so the span is
/// twice the keys.
class QuickSort : public Tree {
 public:
  explicit QuickSort(std::uint64_t keys)
      : Tree("quicksort", std::to_string(keys) + " keys, sides of random sizes, cut off at 4,096"),
        keys_(keys) {}
  Node root() const override { return {keys_, 1, 0, 0, 0, 0}; }
  Plan plan(const Node& node) const override {
    if (node.a <= 4096) return work(node.a * 3 * static_cast<Time>(std::bit_width(node.a)));
    const auto left =
        static_cast<std::uint64_t>(static_cast<double>(node.a) * (0.1 + 0.8 * uniform(node.b)));
    Plan plan;
    plan.kind = Plan::Kind::fork;
    plan.before = 4 * node.a;
    plan.first = {left, scatter(2 * node.b), 0, 0, node.level + 1, 0};
    plan.second = {node.a - left, scatter(2 * node.b + 1), 0, 0, node.level + 1, 0};
    return plan;
  }

 private:
  std::uint64_t keys_;
};

/// A list walked by join(the rest, this node).
class Chain : public Tree {
 public:
  explicit Chain(std::uint64_t nodes)
      : Tree("chain",
             "a list of " + std::to_string(nodes) + " nodes walked by join(rest, 200 us of work)"),
        nodes_(nodes) {}
  Node root() const override { return {nodes_, 0, 0, 0, 0, 0}; }
  Plan plan(const Node& node) const override {
    if (node.kind == 1) return work(200'000);
    if (node.a == 0) return work(1);
    Plan plan;
    plan.kind = Plan::Kind::fork;
    plan.before = 2;
    plan.first = {node.a - 1, 0, 0, 0, node.level + 1, 0};
    plan.second = {node.a, 0, 0, 0, node.level + 1, 1};
    return plan;
  }

 private:
  std::uint64_t nodes_;
};

/// One loop, from the costs of its iterations.
class Loop : public Tree {
 public:
  Loop(std::string name, std::string summary, const std::vector<Time>& costs)
      : Tree(std::move(name), std::move(summary)) {
    for (const Time cost : costs) until_.push_back(until_.back() + cost);
    longest_ = *std::max_element(costs.begin(), costs.end());
  }
  Node root() const override { return {}; }
  Plan plan(const Node&) const override {
    Plan plan;
    plan.kind = Plan::Kind::loop;
    plan.count = until_.size() - 1;
    plan.mean = until_.back() / plan.count;
    return plan;
  }
  Time cost(const Node&, std::uint64_t lo, std::uint64_t hi) const override {
    return until_[hi] - until_[lo];
  }
  Time longest(const Node&) const override { return longest_; }

 private:
  std::vector<Time> until_{0};  // the sum of what comes before
  Time longest_;
};

std::vector<Time> pareto(std::size_t count) {
  std::vector<double> raw(count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += raw[i] = std::pow(uniform(i + 1), -1 / 1.16);
  std::vector<Time> costs;
  std::transform(raw.begin(), raw.end(), std::back_inserter(costs), [&](double one) {
    return static_cast<Time>(one * 5000 * static_cast<double>(count) / sum);
  });
  return costs;
}

std::vector<Time> one_huge(std::size_t count) {
  std::vector<Time> costs(count, 2000);
  costs[count / 3] = 1'000'000;
  return costs;
}

/// A loop in a loop: rows of as many cells, 200 ns each.
class Nested : public Tree {
 public:
  explicit Nested(std::uint64_t n)
      : Tree("nested", "a loop of " + std::to_string(n) + " loops of as many iterations of 200 ns"),
        n_(n) {}
  Node root() const override { return {}; }
  Plan plan(const Node& node) const override {
    Plan plan;
    plan.kind = Plan::Kind::loop;
    plan.count = n_;
    plan.nested = node.level == 0;
    plan.mean = plan.nested ? n_ * kCell : kCell;
    return plan;
  }
  Node child(const Node&, std::uint64_t i) const override { return {i, 0, 0, 0, 1, 0}; }
  Time cost(const Node&, std::uint64_t lo, std::uint64_t hi) const override {
    return (hi - lo) * kCell;
  }
  Time longest(const Node&) const override { return kCell; }

 private:
  static constexpr Time kCell = 200;
  std::uint64_t n_;
};

/// Matrices of n x n, in quarters, four arms of a join, each of them the sum of two products, one
/// after the other; 32 x 32 are multiplied plainly. Before that they are made, by one thread.
/// node.kind: 0 a product, 1 one of its two rounds, 2 the whole.
class MatMul : public Tree {
 public:
  MatMul(std::uint64_t n, Time leaf, Time making)
      : Tree("matmul", std::to_string(n) + " x " + std::to_string(n) + ", " + std::to_string(leaf) +
                           " ns for 32 x 32"),
        n_(n),
        leaf_(leaf),
        making_(making) {}
  Node root() const override { return {n_, 1, 0, 0, 0, 2}; }
  Plan plan(const Node& node) const override {
    Plan plan = work(0);
    if (node.kind == 1) {
      plan.kind = Plan::Kind::fork;
      plan.first = plan.second = node;
      if (node.last - node.first == 1) return this->plan(quarter(node));
      plan.first.last = plan.second.first = node.last - 1;
      return plan;
    }
    if (node.kind == 0 && node.a <= 32) return work(leaf_);
    plan.kind = Plan::Kind::sequence;
    plan.count = node.kind == 2 ? 1 : 2;
    plan.before = node.kind == 2 ? making_ : 0;
    return plan;
  }
  Node child(const Node& node, std::uint64_t i) const override {
    if (node.kind == 2) return {node.a, 2, 0, 0, 1, 0};
    const Node product = node.kind == 1 ? quarter(node) : node;
    return {product.a, scatter(2 * product.b + i), 0, 4, product.level, 1};
  }

 private:
  /// What is left of a round that has been forked down to one product.
  static Node quarter(const Node& round) {
    return {round.a / 2, scatter(4 * round.b + round.first), 0, 0, round.level + 1, 0};
  }

  std::uint64_t n_;
  Time leaf_;
  Time making_;
};

/// The same loop again and again: an iterative solver's.
class Again : public Tree {
 public:
  Again(std::uint64_t calls, std::uint64_t count, Time mean, bool even)
      : Tree("again", std::to_string(calls) + " loops of " + std::to_string(count) +
                          " iterations of " + std::to_string(mean) + " ns"),
        calls_(calls),
        count_(count),
        mean_(mean),
        even_(even) {}
  Node root() const override { return {}; }
  bool one_range() const override { return true; }
  Plan plan(const Node& node) const override {
    Plan plan;
    plan.kind = node.level == 0 ? Plan::Kind::sequence : Plan::Kind::loop;
    plan.count = node.level == 0 ? calls_ : count_;
    plan.mean = mean_;
    return plan;
  }
  Node child(const Node&, std::uint64_t i) const override { return {i, 0, 0, 0, 1, 0}; }
  /// Uneven: the upper quarter costs three times as much as the rest, and the mean is kept.
  Time cost(const Node&, std::uint64_t lo, std::uint64_t hi) const override {
    return even_ ? (hi - lo) * mean_ : below(hi) - below(lo);
  }
  Time longest(const Node&) const override { return even_ ? mean_ : 2 * mean_; }

 private:
  Time below(std::uint64_t end) const {
    const std::uint64_t dear = end - std::min(end, count_ - count_ / 4);
    return (end - dear) * mean_ * 2 / 3 + dear * mean_ * 2;
  }

  std::uint64_t calls_;
  std::uint64_t count_;
  Time mean_;
  bool even_;
};

/// Loops in turn, a barrier after each, with a little serial work between: the levels of
/// breadth-first searches.
class Levels : public Tree {
 public:
  explicit Levels(std::uint64_t searches)
      : Tree("bfs", std::to_string(searches) +
                        " searches of 8 levels, a loop each, 1 to 40,000 iterations of 100 ns"),
        searches_(searches) {}
  Node root() const override { return {}; }
  Plan plan(const Node& node) const override {
    Plan plan;
    plan.kind = node.level == 0 ? Plan::Kind::sequence : Plan::Kind::loop;
    plan.count = node.level == 0 ? searches_ * kWidths.size() : kWidths[node.a % kWidths.size()];
    plan.mean = kVertex;
    return plan;
  }
  Node child(const Node&, std::uint64_t i) const override { return {i, 0, 0, 0, 1, 0}; }
  Time cost(const Node&, std::uint64_t lo, std::uint64_t hi) const override {
    return (hi - lo) * kVertex;
  }
  Time longest(const Node&) const override { return kVertex; }

 private:
  static constexpr std::array<std::uint64_t, 8> kWidths{1, 20, 500, 10'000, 40'000, 5'000, 200, 5};
  static constexpr Time kVertex = 100;
  std::uint64_t searches_;
};

}  // namespace

std::unique_ptr<Tree> fib(std::uint64_t n) { return std::make_unique<Fib>(n); }
std::unique_ptr<Tree> skynet(std::uint32_t levels) { return std::make_unique<Skynet>(levels); }
std::unique_ptr<Tree> queens(std::uint32_t n, Time column) {
  return std::make_unique<Queens>(n, column);
}
std::unique_ptr<Tree> matmul(std::uint64_t n, Time leaf, Time making) {
  return std::make_unique<MatMul>(n, leaf, making);
}
std::unique_ptr<Tree> again(std::uint64_t calls, std::uint64_t count, Time mean, bool even) {
  return std::make_unique<Again>(calls, count, mean, even);
}

std::vector<std::unique_ptr<Tree>> all_trees(Size size) {
  using std::size_t;
  using U = std::uint32_t;
  std::vector<std::unique_ptr<Tree>> trees;
  trees.push_back(std::make_unique<Fib>(by_size<U>(size, 16, 22, 30)));
  trees.push_back(std::make_unique<Skynet>(by_size<U>(size, 3, 4, 6)));
  trees.push_back(std::make_unique<Queens>(by_size<U>(size, 6, 9, 12)));
  trees.push_back(std::make_unique<Uts>(false, by_size<U>(size, 5, 6, 9), 8));
  trees.push_back(std::make_unique<Uts>(true, by_size<U>(size, 20, 60, 2000), 4));
  trees.push_back(std::make_unique<QuickSort>(by_size<U>(size, 1U << 15U, 1U << 20U, 1U << 23U)));
  trees.push_back(std::make_unique<Chain>(by_size<U>(size, 20, 100, 2000)));
  const auto iterations = by_size<U>(size, 500, 5'000, 100'000);
  const auto costly = by_size<U>(size, 500, 2'000, 40'000);
  const std::string count = std::to_string(iterations);
  trees.push_back(std::make_unique<Loop>("loop", count + " iterations of 2 us",
                                         std::vector<Time>(iterations, 2000)));
  trees.push_back(std::make_unique<Loop>(
      "loop-pareto", std::to_string(costly) + " iterations of 5 us on average, Pareto distributed",
      pareto(costly)));
  trees.push_back(std::make_unique<Loop>(
      "loop-one-huge", count + " iterations of 2 us, one of 1 ms", one_huge(iterations)));
  trees.push_back(std::make_unique<Nested>(by_size<U>(size, 30, 100, 1000)));
  trees.push_back(std::make_unique<Levels>(by_size<U>(size, 1, 1, 40)));
  return trees;
}

}  // namespace simulator
