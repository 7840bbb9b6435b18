// What is added up has to be said.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::reduce_by(orders, &Order::customer);
#else
  (void)furca::reduce_by(orders, &Order::customer, &Order::price);
#endif
}
