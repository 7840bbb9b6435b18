// What furca::mpi promises, as one program of several ranks: ranks_test WHAT. run.py starts it with
// each MPI, in many shapes.
//
// A hash stands for the bits of many reductions. Their operations are neither commutative nor
// associative, so it tells the tree.
#include <furca/mpi.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

/// How often this thread may still allocate; below 0 always.
thread_local int allocations_left = -1;

}  // namespace

void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

int wrong = 0;

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "FAILED: rank %d: %s\n", rank_of(MPI_COMM_WORLD), what);
  wrong = 1;
}

/// Some words, each of which depends on the order and the brackets of what was combined.
template <std::size_t kWords>
struct Mixed {
  std::array<std::uint64_t, kWords> words{};
};

template <std::size_t kWords>
Mixed<kWords> mix(Mixed<kWords> left, const Mixed<kWords>& right) {
  for (std::size_t k = 0; k < kWords; ++k)
    left.words[k] = (left.words[k] * 3 + std::rotl(right.words[k], 17) + k) * 0x9e3779b97f4a7c15U;
  return left;
}

template <std::size_t kWords>
Mixed<kWords> leaf(std::uint64_t i) {
  Mixed<kWords> value;
  for (std::size_t k = 0; k < kWords; ++k) value.words[k] = (i + 1) * (2 * k + 1);
  return value;
}

class Hash {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    std::array<unsigned char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(T));
    for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3U;
  }
  std::uint64_t get() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

