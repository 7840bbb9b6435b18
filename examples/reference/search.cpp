// Searching and counting, in use.
#include "../expect.hpp"

#include <furca/search.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace {

struct Order {
  int number;
  std::string customer;
  double price;
};

std::vector<Order> some_orders() {
  std::vector<Order> orders;
  for (int i = 0; i < 1000; ++i) orders.push_back({i, i % 7 == 3 ? "Ada" : "Bob", i % 10 * 1.5});
  return orders;
}

void find_one() {
  const std::vector<Order> orders = some_orders();
  //! [find_if]
  const auto first = furca::find_if(orders, [](const Order& order) { return order.price > 10; });
  //! [find_if]
  examples::expect(first->number == 7, "the first expensive order");
  //! [find_if_not]
  const auto cheap_until =
      furca::find_if_not(orders, [](double price) { return price < 5; }, &Order::price);
  //! [find_if_not]
  examples::expect(cheap_until->number == 4, "the first that is not cheap");
  //! [find]
  const auto ada = furca::find(orders, "Ada", &Order::customer);
  //! [find]
  examples::expect(ada->number == 3, "Ada's first order");
  //! [contains]
  const bool eve = furca::contains(orders, "Eve", &Order::customer);
  //! [contains]
  examples::expect(!eve, "Eve has no order");
}

void ask_all() {
  const std::vector<double> samples(1000, 2.0);
  //! [all_of]
  const bool usable = furca::all_of(samples, [](double x) { return std::isfinite(x); });
  //! [all_of]
  //! [any_of]
  const bool clipped = furca::any_of(samples, [](double x) { return std::abs(x) >= 4; });
  //! [any_of]
  //! [none_of]
  const bool positive = furca::none_of(samples, [](double x) { return x <= 0; });
  //! [none_of]
  examples::expect(usable && !clipped && positive, "samples");
}

void compare() {
  const std::vector<int> before = {1, 2, 3, 3, 5, 4};
  const std::vector<int> after = {1, 2, 3, 4, 5, 4};
  //! [adjacent_find]
  const auto twice = furca::adjacent_find(before);
  //! [adjacent_find]
  examples::expect(twice - before.begin() == 2, "two equal neighbours");
  //! [mismatch]
  const auto [one, other] = furca::mismatch(before, after);
  //! [mismatch]
  examples::expect(*one == 3 && *other == 4, "the first difference");
  //! [equal]
  const bool same = furca::equal(before, after);
  //! [equal]
  examples::expect(!same, "not equal");
  //! [is_sorted_until]
  const auto falls = furca::is_sorted_until(before);
  //! [is_sorted_until]
  //! [is_sorted]
  const bool sorted = furca::is_sorted(after, std::less<>{});
  //! [is_sorted]
  examples::expect(*falls == 4 && !sorted, "where it is not sorted");
}

void count_some() {
  const std::vector<Order> orders = some_orders();
  //! [count_if]
  const auto expensive =
      furca::count_if(orders, [](double price) { return price > 10; }, &Order::price);
  //! [count_if]
  //! [count]
  const auto of_ada = furca::count(orders, "Ada", &Order::customer);
  //! [count]
  examples::expect(expensive == 300 && of_ada == 143, "counts");
}

void find_extremes() {
  const std::vector<Order> orders = some_orders();
  //! [min_element]
  const auto cheapest = furca::min_element(orders, {}, &Order::price);
  //! [min_element]
  //! [max_element]
  const auto dearest = furca::max_element(orders, {}, &Order::price);
  //! [max_element]
  examples::expect(cheapest->number == 0 && dearest->number == 9, "the first of several");
  //! [minmax_element]
  const auto ends = furca::minmax_element(orders, {}, &Order::price);
  //! [minmax_element]
  examples::expect(ends.min->number == 0 && ends.max->number == 999,
                   "the first least, the last greatest");
  const std::vector<int> heights = {170, 182, 165};
  //! [min]
  const int least = furca::min(heights);
  //! [min]
  //! [max]
  const int greatest = furca::max(heights);
  //! [max]
  //! [minmax]
  const auto [low, high] = furca::minmax(heights);
  //! [minmax]
  examples::expect(least == low && greatest == high && low == 165 && high == 182, "heights");
}

}  // namespace

int main() {
  find_one();
  ask_all();
  compare();
  count_some();
  find_extremes();
  return examples::unexpected;
}
