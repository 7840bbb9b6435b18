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

namespace {

/// One call of each name, as programs have them that were written before furca came.
template <class Container>
std::size_t call_all(Container v) {
  using namespace std;
  using T = typename Container::value_type;
  const T value = v.front();
  const auto first = v.begin();
  const auto last = v.end();
  const auto less = [](const T& a, const T& b) { return &a < &b; };
  const auto same = [](const T& a, const T& b) { return &a == &b; };
  const auto any = [](const T&) { return true; };
  const auto left = [](const T& a, const T&) { return a; };
  Container out(v.size() * 2, value);
  Container other = v;

  fill(first, last, value);
  generate(first, last, [&] { return value; });
  transform(first, last, out.begin(), [](const T& each) { return each; });
  copy(first, last, out.begin());
  for_each(first, last, [](T&) {});
  copy_if(first, last, out.begin(), any);
  inclusive_scan(first, last, out.begin(), left);
  exclusive_scan(first, last, out.begin(), value, left);
  partition(first, last, any);
  sort(first, last, [](const T&, const T&) { return false; });
  nth_element(first, first, last, [](const T&, const T&) { return false; });
  partial_sort(first, last, last, [](const T&, const T&) { return false; });
  merge(first, last, other.begin(), other.end(), out.begin(),
        [](const T&, const T&) { return false; });
  reverse(first, last);
  rotate(first, first, last);
  static_assert(is_void_v<decltype(shuffle(first, last, declval<mt19937&>()))>);
  set_union(first, last, other.begin(), other.end(), out.begin(), less);
  set_intersection(first, last, other.begin(), other.end(), out.begin(), less);
  set_difference(first, last, other.begin(), other.end(), out.begin(), less);
  auto found = static_cast<std::size_t>(find(first, last, value) - first);
  found += static_cast<std::size_t>(find_if(first, last, any) - first +
                                    (find_if_not(first, last, any) - first));
  found += static_cast<std::size_t>(count(first, last, value) + count_if(first, last, any));
  found += static_cast<std::size_t>(all_of(first, last, any)) +
           static_cast<std::size_t>(any_of(first, last, any)) +
           static_cast<std::size_t>(none_of(first, last, any));
  found += static_cast<std::size_t>(adjacent_find(first, last, same) - first +
                                    (mismatch(first, last, other.begin()).first - first));
  found += static_cast<std::size_t>(equal(first, last, other.begin())) +
           static_cast<std::size_t>(is_sorted(first, last, less));
  found += static_cast<std::size_t>(is_sorted_until(first, last, less) - first +
                                    (min_element(first, last, less) - first) +
                                    (max_element(first, last, less) - first));
  found += static_cast<std::size_t>(minmax_element(first, last, less).first - first);
  found += static_cast<std::size_t>(includes(first, last, first, first, less));
  found += static_cast<std::size_t>(&min(v.front(), v.back(), less) == &v.front()) +
           static_cast<std::size_t>(&max(v.front(), v.back(), less) == &v.back());
  static_assert(is_void_v<decltype(stable_sort(first, last, less))> &&
                is_same_v<decltype(stable_partition(first, last, any)), decltype(v.end())>);
  found += static_cast<std::size_t>(minmax(v.front(), v.back(), less).first == v.front());
  found += static_cast<std::size_t>(remove_if(first, last, [](const T&) { return false; }) - first +
                                    (unique(first, last, same) - first));
  return found;
}

/// What these come to for three equal elements in their places: 0 + 0 + 3, 3 + 3, 1 + 1 + 0, 3 + 3,
/// 1 + 1, 3 + 0 + 2, 0, 1, 1 + 1, 1, 3 + 3.
constexpr std::size_t kForThree = 3 + 6 + 2 + 6 + 2 + 5 + 0 + 1 + 2 + 1 + 6;

TEST_CASE("unqualified names are those of std for a Vector, and for containers of furca's types") {
  CHECK(call_all(std::vector<int>(3, 7)) == kForThree);
  CHECK(call_all(furca::Vector<int>(3, 7)) == kForThree);
  CHECK(call_all(std::vector<furca::Tile>(3, furca::Tile{0, 1, 0, 1})) == kForThree);
  CHECK(call_all(furca::Vector<furca::Tile3>(3, furca::Tile3{0, 1, 0, 1, 0, 1})) == kForThree);
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

TEST_CASE("explicit template arguments are for std's, with both namespaces in scope") {
  using namespace furca;
  using namespace std;
  using It = std::vector<int>::iterator;
  std::vector<int> v = {3, 1, 2};
  std::vector<int> out(6);
  const auto first = v.begin();
  const auto last = v.end();
  const auto even = [](int x) { return x % 2 == 0; };
  using Even = std::remove_const_t<decltype(even)>;
  const int a = 2;

  CHECK((max<std::size_t>(v.size(), 7) == 7 && min<int>(a, 3L) == 2 &&
         minmax<long>(a, 1L).first == 1));
  CHECK((max<double>({1, 2.5}) == 2.5 && min<int, std::greater<int>>(a, 3, {}) == 3));
  CHECK((min<std::string>("a", "b") == "a" && max<std::string>("a", "b") == "b"));  // conversions
  CHECK((minmax<std::string_view>("b", "a").first == "a"));
  CHECK((*max_element<It>(first, last) == 3 && *min_element<It>(first, last) == 1 &&
         *minmax_element<It>(first, last).second == 3));
  CHECK((find<It, long>(first, last, 2) == first + 2 &&
         find_if<It, Even>(first, last, even) == first + 2 &&
         find_if_not<It, Even>(first, last, even) == first));
  CHECK((count<It, long>(first, last, 2) == 1 && count_if<It, Even>(first, last, even) == 1 &&
         adjacent_find<It>(first, last) == last));
  CHECK((!all_of<It, Even>(first, last, even) && any_of<It, Even>(first, last, even) &&
         !none_of<It, Even>(first, last, even)));
  CHECK((equal<It, It>(first, last, first) && mismatch<It, It>(first, last, first).first == last));
  CHECK((!is_sorted<It>(first, last) && is_sorted_until<It>(first, last) == first + 1));

  copy<It, It>(first, last, out.begin());
  CHECK(out == std::vector<int>{3, 1, 2, 0, 0, 0});
  transform<It, It>(first, last, out.begin(), [](int x) { return 2 * x; });
  CHECK(out == std::vector<int>{6, 2, 4, 0, 0, 0});
  fill<It, long>(out.begin(), out.end(), 5);
  generate<It>(out.begin(), out.begin() + 1, [] { return 4; });
  CHECK(copy_if<It, It>(first, last, out.begin() + 1, even) == out.begin() + 2);
  CHECK(out == std::vector<int>{4, 2, 5, 5, 5, 5});
  CHECK(unique<It>(out.begin(), out.end()) == out.begin() + 3);
  CHECK((inclusive_scan<It, It>(first, last, out.begin()) == out.begin() + 3 && out[2] == 6));
  CHECK((exclusive_scan<It, It, long>(first, last, out.begin(), 1) == out.begin() + 3 &&
         out[2] == 5));

  reverse<It>(first, last);
  CHECK(v == std::vector<int>{2, 1, 3});
  rotate<It>(first, first + 1, last);
  CHECK(v == std::vector<int>{1, 3, 2});
  CHECK(partition<It, Even>(first, last, even) == first + 1);
  partial_sort<It>(first, first + 1, last);
  nth_element<It>(first, first + 1, last);
  sort<It>(first, last);
  CHECK(v == std::vector<int>{1, 2, 3});
  CHECK(merge<It, It, It>(first, last, first, last, out.begin()) == out.end());
  CHECK((includes<It, It>(first, last, first, last) &&
         set_union<It, It, It>(first, last, first, last, out.begin()) == out.begin() + 3));
  CHECK(set_intersection<It, It, It>(first, last, first, last, out.begin()) == out.begin() + 3);
  CHECK(set_difference<It, It, It>(first, last, first, last, out.begin()) == out.begin());
  int sum = 0;
  for_each<It>(first, last, [&](int x) { sum += x; });
  CHECK(sum == 6);
  static_assert(is_void_v<decltype(shuffle<It>(first, last, declval<std::mt19937&>()))> &&
                is_void_v<decltype(stable_sort<It>(first, last))>);
  static_assert(is_void_v<decltype(inplace_merge<It>(first, first, last))> &&
                is_same_v<decltype(stable_partition<It, Even>(first, last, even)), It>);
  CHECK((remove_if<It, Even>(first, last, even) == first + 2 && v[1] == 3));
}

TEST_CASE("a using-declaration brings one of them in") {
  using furca::count;
  using furca::fill;
  furca::Vector<int> v(1'000);
  fill(v, 4);
  CHECK(count(v, 4) == 1'000);
}

}  // namespace
