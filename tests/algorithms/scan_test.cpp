#include <furca/scan.hpp>
#include <furca/views.hpp>

#include "support/elements.hpp"
#include "support/pools.hpp"

using namespace furca::test;

namespace {

/// x -> a x + b, modulo 2^32: to compose them is associative, and does not commute.
struct Affine {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  bool operator==(const Affine&) const = default;
};

/// A number that may not be readable.
struct ReadsOrThrows {
  double value = 0;
  int throws_at = -1;
  operator double() const {
    return throws_at < 0 ? value : throw std::runtime_error(std::to_string(throws_at));
  }
};

Affine compose(Affine f, Affine g) { return {g.a * f.a, g.a * f.b + g.b}; }

}  // namespace

TEST_CASE("scans of integers are those of the serial algorithms, in new and in the same memory") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes()) {
      for (int distribution = n > 100'000 ? 4 : 0; distribution < kDistributions; ++distribution) {
        CAPTURE(n);
        const Numbers numbers = values(n, distribution);
        Numbers expected(n);
        Numbers out(n);
        std::inclusive_scan(numbers.begin(), numbers.end(), expected.begin());
        const auto end = furca::inclusive_scan(numbers, out);
        CHECK(end.in == numbers.end());
        CHECK(end.out == out.end());
        CHECK(out == expected);
        out = numbers;
        furca::inclusive_scan(out, out);
        CHECK(out == expected);

        const std::uint32_t all = 5 + (n > 0 ? expected.back() : 0);
        std::exclusive_scan(numbers.begin(), numbers.end(), expected.begin(), 5U);
        CHECK(furca::exclusive_scan(numbers, out, 5U).total == all);
        CHECK(out == expected);
        out = numbers;
        CHECK(furca::exclusive_scan(out, out, 5U).total == all);
        CHECK(out == expected);
      }
    }
  });
}

TEST_CASE("operations that do not commute, and their order") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(9'000)) {
      CAPTURE(n);
      const Numbers numbers = values(n, 4);
      std::vector<Affine> functions;
      std::vector<std::string> letters;
      for (const std::uint32_t number : numbers) {
        functions.push_back({number, number >> 5U});
        letters.emplace_back(number % 2, static_cast<char>('a' + number % 26));
      }
      std::vector<Affine> expected(n);
      std::vector<Affine> out(n);
      std::inclusive_scan(functions.begin(), functions.end(), expected.begin(), compose);
      furca::inclusive_scan(functions, out, compose);
      CHECK(out == expected);
      std::exclusive_scan(functions.begin(), functions.end(), expected.begin(), Affine{3, 4},
                          compose);
      furca::exclusive_scan(functions, out, Affine{3, 4}, compose);
      CHECK(out == expected);
      if (n > 2'100) continue;
      std::vector<std::string> texts(n);
      std::vector<std::string> some(n);
      std::inclusive_scan(letters.begin(), letters.end(), texts.begin());
      furca::inclusive_scan(letters, some);
      CHECK(some == texts);
      some = letters;
      furca::exclusive_scan(some, some, std::string("begin"));
      std::exclusive_scan(letters.begin(), letters.end(), texts.begin(), std::string("begin"));
      CHECK(some == texts);
    }
  });
}

TEST_CASE(
    "sums of doubles have the same bits for any number of threads, and are near the serial ones") {
  for (const std::size_t n : sizes()) {
    CAPTURE(n);
    std::vector<double> numbers;
    for (const std::uint32_t number : values(n, 4)) numbers.push_back(number / 3.0);
    std::vector<double> serial(n);
    std::inclusive_scan(numbers.begin(), numbers.end(), serial.begin());
    std::vector<double> first;
    std::vector<double> first_exclusive;
    double first_total = 0;
    on_pools_of_all_sizes([&] {
      std::vector<double> out(n);
      furca::inclusive_scan(numbers, out);
      std::vector<double> exclusive = numbers;
      const double total = furca::exclusive_scan(exclusive, exclusive, 0.5).total;
      if (first.empty()) {
        first = out;
        first_exclusive = exclusive;
        first_total = total;
      }
      CHECK(out == first);
      CHECK(exclusive == first_exclusive);
      CHECK(total == first_total);
      CHECK(std::equal(out.begin(), out.end(), serial.begin(),
                       [](double a, double b) { return std::abs(a - b) <= 1e-12 * b; }));
    });
  }
}

