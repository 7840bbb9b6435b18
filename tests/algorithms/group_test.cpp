#include <furca/group.hpp>
#include <furca/scan.hpp>
#include <furca/views.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

using furca::test::on_pools_of_all_sizes;
using furca::test::sizes;
using furca::test::thrown_by;
using furca::test::values;

namespace {

using Numbers = std::vector<std::uint32_t>;

/// A key without a hash function.
struct Pair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  friend auto operator<=>(const Pair&, const Pair&) = default;
  void operator&() const = delete;
};

/// Equal to others that differ in `element`, which tells where it comes from.
struct Named {
  std::uint32_t key = 0;
  std::uint32_t element = 0;
  friend bool operator==(const Named& a, const Named& b) { return a.key == b.key; }
  friend auto operator<=>(const Named& a, const Named& b) { return a.key <=> b.key; }
};

struct Order {
  std::uint32_t customer = 0;
  std::uint32_t number = 0;
};

std::vector<Order> orders(std::size_t n, int distribution, std::uint32_t customers) {
  std::vector<Order> all;
  for (const std::uint32_t x : values(n, distribution))
    all.push_back({x % customers, static_cast<std::uint32_t>(all.size())});
  return all;
}

/// An operation that does not commute, on strings.
std::string append(std::string left, const std::string& right) { return left += right; }

template <class Key>
void compare_groups(const std::vector<Order>& all, const std::function<Key(const Order&)>& key_of) {
  std::map<Key, Numbers> expected;
  for (const Order& one : all) expected[key_of(one)].push_back(one.number);
  const auto groups = furca::group_by(all, key_of, &Order::number);
  const auto counts = furca::count_by(all, key_of);
  const auto sums =
      furca::reduce_by(all, key_of, [](const Order& one) { return std::uint64_t{one.number}; });
  REQUIRE(groups.size() == expected.size());
  REQUIRE(counts.size() == expected.size());
  REQUIRE(sums.size() == expected.size());
  CHECK(groups.empty() == all.empty());
  std::size_t wrong = 0;
  std::size_t i = 0;
  auto group = groups.begin();
  for (const auto& [key, numbers] : expected) {
    const auto one = *group++;
    wrong += one.first != key ||
             !std::equal(numbers.begin(), numbers.end(), one.second.begin(), one.second.end());
    wrong += counts[i].first != key || counts[i].second != numbers.size();
    std::uint64_t sum = 0;
    for (const std::uint32_t number : numbers) sum += number;
    wrong += sums[i].first != key || sums[i].second != sum;
    ++i;
  }
  CHECK(wrong == 0);
  CHECK(group == groups.end());
}

}  // namespace

template <>
struct std::hash<Named> {
  std::size_t operator()(const Named& one) const noexcept { return one.key; }
};

TEST_CASE("groups are those of a std::map, in the range's order") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(furca::test::kSanitized ? 2'100 : 17'000)) {
      CAPTURE(n);
      for (const std::uint32_t customers : {1U, 1'000U, ~0U}) {
        CAPTURE(customers);
        compare_groups<std::uint32_t>(orders(n, 4, customers),
                                      [](const Order& one) { return one.customer; });
      }
      compare_groups<Pair>(orders(n, 4, 1'000), [](const Order& one) {
        return Pair{one.customer % 10, one.customer / 10};
      });
      compare_groups<std::string>(
          orders(std::min<std::size_t>(n, 1'025), 4, 300),
          [](const Order& one) { return "customer number " + std::to_string(one.customer); });
    }
    compare_groups<std::uint32_t>(orders(70'000, 4, 10'000),
                                  [](const Order& one) { return one.customer; });
  });
}

