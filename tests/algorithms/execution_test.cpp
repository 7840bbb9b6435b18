// The standard library's parallel algorithms on furca, beside its serial ones.
#include <furca/execution.hpp>

#include <furca/parallel_for.hpp>
#include <furca/thread_pool.hpp>

#include "support/forked.hpp"
#include "support/pools.hpp"
#include "support/trials.hpp"

#include <complex>
#include <csignal>
#include <execution>

namespace {

using furca::ThreadPool;
using furca::test::in_forked_child;
using furca::test::kSanitized;
using Ints = std::vector<int>;
using Doubles = std::vector<double>;

constexpr auto& par = std::execution::par;

/// Whether what runs in a child process calls std::terminate. Code by g++ 14 at -O1 crashes where
/// it should: also in a program of the standard library's alone, std::any_of in a noexcept
/// template, with a std::function that throws. At -O0 and -O2 it ends as it should.
template <class Body>
bool ends_program(Body body) {
  const int signal = in_forked_child(body).signal;
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 14
  return signal == SIGABRT || signal == SIGSEGV;
#else
  return signal == SIGABRT;
#endif
}

// First, while there are no other threads.

enum class Thrower { loop, reduction, search, sort, merge, chosen, scan };

/// Runs an algorithm that calls something that throws; it does not come back.
template <class Error>
int run_throwing(Thrower thrower) {
  // no sanitizer likes the threads of a forked child
  ThreadPool pool({.threads = kSanitized ? 1U : 2U});
  return pool.install([thrower] {
    Ints x(100'000, 1);
    Ints y(200'000);
    const std::function<bool(int)> throws = [](int) -> bool { throw Error(); };
    const std::function<bool(int, int)> compares = [](int, int) -> bool { throw Error(); };
    const std::function<int(int, int)> adds = [](int, int) -> int { throw Error(); };
    try {
      switch (thrower) {
        case Thrower::loop:
          std::for_each(par, x.begin(), x.end(), throws);
          break;
        case Thrower::reduction:
          return std::reduce(par, x.begin(), x.end(), 0, adds);
        case Thrower::search:
          return std::any_of(par, x.begin(), x.end(), throws) ? 1 : 0;
        case Thrower::sort:
          std::sort(par, x.begin(), x.end(), compares);
          break;
        case Thrower::merge:
          std::merge(par, x.begin(), x.end(), x.begin(), x.end(), y.begin(), compares);
          break;
        case Thrower::chosen:
          std::copy_if(par, x.begin(), x.end(), y.begin(), throws);
          break;
        case Thrower::scan:
          std::inclusive_scan(par, x.begin(), x.end(), y.begin(), adds);
          break;
      }
    } catch (...) {
      return 3;
    }
    return 2;
  });
}

/// Its copies throw if it is a 7; `Error` is what.
template <class Error>
struct Fragile {
  int number = 1;

  Fragile() = default;
  Fragile(const Fragile& other) : number(other.number) { check(); }
  Fragile& operator=(const Fragile& other) { return number = other.number, check(), *this; }
  ~Fragile() = default;
  void check() const {
    if (number == 7) throw Error();
  }
  friend bool operator<(const Fragile& left, const Fragile& right) {
    return left.number < right.number;
  }
};

enum class Copier { sort, reversing, partial_sort, merge, copy_if, partition, last_operation };

/// The same for elements whose copies throw, and for the operation behind the last element.
template <class Error>
int run_copying(Copier copier) {
  ThreadPool pool({.threads = kSanitized ? 1U : 2U});
  return pool.install([copier] {
    std::vector<Fragile<Error>> x(30'000);
    std::vector<Fragile<Error>> y(60'000);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i].number = copier == Copier::reversing ? static_cast<int>(x.size() - i) + 7
                                                : 1 + static_cast<int>(i % 3);
    x[copier == Copier::merge || copier == Copier::reversing ? x.size() - 1 : 20'000].number = 7;
    const auto is_odd = [](const Fragile<Error>& each) { return each.number % 2 != 0; };
    const auto adds = [](int left, int right) { return left < 0 ? throw Error() : left + right; };
    try {
      switch (copier) {
        case Copier::reversing:
        case Copier::sort:
          std::sort(par, x.begin(), x.end());
          break;
        case Copier::partial_sort:
          std::partial_sort(par, x.begin(), x.end() - 5, x.end());
          break;
        case Copier::merge:
          std::fill(x.begin(), x.end() - 1, Fragile<Error>());
          std::merge(par, x.begin(), x.end(), x.begin(), x.end(), y.begin());
          break;
        case Copier::copy_if:
          std::copy_if(par, x.begin(), x.end(), y.begin(), is_odd);
          break;
        case Copier::partition:
          std::partition(par, x.begin(), x.end(), is_odd);
          break;
        case Copier::last_operation: {
          const Ints ones(30'000, 1);
          return std::reduce(par, ones.begin(), ones.end(), -1, adds);
        }
      }
    } catch (...) {
      return 3;
    }
    return 2;
  });
}

TEST_CASE("an exception of an element's copy ends the program") {
  for (int each = 0; each <= static_cast<int>(Copier::last_operation); ++each) {
    const auto copier = static_cast<Copier>(each);
    CAPTURE(static_cast<int>(copier));
    CHECK(ends_program([copier] { return run_copying<std::bad_alloc>(copier); }));
  }
  CHECK(ends_program([] { return run_copying<std::exception>(Copier::partition); }));
}

TEST_CASE(
    "an exception ends the program, also one that the standard library lets pass from itself") {
  for (const Thrower thrower : {Thrower::loop, Thrower::reduction, Thrower::search, Thrower::sort,
                                Thrower::merge, Thrower::chosen, Thrower::scan}) {
    CAPTURE(static_cast<int>(thrower));
    CHECK(ends_program([thrower] { return run_throwing<std::exception>(thrower); }));
    CHECK(ends_program([thrower] { return run_throwing<std::bad_alloc>(thrower); }));
  }
}

/// Numbers below `below`; the same for the same arguments.
Ints numbers(std::size_t n, int below) {
  std::mt19937 random(static_cast<std::uint32_t>(n) + static_cast<std::uint32_t>(below));
  Ints x(n);
  for (int& each : x) each = static_cast<int>(random() % static_cast<std::uint32_t>(below));
  return x;
}

/// Calls check(n) on pools of several sizes, for sizes around those of blocks.
void for_sizes(const std::function<void(std::size_t)>& check) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    ThreadPool pool({.threads = threads});
    for (const std::size_t n : {0U, 1U, 2U, 3U, 7U, 63U, 129U, 1'024U, 1'025U, 2'049U, 4'097U,
                                8'193U, 16'385U, 70'001U}) {
      if (kSanitized && n > 10'000) continue;
      CAPTURE(threads);
      CAPTURE(n);
      pool.install([&] { check(n); });
    }
  }
}

std::ptrdiff_t half_of(std::size_t n) { return static_cast<std::ptrdiff_t>(n / 2); }

constexpr auto kIsOdd = [](int x) { return x % 2 != 0; };

TEST_CASE("loops") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 1'000);
    Ints a = x;
    Ints b(n);
    std::for_each(par, a.begin(), a.end(), [](int& each) { each = 2 * each + 1; });
    std::transform(x.begin(), x.end(), b.begin(), [](int each) { return 2 * each + 1; });
    CHECK(a == b);
    std::transform(par, x.begin(), x.end(), b.begin(), a.begin(), std::minus<>());
    CHECK(std::equal(a.begin(), a.end(), x.begin(),
                     [](int difference, int each) { return difference == -each - 1; }));
    std::deque<int> in_pieces(n);
    std::copy(par, x.begin(), x.end(), in_pieces.begin());
    CHECK(std::equal(x.begin(), x.end(), in_pieces.begin(), in_pieces.end()));
    std::reverse(par, in_pieces.begin(), in_pieces.end());
    CHECK(std::equal(x.rbegin(), x.rend(), in_pieces.begin(), in_pieces.end()));
    a = b = x;
    std::rotate(par, a.begin(), a.begin() + half_of(n) / 2, a.end());
    std::rotate(b.begin(), b.begin() + half_of(n) / 2, b.end());
    CHECK(a == b);
    std::adjacent_difference(par, x.begin(), x.end(), a.begin());
    std::adjacent_difference(x.begin(), x.end(), b.begin());
    CHECK(a == b);
    std::fill(par, a.begin(), a.end(), 7);
    CHECK(std::count(a.begin(), a.end(), 7) == static_cast<std::ptrdiff_t>(n));
    std::generate(std::execution::par_unseq, a.begin(), a.end(), [] { return 8; });
    CHECK(std::count(std::execution::par_unseq, a.begin(), a.end(), 8) ==
          static_cast<std::ptrdiff_t>(n));
  });
}

TEST_CASE("reductions and extremes") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 1'000);
    const Doubles y(x.begin(), x.end());
    CHECK(std::reduce(par, x.begin(), x.end()) == std::accumulate(x.begin(), x.end(), 0));
    CHECK(std::transform_reduce(par, y.begin(), y.end(), y.begin(), 3.0) ==
          std::inner_product(y.begin(), y.end(), y.begin(), 3.0));
    CHECK(std::transform_reduce(std::execution::par_unseq, x.begin(), x.end(), 1L, std::plus<>(),
                                [](int each) { return each * 2L; }) ==
          1 + 2 * std::accumulate(x.begin(), x.end(), 0L));
    const std::string all = std::transform_reduce(
        par, x.begin(), x.begin() + half_of(n) / 8, std::string(">"), std::plus<>(),
        [](int each) { return std::string(1, static_cast<char>('a' + each % 26)); });
    CHECK(all.size() == n / 2 / 8 + 1);
    CHECK(std::count_if(par, x.begin(), x.end(), kIsOdd) ==
          std::count_if(x.begin(), x.end(), kIsOdd));
    CHECK(std::min_element(par, x.begin(), x.end()) == std::min_element(x.begin(), x.end()));
    CHECK(std::max_element(par, x.begin(), x.end()) == std::max_element(x.begin(), x.end()));
    CHECK(std::minmax_element(par, x.begin(), x.end()) == std::minmax_element(x.begin(), x.end()));
    Ints parts = x;
    CHECK(std::is_partitioned(par, parts.begin(), parts.end(), kIsOdd) ==
          std::is_partitioned(parts.begin(), parts.end(), kIsOdd));
    std::partition(parts.begin(), parts.end(), kIsOdd);
    CHECK(std::is_partitioned(par, parts.begin(), parts.end(), kIsOdd));
  });
}

TEST_CASE("searches") {
  for_sizes([](std::size_t n) {
    Ints x(n, 5);
    const Ints wanted{6, 6};
    // more and more hits, from the back
    for (const std::size_t hit : {n, n / 3, n == 0 ? 0 : n - 1, std::size_t{0}}) {
      CAPTURE(hit);
      if (hit < n) x[hit] = 6;
      if (hit + 1 < n) x[hit + 1] = 6;
      const auto is_six = [](int each) { return each == 6; };
      CHECK(std::find(par, x.begin(), x.end(), 6) == std::find(x.begin(), x.end(), 6));
      CHECK(std::any_of(par, x.begin(), x.end(), is_six) ==
            std::any_of(x.begin(), x.end(), is_six));
      CHECK(std::find_end(par, x.begin(), x.end(), wanted.begin(), wanted.end()) ==
            std::find_end(x.begin(), x.end(), wanted.begin(), wanted.end()));
      CHECK(std::search(par, x.begin(), x.end(), wanted.begin(), wanted.end()) ==
            std::search(x.begin(), x.end(), wanted.begin(), wanted.end()));
      CHECK(std::adjacent_find(par, x.begin(), x.end(), std::less<>()) ==
            std::adjacent_find(x.begin(), x.end(), std::less<>()));
      CHECK(std::is_sorted(par, x.begin(), x.end()) == std::is_sorted(x.begin(), x.end()));
      const Ints fives(n, 5);
      CHECK(std::mismatch(par, x.begin(), x.end(), fives.begin()).first ==
            std::mismatch(x.begin(), x.end(), fives.begin()).first);
      CHECK(std::equal(par, x.begin(), x.end(), fives.begin()) == (x == fives));
      CHECK(std::lexicographical_compare(par, fives.begin(), fives.end(), x.begin(), x.end()) ==
            (fives < x));
    }
  });
}

TEST_CASE("scans") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 1'000);
    const Doubles y(x.begin(), x.end());
    Doubles a(n);
    Doubles b(n);
    std::inclusive_scan(par, y.begin(), y.end(), a.begin());
    std::inclusive_scan(y.begin(), y.end(), b.begin());
    CHECK(a == b);
    // libstdc++'s own begins floating-point blocks with 0
    const auto alternates = [](double left, double right) { return std::max(left, right); };
    std::transform_inclusive_scan(par, y.begin(), y.end(), a.begin(), alternates, std::negate<>());
    std::transform_inclusive_scan(y.begin(), y.end(), b.begin(), alternates, std::negate<>());
    CHECK(a == b);
    Ints c(n);
    Ints d(n);
    std::exclusive_scan(par, x.begin(), x.end(), c.begin(), 3);
    std::exclusive_scan(x.begin(), x.end(), d.begin(), 3);
    CHECK(c == d);
    // What furca's scan would not convert as the standard's does: libstdc++'s, in blocks of
    // furca's.
    std::exclusive_scan(par, y.begin(), y.end(), c.begin(), 3);
    CHECK(c == d);
    std::vector<float> e(n);
    std::vector<float> f(n);
    std::exclusive_scan(par, y.begin(), y.end(), e.begin(), 1.0);
    std::exclusive_scan(y.begin(), y.end(), f.begin(), 1.0);
    CHECK(e == f);
  });
}

