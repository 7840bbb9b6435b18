// Other orders, in use.
#include "../expect.hpp"

#include <furca/permute.hpp>

#include <algorithm>
#include <vector>

namespace {

void orders_of_numbers() {
  std::vector<int> numbers = {1, 2, 3, 4, 5};
  //! [reverse]
  furca::reverse(numbers);
  //! [reverse]
  examples::expect(numbers == std::vector<int>{5, 4, 3, 2, 1}, "reversed");
  //! [rotate]
  // 3 is the first now, and moved has 5 and 4
  const auto moved = furca::rotate(numbers, numbers.begin() + 2);
  //! [rotate]
  examples::expect(
      numbers == std::vector<int>{3, 2, 1, 5, 4} && moved.begin() == numbers.begin() + 3,
      "rotated");
  //! [shuffle]
  furca::shuffle(numbers, 2024);
  //! [shuffle]
  examples::expect(
      std::is_permutation(numbers.begin(), numbers.end(), std::vector<int>{1, 2, 3, 4, 5}.begin()),
      "shuffled");
}

}  // namespace

int main() {
  orders_of_numbers();
  return examples::unexpected;
}
