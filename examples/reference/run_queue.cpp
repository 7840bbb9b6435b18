// The run queue by itself, in use.
#include "../expect.hpp"

#include <furca/run_queue.hpp>

#include <cstdint>
#include <span>
#include <vector>

int main() {
  std::vector<int> elsewhere;
  //! [RunQueue]
  furca::RunQueue<int, 4> queue;
  furca::RunQueue<int, 4> thief;
  const auto overflow = [&](std::span<const int> items) {
    elsewhere.insert(elsewhere.end(), items.begin(), items.end());
  };
  // the fifth finds it full: 1, 2 and 5 go elsewhere
  for (int i = 1; i <= 5; ++i) queue.push(i, overflow);
  // the older half; its oldest is the thief's to run now
  const furca::Steal<int> stolen = queue.steal_half_into(thief);
  //! [RunQueue]
  examples::expect(elsewhere == std::vector<int>({1, 2, 5}), "half of a full queue overflows");
  examples::expect(stolen && stolen.item == 3 && thief.empty() && queue.size() == 1,
                   "half of what is left is stolen");
  examples::expect(queue.pop() == 4 && queue.capacity() == 4, "the other half");

  //! [dynamic]
  // a capacity that is known only now
  furca::RunQueue<int, std::dynamic_extent> sized(512);
  //! [dynamic]
  using Index = furca::RunQueue<int>::Index;
  static_assert(sizeof(Index) == 4);
  examples::expect(sized.capacity() == 512, "as many slots");
  return examples::unexpected;
}
