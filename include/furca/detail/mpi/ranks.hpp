// The part of MPI that mpi.hpp needs: errors as exceptions, a communicator of furca's own, and
// messages that are parts of an aligned tree.
#pragma once

#include <furca/detail/loop/aligned_tree.hpp>

// Warnings in mpi.h are not about the user's code. The C++ bindings, which the standard has no
// more, would take a library of their own and half a second.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wcast-function-type"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#pragma GCC diagnostic push  // casts in MPI's macros
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"

namespace furca::detail {

/// Throws std::runtime_error for what an MPI function has returned, with its name and MPI's own
/// words.
inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) [[likely]]
    return;
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, words, &length) != MPI_SUCCESS) length = 0;
  throw std::runtime_error("furca: " + std::string(call) +
                           " has failed: " + std::string(words, static_cast<std::size_t>(length)));
}

/// A communicator as a function of furca::mpi finds it, and this rank's place in it.
class Ranks {
 public:
  /// Throws std::logic_error where MPI may not be called, and std::invalid_argument for what is no
  /// group of ranks.
  Ranks(MPI_Comm comm, const char* function) : given_(comm) {
    int initialized = 0;
    int finalized = 0;
    check_mpi(MPI_Initialized(&initialized), "MPI_Initialized");
    check_mpi(MPI_Finalized(&finalized), "MPI_Finalized");
    if (initialized == 0 || finalized != 0)
      throw std::logic_error(name(function) +
                             " is called between MPI_Init_thread and MPI_Finalize");
    int level = MPI_THREAD_SINGLE;
    int is_main = 0;
    check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
    check_mpi(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
    if (is_main == 0 && level < MPI_THREAD_SERIALIZED)
      throw std::logic_error(name(function) +
                             " calls MPI, which below MPI_THREAD_SERIALIZED only the thread may do "
                             "that has initialised it: not in the body of a loop");
    if (comm == MPI_COMM_NULL)
      throw std::invalid_argument(name(function) +
                                  " needs a communicator, and was given MPI_COMM_NULL");
    int is_inter = 0;
    check_mpi(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
    if (is_inter != 0)
      throw std::invalid_argument(name(function) +
                                  " needs one group of ranks, and was given an intercommunicator");
    check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
  }

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  /// The same ranks with messages of their own, which no receive of the program's can take, and
  /// with errors that are returned. Collective at its first call for a communicator, which then
  /// keeps it, as PETSc does (PetscCommDuplicate). Allocates nothing, which might fail on one rank
  /// alone: the attribute is the handle itself.
  MPI_Comm own() const {
    static const int key = [] {
      int made = MPI_KEYVAL_INVALID;
      check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &release, &made, nullptr),
                "MPI_Comm_create_keyval");
      return made;
    }();
    void* kept = nullptr;
    int is_kept = 0;
    check_mpi(MPI_Comm_get_attr(given_, key, static_cast<void*>(&kept), &is_kept),
              "MPI_Comm_get_attr");
    if (is_kept == 0) {
      MPI_Comm made = MPI_COMM_NULL;
      check_mpi(MPI_Comm_dup(given_, &made), "MPI_Comm_dup");
      try {
        check_mpi(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        std::memcpy(&kept, &made, sizeof(made));
        check_mpi(MPI_Comm_set_attr(given_, key, kept), "MPI_Comm_set_attr");
      } catch (...) {
        MPI_Comm_free(&made);
        throw;
      }
    }
    return handle_in(kept);
  }

  static std::string name(const char* function) { return std::string("furca::mpi::") + function; }

 private:
  /// When the communicator is freed, or MPI finalised.
  static int release(MPI_Comm, int, void* kept, void*) {
    MPI_Comm made = handle_in(kept);
    return MPI_Comm_free(&made);
  }

  static MPI_Comm handle_in(void* kept) noexcept {
    static_assert(sizeof(MPI_Comm) <= sizeof(kept) && std::is_trivially_copyable_v<MPI_Comm>);
    MPI_Comm made;
    std::memcpy(&made, &kept, sizeof(made));
    return made;
  }

  MPI_Comm given_;
  int rank_ = 0;
  int size_ = 1;
};

/// Room for what a rank sends up, whatever its accumulators: ranks whose types differ by mistake
/// are told so.
struct Message {
  static constexpr std::size_t kMost = 20'000;
  std::size_t size = 0;
  std::array<std::byte, kMost> bytes;
};

/// The result of a row of ranks: blocks of an aligned tree, or why there are none. Sending,
/// receiving and the broadcast allocate nothing, so that a rank without memory lets no other one
/// wait.
template <class T>
class Partial {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  using Tree = AlignedTree<T>;

  /// The first failure, if there was any, in the order of ranks.
  struct Verdict {
    // as the first of these ranks gave it
    std::uint64_t n = 0;
    std::uint64_t other_n = 0;  // as another one did
    // bytes of one, on the first of these ranks
    std::uint32_t accumulator = static_cast<std::uint32_t>(sizeof(T));
    std::uint32_t other_accumulator = 0;  // on the other one
    // which; -1: all gave the same
    std::int32_t other = -1;
    // which rank has thrown; -1: none has
    std::int32_t thrown = -1;
  };