TEST_CASE("an operation of integers that rounds gives the same for any number of threads") {
  const std::size_t n = 5'000;
  std::vector<int> numbers;
  for (const std::uint32_t number : values(n, 4))
    numbers.push_back(static_cast<int>(65'000 + number % 1'000));
  const auto fixed_point = [](int a, int b) {
    return static_cast<int>((std::int64_t{a} * b) >> 16);
  };
  std::vector<int> first;
  std::vector<int> first_exclusive;
  on_pools_of_all_sizes([&] {
    std::vector<int> out(n);
    furca::inclusive_scan(numbers, out, fixed_point);
    std::vector<int> exclusive = numbers;
    furca::exclusive_scan(exclusive, exclusive, 70'000, fixed_point);
    if (first.empty()) {
      first = out;
      first_exclusive = exclusive;
    }
    CHECK(out == first);
    CHECK(exclusive == first_exclusive);
  });
}

TEST_CASE(
    "what op throws from an element on is thrown, and what is in front is as the serial scan "
    "leaves it") {
  on_every_pool([] {
    for (const std::size_t n : {std::size_t{300}, std::size_t{9'000}}) {
      std::vector<double> numbers(n);
      std::iota(numbers.begin(), numbers.end(), 0.0);
      std::vector<double> expected(n);
      std::inclusive_scan(numbers.begin(), numbers.end(), expected.begin());
      for (std::size_t at = 0; at < n; at += n / 30) {
        CAPTURE(at);
        const auto project = [at](double x) {
          throw_from(at, static_cast<std::size_t>(x));
          return x;
        };
        std::vector<double> out = numbers;
        CHECK(thrown_by([&] { furca::inclusive_scan(out, out, std::plus<>{}, project); }) ==
              std::to_string(at));
        CHECK(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(at),
                         expected.begin()));
        out = numbers;
        CHECK(thrown_by([&] { furca::exclusive_scan(out, out, 0.0, std::plus<>{}, project); }) ==
              std::to_string(at));
        if (at > 0)
          CHECK(std::equal(out.begin() + 1, out.begin() + static_cast<std::ptrdiff_t>(at),
                           expected.begin()));
      }
    }
  });
}

TEST_CASE("an element of few that throws, in whichever block it is") {
  on_every_pool([] {
    for (const std::size_t n : {15U, 40U, 64U, 79U, 232U, 256U, 300U}) {
      CAPTURE(n);
      std::vector<ReadsOrThrows> numbers(n);
      for (std::size_t i = 0; i < n; ++i) numbers[i].value = static_cast<double>(i * i % 91);
      std::vector<double> expected(n);
      std::exclusive_scan(numbers.begin(), numbers.end(), expected.begin(), 0.5);
      std::vector<double> whole(n);
      furca::exclusive_scan(numbers, whole, 0.5);
      CHECK(whole == expected);
      for (std::size_t at = 0; at < n; ++at) {
        CAPTURE(at);
        std::vector<ReadsOrThrows> some = numbers;
        for (std::size_t i = at; i < n; i += 3) some[i].throws_at = static_cast<int>(i);
        std::vector<double> out(n);
        CHECK(thrown_by([&] { furca::exclusive_scan(some, out, 0.5); }) == std::to_string(at));
        CHECK(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(at),
                         expected.begin()));
      }
    }
  });
}

TEST_CASE("an operation that throws is told of whole numbers too, and of strings nothing leaks") {
  on_every_pool([] {
    const std::size_t n = 3'000;
    const Numbers numbers = values(n, 1);
    std::vector<std::string> texts;
    for (const std::uint32_t number : numbers)
      texts.push_back("a rather long text, number " + std::to_string(number));
    for (std::size_t at = 1; at < n; at += 250) {
      const auto project = [at](const std::string& text) {
        throw_from(at, std::stoul(text.substr(text.rfind(' '))));
        return std::string(1, 'x');
      };
      std::vector<std::string> out(n);
      CHECK(thrown_by([&] { furca::inclusive_scan(texts, out, std::plus<>{}, project); }) ==
            std::to_string(at));
      CHECK(out[at - 1] == std::string(at, 'x'));
    }
  });
}

TEST_CASE("an element is projected once") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes(9'000)) {
      std::vector<std::atomic<int>> asked(n);
      const Numbers numbers = values(n, 1);
      std::vector<double> out(n);
      furca::inclusive_scan(numbers, out, std::plus<>{}, [&](std::uint32_t i) {
        ++asked[i];
        return 1.0;
      });
      CHECK(std::all_of(asked.begin(), asked.end(), [](const auto& one) { return one == 1; }));
      CHECK((n == 0 || out.back() == static_cast<double>(n)));
    }
  });
}

