// Sample sort over several machines: each rank has a part of the numbers, in the end a part of the
// sorted sequence. mpirun -n 4 mpi_sort
//
// Work O(n / R log n) on each of R ranks; each number is sent once. Ranks sort what they have,
// agree on R - 1 numbers that divide it well, send each other what is between two of them, and
// merge what they get, which is R sorted runs: stable_sort finds these in order already, and takes
// little more than merging them would.
// Source: Frazer, McKellar: Samplesort, Journal of the ACM 17 (1970), with regular samples as in
// Shi, Schaeffer: Parallel Sorting by Regular Sampling (1992).
#include "../arguments.hpp"
#include "../timing.hpp"

#include <furca/algorithms.hpp>
#include <furca/mpi.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

/// The i-th number of the input, the same on any rank.
std::uint64_t number_at(std::uint64_t i) {
  std::uint64_t x = i + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::vector<std::uint64_t> numbers_of(furca::mpi::Share share) {
  std::vector<std::uint64_t> numbers(share.last - share.first);
  furca::parallel_for(std::uint64_t{0}, share.last - share.first,
                      [&](std::uint64_t i) { numbers[i] = number_at(share.first + i); });
  return numbers;
}

/// R - 1 numbers between which each rank's part of the result lies: every R-th of R samples from
/// each rank, which are the same for all.
std::vector<std::uint64_t> splitters(const std::vector<std::uint64_t>& sorted, std::size_t ranks) {
  std::vector<std::uint64_t> mine(ranks, UINT64_MAX);
  for (std::size_t k = 0; k < ranks && !sorted.empty(); ++k)
    mine[k] = sorted[sorted.size() * k / ranks];
  std::vector<std::uint64_t> all(ranks * ranks);
  MPI_Allgather(mine.data(), static_cast<int>(ranks), MPI_UINT64_T, all.data(),
                static_cast<int>(ranks), MPI_UINT64_T, MPI_COMM_WORLD);
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> chosen;
  for (std::size_t k = 1; k < ranks; ++k) chosen.push_back(all[k * ranks]);
  return chosen;
}

/// Where each rank's numbers begin among so many of each.
std::vector<int> starts(const std::vector<int>& counts) {
  std::vector<int> begin(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begin.begin(), 0);
  return begin;
}

std::vector<std::uint64_t> sorted_over_ranks(std::vector<std::uint64_t> mine, std::size_t ranks) {
  furca::sort(mine);
  std::vector<int> sent(ranks, 0);
  auto from = mine.begin();
  const std::vector<std::uint64_t> between = splitters(mine, ranks);
  for (std::size_t k = 0; k < ranks; ++k) {
    const auto to =
        k < between.size() ? std::lower_bound(from, mine.end(), between[k]) : mine.end();
    sent[k] = static_cast<int>(to - from);
    from = to;
  }
  std::vector<int> got(ranks);
  MPI_Alltoall(sent.data(), 1, MPI_INT, got.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<std::uint64_t> result(
      static_cast<std::size_t>(std::accumulate(got.begin(), got.end(), 0)));
  MPI_Alltoallv(mine.data(), sent.data(), starts(sent).data(), MPI_UINT64_T, result.data(),
                got.data(), starts(got).data(), MPI_UINT64_T, MPI_COMM_WORLD);
  furca::stable_sort(result);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(
      argc, argv,
      "usage: mpi_sort [N]\nSorts N numbers (default 1000000), over all ranks and on one.\n");
  const std::size_t n = arguments.number("N", 1'000'000, 0, 1'000'000'000);
  arguments.done();

  return furca::mpi::run(argc, argv, [=] {
    const std::size_t threads = furca::mpi::fair_threads();
    furca::ThreadPool pool({.threads = threads});
    return pool.install([=] {
      int rank = 0;
      int ranks = 1;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &ranks);
      std::vector<std::uint64_t> sorted;
      const double time = examples::seconds([&] {
        sorted =
            sorted_over_ranks(numbers_of(furca::mpi::share(n)), static_cast<std::size_t>(ranks));
      });

      // Where this rank's part begins in the whole, and the whole, which each rank sorts for itself
      // to compare.
      const std::uint64_t count = sorted.size();
      std::uint64_t before = 0;
      MPI_Exscan(&count, &before, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
      if (rank == 0) before = 0;  // MPI leaves it as it is there
      std::vector<std::uint64_t> alone = numbers_of({0, n});
      furca::sort(alone);
      if (before + count > n || !std::equal(sorted.begin(), sorted.end(),
                                            alone.begin() + static_cast<std::ptrdiff_t>(before)))
        throw std::runtime_error("one rank and several disagree");
      if (rank == 0)
        std::printf(
            "%zu numbers sorted in %.1f ms on %d ranks of %zu threads; rank 0 has the first %zu\n",
            n, 1e3 * time, ranks, threads, sorted.size());
      return 0;
    });
  });
}