TEST_CASE("packing and partitions") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 10);
    Ints a(n);
    Ints b(n);
    CHECK(std::copy_if(par, x.begin(), x.end(), a.begin(), kIsOdd) - a.begin() ==
          std::copy_if(x.begin(), x.end(), b.begin(), kIsOdd) - b.begin());
    CHECK(a == b);
    // and no more
    std::deque<int> room(static_cast<std::size_t>(std::count_if(x.begin(), x.end(), kIsOdd)));
    CHECK(std::copy_if(par, x.begin(), x.end(), room.begin(), kIsOdd) == room.end());
    a = b = x;
    a.erase(std::remove_if(par, a.begin(), a.end(), kIsOdd), a.end());
    b.erase(std::remove_if(b.begin(), b.end(), kIsOdd), b.end());
    CHECK(a == b);
    a = b = x;
    a.erase(std::unique(par, a.begin(), a.end()), a.end());
    b.erase(std::unique(b.begin(), b.end()), b.end());
    CHECK(a == b);
    a = b = x;
    CHECK(std::partition(par, a.begin(), a.end(), kIsOdd) - a.begin() ==
          std::count_if(x.begin(), x.end(), kIsOdd));
    CHECK(std::is_partitioned(a.begin(), a.end(), kIsOdd));
    CHECK(std::is_permutation(a.begin(), a.begin() + std::min<std::ptrdiff_t>(200, half_of(n)),
                              a.begin()));
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    CHECK(a == b);
    a = b = x;
    std::stable_partition(par, a.begin(), a.end(), kIsOdd);
    std::stable_partition(b.begin(), b.end(), kIsOdd);
    CHECK(a == b);
    Ints other_a(n);
    Ints other_b(n);
    std::partition_copy(par, x.begin(), x.end(), a.begin(), other_a.begin(), kIsOdd);
    std::partition_copy(x.begin(), x.end(), b.begin(), other_b.begin(), kIsOdd);
    CHECK(other_a == other_b);
  });
}

