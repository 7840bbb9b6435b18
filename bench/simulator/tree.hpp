// What is run: fork-join programs as trees that are made while they are walked, the same every
// time.
//
// A node is a small value, and plan() says what it does: work; work, then two arms, then work; a
// loop; or some parts in turn.
// Nothing is stored, so that a tree of millions of nodes costs no memory, and two schedules of it
// run the same program.
//
// Invariants:
// - plan(), child() and cost() depend on their arguments alone;
// - each node below the root is reached in one way, so that a sum over all that ran, in whatever
//   order, tells whether everything did, once (mark()).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace simulator {

using Time = std::uint64_t;  // nanoseconds

/// Means what its tree wants it to mean.
struct Node {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint32_t first = 0;  // a stretch of the children, where `last` is not 0
  std::uint32_t last = 0;
  std::uint32_t level = 0;
  std::uint32_t kind = 0;
};

struct Plan {
  enum class Kind : std::uint8_t {
    work,      // `before`, and nothing else
    fork,      // `before`, then `first` beside `second`, which can be stolen, then `after`
    sequence,  // `before`, then `count` children in turn
    loop,      // `count` iterations in any order
  };
  Kind kind = Kind::work;
  bool nested = false;  // loop: iteration i is child(i) instead of cost(i, i + 1)
  Time before = 0;
  Time after = 0;
  Node first;
  Node second;
  std::uint64_t count = 0;
  Time mean = 0;  // loop: of an iteration, as the loop would remember it from its last run
};

class Tree {
 public:
  Tree(std::string name, std::string summary)
      : name_(std::move(name)), summary_(std::move(summary)) {}
  virtual ~Tree() = default;
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const std::string& name() const { return name_; }
  const std::string& summary() const { return summary_; }

  virtual Node root() const = 0;
  virtual Plan plan(const Node& node) const = 0;
  // of a sequence or a nested loop
  virtual Node child(const Node& node, std::uint64_t i) const;
  // of iterations [lo, hi)
  virtual Time cost(const Node& loop, std::uint64_t lo, std::uint64_t hi) const;
  virtual Time longest(const Node& loop) const;  // iteration
  // all its loops run over the same elements
  virtual bool one_range() const { return false; }

 private:
  std::string name_;
  std::string summary_;
};

/// The program without a scheduler. Forks cost nothing here.
struct Totals {
  Time work = 0;  // T1
  Time span = 0;  // T_inf: with processors without number
  std::uint64_t forks = 0;
  std::uint64_t marks = 0;  // the sum of mark() over everything
};

Totals walk(const Tree& tree);

/// What running a node, or iterations [lo, hi) of a loop, adds to the sum that tells whether
/// everything ran once.
std::uint64_t mark(const Node& node);
std::uint64_t mark(const Node& loop, std::uint64_t lo, std::uint64_t hi);

enum class Size : std::uint8_t { tiny, quick, normal };  // tiny: for tests

std::vector<std::unique_ptr<Tree>> all_trees(Size size);

/// furca's sorts, of 10^5 elements and more.
std::vector<std::unique_ptr<Tree>> sorts(Size size);

/// Those of the public table of other libraries: 2 ns a call; 3 ns a node; `column` ns for each
/// column; matrices that take `making` to be made.
std::unique_ptr<Tree> fib(std::uint64_t n);
std::unique_ptr<Tree> skynet(std::uint32_t levels);
std::unique_ptr<Tree> queens(std::uint32_t n, Time column);
std::unique_ptr<Tree> matmul(std::uint64_t n, Time leaf, Time making);

/// So many loops over one range.
std::unique_ptr<Tree> again(std::uint64_t calls, std::uint64_t count, Time mean, bool even);

}  // namespace simulator
