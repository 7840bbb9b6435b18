// Merging, in use.
#include "../expect.hpp"

#include <furca/merge.hpp>

#include <vector>

namespace {

void merge_two() {
  const std::vector<int> odd = {1, 3, 5};
  const std::vector<int> even = {0, 2, 4, 6};
  std::vector<int> all(odd.size() + even.size());
  //! [merge]
  furca::merge(odd, even, all);
  //! [merge]
  examples::expect(all == std::vector<int>{0, 1, 2, 3, 4, 5, 6}, "merged");
  std::vector<int> log = {2, 5, 9};
  const std::vector<int> more = {1, 5, 10};
  //! [inplace_merge]
  const std::size_t sorted = log.size();
  log.insert(log.end(), more.begin(), more.end());
  furca::inplace_merge(log, log.begin() + static_cast<std::ptrdiff_t>(sorted));
  //! [inplace_merge]
  examples::expect(log == std::vector<int>{1, 2, 5, 5, 9, 10}, "merged in place");
}

}  // namespace

int main() {
  merge_two();
  return examples::unexpected;
}
