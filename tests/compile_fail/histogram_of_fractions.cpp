// A bin is an integer.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::histogram(orders, 10, &Order::price);
#else
  (void)furca::histogram(orders, 10, &Order::customer);
#endif
}
