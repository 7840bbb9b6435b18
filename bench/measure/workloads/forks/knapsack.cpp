// The 0/1 knapsack problem by branch and bound: a fork for taking an item and leaving it, unless
// what is left cannot beat the greedy packing. As in the examples of Cilk-5, but for their bound,
// the best packing found so far by any branch: which nodes that visits depends on who is first.
// Here no branch learns from another, and all runs visit the same nodes.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <algorithm>

namespace bench {
namespace {

struct Item {
  std::int64_t weight;
  std::int64_t value;
};

struct Problem {
  std::vector<Item> items;  // the most valuable by weight first
  std::int64_t capacity = 0;
  std::int64_t greedy = 0;  // the value of the greedy packing
};

/// A packing of the first items, and the room it leaves.
struct Packing {
  Packing with(const Item& item) const {
    return {next + 1, room - item.weight, value + item.value};
  }
  Packing without() const { return {next + 1, room, value}; }

  std::size_t next;
  std::int64_t room;
  std::int64_t value;
};

/// Even if the best item left could be cut to fill all the room, the packing would be worth no more
/// than the greedy one.
bool is_hopeless(const Problem& problem, const Packing& packing) {
  const Item& best = problem.items[packing.next];
  return packing.room < 0 ||
         (problem.greedy - packing.value) * best.weight >= packing.room * best.value;
}

std::int64_t plain_best(const Problem& problem, const Packing& packing) {
  if (packing.next == problem.items.size()) return packing.room < 0 ? 0 : packing.value;
  if (is_hopeless(problem, packing)) return 0;
  return std::max(plain_best(problem, packing.with(problem.items[packing.next])),
                  plain_best(problem, packing.without()));
}

template <class Runtime>
std::int64_t forked_best(const Problem& problem, const Packing& packing) {
  if (packing.next == problem.items.size()) return packing.room < 0 ? 0 : packing.value;
  if (is_hopeless(problem, packing)) return 0;
  const auto [taken, left] = Runtime::join(
      [&problem, packing] {
        return forked_best<Runtime>(problem, packing.with(problem.items[packing.next]));
      },
      [&problem, packing] { return forked_best<Runtime>(problem, packing.without()); });
  return std::max(taken, left);
}

/// n items with room for half of them. Values near the weights make many packings nearly as good,
/// and the bound weak.
Problem make_problem(std::size_t n) {
  Problem problem;
  for (std::size_t i = 0; i < n; ++i) {
    const auto weight = static_cast<std::int64_t>(1000 + mix(2 * i) % 1000);
    problem.items.push_back({weight, weight + static_cast<std::int64_t>(mix(2 * i + 1) % 50)});
    problem.capacity += weight;
  }
  problem.capacity /= 2;
  std::sort(problem.items.begin(), problem.items.end(),
            [](const Item& a, const Item& b) { return a.value * b.weight > b.value * a.weight; });
  std::int64_t room = problem.capacity;
  for (const Item& item : problem.items) {
    if (item.weight > room) continue;
    room -= item.weight;
    problem.greedy += item.value;
  }
  return problem;
}

class Knapsack {
 public:
  static constexpr const char* kName = "knapsack";
  static constexpr const char* kSummary =
      "0/1 knapsack of n items by branch and bound, a fork for every choice: a ragged tree";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kJoin | kFineForks;
  static std::vector<std::size_t> sizes(Effort effort) { return {by_effort(effort, 18, 22, 25)}; }

  explicit Knapsack(const Input& input) : problem_(make_problem(input.size)) {}

  std::uint64_t serial() const { return outcome(plain_best(problem_, {0, problem_.capacity, 0})); }

  template <class Runtime>
  std::uint64_t parallel() const {
    return outcome(forked_best<Runtime>(problem_, {0, problem_.capacity, 0}));
  }

 private:
  std::uint64_t outcome(std::int64_t best) const {
    return static_cast<std::uint64_t>(std::max(best, problem_.greedy));
  }

  Problem problem_;
};

const Registration<Knapsack> kRegistration;

}  // namespace
}  // namespace bench