TEST_CASE("sorts") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 1'000);
    Ints sorted = x;
    std::sort(sorted.begin(), sorted.end());
    std::deque<int> in_pieces(x.begin(), x.end());
    std::sort(par, in_pieces.begin(), in_pieces.end());
    CHECK(std::equal(sorted.begin(), sorted.end(), in_pieces.begin(), in_pieces.end()));
    Ints a = x;
    Ints b = x;
    const auto tens = [](int left, int right) { return left / 10 < right / 10; };
    std::stable_sort(par, a.begin(), a.end(), tens);
    std::stable_sort(b.begin(), b.end(), tens);
    CHECK(a == b);
    for (const std::size_t k : {std::size_t{0}, n / 100, n / 2, n - n / 10, n}) {
      CAPTURE(k);
      const auto end = static_cast<std::ptrdiff_t>(k);
      a = x;
      std::partial_sort(par, a.begin(), a.begin() + end, a.end());
      CHECK(std::equal(a.begin(), a.begin() + end, sorted.begin()));
      std::sort(a.begin() + end, a.end());
      CHECK(a == sorted);
      Ints least(k);
      CHECK(std::partial_sort_copy(par, x.begin(), x.end(), least.begin(), least.end()) ==
            least.end());
      CHECK(std::equal(least.begin(), least.end(), sorted.begin()));
      a = x;
      if (k < n) std::nth_element(par, a.begin(), a.begin() + end, a.end());
      if (k < n) CHECK(a[k] == sorted[k]);
    }
  });
}

// Sorts by digits, which furca has for integers, tell equal elements apart no more than comparisons
// do.
template <class T, class Comp>
constexpr bool kByDigits =
    furca::detail::SortedByRadix<T, furca::detail::EndingOrder<Comp, T>, std::identity>;
