// What groups do with the functions they are given, and with elements of unusual types.
#include <furca/group.hpp>
#include <furca/views.hpp>

#include "support/orders.hpp"
#include "support/pools.hpp"

using furca::test::on_pools_of_all_sizes;
using furca::test::Order;
using furca::test::orders;
using furca::test::thrown_by;
using furca::test::values;

namespace {

using Numbers = std::vector<std::uint32_t>;
using Function = std::function<std::uint32_t(std::uint32_t)>;

/// Equal to others that differ in `element`, which tells where it comes from.
struct Named {
  std::uint32_t key = 0;
  std::uint32_t element = 0;
  friend bool operator==(const Named& a, const Named& b) { return a.key == b.key; }
  friend auto operator<=>(const Named& a, const Named& b) { return a.key <=> b.key; }
};

/// An operation that does not commute, on strings.
std::string append(std::string left, const std::string& right) { return left += right; }

}  // namespace

template <>
struct std::hash<Named> {
  std::size_t operator()(const Named& one) const noexcept { return one.key; }
};

TEST_CASE(
    "what does not commute is combined in the range's order, and sums of doubles have the same "
    "bits") {
  std::map<std::pair<std::uint32_t, bool>, std::vector<std::pair<std::uint32_t, double>>> first;
  on_pools_of_all_sizes([&first] {
    // by blocks, whose threads go on with their tables or not, in one alone, and in lists; and
    // with so many new keys that a table is full before its block ends
    for (const auto& each :
         {std::pair(7U, false), {3'500U, false}, {15'000U, false}, {60'000U, false}, {7U, true}}) {
      const std::uint32_t keys = each.first;
      const bool full = each.second;
      CAPTURE(keys);
      const std::vector<Order> all = orders(70'000, 4, keys);
      const auto key_of = [full](const Order& one) {
        return full && one.number % 3 > 0 ? 100'000 + one.number : one.customer;
      };
      const auto value = [](const Order& one) {
        return std::string(1, static_cast<char>('a' + one.number % 26));
      };
      std::map<std::uint32_t, std::string> expected;
      for (const Order& one : all) expected[key_of(one)] += value(one);
      const auto words = furca::reduce_by(all, key_of, value, append);
      CHECK(std::equal(
          words.begin(), words.end(), expected.begin(), expected.end(),
          [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
      const auto sums =
          furca::reduce_by(all, key_of, [](const Order& one) { return 1.0 / (1 + one.number); });
      first.emplace(each, sums);
      CHECK(sums == first[each]);
      const auto least = furca::reduce_by(
          all, key_of, [](const Order& one) { return 1.0 + one.number; },
          [](double a, double b) { return std::min(a, b); });
      CHECK(std::all_of(least.begin(), least.end(), [&](const auto& one) {
        return one.second >= 1 &&
               key_of(all[static_cast<std::size_t>(one.second) - 1]) == one.first;
      }));
    }
  });
}

namespace {

/// Stands for a number elsewhere, to which what is assigned goes.
struct Stand {
  int* number;
  operator int() const { return *number; }
  Stand(int* there) : number(there) {}
  Stand(const Stand&) = default;
  Stand& operator=(const Stand& other) { return *number = *other.number, *this; }
};

/// The iterator of such elements.
struct Stands : std::vector<int>::iterator {
  using iterator_concept = std::random_access_iterator_tag;
  using reference = Stand;
  using Base = std::vector<int>::iterator;
  Stands() = default;
  Stands(Base at) : Base(at) {}
  Stand operator*() const { return Stand(std::addressof(Base::operator*())); }
  Stand operator[](std::ptrdiff_t n) const { return *(*this + n); }
  Stands& operator++() { return Base::operator++(), *this; }
  Stands operator++(int) { return Base::operator++(0); }
  Stands& operator--() { return Base::operator--(), *this; }
  Stands operator--(int) { return Base::operator--(0); }
  Stands& operator+=(std::ptrdiff_t n) { return Base::operator+=(n), *this; }
  Stands& operator-=(std::ptrdiff_t n) { return Base::operator-=(n), *this; }
  Stands operator+(std::ptrdiff_t n) const { return Base::operator+(n); }
  Stands operator-(std::ptrdiff_t n) const { return Base::operator-(n); }
  std::ptrdiff_t operator-(const Stands& other) const {
    return static_cast<const Base&>(*this) - static_cast<const Base&>(other);
  }
  [[maybe_unused]] friend Stands operator+(std::ptrdiff_t n, const Stands& at) { return at + n; }
};

}  // namespace

template <>
struct std::basic_common_reference<Stand, int, std::type_identity_t, std::type_identity_t> {
  using type = int;
};

TEST_CASE("keys and what is mapped are what a range's elements are, which may stand for others") {
  std::vector<int> numbers = {3, 1, 2, 3, 1};
  const std::vector<int> before = numbers;
  struct {
    Stands first, last;
    Stands begin() const { return first; }
    Stands end() const { return last; }
  } const stands{numbers.begin(), numbers.end()};
  const auto counts = furca::count_by(stands);
  CHECK(counts == std::vector<std::pair<int, std::size_t>>{{1, 2}, {2, 1}, {3, 2}});
  CHECK(numbers == before);
  const std::vector<int> mapped = furca::map(stands, std::identity());
  CHECK(mapped == before);
  static_assert(
      std::is_same_v<decltype(furca::map(stands, [](Stand s) { return s; })), std::vector<int>>);
}

TEST_CASE("elements of unusual types") {
  on_pools_of_all_sizes([] {
    std::deque<int> queue;
    for (int i = 0; i < 40'000; ++i) queue.push_back(i % 3);
    const auto counts = furca::count_by(queue);
    CHECK(counts ==
          std::vector<std::pair<int, std::size_t>>{{0, 13'334}, {1, 13'333}, {2, 13'333}});
    const auto particular = furca::group_by(queue, std::identity{}, [](int i) {
      return furca::test::Particular(static_cast<std::uint32_t>(i));
    });
    CHECK(*particular[1].second.back().value == 1);
    for (const auto& [key, ones] : particular)
      CHECK(*ones.front().value == static_cast<std::uint32_t>(key));
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
  });
}

TEST_CASE("numbers that are NaN are one key, the last one, beside few others and beside new ones") {
  constexpr std::size_t kSize = 100'000;
  for (const std::uint32_t others : {3U, ~0U}) {
    CAPTURE(others);
    std::vector<double> some(kSize);
    std::map<double, std::size_t> expected;
    for (std::size_t i = 0; i < kSize; ++i) {
      some[i] = i % 2 == 0 ? std::bit_cast<double>(0x7FF8'0000'0000'0000U + i)
                           : 0.1 * (furca::test::mixed(static_cast<std::uint32_t>(i)) % others);
      if (i % 2 != 0) ++expected[some[i]];
    }
    on_pools_of_all_sizes([&] {
      const auto counts = furca::count_by(some);
      REQUIRE(counts.size() == expected.size() + 1);
      CHECK(std::equal(
          expected.begin(), expected.end(), counts.begin(),
          [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
      // the first one
      CHECK(std::bit_cast<std::uint64_t>(counts.back().first) == 0x7FF8'0000'0000'0000U);
      CHECK(counts.back().second == kSize / 2);
    });
  }
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
    constexpr std::uint32_t kSize = 200'000;
    const Function key_of = [](std::uint32_t i) {
      std::atomic<std::uint32_t> sum{0};
      if (i % 1'000 == 0)
        furca::parallel_for(0, 40, [&sum](int k) { sum += static_cast<std::uint32_t>(k); });
      return (i + sum) % 4'000;
    };
    std::map<std::uint32_t, std::size_t> expected;
    for (std::uint32_t i = 0; i < kSize; ++i) ++expected[(i + (i % 1'000 == 0 ? 780 : 0)) % 4'000];
    const Numbers numbers = values(kSize, 1);
    const auto counts = furca::count_by(numbers, key_of);
    CHECK(std::equal(
        counts.begin(), counts.end(), expected.begin(), expected.end(),
        [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
  });
}

TEST_CASE(
    "functions are called once for each element, and throw what the serial loop would throw") {
  on_pools_of_all_sizes([] {
    constexpr std::uint32_t kSize = 50'000;
    const Numbers numbers = values(kSize, 1);
    std::atomic<std::size_t> keys{0};
    std::atomic<std::size_t> counted{0};
    const Function same = [](std::uint32_t x) { return x; };
    const Function hundred = [](std::uint32_t x) { return x % 100; };
    const Function key = [&keys](std::uint32_t x) { return ++keys, x % 7; };
    const Function value = [&counted](std::uint32_t x) { return ++counted, x; };
    (void)furca::group_by(numbers, key, value);
    CHECK(keys == kSize);
    CHECK(counted == kSize);
    for (const std::size_t at : {std::size_t{0}, std::size_t{20'000}, std::size_t{49'999}}) {
      const Function throws = [at](std::uint32_t x) {
        furca::test::throw_from(at, x);
        return x % 100;
      };
      const auto check = [at](const auto& call) { CHECK(thrown_by(call) == std::to_string(at)); };
      check([&] { (void)furca::count_by(numbers, throws); });
      check([&] { (void)furca::group_by(numbers, throws, same); });
      for (const Function& key_of : {hundred, same}) {
        check([&] { (void)furca::group_by(numbers, key_of, throws); });
        check([&] { (void)furca::reduce_by(numbers, key_of, throws); });
      }
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
  CHECK(std::all_of(counts.begin(), counts.end(),
                    [](const auto& count) { return count.second == 1; }));
}

TEST_CASE("sums of values that can only be moved, and are not made of nothing") {
  struct Moved {
    explicit Moved(int i) : value(std::make_unique<int>(i)) {}
    std::unique_ptr<int> value;
  };
  const auto sums = furca::reduce_by(
      std::vector<int>{3, 1, 3}, std::identity(), [](int i) { return Moved(i); },
      [](Moved a, const Moved& b) {
        *a.value += *b.value;
        return a;
      });
  REQUIRE(sums.size() == 2);
  CHECK((*sums[0].second.value == 1 && *sums[1].second.value == 6));
}
