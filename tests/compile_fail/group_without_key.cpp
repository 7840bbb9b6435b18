// By what elements are grouped has to be said.
#include <furca/group.hpp>

#include <vector>

struct Order {
  int customer = 0;
  double price = 0;
};

int main() {
  const std::vector<Order> orders(10);
#ifdef MISTAKE
  (void)furca::group_by(orders);
#else
  (void)furca::group_by(orders, &Order::customer);
#endif
}