static_assert(kByDigits<int, std::less<int>> && kByDigits<unsigned, std::greater<>> &&
              kByDigits<std::int64_t, std::less<>>);
static_assert(!kByDigits<double, std::less<double>> && !kByDigits<int, std::less<double>>);

template <class T>
void check_sort_of_integers(std::size_t n) {
  CAPTURE(sizeof(T));
  std::mt19937_64 random(n);
  std::vector<T> x(n);
  for (T& each : x) each = static_cast<T>(random());
  std::vector<T> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  std::vector<T> a = x;
  std::sort(par, a.begin(), a.end());
  CHECK(a == sorted);
  std::stable_sort(par, x.begin(), x.end(), std::greater<T>());
  CHECK(std::equal(x.begin(), x.end(), sorted.rbegin()));
}

TEST_CASE("sorts of integers, without comparisons") {
  for_sizes([](std::size_t n) {
    check_sort_of_integers<signed char>(n);
    check_sort_of_integers<std::uint16_t>(n);
    check_sort_of_integers<int>(n);
    check_sort_of_integers<std::uint64_t>(n);
  });
}

/// Iterators as C++17 has them, without a default constructor: no std::random_access_iterator.
struct OldIterator {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::string;
  using difference_type = std::ptrdiff_t;
  using pointer = std::string*;
  using reference = std::string&;

  explicit OldIterator(std::string* to) : at(to) {}
  reference operator*() const { return *at; }
  pointer operator->() const { return at; }
  reference operator[](difference_type n) const { return at[n]; }
  OldIterator& operator++() { return ++at, *this; }
  OldIterator operator++(int) { return OldIterator(at++); }
  OldIterator& operator--() { return --at, *this; }
  OldIterator operator--(int) { return OldIterator(at--); }
  OldIterator& operator+=(difference_type n) { return at += n, *this; }
  OldIterator& operator-=(difference_type n) { return at -= n, *this; }
  friend OldIterator operator+(OldIterator i, difference_type n) { return i += n; }
  friend OldIterator operator-(OldIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(OldIterator i, OldIterator j) { return i.at - j.at; }
  friend auto operator<=>(const OldIterator&, const OldIterator&) = default;

  std::string* at;
};
static_assert(!std::random_access_iterator<OldIterator>);

TEST_CASE("elements that own memory, elements that only move, and iterators of C++17") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 1'000);
    std::vector<std::string> words;
    std::vector<std::unique_ptr<int>> owners;
    for (const int each : x)
      words.push_back("a word that has no place in the object " + std::to_string(each));
    for (const int each : x) owners.push_back(std::make_unique<int>(each));
    std::vector<std::string> sorted = words;
    std::stable_sort(sorted.begin(), sorted.end());
    std::sort(par, OldIterator(words.data()), OldIterator(words.data() + n));
    CHECK(words == sorted);
    const auto by_number = [](const std::unique_ptr<int>& left, const std::unique_ptr<int>& right) {
      return *left < *right;
    };
    std::sort(par, owners.begin(), owners.end(), by_number);
    CHECK(std::is_sorted(owners.begin(), owners.end(), by_number));
    std::rotate(owners.begin(), owners.begin() + half_of(n), owners.end());
    std::inplace_merge(par, owners.begin(), owners.end() - half_of(n), owners.end(), by_number);
    CHECK(std::is_sorted(owners.begin(), owners.end(), by_number));
  });
}

/// Iterators over two sequences at once, as people write them for C++17: a reference is a tuple.
struct Zip {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::tuple<int, std::string>;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  struct reference : std::tuple<int&, std::string&> {
    using tuple::tuple;
    using tuple::operator=;
    reference(const reference&) = default;
    reference& operator=(const reference& other) { return tuple::operator=(other), *this; }
    friend void swap(reference left, reference right) { left.tuple::swap(right); }
  };

  reference operator*() const { return {*number, *word}; }
  reference operator[](difference_type n) const { return {number[n], word[n]}; }
  Zip& operator++() { return *this += 1; }
  Zip operator++(int) { return *this += 1, *this - 1; }
  Zip& operator--() { return *this += -1; }
  Zip operator--(int) { return *this += -1, *this + 1; }
  Zip& operator+=(difference_type n) { return number += n, word += n, *this; }
  Zip& operator-=(difference_type n) { return *this += -n; }
  friend Zip operator+(Zip i, difference_type n) { return i += n; }
  [[maybe_unused]] friend Zip operator+(difference_type n, Zip i) { return i += n; }
  friend Zip operator-(Zip i, difference_type n) { return i -= n; }
  friend difference_type operator-(Zip i, Zip j) { return i.number - j.number; }
  friend bool operator==(Zip i, Zip j) { return i.number == j.number; }
  friend auto operator<=>(Zip i, Zip j) { return i.number <=> j.number; }

  int* number = nullptr;
  std::string* word = nullptr;
};
static_assert(std::random_access_iterator<Zip>);

