#include <furca/stable_sort.hpp>

#include <furca/group.hpp>
#include <furca/pack.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/per_worker.hpp>
#include <furca/sets.hpp>
#include <furca/sort.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

using namespace furca::test;

namespace {

std::vector<Placed> placed(const Numbers& keys) {
  std::vector<Placed> all;
  for (std::size_t i = 0; i < keys.size(); ++i)
    all.push_back({keys[i], static_cast<std::uint32_t>(i)});
  return all;
}

using Order = std::function<bool(std::uint32_t, std::uint32_t)>;

/// Whether each of 0 to n - 1 is there once.
bool all_there(const Numbers& some) {
  std::vector<char> seen(some.size());
  for (const std::uint32_t x : some) {
    if (x >= seen.size() || seen[x]++ != 0) return false;
  }
  return true;
}

/// Nobody may ask for its address.
struct NoAddress {
  std::uint32_t key = 0;
  void operator&() const = delete;
  auto operator<=>(const NoAddress&) const = default;
  NoAddress& operator+=(const NoAddress& other) {
    key += other.key;
    return *this;
  }
  friend NoAddress operator+(NoAddress a, const NoAddress& b) { return a += b; }
};

}  // namespace

TEST_CASE("elements whose address is not to be had are sorted, joined and summed") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {4U, 5'000U, 40'000U}) {
      CAPTURE(n);
      std::vector<NoAddress> some;
      for (std::size_t i = 0; i < n; ++i)
        some.push_back({static_cast<std::uint32_t>(i * 2'654'435'761U % 1'009)});
      std::vector<NoAddress> sorted = some;
      std::stable_sort(sorted.begin(), sorted.end());
      std::vector<NoAddress> stable = some;
      furca::stable_sort(stable);
      CHECK(stable == sorted);
      std::vector<NoAddress> by_digits = some;
      furca::sort(by_digits, {}, &NoAddress::key);
      CHECK(by_digits == sorted);
      std::vector<NoAddress> both(2 * n);
      both.resize(
          static_cast<std::size_t>(furca::set_union(sorted, stable, both).out - both.begin()));
      CHECK(both == sorted);
      furca::PerWorker<NoAddress> counts;
      const NoAddress sum = furca::parallel_reduce(
          std::size_t{0}, n, NoAddress(),
          [&](std::size_t i) { return ++counts.local().key, some[i]; }, std::plus<>());
      CHECK(sum == std::accumulate(some.begin(), some.end(), NoAddress()));
      std::size_t all = 0;
      for (const NoAddress& count : counts) all += count.key;
      CHECK(all == n);
    }
  });
}

