// Keys have an order.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::count_by(orders);
#else
  (void)furca::count_by(orders, &Order::customer);
#endif
}