TEST_CASE("iterators whose references are no references") {
  ThreadPool pool({.threads = 3});
  constexpr std::size_t kSize = 9'000;
  const Ints x = numbers(kSize, 1'000);
  Ints keys = x;
  std::vector<std::string> words;
  for (const int each : x) words.push_back(std::to_string(each));
  std::vector<bool> bits;
  for (const int each : x) bits.push_back(each % 3 == 0);
  std::vector<bool> both(2 * kSize);
  pool.install([&] {
    const Zip first{keys.data(), words.data()};
    std::sort(par, first, first + kSize, [](const auto& left, const auto& right) {
      return std::get<0>(left) < std::get<0>(right);
    });
    std::sort(par, bits.begin(), bits.end());
    std::merge(par, bits.begin(), bits.end(), bits.begin(), bits.end(), both.begin());
  });
  CHECK(std::is_sorted(keys.begin(), keys.end()));
  CHECK(std::equal(keys.begin(), keys.end(), words.begin(),
                   [](int key, const std::string& word) { return std::to_string(key) == word; }));
  CHECK(std::is_sorted(bits.begin(), bits.end()));
  CHECK(std::count(bits.begin(), bits.end(), true) ==
        std::count_if(x.begin(), x.end(), [](int each) { return each % 3 == 0; }));
  CHECK(std::is_sorted(both.begin(), both.end()));
}

/// Callables with a state: what two threads do to it at once is found out.
class Scratch {
 public:
  bool operator()(int x) { return use(x) % 2 != 0; }
  bool operator()(int x, int y) { return use(x) < y; }

 private:
  int use(int x) {
    notes_.assign(30, static_cast<char>('a' + x % 26));
    used_ = x;
    furca::test::spin(10);
    REQUIRE(used_ == x);
    return x;
  }
  std::string notes_;
  volatile int used_ = 0;
};
struct ScratchSum {
  Scratch scratch;
  int operator()(int x, int y) { return (void)scratch(x), x + y; }
};

TEST_CASE("a callable with a state is no thread's but one") {
  ThreadPool pool({.threads = 4});
  pool.install([] {
    const Ints x = numbers(20'000, 1'000);
    Ints a(x.size());
    Ints b(x.size());
    const auto odd = std::count_if(x.begin(), x.end(), kIsOdd);
    CHECK(std::copy_if(par, x.begin(), x.end(), a.begin(), Scratch()) - a.begin() == odd);
    a = x;
    CHECK(std::partition(par, a.begin(), a.end(), Scratch()) - a.begin() == odd);
    CHECK(std::min_element(par, x.begin(), x.end(), Scratch()) ==
          std::min_element(x.begin(), x.end()));
    CHECK(std::reduce(par, x.begin(), x.end(), 0, ScratchSum()) ==
          std::accumulate(x.begin(), x.end(), 0));
    std::inclusive_scan(par, x.begin(), x.end(), a.begin(), ScratchSum());
    std::inclusive_scan(x.begin(), x.end(), b.begin());
    CHECK(a == b);
    a = x;
    b = x;
    std::sort(par, a.begin(), a.end(), Scratch());
    std::sort(b.begin(), b.end());
    CHECK(a == b);
    Ints both(2 * x.size());
    std::merge(par, a.begin(), a.end(), b.begin(), b.end(), both.begin(), Scratch());
    CHECK(std::is_sorted(both.begin(), both.end()));
  });
}

TEST_CASE("merges and sets") {
  for_sizes([](std::size_t n) {
    Ints x = numbers(n, 500);
    Ints y = numbers(n + n / 2, 400);
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    Ints a(x.size() + y.size());
    Ints b(x.size() + y.size());
    CHECK(std::merge(par, x.begin(), x.end(), y.begin(), y.end(), a.begin()) == a.end());
    std::merge(x.begin(), x.end(), y.begin(), y.end(), b.begin());
    CHECK(a == b);
    std::copy(y.begin(), y.end(), std::copy(x.begin(), x.end(), a.begin()));
    std::inplace_merge(par, a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), a.end());
    CHECK(a == b);
    CHECK(std::set_union(par, x.begin(), x.end(), y.begin(), y.end(), a.begin()) - a.begin() ==
          std::set_union(x.begin(), x.end(), y.begin(), y.end(), b.begin()) - b.begin());
    CHECK(a == b);
    CHECK(std::set_difference(par, y.begin(), y.end(), x.begin(), x.end(), a.begin()) - a.begin() ==
          std::set_difference(y.begin(), y.end(), x.begin(), x.end(), b.begin()) - b.begin());
    CHECK(a == b);
    CHECK(std::includes(par, b.begin(), b.end(), b.begin(), b.begin()));
    CHECK(std::includes(par, y.begin(), y.end(), x.begin(), x.end()) ==
          std::includes(y.begin(), y.end(), x.begin(), x.end()));
  });
}

