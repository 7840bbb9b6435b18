// Heat on a square plate over several machines: each rank has a band of rows, and its threads share
// them. mpirun -n 4 mpi_heat
//
// For a plate of n by n points on R ranks and each step: work O(n^2 / R) for each, one message of n
// numbers from and to each neighbour. The messages are on the way while the inside of the band is
// computed: the first arm of a join stays on the calling thread, so MPI is called by that thread
// alone (MPI_THREAD_FUNNELED).
//
// What to look at: the plate is the same in every bit as that of one rank, and so is the sum of all
// temperatures.
#include "../arguments.hpp"
#include "../timing.hpp"

#include <furca/furca.hpp>
#include <furca/mpi.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

constexpr double kRate = 0.2;

/// Some rows of a plate now and one step later; on either side a row of the neighbour, which comes
/// with each step, or the cold edge.
struct Band {
  Band(std::size_t points, std::size_t first_row, std::size_t last_row)
      : n(points),
        first(first_row),
        rows(last_row - first_row),
        now((rows + 2) * n),
        next(now.size()) {
    const double h = std::numbers::pi / static_cast<double>(n - 1);
    for (std::size_t y = 1; y <= rows; ++y)
      for (std::size_t x = 1; x < n - 1; ++x)
        now[y * n + x] =
            std::sin(h * static_cast<double>(first + y - 1)) * std::sin(h * static_cast<double>(x));
  }

  double* row(std::size_t y) { return now.data() + y * n; }

  std::size_t n;
  std::size_t first;  // the plate's row that row 1 of the band is
  std::size_t rows;
  std::vector<double> now;
  std::vector<double> next;
};

/// Not inlined, so that one rank and many run the same instructions and round alike.
[[gnu::noinline]] void step_row(Band& band, std::size_t y) {
  const std::size_t n = band.n;
  const double* const row = band.now.data() + y * n;
  double* const next = band.next.data() + y * n;
  for (std::size_t x = 1; x < n - 1; ++x) {
    const double around = row[x - 1] + row[x + 1] + row[x - n] + row[x + n];
    next[x] = row[x] + kRate * (around - 4 * row[x]);
  }
}

void spread(Band& band, std::size_t steps, int above, int below) {
  const auto width = static_cast<int>(band.n);
  for (std::size_t k = 0; k < steps; ++k) {
    MPI_Request halo[4];
    MPI_Irecv(band.row(0), width, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &halo[0]);
    MPI_Irecv(band.row(band.rows + 1), width, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &halo[1]);
    MPI_Isend(band.row(1), width, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &halo[2]);
    MPI_Isend(band.row(band.rows), width, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &halo[3]);
    furca::join(
        [&] {  // on this thread
          MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
          step_row(band, 1);
          if (band.rows > 1) step_row(band, band.rows);
        },
        [&] {
          furca::parallel_for(std::size_t{2}, band.rows, [&](std::size_t y) { step_row(band, y); });
        });
    std::swap(band.now, band.next);
  }
}

double sum_of_row(Band& band, std::size_t y) {
  double sum = 0;
  for (std::size_t x = 0; x < band.n; ++x) sum += band.row(y)[x];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: mpi_heat [--size N] [--steps K]\n"
                                "Lets heat spread on a plate of N by N points (default 513) for K "
                                "steps (default 1000), on all ranks and on one.\n");
  const std::size_t n = arguments.option("--size", 513, 3, 100'000);
  const std::size_t steps = arguments.option("--steps", 1'000, 1, 100'000'000);
  arguments.done();

  return furca::mpi::run(argc, argv, [=] {
    const std::size_t threads = furca::mpi::fair_threads();
    furca::ThreadPool pool({.threads = threads});
    return pool.install([=] {
      int rank = 0;
      int ranks = 1;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &ranks);
      const std::uint64_t inner = n - 2;  // rows, without the edges
      const furca::mpi::Share mine = furca::mpi::share(inner);
      int all_have_some = mine.first < mine.last ? 1 : 0;
      MPI_Allreduce(MPI_IN_PLACE, &all_have_some, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      if (all_have_some == 0) throw std::invalid_argument("there are more ranks than rows");

      Band band(n, mine.first + 1, mine.last + 1);
      const double time = examples::seconds([&] {
        spread(band, steps, rank == 0 ? MPI_PROC_NULL : rank - 1,
               rank == ranks - 1 ? MPI_PROC_NULL : rank + 1);
        MPI_Barrier(MPI_COMM_WORLD);
      });
      const double heat = furca::mpi::reduce(
          inner, 0.0, [&](std::uint64_t y) { return sum_of_row(band, y - mine.first + 1); },
          std::plus<>{});

      // Each rank computes the whole plate, and compares its band.
      Band plate(n, 1, n - 1);
      const double time_alone =
          examples::seconds([&] { spread(plate, steps, MPI_PROC_NULL, MPI_PROC_NULL); });
      const double heat_alone = furca::parallel_reduce(
          std::uint64_t{0}, inner, 0.0, [&](std::uint64_t y) { return sum_of_row(plate, y + 1); },
          std::plus<>{});
      const bool same = std::equal(band.row(1), band.row(band.rows + 1), plate.row(band.first)) &&
                        heat == heat_alone;
      if (rank == 0) {
        std::printf("%zu x %zu points, %zu steps on %d ranks of %zu threads: %.17g in all\n", n, n,
                    steps, ranks, threads, heat);
        std::printf("a step took %.1f us; %.1f us where each rank computes all of it\n",
                    1e6 * time / static_cast<double>(steps),
                    1e6 * time_alone / static_cast<double>(steps));
      }
      if (!same) throw std::runtime_error("one rank and several disagree in some bit");
      return 0;
    });
  });
}