  explicit Partial(std::uint64_t n) noexcept : verdict_{.n = n} {}

  Tree& tree() noexcept { return tree_; }
  const Verdict& verdict() const noexcept { return verdict_; }
  void has_thrown(int rank) noexcept {
    if (verdict_.thrown < 0) verdict_.thrown = rank;
  }

  void send(int to, MPI_Comm comm) const {
    Message message;
    std::memcpy(message.bytes.data(), &verdict_, sizeof(Verdict));
    message.size = sizeof(Verdict);
    tree_.for_each_node([&](std::uint32_t level, std::uint32_t start, const T& value) {
      const std::array<std::uint32_t, 2> place{level, start};
      std::byte* const at = message.bytes.data() + message.size;
      std::memcpy(at, place.data(), sizeof(place));
      std::memcpy(at + sizeof(place), &value, sizeof(T));
      message.size += kNodeBytes;
    });
    check_mpi(MPI_Send(message.bytes.data(), static_cast<int>(message.size), MPI_BYTE, to, 0, comm),
              "MPI_Send");
  }

  /// The message that send() of that rank has sent: the ranks right behind these.
  static void receive(Message& message, int from, MPI_Comm comm) {
    MPI_Status status;
    int bytes = 0;
    check_mpi(MPI_Recv(message.bytes.data(), static_cast<int>(Message::kMost), MPI_BYTE, from, 0,
                       comm, &status),
              "MPI_Recv");
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    message.size = static_cast<std::size_t>(bytes);
  }

  /// Adds what was received from rank `from`. After a failure nothing is combined any more.
  template <class Op>
  void append(const Message& message, int from, Op& op) {
    Verdict right;
    if (message.size < sizeof(Verdict))
      throw std::runtime_error("furca: a message of furca::mpi::reduce is too short");
    std::memcpy(&right, message.bytes.data(), sizeof(Verdict));
    if (verdict_.other < 0 &&
        (right.n != verdict_.n || right.accumulator != verdict_.accumulator)) {
      verdict_.other = from;
      verdict_.other_n = right.n;
      verdict_.other_accumulator = right.accumulator;
    } else if (verdict_.other < 0 && right.other >= 0) {
      verdict_.other = right.other;
      verdict_.other_n = right.other_n;
      verdict_.other_accumulator = right.other_accumulator;
    }
    if (verdict_.thrown < 0) verdict_.thrown = right.thrown;
    if (verdict_.other >= 0 || verdict_.thrown >= 0) return;
    if ((message.size - sizeof(Verdict)) % kNodeBytes != 0)
      throw std::runtime_error("furca: a message of furca::mpi::reduce has half a node");
    for (std::size_t at = sizeof(Verdict); at < message.size; at += kNodeBytes) {
      std::array<std::uint32_t, 2> place;
      std::array<std::byte, sizeof(T)> value;
      std::memcpy(place.data(), message.bytes.data() + at, sizeof(place));
      std::memcpy(value.data(), message.bytes.data() + at + sizeof(place), sizeof(T));
      tree_.append(place[0], place[1], std::bit_cast<T>(value), op);
    }
  }

  /// Tells all ranks the verdict and, if it is good, the total that rank 0 has. The first message
  /// is as long on every rank, whatever its T; a large total has one of its own, when all are known
  /// to have the same T.
  T broadcast_total(T total, MPI_Comm comm) {
    constexpr std::size_t kTogether = 32;
    std::array<std::byte, sizeof(Verdict) + kTogether> message{};
    std::array<std::byte, sizeof(T)> value;
    std::memcpy(value.data(), &total, sizeof(T));
    std::memcpy(message.data(), &verdict_, sizeof(Verdict));
    std::memcpy(message.data() + sizeof(Verdict), value.data(), std::min(sizeof(T), kTogether));
    check_mpi(MPI_Bcast(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, comm),
              "MPI_Bcast");
    std::memcpy(&verdict_, message.data(), sizeof(Verdict));
    if (verdict_.other >= 0 || verdict_.thrown >= 0) return total;
    if constexpr (sizeof(T) <= kTogether) {
      std::memcpy(value.data(), message.data() + sizeof(Verdict), sizeof(T));
    } else {
      check_mpi(MPI_Bcast(value.data(), static_cast<int>(value.size()), MPI_BYTE, 0, comm),
                "MPI_Bcast");
    }
    return std::bit_cast<T>(value);
  }

 private:
  static constexpr std::size_t kNodeBytes = 2 * sizeof(std::uint32_t) + sizeof(T);
  static_assert(sizeof(Verdict) + Tree::kMostNodes * kNodeBytes <= Message::kMost);

  Verdict verdict_;
  Tree tree_;
};

}  // namespace furca::detail

#pragma GCC diagnostic pop
