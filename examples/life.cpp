// Conway's game of life on a torus, 64 cells a word: a short loop over the rows for each
// generation, and what it gathers on the way.
//
// A cell that has three living neighbours lives in the next generation; one that has two stays as
// it is; all others are dead. Births, deaths and the living are counted by each thread for itself
// (PerWorker) and put together when the loop has ended. Counts are whole numbers, so it does not
// matter which thread has counted what.
//
// For a board of n by n cells and each generation: work O(n^2 / 64), span O(n / 64 + the number of
// threads), since no row is split.
//
// The board begins as a soup: every cell lives with probability 1/2, from a fixed seed. What to
// look at: it thins out to some hundredths.
// And two patterns whose course is known: a glider moves by one cell down and to the right in four
// generations, so on a torus of n by n it is back after 4 n; the R-pentomino, five cells, comes to
// rest in generation 1103 with 116 living (M. Gardner, "Wheels, Life and Other Mathematical
// Amusements", 1983), gliders among them, for which the torus must have room.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t kCells = 64;  // in a word
constexpr std::uint64_t kSeed = 1970;

/// Of one generation, or a part of it.
struct Census {
  std::size_t living = 0, births = 0, deaths = 0;
  bool operator==(const Census&) const = default;
};

Census add(const Census& a, const Census& b) {
  return {a.living + b.living, a.births + b.births, a.deaths + b.deaths};
}

/// The board now and one generation later, row by row. Column x is bit x % 64 of word x / 64.
struct Board {
  explicit Board(std::size_t cells)
      : n(cells), words(n / kCells), now(n * words), next(n * words) {}

  /// Lets one cell live.
  void put(std::size_t x, std::size_t y) {
    now[y * words + x / kCells] |= std::uint64_t{1} << x % kCells;
  }

  std::size_t n;
  std::size_t words;  // in a row
  std::vector<std::uint64_t> now;
  std::vector<std::uint64_t> next;
};

Board soup(std::size_t n) {
  Board board(n);
  std::mt19937_64 random(kSeed);
  for (std::uint64_t& word : board.now) word = random();
  return board;
}

/// How many of three bits are set, for 64 triples at a time: the sum's two digits.
struct Sum {
  Sum(std::uint64_t a, std::uint64_t b, std::uint64_t c)
      : ones(a ^ b ^ c), twos((a & b) | (c & (a ^ b))) {}
  std::uint64_t ones, twos;
};

Census step_row(Board& board, std::size_t y) {
  const std::size_t words = board.words;
  const std::uint64_t* const row = board.now.data() + y * words;
  const std::uint64_t* const above = board.now.data() + (y > 0 ? y - 1 : board.n - 1) * words;
  const std::uint64_t* const below = board.now.data() + (y < board.n - 1 ? y + 1 : 0) * words;
  std::uint64_t* const next = board.next.data() + y * words;
  Census census;
  for (std::size_t i = 0; i < words; ++i) {
    const std::size_t left = i > 0 ? i - 1 : words - 1;
    const std::size_t right = i < words - 1 ? i + 1 : 0;
    const auto west = [i, left](const std::uint64_t* r) {
      return r[i] << 1 | r[left] >> (kCells - 1);
    };
    const auto east = [i, right](const std::uint64_t* r) {
      return r[i] >> 1 | r[right] << (kCells - 1);
    };
    const Sum upper(west(above), above[i], east(above));
    const Sum beside(west(row), 0, east(row));
    const Sum lower(west(below), below[i], east(below));
    const Sum ones(upper.ones, beside.ones, lower.ones);
    // Two or three neighbours: exactly one of the four twos.
    const std::uint64_t odd = upper.twos ^ beside.twos ^ lower.twos ^ ones.twos;
    const std::uint64_t pairs = (upper.twos & beside.twos) | (lower.twos & ones.twos);
    const std::uint64_t before = row[i];
    const std::uint64_t after = odd & ~pairs & (ones.ones | before);
    next[i] = after;
    census.living += static_cast<std::size_t>(std::popcount(after));
    census.births += static_cast<std::size_t>(std::popcount(after & ~before));
    census.deaths += static_cast<std::size_t>(std::popcount(before & ~after));
  }
  return census;
}

/// The census of each generation.
using History = std::vector<Census>;

