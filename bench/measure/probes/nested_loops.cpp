// A parallel loop inside a parallel loop, beside the better of the two ways to leave one of them
// plain: somebody who does not know which of the two is long should lose nothing by making both
// parallel. All ways in turns in one process: few per cent matter.
#include "../busy_work.hpp"
#include "../statistics.hpp"
#include "probe.hpp"

#include <cmath>
#include <stdexcept>

namespace bench {
namespace {

constexpr std::size_t kMillion = 1'000'000;
constexpr int kTurns = 9;

template <class C>
class Grid {
 public:
  Grid(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), cells_(rows * columns) {}

  /// Milliseconds, both loops parallel, to those of the better flat loop.
  double ratio() {
    std::vector<double> both;
    std::vector<double> outer;
    std::vector<double> inner;
    // A loop of one iteration is no way to share the work: the other way is the better one, and a
    // million of them take a second.
    for (int turn = 0; turn <= kTurns; ++turn) {
      const double times[] = {time([this] { run_both(); }),
                              rows_ == 1 ? 0 : time([this] { run_outer(); }),
                              columns_ == 1 ? 0 : time([this] { run_inner(); })};
      if (turn == 0) continue;
      both.push_back(times[0]);
      if (rows_ != 1) outer.push_back(times[1]);
      if (columns_ != 1) inner.push_back(times[2]);
    }
    check();
    return median(both) /
           std::fmin(median(outer), median(inner));  // of none it is NaN, which fmin leaves out
  }

 private:
  template <class F>
  double time(F run) {
    const std::int64_t start = now_ns();
    run();
    ++runs_;
    return 1e-6 * static_cast<double>(now_ns() - start);
  }

  void run_both() {
    C::loop(rows_, [columns = columns_, cells = cells_.data()](std::size_t row) {
      C::loop(columns, [row, line = cells + row * columns](std::size_t column) {
        line[column] += work(row, column);
      });
    });
  }

  void run_outer() {
    C::loop(rows_, [columns = columns_, cells = cells_.data()](std::size_t row) {
      std::uint64_t* const line = cells + row * columns;
      for (std::size_t column = 0; column < columns; ++column) line[column] += work(row, column);
    });
  }

  void run_inner() {
    for (std::size_t row = 0; row < rows_; ++row)
      C::loop(columns_, [row, line = cells_.data() + row * columns_](std::size_t column) {
        line[column] += work(row, column);
      });
  }

  void check() const {
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t column = 0; column < columns_; ++column) {
        if (cells_[row * columns_ + column] != runs_ * work(row, column))
          throw std::logic_error("nested loops: an iteration too few or too many");
      }
    }
  }

  /// Some 20 ns. Below 2^32, so that a cell can add up all runs.
  static std::uint64_t work(std::size_t row, std::size_t column) {
    return busy_work(mix(row) + column, 24) >> 32U;
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::uint64_t> cells_;
  std::uint64_t runs_ = 0;
};

template <class C, std::size_t kRows>
double nested_to_flat(unsigned threads) {
  double ratio = 0;
  C::kContender.enter(threads, [&ratio] { ratio = Grid<C>(kRows, kMillion / kRows).ratio(); });
  return ratio;
}

// Not OpenMP, whose inner loops are plain unless one asks for more.
constexpr auto kFamilies = ContenderList<Furca>{}
#ifdef FURCA_BENCH_TBB
                           + ContenderList<TbbAuto>{}
#endif
;

template <class C, std::size_t kRows>
Probe make_probe(const char* name) {
  return Probe{.group = Group::behaviour,
               .name = name,
               .family = C::kContender.family,
               .variant = "",
               .unit = "x",
               .summary =
                   "time of a parallel loop inside a parallel loop, to that with the better one of "
                   "the two alone parallel",
               .measure = &nested_to_flat<C, kRows>,
               .slow = true,
               .least = Effort::full};
}

const ProbeRegistration kSquare(kFamilies, []<class C>() {
  return make_probe<C, 1'000>("nested loops, 1,000 x 1,000");
});
const ProbeRegistration kTall(kFamilies, []<class C>() {
  return make_probe<C, kMillion>("nested loops, 1,000,000 x 1");
});
const ProbeRegistration kWide(kFamilies, []<class C>() {
  return make_probe<C, 1>("nested loops, 1 x 1,000,000");
});

}  // namespace
}  // namespace bench
