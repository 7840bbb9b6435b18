// An operation combines two values.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::reduce_by(orders, &Order::customer, &Order::price, [](double a) { return a; });
#else
  (void)furca::reduce_by(orders, &Order::customer, &Order::price, [](double a, double b) { return a + b; });
#endif
}
