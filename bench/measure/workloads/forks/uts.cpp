// Unbalanced Tree Search: counts the nodes of a tree that nobody knows before visiting them, as a
// node's random number says how many children it has. Olivier, Huan, Liu, Prins, Dinan, Sadayappan,
// Tseng: UTS: An Unbalanced Tree Search Benchmark, LCPC 2006. The trees are its T1 and T3, with its
// random numbers: at full size the counts must be the published ones.
#include "../../contenders.hpp"
#include "../support.hpp"
#include "sha1.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace bench {
namespace {

struct Node {
  static Node root(std::uint32_t seed) {
    return {sha1(std::array<std::uint32_t, 5>{0, 0, 0, 0, seed}), 0};
  }

  Node child(std::size_t i) const {
    return {sha1(std::array{digest[0], digest[1], digest[2], digest[3], digest[4],
                            static_cast<std::uint32_t>(i)}),
            depth + 1};
  }

  double random() const {
    return static_cast<double>(digest[4] & 0x7FFFFFFFU) / 2147483648.0;
  }  // in [0, 1)

  Sha1Digest digest;
  std::size_t depth;
};

/// T1: every node has children by a geometric distribution with mean 4, down to the given depth.
/// Wide and shallow.
struct GeometricTree {
  static constexpr const char* kName = "uts-t1";
  static constexpr const char* kSummary =
      "Unbalanced Tree Search, T1, geometric, n levels: work that only stealing can spread";
  static constexpr std::size_t kPublishedSize = 10;
  static constexpr std::uint64_t kPublishedNodes = 4'130'071;
  static constexpr std::size_t kMaxChildren = 100;  // the benchmark's limit
  static std::uint32_t seed(std::size_t) { return 19; }
  static std::size_t size(Effort effort) { return by_effort(effort, 6, 8, kPublishedSize); }

  static std::size_t children(const Node& node, std::size_t levels) {
    if (node.depth >= levels) return 0;
    static const double kLogMiss = std::log(1.0 - 1.0 / (1.0 + 4.0));
    return std::min(static_cast<std::size_t>(std::log(1.0 - node.random()) / kLogMiss),
                    kMaxChildren);
  }
};

/// T3: the root has many children, every other node 8 or none, on average 0.999: most subtrees are
/// tiny, a few are huge and deep.
struct BinomialTree {
  static constexpr const char* kName = "uts-t3";
  static constexpr const char* kSummary =
      "Unbalanced Tree Search, T3, binomial, n children of the root: huge subtrees and tiny ones";
  static constexpr std::size_t kPublishedSize = 2000;
  static constexpr std::uint64_t kPublishedNodes = 4'112'897;
  static constexpr std::size_t kMaxChildren = 8;  // below the root
  // More than half of T3 is below one child of the root, so no part of it is a small tree of its
  // kind: these have another seed.
  static std::uint32_t seed(std::size_t of_root) { return of_root == kPublishedSize ? 42 : 12; }
  static std::size_t size(Effort effort) { return by_effort(effort, 100, 400, kPublishedSize); }

  static std::size_t children(const Node& node, std::size_t of_root) {
    if (node.depth == 0) return of_root;
    return node.random() < 0.124875 ? kMaxChildren : 0;
  }
};

template <class Tree>
std::uint64_t plain_count(const Node& node, std::size_t size) {
  std::uint64_t count = 1;
  const std::size_t children = Tree::children(node, size);
  for (std::size_t i = 0; i < children; ++i) count += plain_count<Tree>(node.child(i), size);
  return count;
}

template <class Tree, class Runtime>
std::uint64_t forked_count(const Node& node, std::size_t size);

/// Into counts[i], what is below and including child i.
template <class Tree, class Runtime>
std::uint64_t count_children(const Node& node, std::size_t size, std::size_t children,
                             std::uint64_t* counts) {
  Runtime::spawn(children, [&node, size, counts](std::size_t i) {
    counts[i] = forked_count<Tree, Runtime>(node.child(i), size);
  });
  return std::accumulate(counts, counts + children, std::uint64_t{1});
}

template <class Tree, class Runtime>
std::uint64_t forked_count(const Node& node, std::size_t size) {
  const std::size_t children = Tree::children(node, size);
  if (children == 0) return 1;
  std::array<std::uint64_t, Tree::kMaxChildren> counts;
  return count_children<Tree, Runtime>(node, size, children, counts.data());
}

template <class Tree>
class Uts {
 public:
  static constexpr const char* kName = Tree::kName;
  static constexpr const char* kSummary = Tree::kSummary;
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kSpawn | kFineForks;
  static std::vector<std::size_t> sizes(Effort effort) { return {Tree::size(effort)}; }

  explicit Uts(const Input& input) : size_(input.size) {}

  std::uint64_t serial() const {
    return checked(plain_count<Tree>(Node::root(Tree::seed(size_)), size_));
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    const Node root = Node::root(Tree::seed(size_));
    std::vector<std::uint64_t> counts(Tree::children(root, size_));
    return checked(count_children<Tree, Runtime>(root, size_, counts.size(), counts.data()));
  }

 private:
  std::uint64_t checked(std::uint64_t count) const {
    if (size_ == Tree::kPublishedSize && count != Tree::kPublishedNodes)
      throw std::logic_error("uts: not the published count");
    return count;
  }

  std::size_t size_;
};

const Registration<Uts<GeometricTree>> kGeometricRegistration;
const Registration<Uts<BinomialTree>> kBinomialRegistration;

}  // namespace
}  // namespace bench
