// Grouping, in use.
#include "../expect.hpp"

#include <furca/group.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

struct Sale {
  std::string customer;
  int item;
  double price;
};

//! [GroupKey]
template <furca::GroupKey Key>
const Key& larger(const Key& a, const Key& b) {
  return a < b ? b : a;
}
//! [GroupKey]

//! [GroupFunction]
template <class Range, furca::GroupFunction<Range> Key>
std::size_t number_of_keys(const Range& range, Key key) {
  return furca::count_by(range, key).size();
}
//! [GroupFunction]

void group_sales() {
  const std::vector<Sale> sales = {{"Ben", 7, 2.5}, {"Ada", 3, 1.0}, {"Ben", 3, 1.5}};
  //! [count_by]
  for (const auto& [customer, number] : furca::count_by(sales, &Sale::customer)) {
    examples::expect(number == (customer == "Ben" ? 2U : 1U), "what each has bought");
  }
  //! [count_by]
  //! [reduce_by]
  // std::pair<std::string, double>
  const auto totals = furca::reduce_by(sales, &Sale::customer, &Sale::price);
  //! [reduce_by]
  examples::expect(totals[0].first == "Ada" && totals[1].second == 4.0, "what each has paid");
  //! [group_by]
  for (const auto& [customer, items] : furca::group_by(sales, &Sale::customer, &Sale::item)) {
    examples::expect(items[0] == (customer == "Ben" ? 7 : 3), "the first item");
  }
  //! [group_by]
  //! [Groups]
  const furca::Groups<std::string, int> bought =
      furca::group_by(sales, &Sale::customer, &Sale::item);
  const auto [customer, items] = bought[1];  // or bought.keys[1], bought.rows[1]
  //! [Groups]
  examples::expect(customer == bought.keys[1] && items.size() == bought.rows[1].size() &&
                       bought.size() == 2 && !bought.empty(),
                   "Ben's items");
  examples::expect(bought.end() - bought.begin() == 2 && larger(1, 2) == 2, "two customers");
  examples::expect(number_of_keys(sales, &Sale::item) == 2, "two items");
}

void count_bytes() {
  const std::vector<unsigned char> bytes = {7, 9, 7};
  //! [histogram]
  const std::vector<std::size_t> counts = furca::histogram(bytes, 256);
  //! [histogram]
  //! [group_by_index]
  // rows[7] has two, rows[8] none
  const furca::Rows<unsigned char> rows = furca::group_by_index(bytes, 10);
  //! [group_by_index]
  examples::expect(
      rows.size() == 10 && rows[7].size() == 2 && rows[8].empty() && rows.offsets[10] == 3, "rows");
  examples::expect(counts[7] == 2 && counts[9] == 1, "counted");
}

}  // namespace

int main() {
  group_sales();
  count_bytes();
  return examples::unexpected;
}
