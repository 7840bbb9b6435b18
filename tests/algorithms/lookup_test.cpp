// Names that furca and the standard library share mean std's, unless furca is named: lookup by
// arguments of furca's types finds none of the algorithms.
#include <furca/algorithms.hpp>
#include <furca/spawn.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// A name that users have too.
namespace algorithms {
constexpr int kOfTheUser = 1;
}

namespace of_the_user {

/// A type of furca's, with what algorithms ask of elements.
struct Element : furca::Tile {
  int value = 0;
  friend bool operator==(const Element& a, const Element& b) { return a.value == b.value; }
  friend bool operator<(const Element& a, const Element& b) { return a.value < b.value; }
  friend Element operator+(const Element& a, const Element&) { return a; }
  friend Element operator-(const Element& a, const Element&) { return a; }
  friend Element operator*(const Element& a, const Element&) { return a; }
};

}  // namespace of_the_user

namespace {

using of_the_user::Element;

template <class First, class... More>
First first_of(First, More...);

// Calls as programs have them that were written before furca came: FURCA_CALL(sort, v.begin(),
// v.end()) for each function that std has, too.
#define FURCA_CALL(name, ...)                                                                  \
  static_assert(std::is_same_v<decltype(name(__VA_ARGS__)), decltype(std::name(__VA_ARGS__))>, \
                #name " is not std's");

/// Names that are found by their arguments, or by what `using namespace std` brings.
template <class Container, class T, class Middle, class Test, class Twice, class Make, class Change>
void call_std(Container& x, Container& y, Container& v, Container& out, T& value, Middle middle,
              Test test, Twice twice, Make make, Change change, std::mt19937& bits) {
  using namespace std;
#include "std_calls.inc"
}

template <class Container, class T, class Middle, class Test, class Twice, class Make, class Change>
void call_in_both(Container& x, Container& y, Container& v, Container& out, T& value, Middle middle,
                  Test test, Twice twice, Make make, Change change, std::mt19937& bits) {
  using namespace furca;
  using namespace std;
#include "std_calls.inc"
#undef FURCA_CALL
#define FURCA_CALL(name, ...)                                                                \
  static_assert(std::is_same_v<decltype(name<decltype(first_of(__VA_ARGS__))>(__VA_ARGS__)), \
                               decltype(std::name(__VA_ARGS__))>,                            \
                #name "<...> is not std's");
#include "std_calls.inc"
#undef FURCA_CALL
}

template <class Container>
void call_all() {
  using T = typename Container::value_type;
  Container v(3);
  T value = v[0];
  std::mt19937 bits;
  const auto in = [&](auto call) {
    call(
        v, v, v, v, value, v.begin(), [](const T&) { return true; },
        [](const T& each) { return each; }, [&] { return value; }, [](T&) {}, bits);
  };
  in([](auto&&... all) { call_std(all...); });
  in([](auto&&... all) { call_in_both(all...); });
}

TEST_CASE(
    "std's names with iterators are std's, for a Vector, and for containers of furca's types") {
  call_all<std::vector<int>>();
  call_all<furca::Vector<int>>();
  call_all<std::vector<Element>>();
  call_all<furca::Vector<Element>>();
}

TEST_CASE("and for sequences that hold nothing, for rows, for handles of tasks") {
  using namespace std;
  const auto tiles_of_matrix = furca::tiles(100, 100, {10, 10});
  std::size_t rows = 0;
  for_each(tiles_of_matrix.begin(), tiles_of_matrix.end(),
           [&](const furca::Tile& tile) { rows += tile.row_end - tile.row_begin; });
  CHECK(rows == 1'000);
  const furca::Vector<int> x(10, 1);
  const auto pairs = furca::zip(x, tiles_of_matrix);
  CHECK(count_if(pairs.begin(), pairs.end(), [](auto pair) { return std::get<0>(pair) == 1; }) ==
        10);
  furca::Rows<furca::Tile> lists{{0, 1, 1}, {furca::Tile{}}};
  CHECK(all_of(lists.begin(), lists.end(), [](auto row) { return row.size() < 2; }));
  std::vector<furca::Task<int>> tasks(3);
  CHECK(all_of(tasks.begin(), tasks.end(), [](const furca::Task<int>&) { return true; }));
}

TEST_CASE(
    "with both namespaces in scope, iterators and values are for std's, and ranges for furca's") {
  using namespace furca;
  using namespace std;
  std::vector<int> v = {3, 1, 2};
  std::vector<int> out(6);
  const std::vector<int> sorted = {1, 2, 3};
  const int a = 3;
  int b = 5;
  CHECK(algorithms::kOfTheUser == 1);
  CHECK((min(a, b) == 3 && max(b, 7) == 7 && minmax(b, b).first == 5 &&
         min(std::string("a"), std::string("b")) == "a" && min({b, a}) == 3));
  CHECK((count(v.begin(), v.end(), 3) == 1 && count(v.data(), v.data() + 3, b) == 0 &&
         *find(v.begin(), v.end(), a) == 3));
  fill(out.begin(), out.end(), b);
  fill(out.data(), out.data() + 1, 6);
  sort(v.begin(), v.end());
  CHECK(copy(v.begin(), v.end(), out.begin()) == out.begin() + 3);
  CHECK(out == std::vector<int>{1, 2, 3, 5, 5, 5});
  CHECK(merge(v.begin(), v.end(), sorted.begin(), sorted.end(), out.begin()) == out.end());
  CHECK(out == std::vector<int>{1, 1, 2, 2, 3, 3});

  CHECK((min(sorted) == 1 && max(out) == 3 && minmax(std::vector<int>{4}).max == 4 &&
         min(v, std::greater<>{}) == 3));
  CHECK((count(sorted, 3) == 1 && count(out, a) == 2 && find(v, b) == v.end() &&
         *find(sorted, 2, std::identity{}) == 2));
  fill(out, 0);
  copy(sorted, out);
  CHECK(out == std::vector<int>{1, 2, 3, 0, 0, 0});
  sort(out);
  CHECK(out == std::vector<int>{0, 0, 0, 1, 2, 3});
  merge(v, sorted, out);
  CHECK(out == std::vector<int>{1, 1, 2, 2, 3, 3});
}

TEST_CASE("explicit template arguments that are no iterators are for std's") {
  using namespace furca;
  using namespace std;
  const std::vector<int> v = {3, 1, 2};
  const auto even = [](int x) { return x % 2 == 0; };
  using It = std::vector<int>::const_iterator;
  using Even = std::remove_const_t<decltype(even)>;
  const int a = 2;
  CHECK((max<std::size_t>(v.size(), 7) == 7 && min<int>(a, 3L) == 2 &&
         minmax<long>(a, 1L).first == 1));
  CHECK((max<double>({1, 2.5}) == 2.5 && min<int, std::greater<int>>(a, 3, {}) == 3));
  CHECK((min<std::string>("a", "b") == "a" && max<std::string>("a", "b") == "b"));  // conversions
  CHECK((minmax<std::string_view>("b", "a").first == "a"));
  CHECK((find<It, long>(v.begin(), v.end(), 2) == v.begin() + 2 &&
         find_if<It, Even>(v.begin(), v.end(), even) == v.begin() + 2));
}

TEST_CASE("a using-declaration brings one of them in") {
  using furca::count;
  using furca::fill;
  furca::Vector<int> v(1'000);
  fill(v, 4);
  CHECK(count(v, 4) == 1'000);
}

}  // namespace
