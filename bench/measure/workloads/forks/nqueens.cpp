// All ways to place n queens on an n by n board: a fork for every safe column, without cut-off, and
// a board for every child. As in the examples of Cilk (Frigo, Leiserson, Randall: The
// implementation of the Cilk-5 multithreaded language, PLDI 1998).
#include "../../contenders.hpp"
#include "../support.hpp"

#include <array>
#include <numeric>
#include <stdexcept>

namespace bench {
namespace {

// Solutions for 0, 1, 2... queens (OEIS A000170).
constexpr std::array<std::uint64_t, 15> kSolutions{1,  1,   0,   0,    2,     10,    4,     40,
                                                   92, 352, 724, 2680, 14200, 73712, 365596};
constexpr std::size_t kMaxQueens = kSolutions.size() - 1;

/// The column of the queen in each of the rows filled so far.
using Board = std::array<std::uint8_t, kMaxQueens>;

bool is_safe(const Board& board, std::size_t row, std::size_t column) {
  for (std::size_t above = 0; above < row; ++above) {
    const std::size_t distance = row - above;
    const std::size_t other = board[above];
    if (other == column || other == column + distance || other + distance == column) return false;
  }
  return true;
}

std::uint64_t plain_count(Board& board, std::size_t row, std::size_t n) {
  if (row == n) return 1;
  std::uint64_t count = 0;
  for (std::size_t column = 0; column < n; ++column) {
    if (!is_safe(board, row, column)) continue;
    board[row] = static_cast<std::uint8_t>(column);
    count += plain_count(board, row + 1, n);
  }
  return count;
}

template <class Runtime>
std::uint64_t forked_count(const Board& board, std::size_t row, std::size_t n) {
  if (row == n) return 1;
  Board columns;
  std::size_t children = 0;
  for (std::size_t column = 0; column < n; ++column) {
    if (is_safe(board, row, column)) columns[children++] = static_cast<std::uint8_t>(column);
  }
  std::array<std::uint64_t, kMaxQueens> counts;
  Runtime::spawn(children, [&board, &columns, &counts, row, n](std::size_t i) {
    Board next = board;
    next[row] = columns[i];
    counts[i] = forked_count<Runtime>(next, row + 1, n);
  });
  return std::accumulate(counts.data(), counts.data() + children, std::uint64_t{0});
}

class NQueens {
 public:
  static constexpr const char* kName = "nqueens";
  static constexpr const char* kSummary =
      "all solutions of n queens, a fork for every safe column: nobody knows the tree beforehand";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kSpawn | kFineForks;
  static std::vector<std::size_t> sizes(Effort effort) {
    if (effort == Effort::full) return {12, 14};
    return {effort == Effort::quick ? std::size_t{9} : std::size_t{11}};
  }

  explicit NQueens(const Input& input) : n_(input.size) {}

  std::uint64_t serial() const {
    Board board{};
    return checked(plain_count(board, 0, n_));
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    return checked(forked_count<Runtime>(Board{}, 0, n_));
  }

 private:
  std::uint64_t checked(std::uint64_t count) const {
    if (count != kSolutions.at(n_)) throw std::logic_error("nqueens: wrong number of solutions");
    return count;
  }

  std::size_t n_;
};

const Registration<NQueens> kRegistration;

}  // namespace
}  // namespace bench
