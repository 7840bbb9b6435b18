// Groups of keys of several types, few and many, beside those of a std::map.
#include <furca/group.hpp>

#include "support/orders.hpp"
#include "support/pools.hpp"

using furca::test::Order;
using furca::test::orders;
using furca::test::PoolsOfAllSizes;
using furca::test::sizes;

namespace {

/// A key without a hash function.
struct Pair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  friend auto operator<=>(const Pair&, const Pair&) = default;
  void operator&() const = delete;
};

template <class Key>
using KeyOf = std::function<Key(const Order&)>;

template <class Key>
using Expected = std::map<Key, std::vector<std::uint32_t>>;

template <class Key>
Expected<Key> expected_groups(const std::vector<Order>& all, const KeyOf<Key>& key_of) {
  Expected<Key> expected;
  for (const Order& one : all) expected[key_of(one)].push_back(one.number);
  return expected;
}

template <class Key>
void compare_counts(const std::vector<Order>& all, const KeyOf<Key>& key_of,
                    const Expected<Key>& expected) {
  const auto counts = furca::count_by(all, key_of);
  REQUIRE(counts.size() == expected.size());
  std::size_t wrong = 0;
  auto count = counts.begin();
  for (const auto& [key, numbers] : expected) {
    wrong += count->first != key || count->second != numbers.size();
    ++count;
  }
  CHECK(wrong == 0);
}

template <class Key>
void compare_sums(const std::vector<Order>& all, const KeyOf<Key>& key_of,
                  const Expected<Key>& expected) {
  const auto sums =
      furca::reduce_by(all, key_of, [](const Order& one) { return std::uint64_t{one.number}; });
  REQUIRE(sums.size() == expected.size());
  std::size_t wrong = 0;
  auto sum = sums.begin();
  for (const auto& [key, numbers] : expected) {
    wrong += sum->first != key ||
             sum->second != std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
    ++sum;
  }
  CHECK(wrong == 0);
}

template <class Key>
void compare_groups_here(const std::vector<Order>& all, const KeyOf<Key>& key_of,
                         const Expected<Key>& expected) {
  compare_counts(all, key_of, expected);
  const auto groups = furca::group_by(all, key_of, &Order::number);
  REQUIRE(groups.size() == expected.size());
  CHECK(groups.empty() == all.empty());
  std::size_t wrong = 0;
  auto group = groups.begin();
  for (const auto& [key, numbers] : expected) {
    const auto one = *group++;
    wrong += one.first != key ||
             !std::equal(numbers.begin(), numbers.end(), one.second.begin(), one.second.end());
  }
  CHECK(wrong == 0);
  CHECK(group == groups.end());
  // Sums are kept like counts: with keys that are numbers and, where no sanitizer looks at the same
  // again, with keys that own memory. Each type of keys takes seconds to compile.
  constexpr bool kOwner = std::is_same_v<Key, std::string> && !furca::test::kSanitized;
  if constexpr (kOwner || std::is_same_v<Key, std::uint32_t>) compare_sums(all, key_of, expected);
}

template <class Key>
void compare_groups(const PoolsOfAllSizes& where, const std::vector<Order>& all,
                    const KeyOf<Key>& key_of) {
  const Expected<Key> expected = expected_groups(all, key_of);
  where([&] { compare_groups_here(all, key_of, expected); });
}

template <class Key>
void compare_counts_everywhere(const PoolsOfAllSizes& where, const std::vector<Order>& all,
                               const KeyOf<Key>& key_of) {
  const Expected<Key> expected = expected_groups(all, key_of);
  where([&] { compare_counts(all, key_of, expected); });
}

}  // namespace

