// mpi, in use. A program of its own, which runs as one rank or as many: mpirun -n 2 reference-mpi
#include "../expect.hpp"

#include <furca/mpi.hpp>
#include <furca/parallel_for.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace {

int use_all() {
  //! [fair_threads]
  furca::ThreadPool pool({.threads = furca::mpi::fair_threads()});
  //! [fair_threads]
  return pool.install([] {
    //! [share]
    const furca::mpi::Share mine = furca::mpi::share(1'000'000);
    std::vector<double> x(mine.last - mine.first);  // x[k] is element mine.first + k of the whole
    //! [share]
    furca::parallel_for(mine.first, mine.last, [&](std::uint64_t i) {
      x[i - mine.first] = 1.0 / static_cast<double>(i + 1);
    });

    //! [reduce]
    const double sum = furca::mpi::reduce(
        1'000'000, 0.0, [&](std::uint64_t i) { return x[i - mine.first]; }, std::plus<>{});
    //! [reduce]
    const double alone =
        furca::parallel_reduce(0, 1'000'000, 0.0, [](int i) { return 1.0 / (i + 1); });
    examples::expect(sum == alone, "one machine has the same in every bit");
    return examples::unexpected;
  });
}

}  // namespace

//! [run]
int main(int argc, char** argv) {
  return furca::mpi::run(argc, argv, [] { return use_all(); });
}
//! [run]
