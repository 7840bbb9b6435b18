// The fence policies of a deque, in use.
#include "../expect.hpp"

#include <furca/deque.hpp>
#include <furca/fence.hpp>

#include <cstdint>

int main() {
  //! [SeqCstFence]
  furca::Deque<int, furca::SeqCstFence> classic;  // the default: header-only
  //! [SeqCstFence]

  //! [AdaptiveFence]
  furca::Deque<int, furca::AdaptiveFence> adaptive;  // pops are free of fences until a thief comes
  adaptive.push(1);
  adaptive.steal();
  const std::uint64_t paid_by_thieves = adaptive.fence().heavy_fences();
  //! [AdaptiveFence]
  examples::expect(paid_by_thieves <= 1, "one steal: one heavy fence, where the system offers it");

  classic.push(1);
  examples::expect(classic.pop() == 1 && !adaptive.pop(), "both are deques");
  return examples::unexpected;
}
