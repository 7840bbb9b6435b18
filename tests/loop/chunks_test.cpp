#include <furca/chunks.hpp>
#include <furca/join.hpp>
#include <furca/progress.hpp>

#include "support/pools.hpp"

#include <stop_token>

using furca::parallel_for_chunks;
using furca::parallel_reduce_chunks;
using furca::ReduceTree;
using furca::detail::Blocks;
using furca::detail::chunk_block_size;
using furca::test::on_every_pool;

namespace {

/// Chunks as they come, from any thread.
template <class Index>
class Seen {
 public:
  void add(Index lo, Index hi) {
    const std::lock_guard lock(mutex_);
    chunks_.emplace_back(lo, hi);
  }

  /// In the order of the range.
  std::vector<std::pair<Index, Index>> sorted() {
    std::sort(chunks_.begin(), chunks_.end());
    return chunks_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Index, Index>> chunks_;
};

/// How many of these chunks of [first, last) break what is promised of them.
template <class Index>
int broken(const std::vector<std::pair<Index, Index>>& chunks, Index first, Index last,
           std::uint64_t grain) {
  const auto from_first = [first](Index i) {
    return static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(first);
  };
  const std::uint64_t n = first < last ? from_first(last) : 0;
  int wrong = 0;
  std::uint64_t next = 0;
  for (const auto& [lo, hi] : chunks) {
    const std::uint64_t from = from_first(lo);
    const std::uint64_t to = from_first(hi);
    // what the one before has left, and not nothing
    wrong += from != next || to <= from;
    wrong += from % grain != 0;               // begins at a multiple
    wrong += to != n && to % grain != 0;      // and ends at one, or at the end
    wrong += to - from < std::min(grain, n);  // is long enough
    next = to;
  }
  return wrong + (next != n);
}

template <class Index>
int broken_in_loop(Index first, Index last, std::size_t grain) {
  Seen<Index> seen;
  parallel_for_chunks(
      first, last,
      [&](auto lo, auto hi) {
        static_assert(std::is_same_v<decltype(lo), Index> && std::is_same_v<decltype(hi), Index>);
        seen.add(lo, hi);
      },
      {.grain = grain});
  return broken(seen.sorted(), first, last, grain == furca::automatic_grain ? 1 : grain);
}

/// A stretch without gaps, or none yet. It has memory of its own, so reductions over it follow the
/// schedule unless told otherwise.
struct Stretch {
  long lo = 0;
  long hi = 0;
  bool any = false;
  int wrong = 0;
  std::vector<long> parts = {};

  void add(long from, long to) {
    wrong += any && hi != from;
    if (!any) lo = from;
    hi = to;
    any = true;
    parts.push_back(from);
  }
};

Stretch next_to(Stretch left, Stretch right) {
  if (!right.any) return left;
  if (!left.any) return right;
  left.wrong += right.wrong + (left.hi != right.lo);
  left.hi = right.hi;
  left.parts.insert(left.parts.end(), right.parts.begin(), right.parts.end());
  return left;
}

/// Counts its copies.
struct Counted {
  static inline std::atomic<int> copies{0};
  long sum = 0;

  Counted() = default;
  Counted(const Counted& other) : sum(other.sum) { ++copies; }
  Counted(Counted&&) = default;
  Counted& operator=(Counted&&) = default;
  Counted& operator=(const Counted&) = delete;
  ~Counted() = default;
};

}  // namespace

// --- blocks --------------------------------------------------------------------------------------

TEST_CASE("blocks: all indices, in order, up to the longest loop") {
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{6}, std::uint64_t{7}, std::uint64_t{8},
        std::uint64_t{1000}, UINT64_MAX}) {
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 62U,
                                       UINT64_MAX - 1, UINT64_MAX}) {
      CAPTURE(n);
      CAPTURE(length);
      const auto shorter = Blocks::last_shorter(n, length);
      const auto longer = Blocks::last_longer(n, length);
      CHECK(shorter.count() == n / length + (n % length > 0 ? 1 : 0));
      CHECK(longer.count() == (n == 0 ? 0 : std::max(n / length, std::uint64_t{1})));
      for (const auto& blocks : {shorter, longer}) {
        CHECK(blocks.at(0) == 0);
        CHECK(blocks.at(blocks.count()) == n);
        for (const std::uint64_t k : {std::uint64_t{0}, blocks.count() / 2, blocks.count()}) {
          if (k >= blocks.count()) continue;
          CHECK(blocks.at(k) == k * length);
          CHECK(blocks.at(k + 1) > blocks.at(k));
          CHECK(blocks.with(blocks.at(k)) == k);
          CHECK(blocks.with(blocks.at(k + 1) - 1) == k);
        }
      }
    }
  }
}

