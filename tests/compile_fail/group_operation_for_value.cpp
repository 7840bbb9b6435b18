// The value comes first.
#include <furca/group.hpp>

#include <functional>
#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::reduce_by(orders, &Order::customer, std::plus<>{});
#else
  (void)furca::reduce_by(orders, &Order::customer, &Order::price, std::plus<>{});
#endif
}
