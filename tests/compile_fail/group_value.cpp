// A value is a function of an element.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::reduce_by(orders, &Order::customer, 1);
#else
  (void)furca::reduce_by(orders, &Order::customer, [](const Order&) { return 1; });
#endif
}
