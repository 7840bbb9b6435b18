// How an adaptive fence behaves on a machine; see fence.hpp.
#pragma once

#include <cstdint>

namespace furca::detail {

struct FenceTuning {
  std::uint32_t patience;  // fenced pops
  std::uint64_t soon;      // nanoseconds, several heavy fences: a deque that is armed again within this time should have stayed armed, and who arms one needs no longer
  std::uint32_t asks = 0;  // looks, with a pause before each, for which a thief waits for the owner's next pop
};

}  // namespace furca::detail
