// Wrong calls of group.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/group.hpp>

#include <functional>
#include <memory>
#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

void right(const std::vector<Order>& orders) {
  static_cast<void>(furca::reduce_by(orders, &Order::customer, &Order::price));
}

void wrong(const std::vector<Order>& orders, std::vector<std::unique_ptr<int>>& fixed) {
  // furca: write group_by(orders, &Order::customer)
  static_cast<void>(furca::group_by(orders));
  // furca: write group_by(orders, &Order::customer)
  static_cast<void>(furca::group_by(orders, 7));
  // a value is copied
  static_cast<void>(furca::group_by(fixed, [](const auto& p) { return *p; }));
  // and char for bool
  static_cast<void>(
      furca::group_by(orders, &Order::customer, [](const Order& o) { return o.price > 0; }));
  // a key has == and < and is copied
  static_cast<void>(furca::count_by(orders));
  // furca: write count_by(v, [](const auto& element) { return element % 7; })
  static_cast<void>(furca::count_by(orders, [](const Order&) {}));
  // key, value and operation on two values
  static_cast<void>(
      furca::reduce_by(orders, &Order::customer, &Order::price, [](double a) { return a; }));
  // key, value and operation on two values
  static_cast<void>(furca::reduce_by(orders, &Order::customer, std::plus<>{}));
  // count_by(v, key) for how many there are
  static_cast<void>(furca::reduce_by(orders, &Order::customer));
  // furca: write group_by_index(edges, vertices, &Edge::from)
  static_cast<void>(furca::group_by_index(orders, &Order::customer, &Order::price));
  // furca: write histogram(v, 256, [](const auto& element) { return ...; })
  static_cast<void>(furca::histogram(orders, &Order::customer));
  // its bin, an integer
  static_cast<void>(furca::histogram(orders, 10, &Order::price));
}
