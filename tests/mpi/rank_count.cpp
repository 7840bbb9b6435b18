// Whether the launcher that was found belongs to the MPI that programs are linked with: rank_count
// N, started with N ranks. Another MPI's launcher starts N programs of one rank each, in which
// every example passes and nothing was tested.
#include <furca/mpi.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  const std::string expected = argc > 1 ? argv[1] : "";
  return furca::mpi::run(argc, argv, [&] {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (std::to_string(ranks) == expected) return 0;
    std::fprintf(stderr, "%s ranks expected, %d found: is mpiexec another MPI's?\n",
                 expected.c_str(), ranks);
    return 1;
  });
}
