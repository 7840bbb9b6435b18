// Primes by trial division over several machines: the higher the numbers, the longer they take, so
// ranks fetch stretches as they go. mpirun -n 4 mpi_primes
//
// Work O(N^1.5 / log N). A counter in rank 0's memory says which stretch is next; MPI_Fetch_and_op
// reads and increments it. A rank fetches its next stretch in the first arm of a join, which stays
// on the calling thread, while its other threads compute the one before. Where the network counts
// (InfiniBand) nobody waits for that. Where MPI does it in software, as over TCP and with some MPIs
// within a machine, a rank waits until rank 0 calls MPI, which may be at the end of rank 0's
// stretch: see the guide for what helps. Stretches become shorter towards the end, as with OpenMP's
// guided schedule. Which rank had which is left to chance; the result is not.
#include "../arguments.hpp"
#include "../timing.hpp"

#include <furca/furca.hpp>
#include <furca/mpi.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

struct Stretch {
  std::uint64_t first;
  std::uint64_t last;
};

/// Each has a share of what is left; they are the same on every rank.
std::vector<Stretch> guided(std::uint64_t n, int ranks) {
  constexpr std::uint64_t kShortest = 4'096;
  std::vector<Stretch> all;
  for (std::uint64_t lo = 0; lo < n;) {
    const std::uint64_t length =
        std::max(kShortest, (n - lo) / (4 * static_cast<std::uint64_t>(ranks)));
    all.push_back({lo, std::min(n, lo + length)});
    lo = all.back().last;
  }
  return all;
}

/// A number that all ranks count up, in the memory of rank 0.
class Counter {
 public:
  Counter() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 0 ? sizeof(std::uint64_t) : 0, sizeof(std::uint64_t), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &value_, &window_);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    if (rank == 0) *value_ = 0;
    MPI_Win_sync(window_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  ~Counter() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  /// What it was before.
  std::uint64_t next() {
    const std::uint64_t one = 1;
    std::uint64_t before = 0;
    MPI_Fetch_and_op(&one, &before, MPI_UINT64_T, 0, 0, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return before;
  }

 private:
  std::uint64_t* value_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

bool is_prime(std::uint64_t n) {
  if (n < 4) return n > 1;
  if (n % 2 == 0) return false;
  for (std::uint64_t d = 3; d * d <= n; d += 2)
    if (n % d == 0) return false;
  return true;
}

/// How many there are, and a sum that tells which.
struct Primes {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  friend Primes operator+(Primes a, const Primes& b) { return {a.count + b.count, a.sum + b.sum}; }
  friend bool operator==(const Primes&, const Primes&) = default;
};

Primes primes_in(Stretch stretch) {
  return furca::parallel_reduce(stretch.first, stretch.last, Primes(), [](std::uint64_t n) {
    return is_prime(n) ? Primes{1, n * n} : Primes();
  });
}

Primes primes_of_this_rank(const std::vector<Stretch>& stretches) {
  Counter counter;
  Primes mine;
  for (std::uint64_t k = counter.next(); k < stretches.size();) {
    std::uint64_t next = 0;
    furca::join([&] { next = counter.next(); },  // on this thread
                [&] { mine = mine + primes_in(stretches[k]); });
    k = next;
  }
  return mine;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: mpi_primes [N]\nCounts the primes below N (default "
                                "3000000), on all ranks and on one.\n");
  const std::size_t n = arguments.number("N", 3'000'000, 1, 10'000'000'000);
  arguments.done();

  return furca::mpi::run(argc, argv, [=] {
    const std::size_t threads = furca::mpi::fair_threads();
    furca::ThreadPool pool({.threads = threads});
    return pool.install([=] {
      int rank = 0;
      int ranks = 1;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      MPI_Comm_size(MPI_COMM_WORLD, &ranks);
      Primes all;
      const double time = examples::seconds([&] {
        all = primes_of_this_rank(guided(n, ranks));
        // whole numbers: the same in any order
        MPI_Allreduce(MPI_IN_PLACE, &all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
      });
      if (rank != 0) return 0;
      Primes alone;
      const double time_alone = examples::seconds([&] { alone = primes_in({0, n}); });
      std::printf("%llu primes below %zu on %d ranks of %zu threads\n",
                  static_cast<unsigned long long>(all.count), n, ranks, threads);
      std::printf("%.1f ms; %.1f ms on rank 0 alone\n", 1e3 * time, 1e3 * time_alone);
      if (!(all == alone)) throw std::runtime_error("one rank and several disagree");
      return 0;
    });
  });
}
