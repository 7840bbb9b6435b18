// What sets do, in use.
#include "../expect.hpp"

#include <furca/sets.hpp>

#include <vector>

namespace {

void sets_of_numbers() {
  const std::vector<int> mine = {1, 2, 2, 5, 8};
  const std::vector<int> yours = {2, 3, 5};
  //! [set_union]
  std::vector<int> any(mine.size() + yours.size());
  any.erase(furca::set_union(mine, yours, any).out, any.end());
  //! [set_union]
  examples::expect(any == std::vector<int>{1, 2, 2, 3, 5, 8}, "in either");
  //! [set_intersection]
  std::vector<int> both(yours.size());
  both.erase(furca::set_intersection(mine, yours, both).out, both.end());
  //! [set_intersection]
  examples::expect(both == std::vector<int>{2, 5}, "in both");
  //! [set_difference]
  std::vector<int> only_mine(mine.size());
  only_mine.erase(furca::set_difference(mine, yours, only_mine).out, only_mine.end());
  //! [set_difference]
  examples::expect(only_mine == std::vector<int>{1, 2, 8}, "in the first one only");
  //! [set_symmetric_difference]
  std::vector<int> not_both(mine.size() + yours.size());
  not_both.erase(furca::set_symmetric_difference(mine, yours, not_both).out, not_both.end());
  //! [set_symmetric_difference]
  examples::expect(not_both == std::vector<int>{1, 2, 3, 8}, "in one of them only");
  //! [includes]
  const bool have_all = furca::includes(mine, both);
  //! [includes]
  examples::expect(have_all && !furca::includes(mine, yours), "has all");
}

}  // namespace

int main() {
  sets_of_numbers();
  return examples::unexpected;
}
