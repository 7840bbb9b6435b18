// Searches of trees, each written four ways: plain, with a parallel_for over a node's children,
// with joins that halve them, and with a parallel_reduce. No cut-off in any. trees
// skynet|queens|uts-geometric|uts-binomial|walk plain|loops|joins|reductions short|full; prints
// seconds.
#include <furca/furca.hpp>

#include "../measure/busy_work.hpp"
#include "../measure/workloads/forks/sha1.hpp"
#include "timed.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

/// A way that writes what each child comes to in an array.
template <class Way>
struct InArray {
  /// Of f(i) for i < n <= kMost.
  template <std::size_t kMost, class F>
  static std::uint64_t sum(std::size_t n, const F& f) {
    std::array<std::uint64_t, kMost> sums;
    Way::for_each(n, [&f, &sums](std::size_t i) { sums[i] = f(i); });
    return std::accumulate(sums.data(), sums.data() + n, std::uint64_t{0});
  }
};

struct Plain : InArray<Plain> {
  template <class F>
  static void for_each(std::size_t n, const F& f) {
    for (std::size_t i = 0; i < n; ++i) f(i);
  }
};

struct Loops : InArray<Loops> {
  template <class F>
  static void for_each(std::size_t n, const F& f) {
    furca::parallel_for(std::size_t{0}, n, f);
  }
};

struct Joins : InArray<Joins> {
  template <class F>
  static void for_each(std::size_t n, const F& f) {
    if (n > 0) halve(0, n, f);
  }

 private:
  template <class F>
  static void halve(std::size_t first, std::size_t last, const F& f) {
    if (last - first == 1) return f(first);
    const std::size_t middle = first + (last - first) / 2;
    furca::join([&f, first, middle] { halve(first, middle, f); },
                [&f, middle, last] { halve(middle, last, f); });
  }
};

struct Reductions {
  template <std::size_t, class F>
  static std::uint64_t sum(std::size_t n, const F& f) {
    return furca::parallel_reduce(std::size_t{0}, n, std::uint64_t{0}, f);
  }
};

/// Numbered leaves, summed: next to no work in a node. After A. Temerev's skynet.
template <class Way>
std::uint64_t sum_leaves(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  return Way::template sum<10>(10, [first, share = leaves / 10](std::size_t i) {
    return sum_leaves<Way>(first + i * share, share);
  });
}

using Board = std::array<std::uint8_t, 14>;  // the column of the queen in each row filled so far

bool is_safe(const Board& board, std::size_t row, std::size_t column) {
  for (std::size_t above = 0; above < row; ++above) {
    const std::size_t distance = row - above;
    if (board[above] == column || board[above] == column + distance ||
        board[above] + distance == column)
      return false;
  }
  return true;
}

template <class Way>
std::uint64_t count_queens(const Board& board, std::size_t row, std::size_t n) {
  if (row == n) return 1;
  Board columns;
  std::size_t safe = 0;
  for (std::size_t column = 0; column < n; ++column) {
    if (is_safe(board, row, column)) columns[safe++] = static_cast<std::uint8_t>(column);
  }
  return Way::template sum<14>(safe, [&board, &columns, row, n](std::size_t i) {
    Board next = board;
    next[row] = columns[i];
    return count_queens<Way>(next, row + 1, n);
  });
}

/// A node of the Unbalanced Tree Search (Olivier, Huan, Liu, Prins, Dinan, Sadayappan, Tseng, LCPC
/// 2006): its random number says how many children it has.
struct SearchNode {
  static SearchNode root(std::uint32_t seed) {
    return {bench::sha1(std::array<std::uint32_t, 5>{0, 0, 0, 0, seed}), 0};
  }

  SearchNode child(std::size_t i) const {
    return {bench::sha1(std::array{digest[0], digest[1], digest[2], digest[3], digest[4],
                                   static_cast<std::uint32_t>(i)}),
            depth + 1};
  }

  double random() const { return static_cast<double>(digest[4] & 0x7FFFFFFFU) / 2147483648.0; }

  bench::Sha1Digest digest;
  std::size_t depth;
};

/// Four children on average, so many levels of them: wide and shallow.
struct Geometric {
  std::size_t levels;
  static constexpr std::size_t kMost = 100;
  std::size_t children(const SearchNode& node) const {
    if (node.depth >= levels) return 0;
    static const double log_miss = std::log(1.0 - 1.0 / (1.0 + 4.0));
    return std::min(static_cast<std::size_t>(std::log(1.0 - node.random()) / log_miss), kMost);
  }
};

