#include <furca/parallel_reduce.hpp>
#include <furca/progress.hpp>
#include <furca/threads.hpp>

#include "support/pools.hpp"
#include "support/trials.hpp"

#include <complex>
#include <stop_token>

using furca::CombineOp;
using furca::Contribution;
using furca::parallel_reduce;
using furca::ReduceTree;
using furca::test::few_cases;
using furca::test::on_every_pool;

namespace {

std::vector<double> awkward_numbers(std::size_t n) {
  std::mt19937_64 random(42);
  std::vector<double> numbers(n);
  for (double& x : numbers)
    x = std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 80) - 40);
  return numbers;
}

/// Sums of the same numbers, as bits, on pools of many sizes.
template <class Sum>
void same_bits_everywhere(Sum sum) {
  furca::ThreadPool alone({.threads = 1});
  const auto expected = alone.install(sum);
  for (const std::size_t threads : {1U, 2U, 3U, 5U, 16U}) {
    furca::ThreadPool pool({.threads = threads});
    for (int round = 0; round < (few_cases() ? 3 : 30); ++round)
      CHECK(pool.install(sum) == expected);
  }
}

}  // namespace

TEST_CASE("sums over indices and ranges") {
  on_every_pool([] {
    for (const int n : {0, 1, 2, 3, 255, 256, 257, 1000, 100'000}) {
      const auto expected = static_cast<long>(n) * (n - 1) / 2;
      CHECK(parallel_reduce(
                0, n, 0L, [](int i) { return static_cast<long>(i); }, std::plus<>{}) == expected);
      std::vector<int> numbers(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) numbers[static_cast<std::size_t>(i)] = i;
      CHECK(parallel_reduce(
                numbers, 0L, [](int x) { return static_cast<long>(x); }, std::plus<>{}) ==
            expected);
      for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule})
        CHECK(parallel_reduce(0, n, 0L, [](int i) { return static_cast<long>(i); }, std::plus<>{},
                              {.tree = tree}) == expected);
    }
  });
}

TEST_CASE("an empty or reversed range gives the identity") {
  CHECK(parallel_reduce(0, 0, 7, [](int) { return 1; }, std::plus<>{}) == 7);
  CHECK(parallel_reduce(5, -5, 7, [](int) { return 1; }, std::plus<>{}) == 7);
  CHECK(parallel_reduce(
            std::vector<int>{}, std::string("id"), [](int) { return std::string(); },
            std::plus<>{}) == "id");
}

TEST_CASE("left to right for an operation that does not commute") {
  on_every_pool([] {
    const auto letters = [](ReduceTree tree, int n) {
      return parallel_reduce(
          0, n, std::string(),
          [](int i) { return std::string(1, static_cast<char>('a' + i % 26)); },
          [](std::string a, const std::string& b) { return std::move(a) + b; }, {.tree = tree});
    };
    for (const int n : {1, 26, 257, 5000}) {
      std::string expected;
      for (int i = 0; i < n; ++i) expected += static_cast<char>('a' + i % 26);
      for (const ReduceTree tree :
           {ReduceTree::automatic, ReduceTree::aligned, ReduceTree::by_schedule})
        CHECK(letters(tree, n) == expected);
    }
  });
}