TEST_CASE("groups are those of a std::map, in the range's order") {
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : sizes(furca::test::kSanitized ? 2'100 : 17'000)) {
    CAPTURE(n);
    for (const std::uint32_t customers : {1U, 1'000U, ~0U}) {
      CAPTURE(customers);
      compare_groups<std::uint32_t>(everywhere, orders(n, 4, customers),
                                    [](const Order& one) { return one.customer; });
    }
    compare_groups<Pair>(everywhere, orders(n, 4, 1'000), [](const Order& one) {
      return Pair{one.customer % 10, one.customer / 10};
    });
    compare_groups<std::string>(
        everywhere, orders(std::min<std::size_t>(n, 1'025), 4, 300),
        [](const Order& one) { return "customer number " + std::to_string(one.customer); });
  }
  compare_groups<std::uint32_t>(everywhere, orders(70'000, 4, 10'000),
                                [](const Order& one) { return one.customer; });
}

TEST_CASE("many keys, and few: those of a std::map, whoever has met them where") {
  // Blocks of 32,768 elements go on with a table that has few keys; of many keys the tables are
  // brought together in parts.
  const std::size_t n = furca::test::few_cases()  ? 70'000
                        : furca::test::kSanitized ? 150'000
                                                  : 300'000;
  const PoolsOfAllSizes everywhere;
  compare_groups<std::uint32_t>(everywhere, orders(n, 4, 3),
                                [](const Order& one) { return one.customer; });
  compare_groups<std::uint32_t>(everywhere, orders(n, 4, 15'000),
                                [](const Order& one) { return one.customer; });
  compare_groups<std::int64_t>(everywhere, orders(n, 4, ~0U),
                               [](const Order& one) { return std::int64_t{one.customer} << 29U; });
  compare_groups<std::uint32_t>(everywhere, orders(n, 4, 1'000), [](const Order& one) {
    return one.number % 3 == 0 ? one.number : one.customer;
  });
}

TEST_CASE("keys of which nearly all are new, with few that are not, in any order and of any type") {
  // Blocks give up their tables for a list; integers that are spread evenly and others go to parts
  // in two ways.
  const PoolsOfAllSizes everywhere;
  constexpr std::size_t kSize = 70'000;
  const std::vector<Order> all = orders(kSize, 4, ~0U);
  compare_groups<std::int64_t>(everywhere, all, [](const Order& one) {
    return std::int64_t{static_cast<std::int32_t>(one.customer)} * 3;
  });
  compare_counts_everywhere<std::int16_t>(
      everywhere, all, [](const Order& one) { return static_cast<std::int16_t>(one.customer); });
  compare_groups<std::uint32_t>(
      everywhere, all, [](const Order& one) { return one.number % 2 == 0 ? 7 : one.customer; });
  compare_groups<std::uint32_t>(everywhere, all, [](const Order& one) {
    return one.number < 60'000 ? one.customer >> 31U : one.customer;
  });
  compare_groups<std::int64_t>(everywhere, all, [](const Order& one) {
    return std::int64_t{1} << one.customer % 64 | one.number;
  });
  compare_groups<std::uint32_t>(everywhere, all,
                                [](const Order& one) { return one.customer % 50'000; });
  compare_groups<std::string>(everywhere, all, [](const Order& one) {
    return std::string(one.customer % 40, 'a') + std::to_string(one.customer % 60'000);
  });
}

TEST_CASE("counts and sums of so many elements that a thread's table has room for more keys" *
          doctest::skip(furca::test::few_cases())) {
  const std::vector<Order> all = orders(2'200'000, 4, ~0U);
  const auto here = [&all](const KeyOf<std::uint32_t>& key_of) {
    compare_groups_here(all, key_of, expected_groups(all, key_of));
  };
  for (const std::uint32_t keys : {1'000U, 60'000U, 80'000U}) {
    CAPTURE(keys);
    here([keys](const Order& one) { return one.customer % keys; });
  }
  // each of them four times, so that a thread's table has too many, and it begins another
  here([](const Order& one) { return one.number / 4; });
}

TEST_CASE("blocks of new keys, and then blocks that list nothing") {
  std::vector<std::uint32_t> keys(400'000);
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    keys[i] = i < keys.size() / 2 ? i * 2'654'435'761U : i % 7;
  const auto counted = furca::count_by(keys);
  CHECK(counted.size() == 200'006);
  CHECK(counted[1].second == std::size_t(std::count(keys.begin(), keys.end(), counted[1].first)));
}

TEST_CASE("integers close to each other, few of each, which need no tables; and far ones then") {
  std::vector<std::int32_t> keys(100'000);
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    keys[i] = static_cast<std::int32_t>(i * 2'654'435'761U % 20'000) - 10'000;
  const PoolsOfAllSizes everywhere;
  for (const std::int32_t last : {0, 1, 1 << 30}) {  // those of the last quarter
    for (std::size_t i = 75'000; last > 0 && i < keys.size(); ++i)
      keys[i] = last * (1 - static_cast<std::int32_t>(i % 2) * 2);
    std::map<std::int32_t, std::vector<double>> expected;
    for (std::size_t i = 0; i < keys.size(); ++i) expected[keys[i]].push_back(0.1 * double(i));
    const auto value = [&keys](const std::int32_t& key) { return 0.1 * double(&key - &keys[0]); };
    everywhere([&] {
      const auto counts = furca::count_by(keys);
      const auto last_values = furca::reduce_by(keys, std::identity(), value,
                                                [](double, double later) { return later; });
      const auto groups = furca::group_by(keys, std::identity(), value);
      REQUIRE(counts.size() == expected.size());
      REQUIRE(last_values.size() == expected.size());
      REQUIRE(groups.size() == expected.size());
      std::size_t i = 0;
      std::size_t wrong = 0;
      for (const auto& [key, values] : expected) {
        wrong += counts[i] != std::pair(key, values.size());
        wrong += last_values[i] != std::pair(key, values.back());
        wrong += groups.keys[i] != key || !std::ranges::equal(groups.rows[i], values);
        ++i;
      }
      CHECK(wrong == 0);
    });
  }
}

/// A number that anything is converted to.
struct Meters {
  Meters() = default;
  template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, Meters>)
  explicit(false) Meters(T&& t) : value(static_cast<double>(t)) {}
  bool operator==(const Meters&) const = default;

  double value = 0;
};

TEST_CASE("values that anything is converted to are what they were") {
  struct Element {
    std::uint32_t key;
    Meters value;
  };
  std::vector<Element> elements;
  for (std::uint32_t i = 0; i < 100'000; ++i) elements.push_back({i % 50'000, Meters(i)});
  const auto grouped = furca::group_by(elements, &Element::key, &Element::value);
  REQUIRE(grouped.size() == 50'000);
  CHECK(grouped.rows[7][0] == Meters(7));
  CHECK(grouped.rows[7][1] == Meters(50'007));
}

TEST_CASE("texts: those that begin alike, or end where others go on, with any bytes in them") {
  const std::string begin(30, 'x');
  const auto text_of = [&begin](const Order& one) {
    const std::uint32_t x = one.customer;
    if (x % 5 == 0) return begin + std::string(x % 70, 'y');
    if (x % 5 == 1) return begin + std::string(x % 20, '\0');
    if (x % 5 == 2) return begin + "a middle of sixteen" + std::to_string(x);
    return begin + static_cast<char>(x % 256) + std::to_string(x);
  };
  const PoolsOfAllSizes everywhere;
  for (const std::size_t n : {std::size_t{40}, std::size_t{5'000}, std::size_t{70'000}}) {
    const std::vector<Order> all = orders(n, 4, 20'000);
    compare_groups<std::string>(everywhere, all, text_of);
    std::vector<std::string> texts;
    for (const Order& one : all) texts.push_back(text_of(one));
    compare_counts_everywhere<std::string_view>(everywhere, all, [&texts](const Order& one) {
      return std::string_view(texts[one.number]);
    });
  }
}
