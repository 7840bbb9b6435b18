// There are no spans of bits.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::group_by(orders, &Order::customer, [](const Order& o) { return o.price > 0; });
#else
  (void)furca::group_by(orders, &Order::customer, [](const Order& o) { return static_cast<char>(o.price > 0); });
#endif
}
