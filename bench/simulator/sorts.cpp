// furca's sorts as trees: what they fork and how they loop is theirs (detail/sorting/quicksort.hpp,
// quick_partition.hpp, merge_sort.hpp, merging.hpp). The times of an element were measured on one
// thread: python3 bench/algorithms/run.py, doubles at random.
#include "tree_parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace simulator {
namespace {

/// node.a: elements, node.b: where its random number comes from; node.kind says what is done with
/// them.
class Sort : public Tree {
 public:
  explicit Sort(std::uint64_t elements)
      : Tree("sort", std::to_string(elements) +
                         " doubles by quicksort, 0.9 ns an element in each partition"),
        elements_(elements) {}
  Node root() const override { return {elements_, 1, 0, 0, 0, kSort}; }

  Plan plan(const Node& node) const override {
    if (node.a <= kShared) return work(node.a * 12);
    Plan plan;
    if (node.kind == kPartition) {
      plan.kind = Plan::Kind::loop;
      plan.count = pieces(node);
      plan.mean = partition_time(node.a) / plan.count;
    } else if (node.kind == kExchange) {
      plan.kind = Plan::Kind::loop;
      plan.count = pieces(node);
      plan.mean = exchange_time(node.a) / plan.count;
    } else if (node.kind == kSort && node.a >= kPieces) {
      plan.kind = Plan::Kind::sequence;
      plan.before = median_time(node.a);
      plan.count = 3;
    } else {
      // The pivot has seen n to the power of 0.53.
      const double off = (uniform(node.b) - 0.5) * std::pow(static_cast<double>(node.a), -0.265);
      const auto left = static_cast<std::uint64_t>(static_cast<double>(node.a) * (0.5 + off));
      plan.kind = Plan::Kind::fork;
      plan.before = node.kind == kSort ? median_time(node.a) + partition_time(node.a) : 0;
      plan.first = {left, scatter(2 * node.b), 0, 0, node.level + 1, kSort};
      plan.second = {node.a - left, scatter(2 * node.b + 1), 0, 0, node.level + 1, kSort};
    }
    return plan;
  }
  Node child(const Node& node, std::uint64_t i) const override {
    return {node.a,     scatter(4 * node.b + i),
            0,          0,
            node.level, i == 0 ? kPartition : i == 1 ? kExchange : kSides};
  }
  Time cost(const Node& loop, std::uint64_t lo, std::uint64_t hi) const override {
    return (hi - lo) * plan(loop).mean;
  }
  Time longest(const Node& loop) const override { return plan(loop).mean; }

 private:
  static constexpr std::uint32_t kSort = 0;
  static constexpr std::uint32_t kPartition = 1;
  static constexpr std::uint32_t kExchange = 2;
  static constexpr std::uint32_t kSides = 3;
  // from so many on a side may be taken by another thread
  static constexpr std::uint64_t kShared = 512;
  static constexpr std::uint64_t kPieces = 65'536;  // and the partition is a loop

  static std::uint64_t pieces(const Node& node) {
    return std::min<std::uint64_t>(128, node.a / 8'192);
  }
  static Time partition_time(std::uint64_t n) { return n * 9 / 10; }
  static Time exchange_time(std::uint64_t n) { return n / 50; }
  static Time median_time(std::uint64_t n) {
    return static_cast<Time>(4 * std::pow(static_cast<double>(n), 0.53));
  }

  std::uint64_t elements_;
};

class MergeSort : public Tree {
 public:
  explicit MergeSort(std::uint64_t elements)
      : Tree("stable_sort",
             std::to_string(elements) + " doubles by merges, 1.3 ns an element in each"),
        elements_(elements) {}
  Node root() const override { return {elements_, 1, 0, 0, 0, kSort}; }

  Plan plan(const Node& node) const override {
    Plan plan;
    if (node.kind == kSort) {
      if (node.a <= 1'024) return work(node.a * 11);
      plan.kind = Plan::Kind::sequence;
      plan.count = 2;
      return plan;
    }
    const bool merge = node.kind == kMerge;
    if (merge && node.a <= 8'192) return work(node.a * 13 / 10);
    const std::uint64_t half = (node.a + 1) / 2;
    plan.kind = Plan::Kind::fork;
    // the search for the middle of the path
    plan.before = merge ? 10 * static_cast<Time>(std::bit_width(node.a)) : 0;
    plan.first = {half, scatter(2 * node.b), 0, 0, node.level + 1, merge ? kMerge : kSort};
    plan.second = {node.a - half,  scatter(2 * node.b + 1), 0, 0,
                   node.level + 1, merge ? kMerge : kSort};
    return plan;
  }
  Node child(const Node& node, std::uint64_t i) const override {
    return {node.a, scatter(4 * node.b + i), 0, 0, node.level, i == 0 ? kHalves : kMerge};
  }

 private:
  static constexpr std::uint32_t kSort = 0;
  static constexpr std::uint32_t kHalves = 1;
  static constexpr std::uint32_t kMerge = 2;

  std::uint64_t elements_;
};

}  // namespace

std::vector<std::unique_ptr<Tree>> sorts(Size size) {
  std::vector<std::unique_ptr<Tree>> trees;
  const auto most = size == Size::normal ? std::uint64_t{10'000'000} : std::uint64_t{100'000};
  for (std::uint64_t n = 100'000; n <= most; n *= 10) {
    trees.push_back(std::make_unique<Sort>(n));
    trees.push_back(std::make_unique<MergeSort>(n));
  }
  return trees;
}

}  // namespace simulator