constexpr std::array<std::uint64_t, 12> kLengths{0, 1, 2, 3, 5, 100,
                                                 // the last one: more than 4,096 blocks of 2,048
                                                 256, 257, 1'000, 50'000, 600'001, 9'000'000};

/// reduce(n, identity, map, op) over many lengths and types.
template <class Reduce>
std::uint64_t hash_of_all(Reduce reduce) {
  Hash hash;
  for (const std::uint64_t n : kLengths) {
    hash.add(reduce(
        n, 0.0, [](std::uint64_t i) { return 1.0 / (static_cast<double>(i) + 1.0); },
        std::plus<>{}));
    hash.add(reduce(
        n, 0.0F, [](float& sum, std::uint64_t i) { sum += 1.0F / static_cast<float>(i + 1); },
        std::plus<>{}));
    hash.add(reduce(
        n, std::uint64_t{0}, [](std::uint64_t i) { return i * i; },
        [](std::uint64_t a, std::uint64_t b) { return a + b; }));
    hash.add(reduce(n, Mixed<1>(), leaf<1>, mix<1>));
    if (n > 1'000'000) continue;  // other types have the same blocks, or fewer
    hash.add(reduce(n, Mixed<7>(), leaf<7>, mix<7>));
    hash.add(reduce(n, Mixed<20>(), leaf<20>, mix<20>));
    hash.add(reduce(n, Mixed<128>(), leaf<128>, mix<128>));
  }
  return hash.get();
}

/// One hash whatever there is: rank 0 prints it, and the others have it too.
void hashes() {
  for (const std::size_t threads : {1U, 2U, 3U}) {
    furca::ThreadPool pool({.threads = threads});
    std::uint64_t hash = pool.install([] {
      return hash_of_all([](std::uint64_t n, const auto& identity, auto map, auto op) {
        return furca::mpi::reduce(n, identity, map, op);
      });
    });
    if (rank_of(MPI_COMM_WORLD) == 0)
      std::printf("hash %016llx\n", static_cast<unsigned long long>(hash));
    const std::uint64_t mine = hash;
    MPI_Bcast(&hash, sizeof(hash), MPI_BYTE, 0, MPI_COMM_WORLD);
    expect(mine == hash, "a rank has another result");
  }
}

void hash_of_parallel_reduce() {
  const std::uint64_t hash =
      hash_of_all([](std::uint64_t n, const auto& identity, auto map, auto op) {
        return furca::parallel_reduce(std::uint64_t{0}, n, identity, map, op);
      });
  std::printf("hash %016llx\n", static_cast<unsigned long long>(hash));
}

/// Shares make up the indices, in order, and map is called with those of its rank.
template <class T>
void look_at_shares(std::uint64_t n) {
  const furca::mpi::Share mine = furca::mpi::share<T>(n);
  std::uint64_t all[2] = {mine.last - mine.first,
                          mine.first > mine.last || mine.last > n ? 1U : 0U};
  MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  expect(all[0] == n && all[1] == 0, "the shares do not make up the range");
  const auto map = [=](std::uint64_t i) {
    return mine.first <= i && i < mine.last ? T{}
                                            : throw std::logic_error("an index of another rank");
  };
  (void)furca::mpi::reduce(n, T{}, map, [](T a, const T&) { return a; });
}

template <class Exception, class F>
std::string thrown_by(F f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

double one(std::uint64_t) { return 1.0; }

/// What is thrown comes to all, none waits for ever, and the next reduction is as good as any.
void exceptions() {
  const int rank = rank_of(MPI_COMM_WORLD);
  for (const std::uint64_t bad :
       {std::uint64_t{0}, std::uint64_t{700'000}, std::uint64_t{999'999}}) {
    const furca::mpi::Share mine = furca::mpi::share(1'000'000);
    const bool is_mine = mine.first <= bad && bad < mine.last;
    const auto map = [=](std::uint64_t i) {
      return i == bad ? throw std::domain_error("of map") : 1.0;
    };
    const auto reduction = [&] { (void)furca::mpi::reduce(1'000'000, 0.0, map, std::plus<>{}); };
    const std::string said = is_mine ? thrown_by<std::domain_error>(reduction)
                                     : thrown_by<std::runtime_error>(reduction);
    expect(is_mine ? said == "of map" : contains(said, "has thrown"), said.c_str());
  }
  const auto all_throw = [&] {
    (void)furca::mpi::reduce(
        1'000'000, 0.0,
        [](std::uint64_t i) -> double { throw std::out_of_range(std::to_string(i)); },
        std::plus<>{});
  };
  expect(
      thrown_by<std::out_of_range>(all_throw) == std::to_string(furca::mpi::share(1'000'000).first),
      "each rank throws what its first index throws");
  const auto op_throws = [&] {
    (void)furca::mpi::reduce(300, 0.0, one, [](double a, double b) {
      return a + b > 200 ? throw std::domain_error("of op") : a + b;
    });
  };
  if (rank == 0) {
    expect(thrown_by<std::domain_error>(op_throws) == "of op", "an op that throws");
  } else {
    expect(contains(thrown_by<std::runtime_error>(op_throws), "rank 0 has thrown"),
           "an op that throws on another rank");
  }
  expect(furca::mpi::reduce(1'000'000, 0.0, one, std::plus<>{}) == 1e6,
         "a reduction after exceptions");
}

void misuse() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rank = rank_of(MPI_COMM_WORLD);
  const auto at_null = [] { (void)furca::mpi::reduce(10, 0.0, one, std::plus<>{}, MPI_COMM_NULL); };
  expect(contains(thrown_by<std::invalid_argument>(at_null), "MPI_COMM_NULL"),
         "a null communicator");
  expect(contains(thrown_by<std::invalid_argument>(
                      [] { (void)furca::mpi::fair_threads(MPI_COMM_NULL); }),
                  "MPI_COMM_NULL"),
         "a null communicator");

  const auto other_n = [=] {
    (void)furca::mpi::reduce(rank == size - 1 ? 20 : 10, 0.0, one, std::plus<>{});
  };
  const std::string said = thrown_by<std::invalid_argument>(other_n);
  const std::string expected = "needs the same n on every rank: rank 0 gave 10, rank " +
                               std::to_string(size - 1) + " gave 20";
  expect(size == 1 || contains(said, expected), said.c_str());

  const auto other_type = [=] {
    if (rank == size - 1) {
      (void)furca::mpi::reduce(1'000, Mixed<20>(), leaf<20>, mix<20>);
    } else {
      (void)furca::mpi::reduce(1'000, Mixed<1>(), leaf<1>, mix<1>);
    }
  };
  const std::string types = thrown_by<std::invalid_argument>(other_type);
  expect(size == 1 || contains(types, "needs the same T on every rank: rank 0 has 8 bytes, rank " +
                                          std::to_string(size - 1) + " has 160"),
         types.c_str());

  std::string elsewhere;
  std::thread([&] {
    elsewhere = thrown_by<std::logic_error>([] { (void)furca::mpi::share(10); });
  }).join();
  expect(contains(elsewhere, "MPI_THREAD_SERIALIZED"), elsewhere.c_str());

  const std::string failed =
      thrown_by<std::runtime_error>([] { furca::detail::check_mpi(MPI_ERR_TRUNCATE, "MPI_Recv"); });
  expect(contains(failed, "furca: MPI_Recv has failed: MPI_ERR_TRUNCATE") ||
             contains(failed, "furca: MPI_Recv has failed: Message truncated"),
         failed.c_str());
  const furca::detail::Ranks ranks(MPI_COMM_WORLD, "test");
  const std::string nobody = thrown_by<std::runtime_error>(
      [&] { furca::detail::Partial<double>(0).send(size, ranks.own()); });
  expect(contains(nobody, "furca: MPI_Send has failed: "), nobody.c_str());

  MPI_Comm halves = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
  expect(furca::mpi::reduce(1'000, 0.0, one, std::plus<>{}, halves) == 1'000,
         "a part of the ranks");
  if (size > 1) {
    MPI_Comm both = MPI_COMM_NULL;
    MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 1 : 0, 7, &both);
    expect(contains(thrown_by<std::invalid_argument>([&] { (void)furca::mpi::share(10, both); }),
                    "intercommunicator"),
           "an intercommunicator");
    MPI_Comm_free(&both);
  }
  MPI_Comm_free(&halves);  // with the one that is kept for it
}

/// The last rank has no memory, from some point of a reduction on: the others come to its end all
/// the same.
void no_memory() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rank = rank_of(MPI_COMM_WORLD);
  for (int left = 0; left < 12; ++left) {
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    for (int call = 0; call < 2; ++call) {  // the first one duplicates
      if (rank == size - 1) allocations_left = left;
      try {
        const double sum = furca::mpi::reduce(1'000'000, 0.0, one, std::plus<>{}, fresh);
        allocations_left = -1;
        expect(sum == 1e6, "a reduction with little memory");
      } catch (const std::bad_alloc&) {
        allocations_left = -1;
        expect(rank == size - 1, "no memory on another rank");
      } catch (const std::runtime_error& error) {
        expect(contains(error.what(), "has thrown"), error.what());
      }
    }
    MPI_Comm_free(&fresh);
  }
}

/// Messages of the program's own, on the way during a reduction: it takes none of them, and they
/// take none of its.
void messages() {
  const int rank = rank_of(MPI_COMM_WORLD);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int got = -1;
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  expect(furca::mpi::reduce(100'000, 0.0, one, std::plus<>{}) == 1e5,
         "a reduction beside a receive from anywhere");
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(got == (rank + size - 1) % size, "a message of the program's");
}

int checks() {
  for (const std::uint64_t n : {0U, 1U, 3U, 100U, 1'000U, 1'000'003U}) {
    look_at_shares<double>(n);
    look_at_shares<Mixed<5>>(n);
    look_at_shares<Mixed<20>>(n);
  }
  exceptions();
  no_memory();
  misuse();
  messages();
  if (wrong == 0 && rank_of(MPI_COMM_WORLD) == 0) std::puts("all as expected");
  return wrong;
}

int fair_threads() {
  const std::size_t threads = furca::mpi::fair_threads();
  std::printf("threads %zu\n", threads);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "parallel_reduce") return hash_of_parallel_reduce(), 0;
  if (what == "num_threads") return std::printf("threads %zu\n", furca::num_threads()), 0;
  std::string too_early = thrown_by<std::logic_error>([] { (void)furca::mpi::share(10); });
  const int code = furca::mpi::run(argc, argv, [&] {
    expect(contains(too_early, "between MPI_Init_thread and MPI_Finalize"), too_early.c_str());
    if (what == "hash") return hashes(), wrong;
    if (what == "checks") return checks();
    if (what == "threads") return fair_threads();
    if (what == "throw")
      return rank_of(MPI_COMM_WORLD) == 1 ? throw std::runtime_error("it was rank 1's turn")
                                          : MPI_Barrier(MPI_COMM_WORLD);
    throw std::invalid_argument(
        "usage: ranks_test parallel_reduce|num_threads|hash|checks|threads|throw");
  });
  const std::string too_late = thrown_by<std::logic_error>([] { (void)furca::mpi::share(10); });
  if (contains(too_late, "between MPI_Init_thread and MPI_Finalize")) return code;
  std::fprintf(stderr, "FAILED: after MPI_Finalize: %s\n", too_late.c_str());
  return 1;
}