TEST_CASE("outputs of another type, shorter outputs, parts") {
  on_pools_of_all_sizes([] {
    const std::size_t n = 10'000;
    const std::vector<std::uint8_t> lengths(n, 200);
    std::vector<std::size_t> offsets(n + 1);
    const auto end = furca::exclusive_scan(lengths, offsets, std::size_t{0});
    CHECK(end.total == 200 * n);
    CHECK(offsets[n - 1] == 200 * (n - 1));
    CHECK(end.out - offsets.begin() == static_cast<std::ptrdiff_t>(n));
    std::vector<double> sums(n);
    furca::exclusive_scan(lengths, sums, 0);
    CHECK(sums[n - 1] == 200.0 * (n - 1));
    std::vector<std::size_t> few(777);
    const auto short_end = furca::exclusive_scan(lengths, few, std::size_t{0});
    CHECK(short_end.in - lengths.begin() == 777);
    CHECK(short_end.out == few.end());
    CHECK(short_end.total == 200 * 777);
    furca::inclusive_scan(std::span(lengths).first(10), std::span(offsets).last(10), std::plus<>{},
                          [](std::uint8_t x) { return std::size_t{x}; });
    CHECK(offsets[n] == 2'000);
    std::vector<bool> bits(n, true);
    furca::exclusive_scan(bits, offsets, std::size_t{0}, std::plus<>{},
                          [](bool bit) { return bit ? std::size_t{1} : std::size_t{0}; });
    CHECK(offsets[n - 1] == n - 1);
    Numbers none;
    CHECK(furca::exclusive_scan(none, none, 7U).total == 7);
    CHECK(furca::inclusive_scan(none, none).out == none.end());
  });
}

TEST_CASE("an operation that moves from its right operand takes nothing from the input") {
  const std::vector<std::string> before(3'000, "a longer string than fits into the object itself");
  std::vector<std::string> in = before;
  std::vector<std::string> out(in.size());
  furca::inclusive_scan(in, out, [](auto&& a, auto&& b) {
    std::string last(std::forward<decltype(b)>(b));
    std::string first(std::forward<decltype(a)>(a));
    return first.size() > 200 ? first : first + last;
  });
  CHECK(in == before);
}

TEST_CASE("few elements are shared, too, if what is done with them may take long") {
  on_every_pool([] {
    constexpr std::size_t n = 200;
    std::vector<double> out(n);
    std::atomic<int> at_once{0};
    std::atomic<int> most{0};
#if defined(_WIN32)
    constexpr std::chrono::microseconds kNap{1'000};  // shorter ones are none
#else
    constexpr std::chrono::microseconds kNap{100};
#endif
    const auto slow = [&](std::size_t) {
      const int now = ++at_once;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(kNap);
      --at_once;
      return 1.0;
    };
    std::vector<std::size_t> numbers(n);
    furca::inclusive_scan(numbers, out, std::plus<>{}, slow);
    CHECK(out.back() == n);
    CHECK((most > 1 || furca::num_threads() == 1));
    // Those that are computed when they are looked at, too.
    most = 0;
    furca::inclusive_scan(furca::lazy(n, slow), out);
    CHECK(out.back() == n);
    CHECK((most > 1 || furca::num_threads() == 1));
  });
}

TEST_CASE("huge elements do not lie in the caller's frame") {
  struct Huge {
    std::array<double, 20'000> numbers;
  };
  using All = std::vector<Huge>;
  struct Add {
    Huge operator()(Huge a, const Huge& b) const {
      a.numbers[0] += b.numbers[0];
      return a;
    }
  };
  using Scan =
      furca::detail::Scan<furca::detail::ScanKind::inclusive, Huge, All, All, Add, std::identity>;
  static_assert(sizeof(Scan) < 2 * sizeof(Huge));
  on_every_pool([] {
    All all(9);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].numbers[0] = static_cast<double>(i);
    furca::inclusive_scan(all, all, Add{});
    CHECK(all.back().numbers[0] == 36);
  });
}

TEST_CASE("adjacent differences are those of the serial algorithm, and undo sums") {
  on_pools_of_all_sizes([] {
    for (const std::size_t n : sizes()) {
      CAPTURE(n);
      const Numbers numbers = values(n, 1);
      Numbers expected(n);
      std::adjacent_difference(numbers.begin(), numbers.end(), expected.begin());
      Numbers out(n + 2, 7);
      const auto end = furca::adjacent_difference(numbers, out);
      CHECK((end.in == numbers.end() && end.out == out.end() - 2));
      CHECK(std::equal(expected.begin(), expected.end(), out.begin()));
      CHECK((out[n] == 7 && out[n + 1] == 7));
      furca::inclusive_scan(std::span(out).first(n), std::span(out).first(n));
      CHECK(std::equal(numbers.begin(), numbers.end(), out.begin()));
      Numbers few(n / 3, 7);
      CHECK(furca::adjacent_difference(numbers, few).in - numbers.begin() ==
            static_cast<std::ptrdiff_t>(n / 3));
      CHECK(std::equal(few.begin(), few.end(), expected.begin()));
    }
  });
}

TEST_CASE(
    "adjacent differences: which element comes first, projections, elements that do not copy") {
  on_pools_of_all_sizes([] {
    const std::size_t n = 5'000;
    std::vector<std::unique_ptr<std::string>> texts;
    for (std::size_t i = 0; i < n; ++i)
      texts.push_back(std::make_unique<std::string>(std::to_string(i)));
    std::vector<std::string> out(n);
    std::vector<std::atomic<int>> asked(n);
    furca::adjacent_difference(
        texts, out, [](const std::string& a, const std::string& b) { return a + " " + b; },
        [&](const std::unique_ptr<std::string>& text) -> const std::string& {
          ++asked[std::stoul(*text)];
          return *text;
        });
    CHECK((out[0] == "0" && out[1] == "1 0" && out[n - 1] == "4999 4998"));
    CHECK(std::all_of(asked.begin(), asked.end() - 1, [](const auto& one) { return one == 2; }));
    CHECK(asked[n - 1] == 1);
  });
}

TEST_CASE("adjacent differences throw what the serial algorithm throws, and not over their input") {
  on_every_pool([] {
    const std::size_t n = 9'000;
    const Numbers numbers = values(n, 1);
    Numbers expected(n);
    std::adjacent_difference(numbers.begin(), numbers.end(), expected.begin());
    for (std::size_t at = 0; at < n; at += n / 30) {
      std::vector<std::size_t> places(n);
      std::iota(places.begin(), places.end(), std::size_t{0});
      Numbers out(n);
      CHECK(thrown_by([&] {
              furca::adjacent_difference(places, out, std::minus<>{}, [&](std::size_t i) {
                throw_from(at, i);
                return numbers[i];
              });
            }) == std::to_string(at));
      CHECK(
          std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(at), expected.begin()));
    }
    Numbers same = numbers;
    CHECK_THROWS_AS(furca::adjacent_difference(same, same), std::invalid_argument);
    CHECK(same == numbers);
    Numbers none;
    CHECK(furca::adjacent_difference(none, none).out == none.end());
  });
}
