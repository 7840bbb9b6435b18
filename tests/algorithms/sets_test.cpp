#include <furca/sets.hpp>

#include "support/elements.hpp"

using namespace furca::test;

namespace {

using Elements = std::vector<Placed>;

/// Calls check() inside pools of 1 to 8 threads.
template <class Check>
void on_pools(Check check) {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    CAPTURE(threads);
    furca::ThreadPool pool({.threads = threads});
    pool.install(check);
  }
}

/// Calls check(a, b) for sorted ranges of many sizes, with few and with many equal elements.
template <class Check>
void on_sorted_pairs(std::size_t most, Check check) {
  for (const std::size_t n : sizes(most)) {
    for (const std::size_t m : {n / 100 + 1, n - n / 3, n}) {
      for (const std::uint32_t keys : {1U, 3U, ~0U}) {
        CAPTURE(n);
        CAPTURE(m);
        CAPTURE(keys);
        check(sorted_keys(n, keys, 0), sorted_keys(m, keys, 1U << 30U));
      }
    }
  }
}

/// What one operation gives, and where it ends.
struct Ended {
  Elements out;
  std::ptrdiff_t in1 = 0;
  std::ptrdiff_t in2 = 0;
};

enum Operation { unite, intersect, subtract, differ };
constexpr Operation kOperations[] = {unite, intersect, subtract, differ};

/// By the definition, for an output of any size: m and n equal elements are min(m, n) pairs and the
/// others.
Ended serial(Operation operation, const Elements& a, const Elements& b, std::size_t room) {
  Ended end;
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    const bool a_first = x != a.end() && (y == b.end() || less_key(*x, *y));
    const bool b_first = y != b.end() && (x == a.end() || less_key(*y, *x));
    const bool pair = !a_first && !b_first;
    if (operation == unite || (operation == intersect ? pair
                               : operation == differ  ? !pair
                                                      : a_first)) {
      if (end.out.size() == room) break;
      end.out.push_back(b_first ? *y : *x);
    }
    if (!b_first) ++x;
    if (!a_first) ++y;
  }
  end.in1 = x - a.begin();
  end.in2 = y - b.begin();
  return end;
}

/// Into an output of `room` elements, of which those that are not written must stay as they are.
template <class Order, class Proj>
Ended parallel(Operation operation, const Elements& a, const Elements& b, std::size_t room,
               Order order, Proj proj) {
  const Placed untouched{7, ~0U};
  Elements out(room, untouched);
  Elements::iterator written;
  Ended end;
  const auto take = [&](const auto& result) {
    end.in1 = result.in1 - a.begin();
    end.in2 = result.in2 - b.begin();
    written = result.out;
  };
  if (operation == unite) {
    take(furca::set_union(a, b, out, order, proj, proj));
  } else if (operation == intersect) {
    take(furca::set_intersection(a, b, out, order, proj, proj));
  } else if (operation == differ) {
    take(furca::set_symmetric_difference(a, b, out, order, proj, proj));
  } else {
    const auto result = furca::set_difference(a, b, out, order, proj, proj);
    end.in1 = result.in - a.begin();
    written = result.out;
  }
  CHECK(std::all_of(written, out.end(), [&](const Placed& each) { return each == untouched; }));
  end.out.assign(out.begin(), written);
  return end;
}

void check_same(Operation operation, const Elements& a, const Elements& b, std::size_t room) {
  CAPTURE(static_cast<int>(operation));
  CAPTURE(room);
  const Ended expected = serial(operation, a, b, room);
  const Ended end = parallel(operation, a, b, room, std::ranges::less(), &Placed::key);
  CHECK(end.out == expected.out);
  CHECK(end.in1 == expected.in1);
  if (operation != subtract) CHECK(end.in2 == expected.in2);
}

}  // namespace

TEST_CASE("the definition is that of std") {
  on_sorted_pairs(600, [](const Elements& a, const Elements& b) {
    Elements all[4];
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all[unite]),
                   less_key);
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::back_inserter(all[intersect]), less_key);
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all[subtract]),
                        less_key);
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                  std::back_inserter(all[differ]), less_key);
    for (const Operation operation : kOperations)
      CHECK(serial(operation, a, b, a.size() + b.size()).out == all[operation]);
  });
}

