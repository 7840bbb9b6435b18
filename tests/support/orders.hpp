// What tests of groups are made of: orders of customers.
#pragma once

#include "elements.hpp"

namespace furca::test {

struct Order {
  std::uint32_t customer = 0;
  std::uint32_t number = 0;
};

inline std::vector<Order> orders(std::size_t n, int distribution, std::uint32_t customers) {
  std::vector<Order> all;
  for (const std::uint32_t x : values(n, distribution))
    all.push_back({x % customers, static_cast<std::uint32_t>(all.size())});
  return all;
}

}  // namespace furca::test