/// Eight children or none, 0.999 on average, but for the root: most subtrees are tiny, a few are
/// huge and deep.
struct Binomial {
  std::size_t of_root;
  static constexpr std::size_t kMost = 2'000;
  std::size_t children(const SearchNode& node) const {
    if (node.depth == 0) return of_root;
    return node.random() < 0.124875 ? 8 : 0;
  }
};

template <class Way, class Tree>
std::uint64_t count_nodes(const Tree& tree, const SearchNode& node);

template <class Way, class Tree, std::size_t kMost>
std::uint64_t count_below(const Tree& tree, const SearchNode& node, std::size_t children) {
  return 1 + Way::template sum<kMost>(children, [&tree, &node](std::size_t i) {
           return count_nodes<Way>(tree, node.child(i));
         });
}

template <class Way, class Tree>
std::uint64_t count_nodes(const Tree& tree, const SearchNode& node) {
  const std::size_t children = tree.children(node);
  if (children == 0) return 1;
  // A deep tree should not need two thousand places in every frame.
  if (children <= 8) return count_below<Way, Tree, 8>(tree, node, children);
  return count_below<Way, Tree, Tree::kMost>(tree, node, children);
}

/// A binary tree in memory: left subtrees have a random share of the nodes, so few have two
/// subtrees of one size.
class BinaryTree {
 public:
  explicit BinaryTree(std::uint32_t size) {
    nodes_.reserve(size);
    grow(size);
  }

  /// Of the values in node `at` and below it; 0 is the root.
  template <class Way>
  std::uint64_t sum(std::uint32_t at) const {
    const Node& node = nodes_[at];
    return node.value + Way::template sum<2>(2, [this, &node](std::size_t i) {
             return node.children[i] != kNone ? sum<Way>(node.children[i]) : 0;
           });
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Node {
    std::uint64_t value;
    std::array<std::uint32_t, 2> children;
  };

  std::uint32_t grow(std::uint32_t size) {
    if (size == 0) return kNone;
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({at, {}});
    const auto left = static_cast<std::uint32_t>(bench::mix(at) % size);
    nodes_[at].children[0] = grow(left);
    nodes_[at].children[1] = grow(size - 1 - left);
    return at;
  }

  std::vector<Node> nodes_;
};

template <class Way>
bool run(const char* tree, bool full) {
  const auto is = [tree](const char* name) { return std::strcmp(tree, name) == 0; };
  if (is("skynet")) {
    const std::uint64_t leaves = full ? 100'000'000 : 1'000'000;
    return bench::print_time(leaves * (leaves - 1) / 2,
                             [leaves] { return sum_leaves<Way>(0, bench::unknown(leaves)); });
  }
  if (is("queens")) {
    const std::size_t n = full ? 14 : 11;
    return bench::print_time(full ? 365'596 : 2'680,
                             [n] { return count_queens<Way>(Board{}, 0, bench::unknown(n)); });
  }
  if (is("uts-geometric")) {  // T1 of the paper, or two levels less
    const Geometric wide{full ? 10U : 8U};
    return bench::print_time(full ? 4'130'071 : 257'042, [wide] {
      return count_nodes<Way>(wide, SearchNode::root(bench::unknown(19U)));
    });
  }
  if (is("uts-binomial")) {  // T3 of the paper, or a smaller one of its kind
    const Binomial deep{full ? 2'000U : 400U};
    return bench::print_time(full ? 4'112'897 : 104'689, [deep, full] {
      return count_nodes<Way>(deep, SearchNode::root(bench::unknown(full ? 42U : 12U)));
    });
  }
  if (is("walk")) {
    const std::uint32_t size = full ? 10'000'000 : 1'000'000;
    const BinaryTree binary(size);
    return bench::print_time(std::uint64_t{size} * (size - 1) / 2,
                             [&binary] { return binary.sum<Way>(bench::unknown(0U)); });
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    const bool full = std::strcmp(argv[3], "full") == 0;
    bool right = false;
    if (std::strcmp(argv[2], "plain") == 0) right = run<Plain>(argv[1], full);
    if (std::strcmp(argv[2], "loops") == 0)
      furca::ThreadPool().install([&] { right = run<Loops>(argv[1], full); });
    if (std::strcmp(argv[2], "joins") == 0)
      furca::ThreadPool().install([&] { right = run<Joins>(argv[1], full); });
    if (std::strcmp(argv[2], "reductions") == 0)
      furca::ThreadPool().install([&] { right = run<Reductions>(argv[1], full); });
    if (right) return 0;
  }
  std::fputs(
      "usage: trees skynet|queens|uts-geometric|uts-binomial|walk plain|loops|joins|reductions "
      "short|full\n",
      stderr);
  return 2;
}