TEST_CASE("in loops of furca, and furca's loops in them") {
  ThreadPool pool({.threads = 3});
  pool.install([] {
    std::vector<Ints> rows(20, numbers(3'000, 1'000));
    furca::parallel_for(rows, [](Ints& row) { std::sort(par, row.begin(), row.end()); });
    CHECK(std::all_of(rows.begin(), rows.end(),
                      [](const Ints& row) { return std::is_sorted(row.begin(), row.end()); }));
    std::atomic<int> calls{0};
    std::for_each(par, rows.begin(), rows.end(), [&calls](const Ints& row) {
      furca::parallel_for(row, [&calls](int) { calls.fetch_add(1, std::memory_order_relaxed); });
    });
    CHECK(calls.load() == 60'000);
  });
}

TEST_CASE("a search that has found something looks at little more, wherever that is") {
  ThreadPool pool({.threads = 2});
  std::atomic<std::size_t> asked{0};
  std::atomic<bool> hit{false};
  Ints x(1'000'000, 0);
  x[100'000] = 1;
  const bool found = pool.install([&] {
    return std::any_of(par, x.begin(), x.end(), [&](int each) {
      asked.fetch_add(1, std::memory_order_relaxed);
      if (each == 1) hit.store(true, std::memory_order_relaxed);
      // Whoever has found it may be held up before it can say so: what others look at then takes
      // long.
      else if (hit.load(std::memory_order_relaxed))
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      return each == 1;
    });
  });
  CHECK(found);
  CHECK(asked.load() < 400'000);
}

TEST_CASE("what takes long is shared, and comes to the same") {
  ThreadPool pool({.threads = 4});
  const Ints x = numbers(3'000, 1'000);
  const auto slow = [](int each) {
    furca::test::spin(2'000);
    return each % 3 == 0;
  };
  for (int round = 0; round < 3; ++round) {
    pool.install([&] {
      CHECK(std::count_if(par, x.begin(), x.end(), slow) ==
            std::count_if(x.begin(), x.end(), [](int each) { return each % 3 == 0; }));
      Ints a = x;
      Ints b = x;
      const auto middle = std::stable_partition(par, a.begin(), a.end(), slow);
      CHECK(middle - a.begin() == std::stable_partition(b.begin(), b.end(), [](int each) {
                                    return each % 3 == 0;
                                  }) - b.begin());
      CHECK(a == b);
      CHECK(std::is_partitioned(par, a.begin(), a.end(), slow));
      CHECK(std::adjacent_find(par, middle, a.end(), [](int left, int right) {
              return furca::test::spin(2'000), left % 3 == 0 || right % 3 == 0;
            }) == a.end());
      CHECK(std::none_of(par, middle, a.end(), slow));
    });
  }
}

/// Calls an algorithm without a policy, and with both that furca serves, from a range to an output
/// of its own. What is written and what is returned must be the same.
template <class In, class Out, class Call>
void check_beside_serial(const std::string& what, const In& in, const Out& out, Call call) {
  CAPTURE(what);
  const auto run = [&](auto&... policy) {
    Out to = out;
    const auto end = call(policy..., in.begin(), in.end(), to.begin());
    return std::pair(std::move(to), end - to.begin());
  };
  const auto serial = run();
  CHECK(run(par) == serial);
  CHECK(run(std::execution::par_unseq) == serial);
}

/// The same, and the output is the range itself.
template <class Range, class Call>
void check_in_place(const std::string& what, const Range& range, Call call) {
  CAPTURE(what);
  const auto run = [&](auto&... policy) {
    Range own = range;
    call(policy..., own.begin(), own.end(), own.begin());
    return own;
  };
  const Range serial = run();
  CHECK(run(par) == serial);
  CHECK(run(std::execution::par_unseq) == serial);
}

/// The same for what is returned.
template <class Call>
void check_result(const std::string& what, Call call) {
  CAPTURE(what);
  const auto serial = call();
  CHECK(call(par) == serial);
  CHECK(call(std::execution::par_unseq) == serial);
}

/// Quarters, so that sums are exact, from -1 to 2.25.
Doubles quarters(std::size_t n) {
  Doubles x(n);
  const Ints numbers_of = numbers(n, 14);
  std::transform(numbers_of.begin(), numbers_of.end(), x.begin(),
                 [](int each) { return each / 4.0 - 1; });
  return x;
}

const std::function<int(int, int)> kAdd = [](int left, int right) { return left + right; };
const std::function<double(double, double)> kAddReals = [](double left, double right) {
  return left + right;
};
const std::function<double(double, double)> kMax = [](double left, double right) {
  return std::max(left, right);
};

constexpr auto exclusive = [](auto... more) {
  return [=](auto&&... to) { return std::exclusive_scan(to..., more...); };
};
constexpr auto inclusive = [](auto... more) {
  return [=](auto&&... to) { return std::inclusive_scan(to..., more...); };
};

TEST_CASE("scans write over their input, whatever the operation is") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 17);
    const Doubles y = quarters(n);
    check_in_place("std::function", x, exclusive(3, kAdd));
    check_in_place("another initial value", x, exclusive(3L));
    check_in_place("fractions", y, exclusive(0.5, kAddReals));
    check_in_place("maxima", y, exclusive(-5.0, kMax));
    check_in_place("maxima, inclusive", y, inclusive(kMax));
    check_in_place("inclusive", x, inclusive(kAdd, 5));
    check_in_place("mapped", x, [](auto&&... to) {
      return std::transform_exclusive_scan(to..., 3L, kAdd, std::negate<>());
    });
    check_in_place("mapped, inclusive", x, [](auto&&... to) {
      return std::transform_inclusive_scan(to..., kAdd, std::negate<>());
    });
    const std::vector<std::complex<double>> turns(n, {0, 1});
    check_in_place("products", turns, exclusive(std::complex<double>(1), std::multiplies<>()));
    std::vector<std::string> words;
    for (int each : Ints(x.begin(), x.begin() + half_of(std::min(n, std::size_t{3'000}))))
      words.emplace_back(1, static_cast<char>('a' + each));
    check_in_place("strings", words, exclusive(std::string("<")));
    check_in_place("strings, inclusive", words, inclusive());
    const std::list<int> in_nodes(x.begin(), x.end());
    check_in_place("a list", in_nodes, exclusive(3, kAdd));
  });
}

TEST_CASE("scans and sums into whole numbers cut off as the serial ones do") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 17);
    const Doubles y = quarters(n);
    const std::vector<std::uint8_t> bytes(x.begin(), x.end());
    check_beside_serial("inclusive", y, x, inclusive());
    check_beside_serial("inclusive, std::function", y, x, inclusive(kAddReals));
    check_beside_serial("inclusive behind a value", y, x, inclusive(std::plus<>(), 0.5));
    check_beside_serial("exclusive", y, x, exclusive(0.5));
    check_beside_serial("exclusive, std::function", y, x, exclusive(0.5, kAddReals));
    check_beside_serial("a whole initial value", y, y, exclusive(3));
    check_beside_serial("a whole initial value and an operation", y, y,
                        inclusive(std::plus<>(), 3));
    check_beside_serial("mapped", y, y, [](auto&&... to) {
      return std::transform_exclusive_scan(to..., 3, std::plus<>(), std::negate<>());
    });
    check_beside_serial("bytes", bytes, x, inclusive());
    check_beside_serial("differences of bytes", bytes, x,
                        [](auto&&... to) { return std::adjacent_difference(to...); });
    check_beside_serial("differences", y, x,
                        [](auto&&... to) { return std::adjacent_difference(to...); });
    check_result("a whole sum",
                 [&](auto&... policy) { return std::reduce(policy..., y.begin(), y.end(), 0); });
    check_result("whole products", [&](auto&... policy) {
      return std::transform_reduce(policy..., x.begin(), x.end(), y.begin(), 0);
    });
    check_result("products of fractions", [&](auto&... policy) {
      return std::transform_reduce(policy..., x.begin(), x.end(), y.begin(), 0.0);
    });
    check_result("half a product", [&](auto&... policy) {
      return std::transform_reduce(policy..., x.begin(), x.end(), x.begin(), 0.5);
    });
    check_result("products of bytes", [&](auto&... policy) {
      return std::transform_reduce(policy..., bytes.begin(), bytes.end(), bytes.begin(), 0L);
    });
    check_result("a whole sum of parts", [&](auto&... policy) {
      return std::transform_reduce(policy..., y.begin(), y.end(), y.begin(), 0, std::plus<>(),
                                   std::multiplies<>());
    });
  });
}

TEST_CASE("what is written may be of a narrower type") {
  for_sizes([](std::size_t n) {
    const Ints room(2 * n);
    const Doubles x = quarters(n);
    Doubles sorted = x;
    std::sort(sorted.begin(), sorted.end());
    const auto is_positive = [](double each) { return each > 0; };
    check_beside_serial("copy_if", x, room,
                        [&](auto&&... to) { return std::copy_if(to..., is_positive); });
    check_beside_serial("remove_copy_if", x, room,
                        [&](auto&&... to) { return std::remove_copy_if(to..., is_positive); });
    Doubles once = x;  // libstdc++'s serial unique_copy compares what it has narrowed
    once.erase(std::unique(once.begin(), once.end()), once.end());
    Ints copies(n);
    copies.erase(std::unique_copy(par, x.begin(), x.end(), copies.begin()), copies.end());
    CHECK(copies == Ints(once.begin(), once.end()));
    check_beside_serial("transform", x, room,
                        [](auto&&... to) { return std::transform(to..., std::negate<>()); });
    check_beside_serial("reverse_copy", x, room,
                        [](auto&&... to) { return std::reverse_copy(to...); });
    check_result("copy_n", [&](auto&... policy) {
      Ints to = room;
      std::copy_n(policy..., x.begin(), static_cast<std::uint8_t>(std::min(n, std::size_t{200})),
                  to.begin());
      return std::copy_n(policy..., x.begin(), -1, to.begin()) == to.begin() ? to : Ints{};
    });
    check_result("rotate_copy", [&](auto&... policy) {
      Ints to = room;
      std::rotate_copy(policy..., x.begin(), x.begin() + half_of(n), x.end(), to.begin());
      return to;
    });
    check_result("partition_copy", [&](auto&... policy) {
      std::pair<Ints, Ints> to(room, room);
      std::partition_copy(policy..., x.begin(), x.end(), to.first.begin(), to.second.begin(),
                          is_positive);
      return to;
    });
    check_result("merge", [&](auto&... policy) {
      Ints to = room;
      std::merge(policy..., sorted.begin(), sorted.end(), sorted.begin(), sorted.end(), to.begin());
      return to;
    });
    check_result("set_union", [&](auto&... policy) {
      Ints to = room;
      std::set_union(policy..., sorted.begin(), sorted.end(), sorted.begin(), sorted.end(),
                     to.begin());
      return to;
    });
    for (const std::size_t length : {n / 3, n, n + 5}) {
      check_result("partial_sort_copy", [&](auto&... policy) {
        Ints to(length);
        std::partial_sort_copy(policy..., x.begin(), x.end(), to.begin(), to.end());
        return to;
      });
      check_result("partial_sort_copy to a wider type", [&](auto&... policy) {
        const Ints whole = numbers(n, 1'000);
        Doubles to(length);
        std::partial_sort_copy(policy..., whole.begin(), whole.end(), to.begin(), to.end());
        return to;
      });
    }
    const std::vector<std::int64_t> large(n, (std::int64_t{1} << 62) + 1);  // no double
    check_beside_serial("replace_copy", large, large,
                        [](auto&&... to) { return std::replace_copy(to..., 3.0, 1.0); });
  });
}

TEST_CASE("searches compare elements with values of other types, in the caller's order") {
  for_sizes([](std::size_t n) {
    const Ints x = numbers(n, 17);
    const Doubles y(n, 1.5);
    const Ints few{3, 5, 9};
    const auto of_few = [&few](auto search, auto pred) {
      return [=, &few](auto&&... in) { return search(in..., few.begin(), few.end(), pred); };
    };
    const auto in_x = [&x](auto call) {
      return [=, &x](auto&... policy) { return call(policy..., x.begin(), x.end()); };
    };
    const auto in_y = [&y](auto call) {
      return [=, &y](auto&... policy) { return call(policy..., y.begin(), y.end()); };
    };
    check_result("search",
                 in_x(of_few([](auto&&... all) { return std::search(all...); }, std::less<>())));
    check_result("find_end",
                 in_x(of_few([](auto&&... all) { return std::find_end(all...); }, std::less<>())));
    check_result(
        "find_first_of",
        in_x(of_few([](auto&&... all) { return std::find_first_of(all...); }, std::greater<>())));
    check_result(
        "find_first_of, equal",
        in_x(of_few([](auto&&... all) { return std::find_first_of(all...); }, std::equal_to<>())));
    check_result("an empty sequence", in_x([&few](auto&&... in) {
                   return std::search(in..., few.begin(), few.begin());
                 }));
    check_result("the end of an empty sequence", in_x([&few](auto&&... in) {
                   return std::find_end(in..., few.begin(), few.begin());
                 }));
    check_result("no fraction is a whole number",
                 in_x([](auto&&... in) { return std::search_n(in..., 1, 1.5); }));
    check_result("nor all of them",
                 in_y([n](auto&&... in) { return std::search_n(in..., static_cast<int>(n), 1); }));
    check_result("some", in_y([](auto&&... in) { return std::search_n(in..., 3, 1.5); }));
    check_result("two equal ones", in_x([](auto&&... in) { return std::search_n(in..., 2, 4); }));
    check_result("a short count",
                 in_y([](auto&&... in) { return std::search_n(in..., std::uint8_t{3}, 1.5); }));
    check_result("none", in_y([](auto&&... in) { return std::search_n(in..., 0, 2); }));
    check_result("fewer", in_y([](auto&&... in) { return std::search_n(in..., -1, 2); }));
    check_result("count", in_y([](auto&&... in) { return std::count(in..., 1); }));
    check_result("find", in_x([](auto&&... in) { return std::find(in..., 1.5); }));
    const std::list<int> in_nodes(x.begin(), x.end());
    check_result("in a list", [&in_nodes](auto&... policy) {
      return std::search_n(policy..., in_nodes.begin(), in_nodes.end(), 2, 4.0);
    });
  });
}

TEST_CASE("an intersection is the first range's, also where little is left of it") {
  struct Numbered {
    int key;
    int range;
    bool operator==(const Numbered&) const = default;
  };
  const auto by_key = [](const Numbered& left, const Numbered& right) {
    return left.key < right.key;
  };
  for_sizes([&by_key](std::size_t n) {
    std::vector<Numbered> x(n);
    std::vector<Numbered> y(n / 50);
    for (std::size_t i = 0; i < n; ++i) x[i] = {static_cast<int>(i / 2), 1};
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = {static_cast<int>(n / 2 - n / 100 + i / 3), 2};
    for (const auto& both : {std::pair(&x, &y), std::pair(&y, &x), std::pair(&x, &x)}) {
      check_result("few at the end", [&](auto&... policy) {
        std::vector<Numbered> to(n + 1);
        std::set_intersection(policy..., both.first->begin(), both.first->end(),
                              both.second->begin(), both.second->end(), to.begin(), by_key);
        return to;
      });
    }
  });
}

TEST_CASE("an element is selected among equal ones in no more time") {
  ThreadPool pool({.threads = 2});
  pool.install([] {
    std::atomic<std::size_t> calls{0};
    Ints x(20'000, 5);
    const auto counts = [&calls](int left, int right) {
      return calls.fetch_add(1, std::memory_order_relaxed), left < right;
    };
    std::nth_element(par, x.begin(), x.begin() + 10'000, x.end(), counts);
    CHECK(calls.load() < 400'000);
    for (const std::size_t n : {0U, 1U, 2U, 1'000U, 30'000U}) {
      Ints y = numbers(n, 1'000);
      Ints sorted = y;
      std::sort(sorted.begin(), sorted.end());
      std::nth_element(par, y.begin(), y.begin() + half_of(n), y.end());
      if (n > 0) CHECK(y[n / 2] == sorted[n / 2]);
      std::nth_element(par, y.begin(), y.end(), y.end());
    }
  });
}

struct Tag {};

TEST_CASE("libstdc++ 14 calls with a tag in front") {
  namespace backend = furca::detail::pstl_backend;
  Ints x = numbers(5'000, 1'000);
  std::atomic<long> sum{0};
  const auto add = [&sum](const int* i, const int* j) { sum += std::accumulate(i, j, 0L); };
  const int* const first = x.data();
  backend::__parallel_for(Tag(), par, first, first + 5'000, add);
  CHECK(sum.load() == std::accumulate(x.begin(), x.end(), 0L));
  const auto fold = [](const int* i, const int* j, long so_far) {
    return std::accumulate(i, j, so_far);
  };
  CHECK(backend::__parallel_reduce(Tag(), par, first, first + 5'000, 0L, fold, std::plus<>()) ==
        sum.load());
  const auto element = [](const int* i) { return static_cast<long>(*i); };
  CHECK(backend::__parallel_transform_reduce(Tag(), par, first, first + 5'000, element, 1L,
                                             std::plus<>(), fold) == sum.load() + 1);
  long total = 0;
  const auto stretch = [first](long i, long length) {
    return std::accumulate(first + i, first + i + length, 0L);
  };
  backend::__parallel_strict_scan(
      Tag(), par, 5'000L, 0L, stretch, std::plus<>(), [](long, long, long) {},
      [&total](long all) { total = all; });
  CHECK(total == sum.load());
  const auto leaf = [](int* i, int* j, auto comp) { std::sort(i, j, comp); };
  backend::__parallel_stable_sort(Tag(), par, x.data(), x.data() + 5'000, std::less<>(), leaf);
  CHECK(std::is_sorted(x.begin(), x.end()));
  std::reverse(x.begin(), x.end());
  backend::__parallel_stable_sort(Tag(), par, x.data(), x.data() + 5'000, std::less<>(), leaf,
                                  std::size_t{5'000});
  CHECK(std::is_sorted(x.begin(), x.end()));
  Ints y(10'000);
  const auto merge = [](const int* i, const int* i_end, const int* j, const int* j_end, int* to,
                        auto comp) { return std::merge(i, i_end, j, j_end, to, comp); };
  backend::__parallel_merge(Tag(), par, first, first + 5'000, first, first + 5'000, y.data(),
                            std::less<>(), merge);
  CHECK(std::is_sorted(y.begin(), y.end()));
  std::atomic<int> calls{0};
  backend::__parallel_invoke(Tag(), par, [&calls] { ++calls; }, [&calls] { ++calls; });
  CHECK(calls.load() == 2);
  const auto look = [](const int* i, const int* j) { return std::find(i, j, 7); };
  CHECK(__pstl::__internal::__parallel_find(Tag(), par, first, first + 5'000, look, std::less<>(),
                                            true) == std::find(first, first + 5'000, 7));
  CHECK(__pstl::__internal::__parallel_or(Tag(), par, first, first + 5'000,
                                          [](const int* i, const int* j) { return i != j; }));
}

}  // namespace