TEST_CASE("blocks of a tree over chunks: a sixty-fourth, up to 2,048; then few enough") {
  constexpr std::size_t kAuto = furca::automatic_grain;
  CHECK(chunk_block_size(0, 4096, kAuto) == 1);
  CHECK(chunk_block_size(64, 4096, kAuto) == 1);
  CHECK(chunk_block_size(65, 4096, kAuto) == 2);
  CHECK(chunk_block_size(1000, 4096, kAuto) == 16);
  CHECK(chunk_block_size(64 * 2048 - 1, 4096, kAuto) == 2048);
  CHECK(chunk_block_size(64 * 2048 + 1, 4096, kAuto) == 2048);
  CHECK(chunk_block_size(4096 * 2048, 4096, kAuto) == 2048);
  CHECK(chunk_block_size(4097 * 2048, 4096, kAuto) == 4096);
  CHECK(chunk_block_size(257 * 2048, 256, kAuto) == 4096);
  CHECK(chunk_block_size(1000, 4096, 1) == 1);
  CHECK(chunk_block_size(1000, 4096, 7) == 7);
  CHECK(chunk_block_size(1000, 4096, 5000) == 5000);
  CHECK(chunk_block_size(100'000, 4096, 7) == 28);
}

TEST_CASE(
    "blocks of a tree over chunks: multiples of the grain, and never too many, up to the longest "
    "loop") {
  for (const std::uint64_t n :
       {std::uint64_t{1}, std::uint64_t{255}, std::uint64_t{256}, std::uint64_t{4097},
        std::uint64_t{1'000'000}, UINT64_MAX / 2, UINT64_MAX}) {
    for (const std::uint64_t most : {std::uint64_t{256}, std::uint64_t{4096}}) {
      for (const std::size_t grain :
           {std::size_t{1}, std::size_t{3}, std::size_t{64}, SIZE_MAX / 2, SIZE_MAX - 1}) {
        const std::uint64_t length = chunk_block_size(n, most, grain);
        CHECK(length % grain == 0);
        CHECK(length >= grain);
        CHECK(Blocks::last_longer(n, length).count() <= most);
      }
      const std::uint64_t length = chunk_block_size(n, most, furca::automatic_grain);
      CHECK(Blocks::last_longer(n, length).count() <= most);
    }
  }
}

// --- parallel_for_chunks -------------------------------------------------------------------------

TEST_CASE("chunks make up the range, and are as long as the grain at least") {
  on_every_pool([] {
    int wrong = 0;
    for (const int n : {0, 1, 2, 3, 7, 63, 64, 65, 1000, 100'000}) {
      for (const std::size_t grain :
           {furca::automatic_grain, std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{64},
            std::size_t{999}, std::size_t{1'000'000}, SIZE_MAX - 1}) {
        for (int round = 0; round < 3; ++round) wrong += broken_in_loop(0, n, grain);
        wrong += broken_in_loop(-n / 2, n, grain);
        wrong += broken_in_loop(std::size_t{5}, static_cast<std::size_t>(n), grain);
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE_TEMPLATE("chunks of any integral type, to its very ends", Index, signed char, char16_t,
                   int, unsigned, unsigned long, long long) {
  on_every_pool([] {
    using Limits = std::numeric_limits<Index>;
    for (const std::size_t grain :
         {furca::automatic_grain, std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
      CHECK(broken_in_loop<Index>(static_cast<Index>(Limits::max() - 7), Limits::max(), grain) ==
            0);
      CHECK(broken_in_loop<Index>(Limits::min(), static_cast<Index>(Limits::min() + 7), grain) ==
            0);
      CHECK(broken_in_loop<Index>(5, 5, grain) == 0);
      CHECK(broken_in_loop<Index>(6, 5, grain) == 0);
      CHECK(broken_in_loop<Index>(Limits::max(), Limits::min(), grain) == 0);
    }
    // All that there are, in a few dozen chunks.
    const std::uint64_t all =
        static_cast<std::uint64_t>(Limits::max()) - static_cast<std::uint64_t>(Limits::min());
    CHECK(broken_in_loop<Index>(Limits::min(), Limits::max(), static_cast<std::size_t>(all / 50)) ==
          0);
    CHECK(broken_in_loop<Index>(Limits::min(), Limits::max(),
                                static_cast<std::size_t>(all / 64 + 1)) == 0);
    CHECK(broken_in_loop<Index>(Limits::min(), Limits::max(), SIZE_MAX - 1) == 0);
  });
}

TEST_CASE("both ends of a chunk have the common type") {
  long sum = 0;
  const furca::ThreadPool pool({.threads = 1});
  parallel_for_chunks(0, std::size_t{10},
                      [&](auto lo, auto hi) {
                        static_assert(std::is_same_v<decltype(lo), std::size_t> &&
                                      std::is_same_v<decltype(hi), std::size_t>);
                        sum += static_cast<long>(hi - lo);
                      },
                      {.grain = 100});
  CHECK(sum == 10);
  // -1 is 4294967295 there: reversed, so empty
  parallel_for_chunks(-1, 5U, [&](unsigned, unsigned) { ++sum; });
  CHECK(sum == 10);
}

TEST_CASE("a grain of 0 is an error that says what to do, before anything runs") {
  bool ran = false;
  const auto fold = [&](long&, int, int) { ran = true; };
  CHECK_THROWS_WITH_AS(parallel_for_chunks(0, 10, [&](int, int) { ran = true; }, {.grain = 0}),
                       doctest::Contains("leave it out"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(parallel_reduce_chunks(0, 10, 0L, fold, std::plus<>{}, {.grain = 0}),
                       doctest::Contains("leave it out"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(parallel_reduce_chunks(0, 10, 0L, fold, std::plus<>{},
                                              {.grain = 0, .tree = ReduceTree::by_schedule}),
                       doctest::Contains("leave it out"), std::invalid_argument);
  CHECK_FALSE(ran);
}

TEST_CASE("chunks of ranges are spans of their elements") {
  on_every_pool([] {
    std::vector<int> numbers(10'000, 1);
    std::atomic<int> wrong{0};
    parallel_for_chunks(numbers,
                        [&](std::span<int> part) {
                          wrong += (part.data() - numbers.data()) % 16 != 0 || part.size() < 16;
                          for (int& x : part) x += 2;
                        },
                        {.grain = 16});
    parallel_for_chunks(std::span(numbers).subspan(2'500, 5'000), [](auto part) {
      static_assert(std::is_same_v<decltype(part), std::span<int>>);
      for (int& x : part) x += 3;
    });
    CHECK(wrong == 0);
    CHECK(std::accumulate(numbers.begin(), numbers.end(), 0) == 45'000);
    std::atomic<int> sum{0};
    const auto add = [&](auto part) {
      static_assert(std::is_same_v<decltype(part), std::span<const int>>);
      for (const int x : part) sum += x;
    };
    const std::vector<int> constant(100, 3);
    parallel_for_chunks(constant, add);
    const std::array<int, 4> array{1, 2, 3, 4};
    parallel_for_chunks(array, add);
    int plain[4] = {1, 2, 3, 4};
    parallel_for_chunks(plain, [&](std::span<const int> part) { add(part); });
    parallel_for_chunks(std::vector<int>{5, 5},
                        [&](std::span<int> part) { add(std::span<const int>(part)); });
    CHECK(sum == 330);
    std::vector<int> none;
    parallel_for_chunks(none, [&](std::span<int>) { ++sum; });
    CHECK(sum == 330);
    std::string text(1000, 'a');
    parallel_for_chunks(text,
                        [](std::span<char> part) { std::fill(part.begin(), part.end(), 'b'); });
    CHECK(text == std::string(1000, 'b'));
  });
}

TEST_CASE("a chunk's body is used where it is") {
  struct Counter {
    std::unique_ptr<int> not_copyable = std::make_unique<int>(0);
    std::atomic<int> indices{0};
    void operator()(int lo, int hi) { indices += hi - lo; }
  };
  Counter counter;
  parallel_for_chunks(0, 1000, counter);
  CHECK(counter.indices == 1000);
  static std::atomic<int> by_function{0};
  void (*const function)(int, int) = [](int lo, int hi) { by_function += hi - lo; };
  parallel_for_chunks(0, 1000, function);
  CHECK(by_function == 1000);
}

TEST_CASE("chunks on a pool of one run in order, and those of a long loop grow") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    std::vector<int> begins;
    int next = 0;
    int longest = 0;
    parallel_for_chunks(0, 10'000'000, [&](int lo, int hi) {
      CHECK(lo == next);
      next = hi;
      longest = std::max(longest, hi - lo);
      furca::test::spin(hi - lo);
    });
    CHECK(next == 10'000'000);
    CHECK(longest >= 100);
  });
}

TEST_CASE(
    "on a pool of one a loop that is known to be short is one chunk, unless it may be stopped") {
  furca::ThreadPool pool({.threads = 1});
  std::stop_source source;
  std::array<double, 1'000> x{};
  const auto calls_of_one_chunk = [&](const furca::LoopOptions& options) {
    int calls = 0;
    for (int call = 0; call < 200; ++call) {
      int chunks = 0;
      pool.install([&] {
        parallel_for_chunks(
            0, 1'000,
            [&](int lo, int hi) {
              ++chunks;
              for (int i = lo; i < hi; ++i) x[static_cast<std::size_t>(i)] += 1;
            },
            options);
      });
      calls += chunks == 1;
    }
    return calls;
  };
  if (!furca::detail::observing) CHECK(calls_of_one_chunk({}) > 0);  // a trace has every chunk
  CHECK(calls_of_one_chunk({.stop = source.get_token()}) == 0);
}

TEST_CASE("chunks nest, with joins between") {
  on_every_pool([] {
    std::atomic<long> count{0};
    parallel_for_chunks(0, 20, [&](int lo, int hi) {
      for (int i = lo; i < hi; ++i) {
        furca::join(
            [&] { parallel_for_chunks(0, 100, [&](int from, int to) { count += to - from; }); },
            [&] {
              count += parallel_reduce_chunks(
                  0, 10, 0L, [](long& sum, int from, int to) { sum += to - from; }, std::plus<>{});
            });
      }
    });
    CHECK(count == 20 * (100 + 10));
  });
}

TEST_CASE("two chunks of one grain each run at the same time: the loop has no grain besides") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    // Each returns when both are running; as a rule of furca's, chunks must not wait so.
    const auto meet = [](std::atomic<int>& missing) {
      --missing;
      while (missing > 0) std::this_thread::yield();
    };
    std::atomic<int> of_loop{2};
    parallel_for_chunks(0, 128, [&](int, int) { meet(of_loop); }, {.grain = 64});
    std::atomic<int> of_reduction{2};
    (void)parallel_reduce_chunks(0, 128, 0L, [&](long&, int, int) { meet(of_reduction); },
                                 std::plus<>{}, {.grain = 64});
  });
}

TEST_CASE("the exception is that of the chunk that comes first, and all before it have run") {
  on_every_pool([] {
    constexpr int kSize = 2000;
    for (const std::size_t grain :
         {furca::automatic_grain, std::size_t{1}, std::size_t{7}, std::size_t{300}}) {
      for (const int lowest : {0, 1, 2, 500, 999, 1000, 1001, 1998, 1999}) {
        std::vector<std::atomic<int>> ran(kSize);
        std::atomic<int> inside{0};
        furca::Progress progress(kSize);
        std::atomic<std::uint64_t> returned{0};
        int caught = -1;
        try {
          parallel_for_chunks(0, kSize,
                              [&](int lo, int hi) {
                                ++inside;
                                for (int i = lo; i < hi; ++i) {
                                  ++ran[static_cast<std::size_t>(i)];
                                  if (i >= lowest && (i - lowest) % 7 == 0) {
                                    --inside;
                                    throw i;
                                  }
                                }
                                --inside;
                                returned += static_cast<std::uint64_t>(hi - lo);
                              },
                              {.grain = grain, .progress = &progress});
        } catch (const int i) {
          caught = i;
        }
        CHECK(inside == 0);
        CHECK(caught == lowest);
        int missing = 0;
        for (int i = 0; i < lowest; ++i) missing += ran[static_cast<std::size_t>(i)] != 1;
        CHECK(missing == 0);
        CHECK(std::all_of(ran.begin(), ran.end(), [](const auto& count) { return count <= 1; }));
        CHECK(progress.done() == returned);
      }
    }
  });
}

TEST_CASE("chunks behind one that threw are skipped") {
  furca::ThreadPool pool({.threads = 2});
  pool.install([] {
    constexpr int kSize = 100'000;
    std::atomic<int> ran{0};
    std::atomic<bool> throws{false};
    const auto run = [&](int lo, int hi) {
      while (lo == 0 && ran == 0) std::this_thread::yield();  // the upper half has been stolen
      if (lo == 0) {
        throws = true;
        throw lo;
      }
      furca::test::spin(20'000 * (hi - lo));
      ran += hi - lo;
      while (!throws) std::this_thread::yield();
    };
    CHECK_THROWS_AS(parallel_for_chunks(0, kSize, [&](int lo, int hi) { run(lo, hi); }), int);
    CHECK(ran < kSize / 4);
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
      ran = 0;
      throws = false;
      CHECK_THROWS_AS(
          parallel_reduce_chunks(0, kSize, 0L, [&](long&, int lo, int hi) { run(lo, hi); },
                                 std::plus<>{}, {.grain = 1, .tree = tree}),
          int);
      CHECK(ran < kSize / 4);
    }
  });
}

TEST_CASE("after a stop no chunk begins, and the call returns normally") {
  on_every_pool([] {
    std::stop_source before;
    before.request_stop();
    std::atomic<int> count{0};
    parallel_for_chunks(0, 1000, [&](int lo, int hi) { count += hi - lo; },
                        {.stop = before.get_token()});
    CHECK(count == 0);

    std::stop_source later;
    furca::Progress progress(10'000'000);
    parallel_for_chunks(0, 10'000'000,
                        [&](int lo, int hi) {
                          count += hi - lo;
                          if (lo == 0) later.request_stop();
                        },
                        {.grain = 8, .stop = later.get_token(), .progress = &progress});
    CHECK(count >= 8);
    CHECK(count < 10'000'000);
    CHECK(progress.done() == static_cast<std::uint64_t>(count));
  });
}

// --- parallel_reduce_chunks ----------------------------------------------------------------------

TEST_CASE("an accumulator stands for one stretch without gaps, whichever tree") {
  on_every_pool([] {
    for (const long n : {0L, 1L, 2L, 64L, 65L, 1000L, 200'000L}) {
      for (const std::size_t grain : {furca::automatic_grain, std::size_t{1}, std::size_t{7},
                                      std::size_t{64}, std::size_t{5000}}) {
        for (const ReduceTree tree :
             {ReduceTree::automatic, ReduceTree::aligned, ReduceTree::by_schedule}) {
          CAPTURE(n);
          CAPTURE(grain);
          Seen<long> seen;
          const Stretch all = parallel_reduce_chunks(-5L, n - 5, Stretch(),
                                                     [&](Stretch& some, long lo, long hi) {
                                                       seen.add(lo, hi);
                                                       some.add(lo, hi);
                                                     },
                                                     next_to, {.grain = grain, .tree = tree});
          CHECK(all.wrong == 0);
          CHECK(all.any == (n > 0));
          if (n > 0) CHECK(std::pair(all.lo, all.hi) == std::pair(-5L, n - 5));
          CHECK(std::is_sorted(all.parts.begin(), all.parts.end()));
          const auto chunks = seen.sorted();
          CHECK(chunks.size() == all.parts.size());
          CHECK(broken(chunks, -5L, n - 5, grain == furca::automatic_grain ? 1 : grain) == 0);
        }
      }
    }
  });
}

TEST_CASE("by schedule an accumulator is copied once for each part, not for each chunk") {
  on_every_pool([] {
    for (int round = 0; round < 10; ++round) {
      std::atomic<int> folds{0};
      std::atomic<int> combinations{0};
      Counted::copies = 0;
      const Counted all = parallel_reduce_chunks(
          0, 20'000, Counted(),
          [&](Counted& some, int lo, int hi) {
            ++folds;
            furca::test::spin(20 * (hi - lo));
            some.sum += hi - lo;
          },
          [&](Counted&& a, const Counted& b) -> Counted&& {
            ++combinations;
            a.sum += b.sum;
            return std::move(a);
          },
          {.grain = 20});
      CHECK(all.sum == 20'000);
      CHECK(Counted::copies == combinations + 1);
      CHECK(folds >= Counted::copies);
    }
  });
}

TEST_CASE(
    "in the aligned tree the chunks depend on n and the grain alone, and each has an accumulator "
    "of its own") {
  for (const int n : {1, 63, 64, 65, 1000, 300'000}) {
    for (const std::size_t grain : {furca::automatic_grain, std::size_t{1}, std::size_t{100}}) {
      CAPTURE(n);
      CAPTURE(grain);
      const std::uint64_t length = chunk_block_size(static_cast<std::uint64_t>(n), 4096, grain);
      std::vector<std::pair<int, int>> expected;
      for (int lo = 0; lo < n;) {
        const int next = lo + static_cast<int>(length);
        const int hi = n - next < static_cast<int>(length) ? n : next;
        expected.emplace_back(lo, hi);
        lo = hi;
      }
      on_every_pool([&] {
        Seen<int> seen;
        std::atomic<int> used{0};
        const double sum = parallel_reduce_chunks(0, n, 0.0,
                                                  [&](double& some, int lo, int hi) {
                                                    used += some != 0;
                                                    some += hi - lo;
                                                    seen.add(lo, hi);
                                                  },
                                                  std::plus<>{}, {.grain = grain});
        CHECK(sum == n);
        CHECK(used == 0);
        CHECK(seen.sorted() == expected);
      });
    }
  }
}

TEST_CASE("accumulators of integers, whose sums have no rounding, need no tree over chunks") {
  // On one thread: one accumulator for all chunks, and one for each.
  furca::ThreadPool pool({.threads = 1});
  const auto combinations = [&](auto identity, const furca::ReduceOptions& options = {}) {
    using T = decltype(identity);
    int count = 0;
    (void)pool.install([&] {
      return parallel_reduce_chunks(
          0, 1000, identity, [](T&, int, int) {},
          [&](const T& a, const T&) { return ++count, T(a); }, options);
    });
    return count;
  };
  CHECK(combinations(0) == 0);
  CHECK(combinations(std::array<int, 200>{}) == 0);
  CHECK(combinations(std::pair<std::size_t, bool>{}) == 0);
  CHECK(combinations(0.0) == 61);
  CHECK(combinations(std::pair<int, float>{}) == 61);
  CHECK(combinations(0, {.tree = ReduceTree::aligned}) == 61);
  CHECK(combinations(std::array<int, 200>{}, {.tree = ReduceTree::aligned}) == 61);
}

TEST_CASE("a reduction over chunks need not commute: lists come out in order") {
  on_every_pool([] {
    std::vector<int> expected(50'000);
    std::iota(expected.begin(), expected.end(), -7);
    const auto append = [](std::vector<int> a, const std::vector<int>& b) {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    };
    CHECK(parallel_reduce_chunks(
              -7, 49'993, std::vector<int>(),
              [](std::vector<int>& list, int lo, int hi) {
                for (int i = lo; i < hi; ++i) list.push_back(i);
              },
              append) == expected);
    CHECK(parallel_reduce_chunks(expected, std::vector<int>(),
                                 [](std::vector<int>& list, std::span<const int> part) {
                                   list.insert(list.end(), part.begin(), part.end());
                                 },
                                 append, {.tree = ReduceTree::aligned}) == expected);
  });
}

TEST_CASE("large accumulators: a histogram in place, on the heap or not") {
  on_every_pool([] {
    constexpr std::size_t kBins = 20'000;
    const auto add = [](auto a, const auto& b) {
      for (std::size_t i = 0; i < kBins; ++i) a[i] += b[i];
      return a;
    };
    const auto count = [](auto& bins, std::size_t lo, std::size_t hi) {
      for (std::size_t i = lo; i < hi; ++i) ++bins[i % kBins];
    };
    const auto bins =
        parallel_reduce_chunks(std::size_t{0}, 10 * kBins, std::vector<long>(kBins), count, add);
    CHECK(bins == std::vector<long>(kBins, 10));
    const auto in_array = std::make_unique<std::array<int, kBins>>(
        parallel_reduce_chunks(std::size_t{0}, 10 * kBins, std::array<int, kBins>(), count,
                               [](std::array<int, kBins>&& a,
                                  const std::array<int, kBins>& b) -> std::array<int, kBins>&& {
                                 for (std::size_t i = 0; i < kBins; ++i) a[i] += b[i];
                                 return std::move(a);
                               }));
    CHECK(std::count(in_array->begin(), in_array->end(), 10) == kBins);
  });
  CHECK_THROWS_WITH_AS(parallel_reduce_chunks(
                           0, 10, std::array<int, 2000>(), [](std::array<int, 2000>&, int, int) {},
                           [](std::array<int, 2000> a, const std::array<int, 2000>&) { return a; },
                           {.tree = ReduceTree::aligned}),
                       doctest::Contains("too large"), std::invalid_argument);
}

TEST_CASE("a reduction over chunks of nothing is the identity") {
  const auto fold = [](long& sum, int, int) { ++sum; };
  for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
    CHECK(parallel_reduce_chunks(3, 3, 42L, fold, std::plus<>{}, {.tree = tree}) == 42);
    CHECK(parallel_reduce_chunks(3, 2, 42L, fold, std::plus<>{}, {.grain = 64, .tree = tree}) ==
          42);
    CHECK(parallel_reduce_chunks(std::vector<int>(), 42L,
                                 [](long& sum, std::span<const int>) { ++sum; }, std::plus<>{},
                                 {.tree = tree}) == 42);
  }
}

TEST_CASE("exceptions of folds and operations; progress counts chunks that have returned") {
  on_every_pool([] {
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
      for (const std::size_t grain : {furca::automatic_grain, std::size_t{3}, std::size_t{150}}) {
        for (const int lowest : {0, 1, 700, 1999}) {
          furca::Progress progress(2000);
          std::atomic<std::uint64_t> returned{0};
          int caught = -1;
          try {
            const long sum = parallel_reduce_chunks(
                0, 2000, 0L,
                [&](long& some, int lo, int hi) {
                  for (int i = lo; i < hi; ++i) {
                    if (i >= lowest && (i - lowest) % 7 == 0) throw i;
                    ++some;
                  }
                  returned += static_cast<std::uint64_t>(hi - lo);
                },
                std::plus<>{}, {.grain = grain, .progress = &progress, .tree = tree});
            CHECK(sum < 0);
          } catch (const int i) {
            caught = i;
          }
          CHECK(caught == lowest);
          CHECK(progress.done() == returned);
        }
      }
    }
    CHECK_THROWS_AS(parallel_reduce_chunks(
                        0, 1000, 0L, [](long& some, int lo, int hi) { some += hi - lo; },
                        [](long, long) -> long { throw std::runtime_error("op"); },
                        {.tree = ReduceTree::aligned}),
                    std::runtime_error);
  });
}

TEST_CASE("a stopped reduction over chunks covers what has run") {
  on_every_pool([] {
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
      std::stop_source stop;
      std::atomic<long> ran{0};
      furca::Progress progress(1'000'000);
      const long sum = parallel_reduce_chunks(
          0, 1'000'000, 0L,
          [&](long& some, int lo, int hi) {
            some += hi - lo;
            ran += hi - lo;
            if (lo == 0) stop.request_stop();
          },
          std::plus<>{},
          {.grain = 16, .stop = stop.get_token(), .progress = &progress, .tree = tree});
      CHECK(sum == ran);
      CHECK(progress.done() == static_cast<std::uint64_t>(ran));
      CHECK(sum >= 16);
      CHECK(sum < 1'000'000);
    }
  });
}

TEST_CASE_TEMPLATE("reductions over chunks to the very ends of a type", Index, signed char,
                   unsigned short, int, long, unsigned long) {
  using Limits = std::numeric_limits<Index>;
  const std::uint64_t all =
      static_cast<std::uint64_t>(Limits::max()) - static_cast<std::uint64_t>(Limits::min());
  const auto fold = [](std::uint64_t& sum, Index lo, Index hi) {
    sum += static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
  };
  on_every_pool([&] {
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule}) {
      for (const std::uint64_t grain : {all / 60, all / 2 + 1, all - 1}) {
        CHECK(parallel_reduce_chunks(
                  Limits::min(), Limits::max(), std::uint64_t{0}, fold, std::plus<>{},
                  {.grain = static_cast<std::size_t>(grain), .tree = tree}) == all);
      }
    }
  });
  if (all > UINT32_MAX)
    // 4,096 blocks
    CHECK(parallel_reduce_chunks(Limits::min(), Limits::max(), std::uint64_t{0}, fold,
                                 std::plus<>{}, {.tree = ReduceTree::aligned}) == all);
}