TEST_CASE("sets are those of the definition, and end where the output does") {
  on_pools([] {
    on_sorted_pairs(kSanitized ? 600 : 9'000, [](const Elements& a, const Elements& b) {
      for (const Operation operation : kOperations) {
        const std::size_t all = serial(operation, a, b, a.size() + b.size()).out.size();
        for (const std::size_t room : {all + 3, all, all / 3}) check_same(operation, a, b, room);
      }
      CHECK(furca::includes(a, b, less_key) ==
            std::includes(a.begin(), a.end(), b.begin(), b.end(), less_key));
    });
  });
}

TEST_CASE("over many stretches, and of elements that are all equal") {
  const std::size_t n = std::min<std::size_t>(kMostElements, 200'000);
  for (const std::uint32_t keys : {1U, 50'000U}) {
    const Elements a = sorted_keys(n, keys, 0);
    const Elements b = sorted_keys(n / 2 + 77, keys, 1U << 30U);
    Elements within = a;
    std::erase_if(within, [](const Placed& each) { return each.place % 5 == 0; });
    Elements without = within;
    without.push_back(without.back());
    without.back().key += 1;
    on_pools([&] {
      for (const Operation operation : kOperations) {
        check_same(operation, a, b, 2 * n);
        check_same(operation, a, b, 30'001);
        check_same(operation, a, b, 0);
      }
      CHECK(furca::includes(a, within, {}, &Placed::key, &Placed::key));
      CHECK(!furca::includes(a, without, {}, &Placed::key, &Placed::key));
      CHECK(!furca::includes(within, a, {}, &Placed::key, &Placed::key));
    });
  }
}

TEST_CASE("blocks begin on the path of serial execution, and their lengths are alike") {
  for (const std::uint32_t keys : {1U, 4U, 60U}) {
    const Elements a = sorted_keys(150, keys, 0);
    const Elements b = sorted_keys(230, keys, 1'000);
    // of the places that serial execution passes, by their sums
    std::vector<std::size_t> b_of(a.size() + b.size() + 1, ~std::size_t{0});
    for (std::size_t x = 0, y = 0; x < a.size() || y < b.size();) {
      b_of[x + y] = y;
      const bool a_first = x < a.size() && (y == b.size() || less_key(a[x], b[y]));
      const bool b_first = y < b.size() && (x == a.size() || less_key(b[y], a[x]));
      if (!b_first) ++x;
      if (!a_first) ++y;
    }
    b_of.back() = b.size();
    auto order = less_key;
    std::identity same;
    const auto path = furca::detail::set_path(a, a.size(), b, b.size(), order, same, same);
    for (std::size_t position = 0; position <= path.length(); ++position) {
      const furca::detail::SetPlace place = path.at(position);
      CHECK((place.a + place.b == position || place.a + place.b + 1 == position));
      CHECK(b_of[place.a + place.b] == place.b);
    }
  }
}

TEST_CASE("ranges of different types, and elements that own memory") {
  on_pools([] {
    std::deque<std::string> words;
    for (std::size_t i = 0; i < 5'000; ++i) words.push_back(std::string(i / 100, 'x'));
    const std::vector<std::string> more(words.begin() + 50, words.end());
    std::vector<std::string> out(words.size());
    CHECK(furca::set_union(words, more, out).out == out.end());
    CHECK(std::equal(out.begin(), out.end(), words.begin()));
    const auto both = furca::set_intersection(more, words, out);
    CHECK(std::vector<std::string>(out.begin(), both.out) == more);
    const auto rest = furca::set_difference(words, more, out);
    CHECK(rest.out == out.begin() + 50);
    CHECK(out[0] == "");
    const auto either = furca::set_symmetric_difference(more, words, out);
    CHECK(either.out == out.begin() + 50);
    CHECK((either.in1 == more.end() && either.in2 == words.end()));
    CHECK(furca::includes(words, more));
    CHECK(!furca::includes(more, words));
  });
}

TEST_CASE("ranges that are not sorted, and what is no order: the same for any number of threads") {
  for (const std::size_t n : sizes(10'000)) {
    for (const auto& order : no_orders) {
      Elements a = sorted_keys(n, ~0U, 0);
      std::shuffle(a.begin(), a.end(), std::mt19937(3));
      const Elements b(a.begin() + static_cast<std::ptrdiff_t>(n / 3), a.end());
      std::vector<Ended> first;
      for (const std::size_t threads : {1U, 2U, 8U}) {
        furca::ThreadPool pool({.threads = threads});
        pool.install([&] {
          for (const Operation operation : kOperations) {
            const Ended end = parallel(operation, a, b, a.size() + b.size(), order, &Placed::key);
            if (threads == 1) first.push_back(end);
            CHECK(end.out == first[operation].out);
          }
        });
      }
    }
  }
}

TEST_CASE("few elements of any size, and no comparison behind the end of a short output") {
  struct Large {
    std::array<int, 16'384> numbers{};
  };
  const auto number = [](const Large& large) { return large.numbers[0]; };
  std::vector<Large> large(2);
  large[1].numbers[0] = 1;
  std::vector<Large> both(4);
  (void)furca::set_union(large, large, both, std::less<>(), number, number);
  CHECK(both[1].numbers[0] == 1);

  struct Made {  // not by default
    explicit Made(int x) : number(x) {}
    int number;
  };
  const std::vector<Made> made = {Made(1), Made(2)};
  std::vector<Made> common(2, Made(0));
  (void)furca::set_intersection(made, made, common, {}, &Made::number, &Made::number);
  CHECK(common[1].number == 2);

  const auto order = [](int x, int y) {
    if (std::max(x, y) >= 50) throw std::runtime_error("late");
    return x < y;
  };
  const std::vector<int> a = {1, 2, 3, 50};
  const std::vector<int> b = {1, 2, 3, 60};
  std::vector<int> out(2);
  (void)furca::set_union(a, b, out, order);
  CHECK(out == std::vector{1, 2});
}

TEST_CASE("comparisons are few, and what they throw is thrown, if serial execution comes to it") {
  const std::size_t n = std::min<std::size_t>(kMostElements, 40'000);
  const Elements a = sorted_keys(n, 10'000, 0);
  const Elements b = sorted_keys(n, 10'000, 1U << 30U);
  std::string first;
  on_pools([&] {
    std::atomic<std::size_t> compared{0};
    std::atomic<std::uint32_t> throws_from{~0U};
    const std::function<bool(std::uint32_t, std::uint32_t)> order = [&](std::uint32_t x,
                                                                        std::uint32_t y) {
      compared.fetch_add(1, std::memory_order_relaxed);
      if (std::max(x, y) >= throws_from)
        throw std::runtime_error(std::to_string(x) + " " + std::to_string(y));
      return x < y;
    };
    for (const Operation operation : kOperations) {
      compared = 0;
      (void)parallel(operation, a, b, 2 * n, order, &Placed::key);
      CHECK(compared <= 8 * n + n / 10 + 100);
    }
    throws_from = a[n / 2].key;
    const std::string thrown =
        thrown_by([&] { (void)parallel(unite, a, b, 2 * n, order, &Placed::key); });
    if (first.empty()) first = thrown;
    CHECK(!thrown.empty());
    CHECK(thrown == first);
    CHECK(!thrown_by([&] {
             (void)furca::includes(a, a, order, &Placed::key, &Placed::key);
           }).empty());
    if (n == 40'000) {  // more than a few blocks
      const Ended few = parallel(unite, a, b, 1'000, order, &Placed::key);
      CHECK(few.out == serial(unite, a, b, 1'000).out);
      Elements other = b;
      for (Placed& each : other) each.key = each.key < 10 ? 0 : each.key;
      CHECK(!furca::includes(a, other, order, &Placed::key, &Placed::key));
    }
  });
}
