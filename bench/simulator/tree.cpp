#include "tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace simulator {
namespace {

/// Vigna's SplitMix64.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

Totals walk_node(const Tree& tree, const Node& node);

/// The children of a sequence or of a nested loop.
Totals walk_children(const Tree& tree, const Node& node, const Plan& plan) {
  Totals all;
  for (std::uint64_t i = 0; i < plan.count; ++i) {
    const Totals one = walk_node(tree, tree.child(node, i));
    all.work += one.work;
    all.span = plan.kind == Plan::Kind::loop ? std::max(all.span, one.span) : all.span + one.span;
    all.forks += one.forks;
    all.marks += one.marks;
  }
  return all;
}

Totals walk_node(const Tree& tree, const Node& node) {
  const Plan plan = tree.plan(node);
  Totals all;
  if (plan.kind == Plan::Kind::fork) {
    const Totals first = walk_node(tree, plan.first);
    const Totals second = walk_node(tree, plan.second);
    all.work = first.work + second.work;
    all.span = std::max(first.span, second.span);
    all.forks = first.forks + second.forks + 1;
    all.marks = first.marks + second.marks;
  } else if (plan.kind == Plan::Kind::sequence) {
    all = walk_children(tree, node, plan);
  } else if (plan.kind == Plan::Kind::loop) {
    if (plan.nested) {
      all = walk_children(tree, node, plan);
    } else {
      all.work = tree.cost(node, 0, plan.count);
      all.span = tree.longest(node);
    }
    all.marks += mark(node, 0, plan.count);
  }
  all.work += plan.before + plan.after;
  all.span += plan.before + plan.after;
  all.marks += mark(node);
  return all;
}

}  // namespace

Node Tree::child(const Node&, std::uint64_t) const {
  throw std::logic_error(name_ + ": has neither sequences nor nested loops");
}
Time Tree::cost(const Node&, std::uint64_t, std::uint64_t) const {
  throw std::logic_error(name_ + ": has no loops");
}
Time Tree::longest(const Node&) const { throw std::logic_error(name_ + ": has no loops"); }

Totals walk(const Tree& tree) { return walk_node(tree, tree.root()); }

std::uint64_t mark(const Node& node) {
  const std::uint64_t stretch = (std::uint64_t{node.first} << 32U) | node.last;
  const std::uint64_t place = (std::uint64_t{node.level} << 32U) | node.kind;
  return mix(node.a ^ mix(node.b ^ mix(stretch ^ mix(place))));
}

std::uint64_t mark(const Node& loop, std::uint64_t lo, std::uint64_t hi) {
  std::uint64_t sum = 0;
  const std::uint64_t of_loop = mark(loop);
  for (std::uint64_t i = lo; i < hi; ++i) sum += mix(of_loop ^ i);
  return sum;
}

}  // namespace simulator