TEST_CASE("volatile elements are sorted, counted, joined and packed as others") {
  std::vector<int> numbers(5'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7 % 1'009);
  std::vector<int> others = numbers;
  std::vector<int> joined(6'000);
  std::vector<int> joined_others(6'000);
  const std::span<volatile int> all(numbers);
  CHECK(furca::count_by(all) == furca::count_by(others));
  furca::stable_sort(all);
  furca::stable_sort(others);
  CHECK(numbers == others);
  furca::set_union(all, std::span(others).last(3'000), std::span<volatile int>(joined));
  furca::set_union(others, std::span(others).last(3'000), joined_others);
  CHECK(joined == joined_others);
  CHECK(furca::unique(all).size() == furca::unique(others).size());
  CHECK(numbers == others);
}

TEST_CASE("stable_sort sorts, and leaves equal elements in their order") {
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : sizes(kSanitized ? 9'000 : kMostElements)) {
    CAPTURE(n);
    for (int distribution = n > 10'000 ? 3 : 0; distribution < kDistributions; ++distribution) {
      CAPTURE(distribution);
      const std::vector<Placed> all = placed(values(n, distribution));
      std::vector<Placed> expected = all;
      std::sort(expected.begin(), expected.end(), [](const Placed& a, const Placed& b) {
        return a.key != b.key ? a.key > b.key : a.place < b.place;
      });
      everywhere([&] {
        std::vector<Placed> some = all;
        CHECK(furca::stable_sort(some, std::ranges::greater{}, &Placed::key) == some.end());
        CHECK(some == expected);
        // by merging; the assignment of a tuple is not trivial
        std::vector<std::tuple<double, std::uint32_t>> tuples;
        for (const Placed& each : all) tuples.emplace_back(each.key, each.place);
        furca::stable_sort(tuples, std::ranges::greater{},
                           [](const auto& each) -> const double& { return std::get<0>(each); });
        CHECK(std::ranges::equal(tuples, expected, {}, [](const auto& each) {
          return Placed{static_cast<std::uint32_t>(std::get<0>(each)), std::get<1>(each)};
        }));
      });
    }
  }
}

TEST_CASE(
    "stable_sort of elements that own memory, of large ones, and in ranges that are not "
    "contiguous") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(kSanitized ? 1'100 : 9'000)) {
      CAPTURE(n);
      const Numbers keys = values(n, 3 + static_cast<int>(n % 2));
      std::vector<std::string> words;
      std::deque<Placed> queue;
      for (const Placed& one : placed(keys)) {
        words.push_back("a number that is too long for a small string: " + std::to_string(one.key));
        queue.push_back(one);
      }
      std::vector<std::string> sorted_words = words;
      std::sort(sorted_words.begin(), sorted_words.end());
      furca::stable_sort(words);
      CHECK(words == sorted_words);
      std::deque<Placed> sorted_queue = queue;
      std::sort(sorted_queue.begin(), sorted_queue.end(), [](const Placed& a, const Placed& b) {
        return a.key != b.key ? a.key < b.key : a.place < b.place;
      });
      furca::stable_sort(queue, {}, &Placed::key);
      CHECK(queue == sorted_queue);
    }
    std::vector<Huge> huge(300);
    for (std::uint32_t i = 0; i < 300; ++i) huge[i].value = i * 7 % 300;
    furca::stable_sort(huge, {}, &Huge::value);
    for (std::uint32_t i = 0; i < 300; ++i) CHECK(huge[i].value == i);
    std::vector<Counted> counted;
    for (std::uint32_t i = 0; i < 5'000; ++i) counted.emplace_back(i * 7 % 5'000);
    furca::stable_sort(counted, {}, &Counted::value);
    CHECK(std::is_sorted(counted.begin(), counted.end(),
                         [](const auto& a, const auto& b) { return a.value < b.value; }));
    CHECK(Counted::alive == 5'000);
    std::vector<OverAligned> aligned;
    for (std::uint32_t i = 0; i < 2'000; ++i) aligned.emplace_back(i * 7 % 2'000);
    furca::stable_sort(aligned, [](const auto& a, const auto& b) {
      if (!a.aligned() || !b.aligned()) throw std::runtime_error("not aligned");
      return a.value < b.value;
    });
    CHECK(aligned[1'999].value == 1'999);
  });
}

TEST_CASE("few comparisons, and fewer for sorted and reversed input") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {std::size_t{1'000}, std::size_t{kSanitized ? 9'000 : 70'000}}) {
      if (n > kMostElements) continue;
      for (int distribution = 0; distribution < kDistributions; ++distribution) {
        CAPTURE(distribution);
        Numbers some = values(n, distribution);
        std::atomic<std::size_t> compared{0};
        const auto counts = [&compared](std::uint32_t a, std::uint32_t b) {
          compared.fetch_add(1, std::memory_order_relaxed);
          return a < b;
        };
        furca::stable_sort(some, counts);
        CHECK(std::is_sorted(some.begin(), some.end()));
        const double most = static_cast<double>(n) * (std::log2(static_cast<double>(n)) + 2);
        CHECK(static_cast<double>(compared) <= most);
        if (distribution < 2) CHECK(compared == n - 1);
        if (distribution == 2) CHECK(compared <= 2 * n + 4'096);
      }
      // A saw, and a pipe of an organ.
      for (const std::size_t length : {std::size_t{10}, n / 2, n / 3}) {
        Numbers some(n);
        for (std::size_t i = 0; i < n; ++i)
          some[i] = static_cast<std::uint32_t>(length == n / 2 && i > length ? n - i : i % length);
        std::atomic<std::size_t> compared{0};
        furca::stable_sort(
            some, [&compared](std::uint32_t a, std::uint32_t b) { return ++compared, a < b; });
        CHECK(std::is_sorted(some.begin(), some.end()));
        CHECK(static_cast<double>(compared) <=
              static_cast<double>(n) * (std::log2(static_cast<double>(n)) + 2));
      }
    }
  });
}

TEST_CASE(
    "no order gives the same permutation for any number of threads, and nothing outside of the "
    "range is touched") {
  std::vector<Order> orders = no_orders;
  orders.emplace_back([](std::uint32_t, std::uint32_t) { return false; });
  orders.emplace_back([](std::uint32_t a, std::uint32_t b) { return a != b; });
  orders.emplace_back([](std::uint32_t a, std::uint32_t b) { return (a + b) % 3 == 0; });
  furca::ThreadPool one({.threads = 1});
  furca::ThreadPool two({.threads = 2});
  furca::ThreadPool eight({.threads = 8});
  for (const std::size_t n : sizes(kSanitized ? 4'200 : 20'000)) {
    CAPTURE(n);
    for (std::size_t k = 0; k < orders.size(); ++k) {
      CAPTURE(k);
      Numbers start = values(n, 1);
      std::shuffle(start.begin(), start.end(), std::mt19937(3));
      Numbers first;
      std::vector<std::string> first_words;
      for (furca::ThreadPool* pool : {&one, &two, &eight}) {
        pool->install([&] {
          Numbers some = start;
          furca::stable_sort(some, orders[k]);
          CHECK(all_there(some));
          if (first.empty()) first = some;
          CHECK(some == first);
          if (n > 2'100) return;
          std::vector<std::string> words;
          for (const std::uint32_t x : start) words.push_back(std::to_string(x));
          const auto hash = [](const std::string& word) {
            return static_cast<std::uint32_t>(word.size()) * 7 +
                   static_cast<std::uint32_t>(word.back());
          };
          furca::stable_sort(words, orders[k], hash);
          if (first_words.empty()) first_words = words;
          CHECK(words == first_words);
          std::sort(words.begin(), words.end());
          std::vector<std::string> expected;
          for (const std::uint32_t x : start) expected.push_back(std::to_string(x));
          std::sort(expected.begin(), expected.end());
          CHECK(words == expected);
        });
      }
    }
    std::vector<double> some(n);
    for (std::size_t i = 0; i < n; ++i)
      some[i] = i * 7 % 3 == 0 ? std::numeric_limits<double>::quiet_NaN()
                               : static_cast<double>(i * 7'919 % n);
    furca::stable_sort(some);
    CHECK(static_cast<std::size_t>(std::count_if(
              some.begin(), some.end(), [](double x) { return std::isnan(x); })) == (n + 2) / 3);
  }
}

namespace {

/// Throws at the k-th comparison, and at those after it.
struct ThrowsFrom {
  std::atomic<std::size_t>* calls;
  std::size_t k;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    if (calls->fetch_add(1, std::memory_order_relaxed) >= k) throw std::runtime_error("k-th");
    return a < b;
  }
};

}  // namespace

TEST_CASE("whatever throws at the k-th comparison, each element is in the range once") {
  using Pointer = std::unique_ptr<std::uint32_t>;
  const auto value_of = [](const Pointer& p) -> const std::uint32_t& {
    return p == nullptr ? throw std::logic_error("moved from") : *p;
  };
  const auto check = [&](std::size_t n, std::size_t step) {
    Numbers keys = values(n, 1);
    std::shuffle(keys.begin(), keys.end(), std::mt19937(4));
    const auto until_done = [&](auto sort) {  // for every k: returns whether it has thrown
      std::size_t throws = 0;
      for (std::size_t k = 0; sort(k); k += step) ++throws;
      CHECK(throws > 3);
    };
    until_done([&](std::size_t k) {
      std::vector<Pointer> some;
      for (const std::uint32_t x : keys) some.push_back(std::make_unique<std::uint32_t>(x));
      std::atomic<std::size_t> calls{0};
      const std::string thrown =
          thrown_by([&] { furca::stable_sort(some, ThrowsFrom{&calls, k}, value_of); });
      if (!thrown.empty() && thrown != "k-th") FAIL("comparison ", k, " threw ", thrown);
      Numbers left;
      for (const Pointer& p : some)
        left.push_back(p == nullptr ? static_cast<std::uint32_t>(n) : *p);
      if (!all_there(left)) FAIL("an element of ", n, " is lost when comparison ", k, " throws");
      return !thrown.empty();
    });
    until_done([&](std::size_t k) {
      Numbers some = keys;
      std::atomic<std::size_t> calls{0};
      const std::string thrown =
          thrown_by([&] { furca::stable_sort(some, ThrowsFrom{&calls, k}); });
      if (!all_there(some)) FAIL("a number of ", n, " is lost when comparison ", k, " throws");
      return !thrown.empty();
    });
    until_done([&](std::size_t k) {
      std::deque<Placed> some;
      for (const Placed& one : placed(keys)) some.push_back(one);
      std::atomic<std::size_t> calls{0};
      const std::string thrown =
          thrown_by([&] { furca::stable_sort(some, ThrowsFrom{&calls, k}, &Placed::key); });
      Numbers left;
      for (const Placed& one : some) left.push_back(one.place);
      if (!all_there(left))
        FAIL("an element of a queue of ", n, " is lost when comparison ", k, " throws");
      return !thrown.empty();
    });
  };
  for (const std::size_t threads : {1U, 3U}) {
    furca::ThreadPool pool({.threads = threads});
    pool.install([&] {
      check(13, 1);
      check(300, kSanitized ? 37 : 1);
      if (kMostElements > 20'000) check(20'000, kSanitized ? 89'989 : 19'997);
    });
  }
}

TEST_CASE("of several exceptions the one that a pool of one throws") {
  constexpr std::uint32_t kSize = 30'000;
  Numbers keys = values(kSize, 1);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(5));
  for (const std::uint32_t every : {7U, 1'000U, 9'000U}) {
    std::string first;
    on_pools_of_all_sizes([&] {
      Numbers some = keys;
      const std::string thrown = thrown_by([&] {
        furca::stable_sort(some, [every](std::uint32_t a, std::uint32_t b) {
          if (a % every == 1 && b % every == 2)
            throw std::runtime_error(std::to_string(a) + " " + std::to_string(b));
          return a < b;
        });
      });
      if (first.empty()) first = thrown;
      CHECK(!thrown.empty());
      CHECK(thrown == first);
      CHECK(all_there(some));
    });
  }
}

TEST_CASE("elements that are moved only, or whose moves may throw") {
  std::vector<Handle> handles;
  for (int i = 0; i < 3'000; ++i) handles.emplace_back(i * 7 % 3'000);
  furca::stable_sort(handles, {}, &Handle::number);
  CHECK(std::ranges::is_sorted(handles, {}, &Handle::number));
  CHECK(handles[2'999].number == 2'999);
  for (const int moves : {0, 1, 5'000}) {
    std::vector<MayThrow> some;
    for (std::uint32_t i = 0; i < 3'000; ++i) some.emplace_back(i * 7 % 3'000);
    MayThrow::moves_left = moves;
    CHECK(thrown_by([&] { furca::stable_sort(some, {}, &MayThrow::word); }) ==
          (moves == 0 ? "" : "move"));
    if (moves == 0) CHECK(some[2'999].word == "999");
  }
}

namespace {

/// As a pointer class that is copied as it is, and empties its source when it moves.
struct Emptying {
  const int* number = nullptr;
  explicit Emptying(const int& one) : number(&one) {}
  Emptying(const Emptying&) = default;
  Emptying(Emptying&& other) noexcept : number(std::exchange(other.number, nullptr)) {}
  Emptying& operator=(const Emptying&) = default;
  Emptying& operator=(Emptying&& other) noexcept {
    number = std::exchange(other.number, nullptr);
    return *this;
  }
};

}  // namespace

TEST_CASE("what is copied trivially, and empties its source when it moves, is lost nowhere") {
  static_assert(!furca::detail::kPlain<Emptying> && !furca::detail::kPlain<std::pair<int&, int>>);
  on_pools_of_all_sizes([] {
    for (const int n : {20, 512, 5'000}) {
      std::vector<int> numbers;
      for (int i = 0; i < n; ++i) numbers.push_back(i * 7'919 % n);
      std::vector<Emptying> all(numbers.begin(), numbers.end());
      furca::stable_sort(
          all, [](const Emptying& a, const Emptying& b) { return *a.number < *b.number; });
      CHECK(std::ranges::is_sorted(
          all, {}, [](const Emptying& one) { return one.number != nullptr ? *one.number : -1; }));
      CHECK(std::ranges::none_of(all, [](const Emptying& one) { return one.number == nullptr; }));
    }
  });
}