TEST_CASE(
    "what does not commute is combined in the range's order, and sums of doubles have the same "
    "bits") {
  std::vector<std::pair<std::uint32_t, double>> first;
  on_pools_of_all_sizes([&first] {
    const std::vector<Order> all = orders(60'000, 4, 7);
    const auto value = [](const Order& one) {
      return std::string(1, static_cast<char>('a' + one.number % 26));
    };
    std::map<std::uint32_t, std::string> expected;
    for (const Order& one : all) expected[one.customer] += value(one);
    const auto words = furca::reduce_by(all, &Order::customer, value, append);
    CHECK(std::equal(
        words.begin(), words.end(), expected.begin(), expected.end(),
        [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
    const auto sums = furca::reduce_by(all, &Order::customer,
                                       [](const Order& one) { return 1.0 / (1 + one.number); });
    if (first.empty()) first = sums;
    CHECK(sums == first);
  });
}

TEST_CASE("elements of unusual types") {
  on_pools_of_all_sizes([] {
    std::deque<int> queue;
    for (int i = 0; i < 40'000; ++i) queue.push_back(i % 3);
    const auto counts = furca::count_by(queue);
    CHECK(counts ==
          std::vector<std::pair<int, std::size_t>>{{0, 13'334}, {1, 13'333}, {2, 13'333}});
    const auto owners =
        furca::group_by(queue, std::identity{}, [](int i) { return std::make_unique<int>(i); });
    CHECK(**owners[2].second.begin() == 2);
    const auto particular = furca::group_by(queue, std::identity{}, [](int i) {
      return furca::test::Particular(static_cast<std::uint32_t>(i));
    });
    CHECK(*particular[1].second.back().value == 1);
    for (const auto& [key, ones] : furca::group_by(queue, std::identity{}))
      CHECK(ones.front() == key);
    CHECK(furca::count_by(std::vector<bool>(100, true)) ==
          std::vector<std::pair<bool, std::size_t>>{{true, 100}});
    std::vector<int> x = {2, 1, 2};
    std::vector<int> y = {5, 6, 5};
    const auto pairs = furca::count_by(furca::zip(x, y));
    const auto numbered =
        furca::group_by(furca::enumerate(x), [](const auto& each) { return each.second; });
    static_assert(std::is_same_v<decltype(pairs),
                                 const std::vector<std::pair<std::tuple<int, int>, std::size_t>>>);
    static_assert(
        std::is_same_v<decltype(numbered), const furca::Groups<int, std::pair<std::size_t, int>>>);
    y = {7, 7, 7};
    CHECK(pairs ==
          std::vector<std::pair<std::tuple<int, int>, std::size_t>>{{{1, 6}, 1}, {{2, 5}, 2}});
    CHECK(numbered[1].second.back() == std::pair<std::size_t, int>(2, 2));
    CHECK(furca::histogram(queue, 4) == std::vector<std::size_t>{13'334, 13'333, 13'333, 0});
  });
}

TEST_CASE("numbers that are NaN are one key, the last one") {
  constexpr std::size_t kSize = 100'000;
  std::vector<double> some(kSize);
  for (std::size_t i = 0; i < kSize; ++i)
    some[i] =
        i % 2 == 0 ? std::bit_cast<double>(0x7FF8'0000'0000'0000U + i) : static_cast<double>(i % 3);
  on_pools_of_all_sizes([&some] {
    const auto counts = furca::count_by(some);
    REQUIRE(counts.size() == 4);
    for (std::size_t i = 0; i < 3; ++i) CHECK(counts[i].first == static_cast<double>(i));
    CHECK(std::isnan(counts[3].first));
    // the first one
    CHECK(std::bit_cast<std::uint64_t>(counts[3].first) == 0x7FF8'0000'0000'0000U);
    CHECK(counts[3].second == kSize / 2);
  });
}

TEST_CASE("many keys, and few: those of a std::map, whoever has met them where") {
  // Blocks of 32,768 elements go on with a table that has few keys; of many keys the tables are
  // brought together in parts.
  const std::size_t n = furca::test::few_cases()  ? 70'000
                        : furca::test::kSanitized ? 150'000
                                                  : 300'000;
  on_pools_of_all_sizes([n] {
    compare_groups<std::uint32_t>(orders(n, 4, 3), [](const Order& one) { return one.customer; });
    compare_groups<std::uint32_t>(orders(n, 4, 15'000),
                                  [](const Order& one) { return one.customer; });
    compare_groups<std::uint64_t>(
        orders(n, 4, ~0U), [](const Order& one) { return std::uint64_t{one.customer} << 29U; });
    compare_groups<std::uint32_t>(orders(n, 4, 1'000), [](const Order& one) {
      return one.number % 3 == 0 ? one.number : one.customer;
    });
  });
}

TEST_CASE("of equal keys the first one is shown") {
  const std::size_t n = furca::test::few_cases()  ? 70'000
                        : furca::test::kSanitized ? 150'000
                                                  : 300'000;
  on_pools_of_all_sizes([n] {
    for (const std::uint32_t keys : {5U, 9'000U, 100'000U}) {
      CAPTURE(keys);
      const std::vector<Order> all = orders(n, 4, keys);
      std::map<std::uint32_t, std::uint32_t> first;
      for (const Order& one : all) first.emplace(one.customer, one.number);
      const auto check = [&first](const auto& groups) {
        REQUIRE(groups.size() == first.size());
        std::size_t wrong = 0;
        auto at = groups.begin();
        for (const auto& [customer, number] : first) {
          const auto& key = (*at++).first;
          wrong += key.key != customer || key.element != number;
        }
        CHECK(wrong == 0);
      };
      const auto key_of = [](const Order& one) { return Named{one.customer, one.number}; };
      check(furca::count_by(all, key_of));
      check(furca::reduce_by(all, key_of, [](const Order&) { return 1; }));
      check(furca::group_by(all, key_of, &Order::number));
    }
  });
}

TEST_CASE("a key function that waits, so that its thread takes another block meanwhile") {
  on_pools_of_all_sizes([] {
    constexpr std::size_t kSize = 200'000;
    const auto key_of = [](std::size_t i) {
      std::atomic<std::size_t> sum{0};
      if (i % 1'000 == 0)
        furca::parallel_for(0, 40, [&sum](int k) { sum += static_cast<std::size_t>(k); });
      return (i + sum) % 4'000;
    };
    std::map<std::size_t, std::size_t> expected;
    for (std::size_t i = 0; i < kSize; ++i) ++expected[(i + (i % 1'000 == 0 ? 780 : 0)) % 4'000];
    const auto counts =
        furca::count_by(furca::lazy(kSize, [](std::size_t i) { return i; }), key_of);
    CHECK(std::equal(
        counts.begin(), counts.end(), expected.begin(), expected.end(),
        [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
  });
}

TEST_CASE("a histogram counts, and refuses what is not in it") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(70'000)) {
      for (const int distribution : {0, 4}) {
        const Numbers numbers = values(n, distribution);
        for (const std::uint32_t bins : {1U, 100U, 256U, 257U, 10'000U}) {
          const auto index = [bins](std::uint32_t x) { return x % bins; };
          std::vector<std::size_t> expected(bins);
          for (const std::uint32_t x : numbers) ++expected[index(x)];
          CHECK(furca::histogram(numbers, bins, index) == expected);
        }
      }
    }
    for (const std::size_t n : {std::size_t{10}, std::size_t{50'000}}) {
      std::vector<int> some(n, 3);
      CHECK_THROWS_AS((void)furca::histogram(some, 3), std::out_of_range);
      some[n / 2] = -1;
      CHECK_THROWS_AS((void)furca::histogram(some, 4), std::out_of_range);
    }
    __extension__ using Wide = __int128;
    std::vector<std::size_t> counts(4);
    for (const Wide index : {Wide{4}, Wide{-1}, (Wide{1} << 64) + 1, 3 - (Wide{1} << 64)}) {
      CHECK_THROWS_AS(furca::detail::count_into<1>(counts.data(), 4, 0, 1,
                                                   [index](std::size_t) { return index; }),
                      std::out_of_range);
    }
    CHECK(furca::histogram(std::vector<int>(), 2) == std::vector<std::size_t>(2));
  });
}

TEST_CASE(
    "functions are called once for each element, and throw what the serial loop would throw") {
  on_pools_of_all_sizes([] {
    constexpr std::uint32_t kSize = 50'000;
    const Numbers numbers = values(kSize, 1);
    std::atomic<std::size_t> keys{0};
    std::atomic<std::size_t> counted{0};
    (void)furca::group_by(
        numbers, [&keys](std::uint32_t x) { return ++keys, x % 7; },
        [&counted](std::uint32_t x) { return ++counted, x; });
    CHECK(keys == kSize);
    CHECK(counted == kSize);
    for (const std::size_t at : {std::size_t{0}, std::size_t{20'000}, std::size_t{49'999}}) {
      const auto throws = [at](std::uint32_t x) {
        furca::test::throw_from(at, x);
        return x % 100;
      };
      const auto hundred = [](std::uint32_t x) { return x % 100; };
      CHECK(thrown_by([&] { (void)furca::count_by(numbers, throws); }) == std::to_string(at));
      CHECK(thrown_by([&] { (void)furca::group_by(numbers, throws); }) == std::to_string(at));
      CHECK(thrown_by([&] { (void)furca::group_by(numbers, hundred, throws); }) ==
            std::to_string(at));
      CHECK(thrown_by([&] { (void)furca::reduce_by(numbers, hundred, throws); }) ==
            std::to_string(at));
      CHECK(thrown_by([&] { (void)furca::histogram(numbers, 100, throws); }) == std::to_string(at));
    }
  });
}

TEST_CASE("many bins, and counts of another type") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : {std::size_t{5}, std::size_t{20'000}, std::size_t{100'000}}) {
      const Numbers numbers = values(n, 4);
      constexpr std::uint32_t kBins = 300'000;
      std::vector<std::uint32_t> expected(kBins);
      for (const std::uint32_t x : numbers) ++expected[x % kBins];
      CHECK(furca::histogram<std::uint32_t>(numbers, kBins,
                                            [](std::uint32_t x) { return x % kBins; }) == expected);
      CHECK_THROWS_AS((void)furca::histogram(numbers, kBins,
                                             [](std::uint32_t x) { return x % kBins + 200'000; }),
                      std::out_of_range);
    }
    CHECK(furca::histogram<unsigned char>(Numbers{1, 1, 0}, 3) ==
          std::vector<unsigned char>{1, 2, 0});
    std::vector<std::uint32_t> offsets(4);
    const auto counts = furca::histogram<std::uint32_t>(Numbers{1, 1, 0, 3}, 4);
    CHECK(furca::exclusive_scan(counts, offsets, 0).total == 4);
    CHECK(offsets == std::vector<std::uint32_t>{0, 1, 3, 3});
  });
}

TEST_CASE("rows by index: the range's order, and rows for indices that nobody has") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{1'000}, std::size_t{70'000}}) {
      for (const std::uint32_t keys : {1U, 1'000U, 100'000U}) {
        CAPTURE(n);
        CAPTURE(keys);
        const std::vector<Order> all = orders(n, 4, keys);
        const auto check = [&](const auto& rows) {
          std::vector<Numbers> expected(keys + 1);
          for (const Order& one : all) expected[one.customer].push_back(one.number);
          REQUIRE(rows.size() == keys + 1);
          std::size_t wrong = 0;
          for (std::size_t k = 0; k <= keys; ++k) {
            wrong +=
                !std::equal(rows[k].begin(), rows[k].end(), expected[k].begin(), expected[k].end());
          }
          CHECK(wrong == 0);
        };
        check(furca::group_by_index(all, keys + 1, &Order::customer, &Order::number));
        check(furca::group_by_index(all, keys + 1, &Order::customer,
                                    [](const Order& one) { return one.number; }));
      }
    }
    const auto rows = furca::group_by_index(
        std::vector<int>{2, 0, 2}, 3, std::identity(),
        [](int i) { return furca::test::Particular(static_cast<std::uint32_t>(i)); });
    CHECK(*rows[2].back().value == 2);
    CHECK(furca::group_by_index(std::vector<int>(), 0).offsets == std::vector<std::size_t>{0});
    CHECK(furca::group_by_index(std::vector<int>(), 2).offsets ==
          std::vector<std::size_t>{0, 0, 0});
    CHECK_THROWS_AS((void)furca::group_by_index(std::vector<int>{0, -1}, 3), std::out_of_range);
    CHECK_THROWS_AS((void)furca::group_by_index(std::vector<int>(50'000, 3), 3), std::out_of_range);
    for (const std::size_t at : {std::size_t{0}, std::size_t{20'000}, std::size_t{49'999}}) {
      const auto throws = [at](std::uint32_t x) {
        furca::test::throw_from(at, x);
        return x % 100;
      };
      const Numbers numbers = values(50'000, 1);
      CHECK(thrown_by([&] { (void)furca::group_by_index(numbers, 100, throws); }) ==
            std::to_string(at));
      CHECK(thrown_by([&] {
              (void)furca::group_by_index(
                  numbers, 100, [](std::uint32_t x) { return x % 100; }, throws);
            }) == std::to_string(at));
      CHECK(thrown_by([&] { (void)furca::group_by(numbers, std::identity(), throws); }) ==
            std::to_string(at));
      CHECK(thrown_by([&] { (void)furca::reduce_by(numbers, std::identity(), throws); }) ==
            std::to_string(at));
    }
  });
}

/// The key of a number, in a place that the thread's next call writes over.
const std::string& name_in_one_place(const std::uint32_t& number) {
  thread_local std::string name;
  return name = "a name that has more letters than fit into the string itself, " +
                std::to_string(number);
}

TEST_CASE("a key function may return a reference that holds until it is called again") {
  std::vector<std::uint32_t> numbers(70'000);
  std::iota(numbers.begin(), numbers.end(), 0U);
  const auto counts = furca::count_by(numbers, name_in_one_place);
  REQUIRE(counts.size() == numbers.size());
  CHECK(std::is_sorted(counts.begin(), counts.end()));
  CHECK(furca::all_of(counts, [](const auto& count) { return count.second == 1; }));
}

TEST_CASE("keys of which nearly all are new, with few that are not, in any order and of any type") {
  // Blocks give up their tables for a list; integers that are spread evenly and others go to parts
  // in two ways.
  std::vector<std::pair<std::uint32_t, double>> first;
  on_pools_of_all_sizes([&first] {
    constexpr std::size_t kSize = 70'000;
    const std::vector<Order> all = orders(kSize, 4, ~0U);
    compare_groups<std::int64_t>(all, [](const Order& one) {
      return std::int64_t{static_cast<std::int32_t>(one.customer)} * 3;
    });
    compare_groups<std::int16_t>(
        all, [](const Order& one) { return static_cast<std::int16_t>(one.customer); });
    compare_groups<std::uint32_t>(
        all, [](const Order& one) { return one.number % 2 == 0 ? 7 : one.customer; });
    compare_groups<std::uint32_t>(all, [](const Order& one) {
      return one.number < 60'000 ? one.customer >> 31U : one.customer;
    });
    compare_groups<std::uint64_t>(
        all, [](const Order& one) { return std::uint64_t{1} << one.customer % 64 | one.number; });
    compare_groups<std::uint32_t>(all, [](const Order& one) { return one.customer % 50'000; });
    compare_groups<std::string>(all, [](const Order& one) {
      return std::string(one.customer % 40, 'a') + std::to_string(one.customer % 60'000);
    });
    compare_groups<double>(all, [](const Order& one) { return 0.1 * one.customer; });
    const auto words = [](const Order& one) {
      return std::string(1, static_cast<char>('a' + one.number % 26));
    };
    std::map<std::uint32_t, std::string> expected;
    for (const Order& one : all) expected[one.customer % 60'000] += words(one);
    const auto many = [](const Order& one) { return one.customer % 60'000; };
    const auto joined = furca::reduce_by(all, many, words, append);
    CHECK(std::equal(
        joined.begin(), joined.end(), expected.begin(), expected.end(),
        [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
    const auto sums =
        furca::reduce_by(all, many, [](const Order& one) { return 1.0 / (1 + one.number); });
    if (first.empty()) first = sums;
    CHECK(sums == first);
  });
}

TEST_CASE("counts of so many elements that a thread's table has room for more keys") {
  const Numbers numbers = values(2'200'000, 4);
  for (const std::uint32_t keys : {1'000U, 60'000U, 80'000U}) {
    CAPTURE(keys);
    std::vector<std::size_t> expected(keys);
    for (const std::uint32_t x : numbers) ++expected[x % keys];
    const auto counts = furca::count_by(numbers, [keys](std::uint32_t x) { return x % keys; });
    REQUIRE(counts.size() == keys);
    std::size_t wrong = 0;
    for (std::uint32_t k = 0; k < keys; ++k) wrong += counts[k] != std::pair(k, expected[k]);
    CHECK(wrong == 0);
  }
}
