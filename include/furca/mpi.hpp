// furca in the ranks of an MPI program: threads for each rank, shares of an index range, and a
// reduction over all ranks with the same bits for any number of them.
//
// Not part of <furca/furca.hpp>: it needs mpi.h, and a compiler that finds it, as mpicxx does.
// libfurca knows nothing of MPI.
// It defines OMPI_SKIP_MPICXX and MPICH_SKIP_MPICXX: a file that wants MPI's old C++ bindings
// includes mpi.h before.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/base/processor_mask.hpp>
#include <furca/detail/loop/aligned_part.hpp>
#include <furca/detail/loop/reduction.hpp>
#include <furca/detail/mpi/ranks.hpp>
#include <furca/detail/mpi/share_part.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/thread_pool.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>

#pragma GCC diagnostic push  // casts in MPI's macros
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"

namespace furca::mpi {

/// How many threads this rank should compute with: its part of num_threads() if other ranks of its
/// node have the same processors.
///
/// num_threads(), outside of install(), is what a process has to itself: the processors of the
/// affinity mask that mpirun or srun has set, or the cgroup's quota if that is less. Ranks that
/// were bound to different processors need not share, and get that. Ranks with one and the same
/// mask, as with `--bind-to none`, divide it, and get at least 1 each; the first ones get what is
/// left over. Masks that overlap without being equal count as different.
/// A quota is divided among equal masks only: ranks of one container with 4 processors' time that
/// are bound to 4 cores each get 4 threads each, so start such ranks with FURCA_NUM_THREADS=1.
/// FURCA_NUM_THREADS is what each rank gets, undivided.
///     furca::ThreadPool pool({.threads = furca::mpi::fair_threads()});
/// Collective: all ranks of `comm` call it, once, after MPI_Init_thread and before they start a
/// pool.
/// Throws as share(), std::runtime_error, which names the call, if MPI fails and MPI's error
/// handler lets it return, and std::bad_alloc; other ranks may then wait for this one.
/// Complexity: MPI_Comm_split_type, and one message of 1,024 bytes to each rank of the node.
inline std::size_t fair_threads(MPI_Comm comm = MPI_COMM_WORLD) {
  const detail::Ranks ranks(comm, "fair_threads");
  const std::size_t processors = num_threads();
  MPI_Comm node = MPI_COMM_NULL;
  detail::check_mpi(
      MPI_Comm_split_type(ranks.own(), MPI_COMM_TYPE_SHARED, ranks.rank(), MPI_INFO_NULL, &node),
      "MPI_Comm_split_type");
  const detail::Ranks neighbours(node, "fair_threads");
  const detail::ProcessorMask mine = detail::processor_mask();
  std::vector<detail::ProcessorMask> masks(static_cast<std::size_t>(neighbours.size()));
  detail::check_mpi(MPI_Allgather(mine.data(), sizeof(mine), MPI_BYTE, masks.data(), sizeof(mine),
                                  MPI_BYTE, node),
                    "MPI_Allgather");
  detail::check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");

  const char* const said = std::getenv("FURCA_NUM_THREADS");
  if (said != nullptr) {
    std::size_t number = 0;
    const char* const end = said + std::strlen(said);
    const std::from_chars_result read = std::from_chars(said, end, number);
    // else it was no number, and is ignored
    if (read.ec == std::errc() && read.ptr == end && number == processors) return processors;
  }
  const auto sharing = static_cast<std::size_t>(std::count(masks.begin(), masks.end(), mine));
  const auto before =
      static_cast<std::size_t>(std::count(masks.begin(), masks.begin() + neighbours.rank(), mine));
  return std::max<std::size_t>(1, processors / sharing + (before < processors % sharing ? 1 : 0));
}

/// The indices [first, last) of one rank.
/// @snippet mpi.cpp share
struct Share {
  std::uint64_t first = 0;  ///< the first index of this rank
  std::uint64_t last = 0;   ///< the first one of the next rank
};

/// Which of the indices 0 .. n-1 are this rank's: those that reduce() calls map with here.
///
/// Ranks have one stretch each, in their order, of as many blocks of reduce()'s tree, give or take
/// one; some may have none. A block is a single index up to n = 256, grows to 2,048, and beyond
/// that only if there would be more than 2^20 of them. `T` is the type that is reduced. It matters
/// from 33 bytes on:
/// there are 4,096 blocks at most up to 64 bytes, and 256 beyond.
/// Local: no rank waits for another.
/// Throws std::logic_error before MPI_Init_thread, after MPI_Finalize, and on a thread that may not
/// call MPI: another than the one that called MPI_Init_thread, below MPI_THREAD_SERIALIZED. Throws
/// std::invalid_argument for MPI_COMM_NULL and for an intercommunicator.
template <class T = double>
Share share(std::uint64_t n, MPI_Comm comm = MPI_COMM_WORLD) {
  const detail::Ranks ranks(comm, "share");
  const detail::Blocks blocks = detail::blocks_over_ranks<T>(n);
  return {blocks.at(detail::first_block(blocks, ranks.rank(), ranks.size())),
          blocks.at(detail::first_block(blocks, ranks.rank() + 1, ranks.size()))};
}

/// Combines the contributions of the indices 0 .. n-1, each of which map is called with on one
/// rank, and returns the result on every rank.
///
/// It is parallel_reduce(std::uint64_t{0}, n, identity, map, op) over several processes: map, op
/// and identity mean the same, and on each rank the threads of the current pool compute share<T>(n,
/// comm). **The result has the same bits for any number of ranks, threads and any schedule, and
/// those of parallel_reduce on one machine**, if all run the same code and combine floating-point
/// numbers alike (machines of one kind, one compiler, without -ffast-math). Where
/// enable_same_bits<T> is false parallel_reduce has these bits with ReduceTree::aligned only.
/// Accumulators go to other ranks as bytes, so their type is trivially copyable, of up to 1,024
/// bytes.
/// Collective: all ranks of `comm` call it, with the same n, T and op, and in the same order as
/// other collective calls. MPI is called on the calling thread alone, so MPI_THREAD_FUNNELED
/// suffices for the main thread, also while it runs the first arm of a join. At the first call for
/// a communicator that is duplicated: messages and errors are furca's own.
/// Exceptions: those of map and op as for parallel_reduce, on the rank where they are thrown, when
/// all ranks are through. All other ranks throw std::runtime_error, which names the first rank that
/// threw. So no rank waits for ever for what map, op or an allocation has thrown; it may if MPI
/// itself fails on one rank, which throws std::runtime_error there, with the call's name.
/// std::invalid_argument on every rank if they have not given the same n, or types of different
/// sizes; map has then been called with the indices of each rank's own n, and other types of the
/// same size are not noticed. Also throws as share(). The first call for a communicator duplicates
/// it under the program's own error handler, and copies the attributes that ask for that.
/// The duplicate is freed with the communicator, by code of the module that made this call: a
/// plugin that is unloaded before frees its communicators first, and does not call this with
/// MPI_COMM_WORLD.
/// Complexity: of n / ranks as parallel_reduce; then 2 log2(ranks) messages one after the other, up
/// and down a tree of ranks. On the way up a message has the nodes of an aligned tree, some 10 to
/// 20 accumulators, and 42 at most.
/// Source: the tree over ranks is the binomial tree, as in Thakur, Rabenseifner, Gropp:
/// Optimization of Collective Communication Operations in MPICH (2005).
/// Rejected: MPI_Allreduce with an operation of furca's own. Such an operation has no place for
/// op's captures, must not throw, and an implementation may run it on another thread.
template <Accumulator T, class Map, CombineOp<T> Op>
  requires Contribution<Map, std::uint64_t, T> && detail::kSendable<T>
[[nodiscard("the result of a reduction is what it returns")]] T reduce(
    std::uint64_t n, const T& identity, Map&& map, Op&& op, MPI_Comm comm = MPI_COMM_WORLD,
    const SourceLocation where = SourceLocation::current()) {
  using Shared = detail::Reduction<std::uint64_t, T, std::remove_reference_t<Map>,
                                   std::remove_reference_t<Op>>;
  using Part = detail::SharePart<Shared>;
  const detail::Ranks ranks(comm, "reduce");
  const MPI_Comm own = ranks.own();
  detail::Partial<T> partial(n);
  std::exception_ptr thrown;
  const auto attempt = [&](auto step) {
    try {
      step();
    } catch (...) {
      partial.has_thrown(ranks.rank());
      if (!thrown) thrown = std::current_exception();
    }
  };

  attempt([&] {
    const Shared shared{{0, n}, identity, map, op, nullptr};
    const detail::Blocks blocks = detail::blocks_over_ranks<T>(n);
    const std::uint64_t first = detail::first_block(blocks, ranks.rank(), ranks.size());
    const std::uint64_t last = detail::first_block(blocks, ranks.rank() + 1, ranks.size());
    Part part(detail::AlignedPart<Shared>(shared, blocks), first);
    detail::Loop(detail::kFunctionsOf<Part, "mpi::reduce">, last - first, automatic_grain,
                 StopToken(), &where)
        .run(&part);
    partial.tree().append(std::move(part.tree()), op);
  });
  for (int step = 1; step < ranks.size(); step *= 2) {
    if ((ranks.rank() & step) != 0) {
      partial.send(ranks.rank() - step, own);
      break;
    }
    if (ranks.size() - ranks.rank() <= step) continue;
    detail::Message right;
    partial.receive(right, ranks.rank() + step, own);
    attempt([&] { partial.append(right, ranks.rank() + step, op); });
  }
  T total = identity;
  if (ranks.rank() == 0 && !partial.tree().empty())
    attempt([&] { total = partial.tree().total(op); });
  total = partial.broadcast_total(total, own);

  const auto& verdict = partial.verdict();
  if (thrown) std::rethrow_exception(thrown);
  if (verdict.other >= 0 && verdict.accumulator != verdict.other_accumulator)
    throw std::invalid_argument("furca::mpi::reduce needs the same T on every rank: rank 0 has " +
                                std::to_string(verdict.accumulator) + " bytes, rank " +
                                std::to_string(verdict.other) + " has " +
                                std::to_string(verdict.other_accumulator));
  if (verdict.other >= 0)
    throw std::invalid_argument("furca::mpi::reduce needs the same n on every rank: rank 0 gave " +
                                std::to_string(verdict.n) + ", rank " +
                                std::to_string(verdict.other) + " gave " +
                                std::to_string(verdict.other_n));
  if (verdict.thrown >= 0)
    throw std::runtime_error("furca::mpi::reduce: rank " + std::to_string(verdict.thrown) +
                             " has thrown, so there is no result");
  return total;
}

/// @cond
template <class T, class Map, class Op>
auto reduce(std::uint64_t, const T&, Map&&, Op&&, MPI_Comm = MPI_COMM_WORLD,
            const SourceLocation = SourceLocation::current()) {
  if constexpr (!std::is_trivially_copyable_v<T>) {
    static_assert(detail::kFits<T>,
                  "furca: accumulators go to other ranks as bytes, so their type is trivially "
                  "copyable: write a struct of numbers, also in place of a std::pair "
                  "or std::tuple; for a std::vector or std::map reduce on each rank, and send with "
                  "MPI_Gatherv");
  } else if constexpr (sizeof(T) > 1'024) {
    static_assert(detail::kFits<T>,
                  "furca: accumulators that go to other ranks have up to 1,024 bytes: reduce large "
                  "arrays on each rank, and then with MPI_Allreduce");
  } else if constexpr (detail::SilentlyWrong<true, T, Map, Op, std::uint64_t>) {
    return detail::tell_silent<true, T, Map, Op, std::uint64_t>();
  } else {
    static_assert(detail::kFits<T>,
                  "furca: write furca::mpi::reduce(n, 0.0, [&](std::uint64_t i) { return x[i]; }, "
                  "std::plus<>{}), or a fold that adds in place, [&](T& sum, std::uint64_t i) { "
                  "sum += x[i]; }");
  }
  return detail::Anything();
}
/// @endcond

/// The main function of a program of several ranks: initialises MPI, calls f(), finalises, and
/// returns what f returned. If f throws, on whatever rank, it prints the rank and the exception's
/// words to stderr and ends all ranks by MPI_Abort with exit code 1, since the others would wait
/// for this one for ever.
///     int main(int argc, char** argv) { return furca::mpi::run(argc, argv, [] { ...; return 0; });
///     }
/// Programs that initialise MPI themselves do not need it. `level` is what f needs of MPI;
/// MPI_THREAD_FUNNELED, the least that a program with threads may ask for, is right where only the
/// main thread calls MPI. An MPI that does not give it ends the program in the same way. If
/// MPI_Init_thread or MPI_Finalize fails and returns, run says so on stderr and returns 1.
template <std::invocable F>
  requires std::convertible_to<std::invoke_result_t<F>, int>
int run(int argc, char** argv, F&& f, int level = MPI_THREAD_FUNNELED) {
  int provided = MPI_THREAD_SINGLE;
  // there is no rank yet that could be named, nor ended
  if (MPI_Init_thread(&argc, &argv, level, &provided) != MPI_SUCCESS) {
    std::fputs("furca: MPI_Init_thread has failed\n", stderr);
    return 1;
  }
  const auto end_all = [](const char* words) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "furca: rank %d has ended the program: %s\n", rank, words);
    std::fflush(stdout);
    std::fflush(stderr);  // not all files, which may block
    MPI_Abort(MPI_COMM_WORLD, 1);
  };
  int code = 1;
  try {
    if (provided < level)
      throw std::runtime_error("this MPI lacks the thread level that was asked for");
    code = std::forward<F>(f)();
  } catch (const std::exception& error) {
    end_all(error.what());
  } catch (...) {
    end_all("what was thrown is no std::exception");
  }
  if (MPI_Finalize() != MPI_SUCCESS) {
    std::fputs("furca: MPI_Finalize has failed\n", stderr);
    return 1;
  }
  return code;
}

}  // namespace furca::mpi

#pragma GCC diagnostic pop
