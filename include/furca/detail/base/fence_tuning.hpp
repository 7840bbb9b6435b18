// The tuning of an adaptive fence for a machine; see adaptive_fence.hpp.
#pragma once

#include <cstdint>

namespace furca::detail {

struct FenceTuning {
  std::uint32_t patience;  // fenced pops
  // nanoseconds, several heavy fences: a deque that is armed again within this time should have
  // stayed armed, and who arms one needs no longer
  std::uint64_t soon;
  // looks, with a pause before each, for which a thief waits for the owner's next pop; and fenced
  // pops of one that has answered
  std::uint32_t asks = 0;
};

}  // namespace furca::detail