TEST_CASE("the aligned tree of numbers is that of its definition, whatever is combined at once") {
  const auto map = [](int i) { return static_cast<std::uint64_t>(i) * 0x9E37'79B9'7F4A'7C15U; };
  // not associative: the result tells the tree
  const auto mix = [](std::uint64_t left, std::uint64_t right) {
    return std::rotl(left, 7) * 3 + right;
  };
  for (const int n : {1, 2, 7, 8, 9, 15, 16, 100, 256, 257, 1000, 1024, 2041, 5000, 50'000}) {
    CAPTURE(n);
    const auto length = static_cast<std::uint64_t>(n);
    const std::uint64_t block = furca::detail::block_size(
        length, furca::detail::AlignedTree<std::uint64_t>::kMostBlocks, 1);
    furca::detail::AlignedTree<std::uint64_t> tree;
    for (std::uint64_t from = 0; from < length; from += block) {
      std::uint64_t value = 1;
      for (std::uint64_t i = from; i < std::min(from + block, length); ++i)
        value = mix(value, map(static_cast<int>(i)));
      tree.append(0, static_cast<std::uint32_t>(from / block), value, mix);
    }
    const std::uint64_t expected = tree.total(mix);
    for (const std::size_t threads : {1U, 2U, 5U}) {
      furca::ThreadPool pool({.threads = threads});
      for (int round = 0; round < (few_cases() ? 3 : 30); ++round)
        CHECK(pool.install([&] {
          return parallel_reduce(0, n, std::uint64_t{1}, map, mix, {.tree = ReduceTree::aligned});
        }) == expected);
    }
  }
}

namespace {

/// The aligned tree of floating-point numbers, whose blocks are in lanes from 16 on.
template <class T, class Op>
T in_lanes(const std::vector<T>& numbers, T identity, Op op, std::size_t grain = 1) {
  const auto block = static_cast<std::size_t>(
      furca::detail::block_size(numbers.size(), furca::detail::AlignedTree<T>::kMostBlocks, grain));
  furca::detail::AlignedTree<T> tree;
  for (std::size_t from = 0; from < numbers.size(); from += block) {
    const std::size_t to = std::min(from + block, numbers.size());
    T sum = identity;
    std::size_t i = from;
    if (to - from >= 16) {
      std::array<T, 8> lanes;
      lanes.fill(identity);
      for (; to - i >= 8; i += 8) {
        for (std::size_t k = 0; k < 8; ++k) lanes[k] = op(lanes[k], numbers[i + k]);
      }
      for (std::size_t width = 1; width < 8; width *= 2) {
        for (std::size_t k = 0; k < 8; k += 2 * width) lanes[k] = op(lanes[k], lanes[k + width]);
      }
      sum = lanes[0];
    }
    for (; i < to; ++i) sum = op(sum, numbers[i]);
    tree.append(0, static_cast<std::uint32_t>(from / block), sum, op);
  }
  return tree.total(op);
}

}  // namespace

TEST_CASE("sums and products of floating-point numbers are those of lanes, on any pool") {
  on_every_pool([] {
    for (const std::size_t n : {1U, 3U, 4U, 255U, 257U, 1'023U, 1'025U, 2'048U, 5'000U, 16'384U,
                                40'961U, 100'000U, 262'144U, 530'001U}) {
      if (few_cases() && n > 50'000) break;
      CAPTURE(n);
      const std::vector<double> numbers = awkward_numbers(n);
      const std::vector<float> small(numbers.begin(), numbers.end());
      CHECK(parallel_reduce(numbers, 0.0) == in_lanes(numbers, 0.0, std::plus<>()));
      CHECK(parallel_reduce(small, 0.0F) == in_lanes(small, 0.0F, std::plus<>()));
      // not by the caller alone; and not in slots, which a stop would leave empty
      std::stop_source never;
      const auto same = [](double x) { return x; };
      CHECK(parallel_reduce(numbers, 0.0, same) == in_lanes(numbers, 0.0, std::plus<>()));
      CHECK(parallel_reduce(numbers, 0.0, same, {.stop = never.get_token()}) ==
            in_lanes(numbers, 0.0, std::plus<>()));
      const auto product = [](double x) { return 1 + x / 1e12; };
      std::vector<double> factors;
      for (const double x : numbers) factors.push_back(product(x));
      CHECK(parallel_reduce(numbers, 1.0, product, std::multiplies<double>()) ==
            in_lanes(factors, 1.0, std::multiplies<>()));
      CHECK(parallel_reduce(numbers, 0.0, {.grain = 100}) ==
            in_lanes(numbers, 0.0, std::plus<>(), 100));
    }
  });
}

TEST_CASE("lanes call the map in order; of what is thrown the first is, and what ran is counted") {
  const auto calls_until = [](int stop, int size) {
    furca::ThreadPool pool({.threads = 1});
    furca::Progress progress(static_cast<std::uint64_t>(size));
    std::vector<int> seen;
    const auto map = [&](int i) {
      seen.push_back(i);
      if (i >= stop) throw i;
      return 1.0;
    };
    try {
      (void)pool.install([&] {
        return parallel_reduce(0, size, 0.0, map, std::plus<>(), {.progress = &progress});
      });
      CHECK(seen.size() == static_cast<std::size_t>(size));
    } catch (int thrown) {
      CHECK(thrown == stop);
      CHECK(seen.size() == static_cast<std::size_t>(stop) + 1);
    }
    CHECK(std::ranges::is_sorted(seen));
    CHECK(progress.done() == static_cast<std::uint64_t>(stop));
  };
  for (const int stop : {0, 7, 8, 1'003, 19'999, 20'000}) calls_until(stop, 20'000);
  for (const int stop : {0, 7, 99, 100}) calls_until(stop, 100);
}

TEST_CASE("integers, which have no rounding, are combined without a tree") {
  // On one thread: one combination for each element, and one for each block but the first.
  const auto combinations = [](auto identity, const furca::ReduceOptions& options = {}) {
    using T = decltype(identity);
    furca::ThreadPool pool({.threads = 1});
    int count = 0;
    (void)pool.install([&] {
      return parallel_reduce(
          0, 1000, identity, [&](int) { return identity; },
          [&](const T& a, const T&) { return ++count, T(a); }, options);
    });
    return count;
  };
  CHECK(combinations(0) == 1000);
  CHECK(combinations(std::uint8_t{0}) == 1000);
  CHECK(combinations(false) == 1000);
  CHECK(combinations(std::pair<int, long>{}) == 1000);
  CHECK(combinations(std::tuple<int, std::array<unsigned, 3>>{}) == 1000);
  CHECK(combinations(0.0) == 1249);
  CHECK(combinations(std::pair<int, float>{}) == 1249);
  CHECK(combinations(0, {.tree = ReduceTree::aligned}) == 1249);
}

TEST_CASE("folding in place, for accumulators that are expensive to make") {
  on_every_pool([] {
    using Counts = std::map<int, int>;
    const auto merge = [](Counts a, const Counts& b) {
      for (const auto& [key, count] : b) a[key] += count;
      return a;
    };
    const Counts counts =
        parallel_reduce(0, 10'000, Counts{}, [](Counts& c, int i) { ++c[i % 10]; }, merge);
    CHECK(counts.size() == 10);
    for (const auto& [key, count] : counts) CHECK(count == 1000);

    using Histogram = std::array<int, 64>;  // of integers: no tree
    const std::vector<int> values(10'000, 5);
    const Histogram histogram = parallel_reduce(
        values, Histogram{}, [](Histogram& h, int v) { ++h[static_cast<std::size_t>(v)]; },
        [](Histogram a, const Histogram& b) {
          for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
          return a;
        });
    CHECK(histogram[5] == 10'000);
  });
}

TEST_CASE("large accumulators fall back to one per schedule") {
  struct Large {
    std::array<long, 1000> sums{};
  };
  on_every_pool([] {
    const Large total = parallel_reduce(
        0, 1000, Large{}, [](Large& large, int i) { large.sums[static_cast<std::size_t>(i)] += i; },
        [](Large a, const Large& b) {
          for (std::size_t i = 0; i < a.sums.size(); ++i) a.sums[i] += b.sums[i];
          return a;
        });
    for (std::size_t i = 0; i < 1000; ++i) CHECK(total.sums[i] == static_cast<long>(i));
  });
}

namespace {

/// An accumulator of so many bytes, by value.
template <std::size_t kBytes>
struct Counts {
  std::array<std::uint32_t, kBytes / sizeof(std::uint32_t)> counts{};

  void add(int i) { ++counts[(static_cast<std::uint32_t>(i) * 2'654'435'761U) % counts.size()]; }
  std::uint64_t total() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
};

/// Takes some time, so that halves are published on top of each other.
constexpr auto kAddSlowly = [](auto& large, int i) {
  furca::test::spin(20);
  large.add(i);
};

template <std::size_t kBytes>
void check_large(std::size_t threads, std::size_t stack_size, auto op) {
  CAPTURE(kBytes);
  CAPTURE(threads);
  static const Counts<kBytes> identity;
  furca::ThreadPool pool({.threads = threads, .stack_size = stack_size});
  for (int round = 0; round < (few_cases() ? 1 : 5); ++round) {
    // Straight into the heap: the result is made in its place.
    const std::unique_ptr<Counts<kBytes>> all(pool.install([&] {
      return new Counts<kBytes>(furca::parallel_reduce(0, 20'000, identity, kAddSlowly, op));
    }));
    CHECK(all->total() == 20'000);
  }
  std::atomic<int> begun{0};
  const auto throws = [&](Counts<kBytes>& large, int i) {
    ++begun;
    if (i == 777) throw std::runtime_error("777");
    kAddSlowly(large, i);
  };
  const auto reduce = [&] {
    return std::unique_ptr<Counts<kBytes>>(
        new Counts<kBytes>(furca::parallel_reduce(0, 20'000, identity, throws, op)));
  };
  CHECK_THROWS_WITH(static_cast<void>(pool.install(reduce)), "777");
  CHECK(begun >= 778);
}

/// Adds the right one to the left one, in its place.
constexpr auto kInPlace = []<std::size_t kBytes>(Counts<kBytes>&& left,
                                                 const Counts<kBytes>& right) -> Counts<kBytes>&& {
  std::transform(left.counts.begin(), left.counts.end(), right.counts.begin(), left.counts.begin(),
                 std::plus<>{});
  return std::move(left);
};
constexpr auto kByValue = []<std::size_t kBytes>(Counts<kBytes> left, const Counts<kBytes>& right) {
  std::transform(left.counts.begin(), left.counts.end(), right.counts.begin(), left.counts.begin(),
                 std::plus<>{});
  return left;
};

}  // namespace

TEST_CASE(
    "an accumulator of any size works on any number of threads: no half has one on the stack") {
  for (const std::size_t threads : {1U, 2U, 3U, 8U, 64U}) {
    if (few_cases() && threads != 1 && threads != 8) continue;
    check_large<std::size_t{64} << 10U>(threads, std::size_t{512} << 10U, kByValue);
    check_large<std::size_t{64} << 10U>(threads, 0, kInPlace);
    check_large<std::size_t{1} << 20U>(threads, 0, kInPlace);
  }
  check_large<std::size_t{1} << 20U>(8, 0, kByValue);
  for (const std::size_t threads : {1U, 2U, 8U}) {
    if (few_cases() && threads != 2) continue;
    check_large<std::size_t{16} << 20U>(threads, std::size_t{256} << 10U, kInPlace);
  }
}

TEST_CASE("operations that return a reference to the left accumulator, or to the right one") {
  const auto longer = [](std::string&& a, std::string&& b) -> std::string&& {
    return a.size() >= b.size() ? std::move(a) : std::move(b);
  };
  on_every_pool([&] {
    const auto longest = furca::parallel_reduce(
        0, 5'000, std::string(),
        [](int i) { return std::string(static_cast<std::size_t>(i % 4'999), 'x'); }, longer);
    CHECK(longest.size() == 4'998);
  });
}

namespace {
/// Cheap to combine, though not trivially copyable.
struct Moments {
  double sum = 0;
  double squares = 0;
  Moments() = default;
  explicit Moments(double x) : sum(x), squares(x * x) {}
  Moments(const Moments& other) : sum(other.sum), squares(other.squares) {}
  Moments& operator=(const Moments&) = default;
  friend Moments operator+(Moments a, const Moments& b) {
    a.sum += b.sum;
    a.squares += b.squares;
    return a;
  }
};
}  // namespace

template <>
inline constexpr bool furca::enable_same_bits<Moments> = true;

TEST_CASE("the same bits for pairs, tuples and arrays of numbers, and for types that ask for it") {
  static_assert(furca::enable_same_bits<std::pair<double, std::tuple<float, int>>>);
  static_assert(furca::enable_same_bits<std::array<std::pair<double, double>, 4>>);
  static_assert(furca::enable_same_bits<std::complex<double>>);
  static_assert(!furca::enable_same_bits<std::pair<double, std::string>>);
  static_assert(!furca::enable_same_bits<std::array<std::pair<double, double>, 100>>);  // too large
  const int n = 200'000;
  std::vector<double> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = std::sin(i) * std::exp2(i % 40);
  const auto at = [&](int i) { return x[static_cast<std::size_t>(i)]; };
  using Pair = std::pair<double, double>;
  using Tuple = std::tuple<double, int>;
  using Array = std::array<Pair, 2>;
  const auto add = [](Pair a, Pair b) { return Pair{a.first + b.first, a.second + b.second}; };
  std::set<double> pairs, tuples, arrays, moments;
  for (const std::size_t threads : {1U, 2U, 3U, 4U, 8U}) {
    furca::ThreadPool pool({.threads = threads});
    pool.install([&] {
      for (int round = 0; round < (few_cases() ? 2 : 10); ++round) {
        pairs.insert(
            furca::parallel_reduce(0, n, Pair{}, [&](int i) { return Pair{at(i), 1}; }, add).first);
        tuples.insert(std::get<0>(furca::parallel_reduce(
            0, n, Tuple{}, [&](int i) { return Tuple{at(i), 1}; },
            [](Tuple a, Tuple b) {
              return Tuple{std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b)};
            })));
        arrays.insert(
            furca::parallel_reduce(
                0, n, Array{}, [&](int i) { return Array{Pair{at(i), 1}, Pair{1, at(i)}}; },
                [&](Array a, Array b) { return Array{add(a[0], b[0]), add(a[1], b[1])}; })[1]
                .second);
        moments.insert(furca::parallel_reduce(
                           0, n, Moments{}, [&](int i) { return Moments(at(i)); }, std::plus<>{})
                           .squares);
      }
    });
  }
  CHECK(pairs.size() == 1);
  CHECK(tuples.size() == 1);
  CHECK(arrays.size() == 1);
  CHECK(moments.size() == 1);
}

TEST_CASE("a stop leaves what was done so far") {
  on_every_pool([] {
    std::stop_source source;
    source.request_stop();
    CHECK(parallel_reduce(0, 1000, 0, [](int) { return 1; }, std::plus<>{},
                          {.stop = source.get_token()}) == 0);
    std::stop_source later;
    const int count = parallel_reduce(0, 100'000'000, 0,
                                      [&](int i) {
                                        if (i == 100) later.request_stop();
                                        return 1;
                                      },
                                      std::plus<>{}, {.stop = later.get_token()});
    CHECK(count > 0);
    CHECK(count < 100'000'000);
  });
}

TEST_CASE("grain 0 is an error") {
  for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule})
    CHECK_THROWS_AS(parallel_reduce(0, 10, 0, [](int i) { return i; }, std::plus<>{},
                                    {.grain = 0, .tree = tree}),
                    std::invalid_argument);
}

TEST_CASE("a stop in the middle of an aligned reduction leaves gaps, and no more") {
  // Every half that was running when the stop came ends early, so far more stretches come together
  // than there are levels.
  furca::ThreadPool pool({.threads = 16});
  pool.install([] {
    for (int round = 0; round < (few_cases() ? 20 : 100); ++round) {
      std::stop_source source;
      std::atomic<long> ran{0};
      const long sum = parallel_reduce(0, 16'384, 0L,
                                       [&](int i) {
                                         if (++ran == 5000) source.request_stop();
                                         if (i % 16 == 0) std::this_thread::yield();
                                         return 1L;
                                       },
                                       std::plus<>{}, {.stop = source.get_token()});
      CHECK(sum == ran);
    }
  });
}

TEST_CASE("maps and operations that return references") {
  on_every_pool([] {
    const std::vector<bool> bits(1000, true);  // elements are temporaries
    CHECK(parallel_reduce(bits, 0, std::identity{}, std::plus<>{}) == 1000);
    using Numbers = std::vector<int>;
    const auto join_left = [](Numbers&& a, Numbers&& b) -> Numbers&& {
      a.insert(a.end(), b.begin(), b.end());
      return std::move(a);
    };
    for (const ReduceTree tree : {ReduceTree::aligned, ReduceTree::by_schedule})
      CHECK(parallel_reduce(0, 1000, Numbers{}, [](int i) { return Numbers{i}; }, join_left,
                            {.tree = tree})
                .size() == 1000);
  });
}

TEST_CASE("without op it adds up, and without a map the elements as they are") {
  on_every_pool([] {
    const std::vector<int> numbers{3, 9, 4};
    CHECK(parallel_reduce(numbers, 0) == 16);
    CHECK(parallel_reduce(numbers, 0L, {.grain = 2}) == 16L);
    CHECK(parallel_reduce(numbers, 0.0, [](int x) { return 0.5 * x; }) == 8.0);
    CHECK(parallel_reduce(numbers, 0.0, [](int x) { return 0.5 * x; },
                          {.tree = ReduceTree::by_schedule}) == 8.0);
    CHECK(parallel_reduce(0, 1000, 0L, [](int i) { return 2L * i; }) == 999'000);
    CHECK(parallel_reduce(std::size_t{0}, numbers.size(), 0,
                          [&](std::size_t i) { return numbers[i]; }, {.grain = 1}) == 16);
    CHECK(parallel_reduce(std::vector<std::string>{"a", "b", "c"}, std::string()) == "abc");
    const furca::ReduceOptions named{.grain = 2};
    furca::ReduceOptions changeable;
    CHECK(parallel_reduce(numbers, 0, named) + parallel_reduce(numbers, 0, changeable) == 32);
    CHECK(parallel_reduce(numbers, 0, std::identity{}, changeable) == 16);
    CHECK(parallel_reduce(0, 3, 0, std::identity{}, changeable) == 3);
    CHECK(parallel_reduce(numbers, 0, std::identity{}, std::plus<>{}, changeable) == 16);
  });
}

TEST_CASE("what fits into the accumulator, and what does not") {
  const auto gives = []<class From>(From) { return [](int) { return From(); }; };
  const auto fits = [&]<class From, class T>(From from, T) {
    return Contribution<decltype(gives(from)), int, T>;
  };
  CHECK(fits(1, 0.0));
  CHECK(fits(std::size_t{1}, 0.0));  // rounded at worst, as every addition is
  CHECK(fits(1, 0L));
  CHECK(fits('a', 0));
  CHECK(fits(true, 0));
  CHECK(fits(1, std::size_t{0}));  // where it is counted by 1 and 0
  CHECK(fits(std::size_t{1}, 0L) == (sizeof(long) >= sizeof(std::size_t)));
  CHECK(fits(1.0F, 0.0));
  CHECK_FALSE(fits(1.0, 0));
  CHECK_FALSE(fits(1.0F, 0L));
  CHECK_FALSE(fits(1LL, 0));
  CHECK(fits(std::size_t{1}, 0) == (sizeof(std::size_t) == sizeof(int)));
  CHECK_FALSE(fits(1, short{0}));
  CHECK_FALSE(fits(1.0, 0.0F));
  CHECK(fits(1.0L, 0.0) ==
        (std::numeric_limits<long double>::digits == std::numeric_limits<double>::digits));
  CHECK_FALSE(fits(1, false));

  const std::vector<bool> bits(1000, true);
  CHECK(parallel_reduce(bits, 0) == 1000);
  const std::vector<short> shorts(100, short{3});
  CHECK(parallel_reduce(shorts, short{0}) == 300);  // plus makes an int of two shorts
  CHECK(parallel_reduce(shorts, 0.0) == 300.0);
  const std::vector<unsigned char> bytes(3, static_cast<unsigned char>(5));
  CHECK(parallel_reduce(bytes, static_cast<unsigned char>(0), std::identity{}, std::bit_xor<>{}) ==
        5);
  CHECK(parallel_reduce(bits, true, std::identity{}, std::bit_and<>{}));
  const auto halves = [](int a, int b) { return 0.5 * a + 0.5 * b; };
  const auto wide = [](long long a, long long b) { return a + b; };
  CHECK(CombineOp<decltype(wide), long long>);
  CHECK(CombineOp<decltype(wide), double>);
  CHECK_FALSE(CombineOp<decltype(wide), int>);
  CHECK(CombineOp<decltype(halves), double>);
  CHECK_FALSE(CombineOp<decltype(halves), int>);
}

TEST_CASE("a fold changes the accumulator itself, and returns nothing") {
  struct Sum {
    long sum = 0;
    void add(int x) { sum += x; }
    Sum& chained(int x) { return sum += x, *this; }
    void look(int) const {}
  };
  const auto by_value = [](Sum a, int x) { a.add(x); };
  const auto returns = [](Sum& a, int x) -> Sum& { return a.chained(x); };
  const auto forwarding = [](auto&& a, int x) { a.add(x); };
  const auto generic = [](auto& a, auto x) { a.add(x); };
  CHECK(Contribution<decltype(generic), int, Sum>);
  CHECK(Contribution<decltype(&Sum::add), int, Sum>);
  CHECK(Contribution<std::function<void(Sum&, int)>, int, Sum>);
  CHECK_FALSE(Contribution<std::function<void(Sum, int)>, int, Sum>);
  CHECK_FALSE(Contribution<decltype(by_value), int, Sum>);
  CHECK_FALSE(Contribution<decltype(returns), int, Sum>);
  // it would bear a temporary accumulator
  CHECK_FALSE(Contribution<decltype(forwarding), int, Sum>);
  CHECK_FALSE(Contribution<decltype(&Sum::chained), int, Sum>);
  CHECK_FALSE(Contribution<decltype(&Sum::look), int, Sum>);

  on_every_pool([&] {
    const std::vector<int> numbers(1000, 2);
    const auto both = [](Sum a, Sum b) { return Sum{a.sum + b.sum}; };
    CHECK(parallel_reduce(numbers, Sum{}, &Sum::add, both).sum == 2000);
    CHECK(parallel_reduce(0, 1000, Sum{}, generic, both).sum == 499'500);
  });
}

TEST_CASE("what can be called both ways is a map") {
  struct Both {
    long operator()(int i) const { return i; }
    void operator()(long& sum, int) const { sum += 1000; }
  };
  CHECK(parallel_reduce(0, 100, 0L, Both{}, std::plus<>{}) == 4950);
}

TEST_CASE("a map whose two-argument form is the only one that fits") {
  struct Both {
    void operator()(int) const {}
    void operator()(long& sum, int i) const { sum += i; }
  };
  CHECK(parallel_reduce(0, 100, 0L, Both{}, std::plus<>{}) == 4950);
}

TEST_CASE(
    "small accumulators that may be expensive to combine have 4,096 blocks at most, numbers more") {
  std::atomic<int> combined{0};
  const auto fold = [](std::vector<double>&, std::uint64_t) {};
  const auto op = [&](std::vector<double> left, const std::vector<double>&) {
    return ++combined, left;
  };
  (void)parallel_reduce(std::uint64_t{0}, std::uint64_t{9'000'000}, std::vector<double>(3), fold,
                        op, {.tree = ReduceTree::aligned});
  CHECK(combined < 4'096);
  CHECK(combined > 2'000);
  static_assert(furca::detail::AlignedTree<double>::kMostBlocks == 1U << 20U);
}

TEST_CASE("an accumulator too large for the aligned tree is refused") {
  struct Huge {
    std::array<char, 8192> bytes{};
  };
  const auto fold = [](Huge& huge, int i) { huge.bytes[static_cast<std::size_t>(i)] = 1; };
  const auto left = [](const Huge& a, const Huge&) { return a; };
  CHECK_THROWS_WITH_AS(parallel_reduce(0, 10, Huge{}, fold, left, {.tree = ReduceTree::aligned}),
                       doctest::Contains("leave .tree out"), std::invalid_argument);
  CHECK(parallel_reduce(0, 1, Huge{}, fold, left).bytes[0] == 1);
}

TEST_CASE("two ranges: the inner product, and other operations from left to right") {
  on_every_pool([] {
    for (const std::size_t n : {0U, 1U, 2U, 7U, 100U, 5'000U, 70'000U}) {
      CAPTURE(n);
      std::vector<std::int64_t> x(n);
      std::iota(x.begin(), x.end(), -3);
      std::vector<std::int32_t> y(n + n % 3, 5);
      CHECK(furca::transform_reduce(x, y, std::int64_t{11}) ==
            std::transform_reduce(x.begin(), x.end(), y.begin(), std::int64_t{11}));
      CHECK(furca::transform_reduce(y, x, std::int64_t{11}) ==
            furca::transform_reduce(x, y, std::int64_t{11}));
      const auto least = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
      CHECK(furca::transform_reduce(x, y, std::int64_t{1} << 40, least, std::minus<>{}) ==
            (n == 0 ? std::int64_t{1} << 40 : -8));
      std::string expected = "|";
      for (std::size_t i = 0; i < n; ++i) expected += std::to_string(x[i] - y[i]);
      CHECK(furca::transform_reduce(
                x, y, std::string("|"), std::plus<>{},
                [](std::int64_t a, std::int32_t b) { return std::to_string(a - b); }) == expected);
    }
  });
}

TEST_CASE("two ranges: the same bits everywhere, and the value to begin with goes in once") {
  const std::vector<double> x = awkward_numbers(30'000);
  std::vector<double> y = x;
  std::reverse(y.begin(), y.end());
  same_bits_everywhere([&] {
    const double product = furca::transform_reduce(x, y, 0.5);
    const double other = furca::transform_reduce(
        x, y, 0.5, [](double a, double b) { return a + b; }, std::multiplies<>{});
    const auto pairs = furca::transform_reduce(
        x, y, std::pair(0.5, 1.0),
        [](auto a, auto b) { return std::pair(a.first + b.first, a.second + b.second); },
        [](double a, double b) { return std::pair(a, b); });
    return std::array{std::bit_cast<std::uint64_t>(product), std::bit_cast<std::uint64_t>(other),
                      std::bit_cast<std::uint64_t>(pairs.first),
                      std::bit_cast<std::uint64_t>(pairs.second)};
  });
  const std::vector<double> none(100, -0.0);
  const std::vector<double> one(100, 1);
  CHECK(std::signbit(furca::transform_reduce(none, one, -0.0)));
  CHECK(furca::transform_reduce(one, one, 5.0) == 105);
  CHECK(furca::transform_reduce(one, one, 5.0, std::multiplies<>{}) == 5);
}

TEST_CASE("two ranges: references that exist only here, elements that do not copy, exceptions") {
  on_every_pool([] {
    std::vector<std::unique_ptr<int>> numbers;
    for (int i = 0; i < 3'000; ++i) numbers.push_back(std::make_unique<int>(i));
    const std::vector<bool> odd = [] {
      std::vector<bool> bits(3'000);
      for (std::size_t i = 1; i < bits.size(); i += 2) bits[i] = true;
      return bits;
    }();
    const auto chosen = [](const std::unique_ptr<int>& number, bool wanted) {
      return wanted ? *number : 0;
    };
    CHECK(furca::transform_reduce(numbers, odd, 0, std::plus<>{}, chosen) == 1'500 * 1'500);
    for (const int at : {0, 1, 1'000, 2'999}) {
      std::string thrown;
      try {
        static_cast<void>(furca::transform_reduce(
            numbers, odd, 0, [](int a, int b) { return a | b; },
            [at](const std::unique_ptr<int>& number, bool) {
              if (*number >= at) throw std::runtime_error(std::to_string(*number));
              return *number;
            }));
      } catch (const std::runtime_error& error) {
        thrown = error.what();
      }
      CHECK(thrown == std::to_string(at));
    }
  });
}

template <class... Arguments>
concept TransformReduces = requires(Arguments... arguments) {
  furca::found_by_name::transform_reduce<Arguments...>(arguments...);
};
using Doubles = std::vector<double>&;
static_assert(TransformReduces<Doubles, Doubles, double>);
static_assert(!TransformReduces<Doubles, Doubles, int>, "it would lose fractions");

TEST_CASE("accumulators with an alignment of their own have it on every thread") {
  struct alignas(1'024) Wide {
    Wide(int steps, int misplaced) noexcept : sum(steps), askew(misplaced) {}
    Wide(const Wide& other) noexcept : Wide(other.sum, other.askew) {}
    Wide& operator=(const Wide&) = default;

    int sum;
    int askew;
  };
  std::atomic<int> elsewhere{0};
  on_every_pool([&elsewhere] {
    const std::thread::id caller = std::this_thread::get_id();
    const bool alone = furca::num_threads() == 1;
    for (int trial = 0; trial < 20 || (!alone && elsewhere == 0); ++trial) {
      const Wide all = parallel_reduce(
          0, 200, Wide{0, 0},
          [&](Wide& wide, int) {
            const void* volatile address = &wide;
            ++wide.sum;
            if (reinterpret_cast<std::uintptr_t>(address) % alignof(Wide) != 0) ++wide.askew;
            if (std::this_thread::get_id() != caller) ++elsewhere;
            std::this_thread::sleep_for(std::chrono::microseconds(1));
          },
          [](const Wide& a, const Wide& b) { return Wide{a.sum + b.sum, a.askew + b.askew}; });
      CHECK(all.sum == 200);
      CHECK(all.askew == 0);
    }
  });
  CHECK(elsewhere > 0);
}