History live_serially(Board& board, std::size_t generations) {
  History history;
  history.reserve(generations);
  for (std::size_t k = 0; k < generations; ++k) {
    Census census;
    for (std::size_t y = 0; y < board.n; ++y) census = add(census, step_row(board, y));
    history.push_back(census);
    std::swap(board.now, board.next);
  }
  return history;
}

History live_in_parallel(Board& board, std::size_t generations) {
  History history;
  history.reserve(generations);
  furca::PerWorker<Census> counts;
  for (std::size_t k = 0; k < generations; ++k) {
    furca::parallel_for(std::size_t{0}, board.n, [&](std::size_t y) {
      const Census row = step_row(board, y);
      Census& count = counts.local();
      count = add(count, row);
    });
    history.push_back(counts.combine(add));
    for (Census& count : counts) count = Census();  // clear() would give the memory back
    std::swap(board.now, board.next);
  }
  return history;
}

std::size_t living(const Board& board) {
  std::size_t sum = 0;
  for (const std::uint64_t word : board.now) sum += static_cast<std::size_t>(std::popcount(word));
  return sum;
}

/// Whoever lives was there or was born.
bool adds_up(std::size_t before, const History& history) {
  for (const Census& census : history) {
    if (before + census.births != census.living + census.deaths) return false;
    before = census.living;
  }
  return true;
}

struct Cell {
  std::size_t x, y;
};

/// A pattern of five cells in the middle of a board.
Board pattern(std::size_t n, const std::array<Cell, 5>& cells) {
  Board board(n);
  for (const Cell& cell : cells) board.put(n / 2 + cell.x, n / 2 + cell.y);
  return board;
}

bool glider_comes_back() {
  constexpr std::size_t n = 2 * kCells;
  Board board = pattern(n, {{{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}});
  const std::vector<std::uint64_t> start = board.now;
  live_in_parallel(board, 4 * n - 1);
  const bool early = board.now == start;
  live_in_parallel(board, 1);
  return !early && board.now == start;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: life [--size N] [--generations K]\n"
                                "Lets a soup of N by N cells (default 2048, a multiple of 64) live "
                                "for K generations (default 1000).\n");
  const std::size_t n = arguments.option("--size", 2048, kCells, 16'384);
  const std::size_t generations = arguments.option("--generations", 1000, 1, 1'000'000);
  arguments.done();
  if (n % kCells != 0)
    arguments.fail("--size must be a multiple of 64, not '" + std::to_string(n) + "'");

  Board serial = soup(n);
  Board parallel = serial;
  const std::size_t start = living(serial);
  History serial_history;
  History history;
  const double serial_time =
      examples::seconds([&] { serial_history = live_serially(serial, generations); });
  const double parallel_time =
      examples::seconds([&] { history = live_in_parallel(parallel, generations); });
  if (serial.now != parallel.now) return examples::disagreement("some cell");
  if (serial_history != history) return examples::disagreement("some generation's census");
  if (!adds_up(start, history)) {
    std::fprintf(stderr, "error: births and deaths are not what the number of the living says\n");
    return 1;
  }

  const Census& last = history.back();
  Census all;
  for (const Census& census : history) all = add(all, census);
  std::printf("%zu x %zu cells: %zu living; after %zu generation%s %zu living, %.2f %%\n", n, n,
              start, generations, generations == 1 ? "" : "s", last.living,
              100 * static_cast<double>(last.living) / static_cast<double>(n * n));
  std::printf(
      "births %zu, deaths %zu; of these in the first generation %zu and %zu, in the last %zu and "
      "%zu\n",
      all.births, all.deaths, history.front().births, history.front().deaths, last.births,
      last.deaths);

  constexpr std::size_t kRoom = 10 * kCells;
  Board r_pentomino = pattern(kRoom, {{{1, 0}, {2, 0}, {0, 1}, {1, 1}, {1, 2}}});
  const std::size_t at_rest = live_in_parallel(r_pentomino, 1103).back().living;
  const bool back = glider_comes_back();
  std::printf(
      "the R-pentomino after 1103 generations: %zu living, known to be 116; the glider %s\n",
      at_rest, back ? "is back where it was" : "is lost");
  examples::print_comparison(serial_time, parallel_time);
  if (at_rest == 116 && back) return 0;
  std::fprintf(stderr, "error: a known pattern does not do what it is known to do\n");
  return 1;
}
