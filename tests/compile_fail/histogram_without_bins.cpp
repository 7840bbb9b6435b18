// How many bins there are has to be said.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::histogram(orders, &Order::customer);
#else
  (void)furca::histogram(orders, 10, &Order::customer);
#endif
}
